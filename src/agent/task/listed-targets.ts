/**
 * The list of a task's targets: items such as `- file: name, name` or `1. a.v, b.v` (no names: every hole). Whatever stands
 * there is understood or refused with its line, so that nothing that somebody listed is left out in silence. Only prose that
 * names no file may stand beside the items.
 */
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { foreignName } from '../../core/foreign-text.ts';

export interface TaskTarget {
  /** As it is written, relative to the folder of the task file. */
  readonly file: string;
  /** Undefined: every hole of the file. */
  readonly theorems: readonly string[] | undefined;
}

/** A part of a task file with the number of its first line, from 1. */
export interface TargetList {
  readonly body: string;
  readonly line: number;
}

interface Item {
  readonly text: string;
  readonly line: number;
}

const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s+(.*))?$/u;
/** Where a line begins so, it does not go on with the item before it. */
const OTHER_BLOCK = /^\s*(?:[<#>]|`{3}|~{3})/u;
const FILE = '`[^`]+`|[^\\s`:,]+';
const FILES_AND_NAMES = new RegExp(
  `^(?:\\[[ xX]\\]\\s+)?((?:${FILE})(?:\\s*,\\s*(?:${FILE}))*)\\s*(?::\\s*(.*))?$`,
  'u',
);
const NAMED_FILE = /\S\.(?:v|lean|fsti?|sml)(?![\p{L}\p{N}_])/u;
/** Of a line in an error. */
const SHOWN = 200;

/** @throws QuodError `invalid-input` for what is no target and names a file, or is an item. */
export function listedTargets({ body, line }: TargetList, file: string): readonly TaskTarget[] {
  const { items, others } = partsOf(withoutComments(body), line);
  for (const other of others) if (NAMED_FILE.test(other.text)) throw notUnderstood(other, file);
  return items.flatMap((item) => targetsOf(item, file));
}

function targetsOf(item: Item, place: string): readonly TaskTarget[] {
  const [, listed, written] = FILES_AND_NAMES.exec(item.text) ?? [];
  if (listed === undefined) throw notUnderstood(item, place);
  const files = [...listed.matchAll(new RegExp(FILE, 'gu'))].map(([one]) => one.replaceAll('`', ''));
  const theorems = orNothing(written)
    .split(/[,\s]+/u)
    .map((name) => name.replaceAll('`', ''))
    .filter((name) => name !== '');
  if (theorems.length === 0) return files.map((file) => ({ file, theorems: undefined }));
  // Names behind several files are of which? And what looks like a file among names is another target.
  if (files.length > 1 || theorems.some((name) => name.includes(':') || NAMED_FILE.test(name)))
    throw notUnderstood(item, place);
  return files.map((file) => ({ file, theorems }));
}

function notUnderstood({ text, line }: Item, file: string): QuodError {
  return new QuodError('invalid-input', `Under \`## Targets\`, this is no target: ${shown(text)}`, {
    place: { file, position: { line, column: 0 } },
    remedy:
      'Write an item for each file, `- theory.v: lemma_1, lemma_2`, or `- a.v, b.v` for every hole of them; names with blanks, commas or colons stand as code. What is no target belongs into another section.',
  });
}

function shown(text: string): string {
  const line = foreignName(text.trim());
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN)} …`;
}

/** The items, each with the lines that go on with it, and the other lines. */
function partsOf(
  body: string,
  first: number,
): { readonly items: readonly Item[]; readonly others: readonly Item[] } {
  const items: Item[] = [];
  const others: Item[] = [];
  let open: Item | undefined;
  let isBlankBefore = false;
  const close = (): void => {
    if (open !== undefined && open.text !== '') items.push(open);
    open = undefined;
  };
  for (const [at, ended] of body.split('\n').entries()) {
    const text = ended.replace(/\r$/u, '');
    const line = first + at;
    const begun = ITEM.exec(text);
    if (begun !== null) {
      close();
      open = { text: orNothing(begun[1]).trim(), line };
    } else if (text.trim() === '') {
      isBlankBefore = true;
      continue;
    } else if (
      open !== undefined &&
      !OTHER_BLOCK.test(text) &&
      (!isBlankBefore || /^(?: {2}|\t)/u.test(text))
    ) {
      open = { text: `${open.text} ${text.trim()}`.trim(), line: open.line };
    } else {
      close();
      others.push({ text, line });
    }
    isBlankBefore = false;
  }
  close();
  return { items, others };
}

/** What is commented out is listed for nobody. The lines stay where they are. */
function withoutComments(body: string): string {
  return body.replace(/(?<!`)<!--[\s\S]*?-->/gu, (comment) => comment.replace(/[^\n]/gu, ' '));
}
