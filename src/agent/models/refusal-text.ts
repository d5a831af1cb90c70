/**
 * What a server says in the body of a refusal, in whatever form: a message in JSON, some levels deep, the title of a page,
 * or a text. Bounded, on one line, and with nothing that acts in a terminal. A key is one word: none is told in half.
 */
import { orNothing } from '../../core/entry.ts';
import { foreignName } from '../../core/foreign-text.ts';
import { isRecord } from '../../core/json.ts';

const LONGEST_READ = 20_000;
const LONGEST_TOLD = 300;
const DEEPEST = 6;

/** Where servers put it, the most telling first. */
const FIELDS = ['message', 'error', 'errors', 'detail', 'details', 'msg', 'title'];

/** Empty where nothing is said. */
export function refusalText(body: string): string {
  const said = messageOf(body.slice(0, LONGEST_READ)).replace(/\s+/gu, ' ').trim();
  const words = said.length <= LONGEST_TOLD ? said : `${said.slice(0, LONGEST_TOLD).replace(/\S*$/u, '')}…`;
  return foreignName(words);
}

function messageOf(body: string): string {
  try {
    return messageIn(JSON.parse(body), 0);
  } catch {
    if (!/^\s*<[!a-z]/iu.test(body)) return /^\s*[[{]/u.test(body) ? '' : body;
    return orNothing(/<(?:title|h1)\b[^<>]*>([^<]*)/iu.exec(body)?.[1]);
  }
}

function messageIn(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (depth > DEEPEST) return '';
  const inside: readonly unknown[] = Array.isArray(value)
    ? value
    : isRecord(value)
      ? FIELDS.map((name) => value[name])
      : [];
  for (const one of inside) {
    const said = messageIn(one, depth + 1);
    if (said.trim() !== '') return said;
  }
  return '';
}
