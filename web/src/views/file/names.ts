/** Names in texts, and what the prover says of them where they stand. */
import type { Text } from '@codemirror/state';
import { call } from '../../server/client.ts';
import type { OpenDocument } from './open-document.ts';

const NAME = /[\p{L}_][\p{L}\p{N}_']*(?:\.[\p{L}_][\p{L}\p{N}_']*)*/gu;

export interface NamePlace {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export function nameAt(text: Text, at: number): NamePlace | undefined {
  const line = text.lineAt(at);
  for (const match of line.text.matchAll(NAME)) {
    const from = line.from + match.index;
    const to = from + match[0].length;
    if (from <= at && at <= to) return { name: match[0], from, to };
  }
  return undefined;
}

/** Its type and where it is from, at a place of the text; undefined where nothing is called like that. */
export async function aboutName(open: OpenDocument, name: string, at: number): Promise<string | undefined> {
  const goals = await open.goals(at, false, new AbortController().signal).catch(() => undefined);
  if (goals === undefined) return undefined;
  const hypothesis = goals.goals[0]?.hypotheses.find((known) => known.name === name);
  if (hypothesis !== undefined)
    return `${name}${hypothesis.body === null ? '' : ` := ${hypothesis.body}`} : ${hypothesis.type}`;
  const place = { session_id: goals.session_id, from: goals.state };
  const about = await call('rocq_about', { ...place, name }).catch(() => undefined);
  return about?.results.join('\n');
}
