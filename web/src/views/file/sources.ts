/** Sources as the server hands them out, and as they are when it has none. */
import { Text } from '@codemirror/state';
import type { OpenedSource } from '../../../../src/faces/server/live/source-routes.ts';
import { CallError, toldJson } from '../../server/client.ts';

/** What the file was on the disk when this text began from it. */
export interface Saved {
  readonly text: Text;
  readonly hash: string;
  /** The same as a string; undefined where only its hash is known, and `text` is what is on the disk now. */
  readonly base: string | undefined;
}

/** What is said where a file is not there any more, or something that is no file of the project stands in its place. */
const GONE: ReadonlySet<string> = new Set([
  ...['not-found', 'file-unreadable', 'outside-workspace', 'invalid-input', 'too-large'],
]);

/** The error, where it says that there is no such file. */
export function goneBy(error: unknown): CallError | undefined {
  return error instanceof CallError && GONE.has(error.problem.reason) ? error : undefined;
}

export function savedOf({ text, hash }: OpenedSource): Saved {
  return { text: toText(text), hash, base: text };
}

export function readSource(file: string): Promise<OpenedSource> {
  return toldJson<OpenedSource>(`/api/source?file=${encodeURIComponent(file)}`);
}

export function toText(text: string): Text {
  return Text.of(text.split('\n'));
}
