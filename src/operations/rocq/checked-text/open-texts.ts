/**
 * The texts that clients have open, with what is known of their sentences. Those that nobody used for longest go
 * first.
 */
import { createHash } from 'node:crypto';
import { RecentlyUsed } from '../../../core/recently-used.ts';
import { sha256 } from '../../../core/sha256.ts';
import { QuodError } from '../../../core/errors.ts';
import type { OperationContext } from '../../definition/operation.ts';
import type { Service } from '../../definition/services.ts';
import { LARGEST_SOURCE_BYTES } from '../../../process/foreign-folder/regular-file.ts';
import { rootState } from '../../../sessions/script-state.ts';
import { rocqWorkbenchOf } from '../session/place.ts';
import { RocqFile } from '../session/rocq-file.ts';
import type { RocqWorkbench } from '../session/rocq-workbench.ts';
import { RocqSession } from '../session/rocq-session.ts';
import { CheckedText } from './checked-text.ts';
import { SentenceMemory } from './sentence-memory.ts';

export interface OpenText {
  readonly client: string;
  readonly version: string;
  readonly checked: CheckedText;
  readonly session: RocqSession;
  readonly sessionId: string;
}

/** Characters of goals and messages that are kept of all texts together. */
const MEMORY = 100_000_000;

/** Two windows may have different texts of one file; what was typed meanwhile is gone. */
const VERSIONS_KEPT = 24;

/** Characters of all texts together; the outline of a text takes about twenty bytes for each. */
const CHARACTERS_KEPT = 8_000_000;

/** A short text has a session, too. */
const LEAST_SIZE = 40_000;

export class OpenTexts implements Service {
  readonly memory = new SentenceMemory(MEMORY);
  readonly #texts = new RecentlyUsed<OpenText>(CHARACTERS_KEPT);

  /** The text as it was sent before. @throws QuodError `stale-state`. */
  find(client: string, file: string, version: string): OpenText {
    const text = this.#texts.get(keyOf(client, file, version));
    if (text === undefined)
      throw new QuodError('stale-state', 'This version of the text is not open any more.', {
        place: { file },
        remedy: 'Send the text again.',
      });
    return text;
  }

  /** @throws QuodError `too-large`, and what reading the project of the file does. */
  async open(context: OperationContext, path: string, text: string): Promise<OpenText> {
    if (text.length > LARGEST_SOURCE_BYTES)
      throw new QuodError('too-large', 'The text is too long to be run as it is typed.', {
        place: { file: path },
        remedy: 'Check it with `proof_check`, or split the file.',
      });
    const workbench = rocqWorkbenchOf(context);
    const { name, libraries, absolute } = await workbench.placeOf(context.workspace, path);
    const hash = sha256(text);
    const source = {
      ...{ name, path: absolute, text, hash },
      byteOrderMark: false,
      lineEnd: '\n' as const,
    };
    const file = new RocqFile(source, name, { file: absolute, libraries: libraries.digest }, libraries.of);
    const saved = await savedFile(workbench, context, path);
    const checked = new CheckedText(file, this.memory, saved);
    const version = createHash('sha256')
      .update(`${hash}:${libraries.digest}:${checked.heldBack.join(' ')}`)
      .digest('base64url')
      .slice(0, 22);
    const key = keyOf(context.client, path, version);
    const known = this.#texts.get(key);
    const isLive = workbench.sessions.of(context.client).some(({ id }) => id === known?.sessionId);
    if (known !== undefined && isLive) return known;
    const session = new RocqSession({ file, base: rootState(file.context) });
    const { id } = workbench.sessions.add(context.client, session);
    const opened = { client: context.client, version, checked, session, sessionId: id };
    const dropped = this.#texts.keep(key, opened, Math.max(text.length, LEAST_SIZE));
    for (const gone of [...dropped, ...this.#oldVersions(context.client, path)])
      // One that nobody used for long has ended.
      await workbench.sessions.close(gone.client, gone.sessionId).catch(() => undefined);
    return opened;
  }

  /** The sessions of the texts end with those of the client. */
  clientGone(client: string): Promise<void> {
    for (const [key] of this.#texts.entries()) if (key.startsWith(prefixOf(client))) this.#texts.drop(key);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#texts.clear();
    return Promise.resolve();
  }

  #oldVersions(client: string, path: string): OpenText[] {
    const prefix = keyOf(client, path, '');
    const own = this.#texts.entries().filter(([key]) => key.startsWith(prefix));
    const old = own.slice(0, Math.max(0, own.length - VERSIONS_KEPT));
    for (const [key] of old) this.#texts.drop(key);
    return old.map(([, text]) => text);
  }
}

function prefixOf(client: string): string {
  return `${JSON.stringify(client)} `;
}

function keyOf(client: string, file: string, version: string): string {
  return `${prefixOf(client)}${JSON.stringify(file)} ${version}`;
}

export function openTexts(): OpenTexts {
  return new OpenTexts();
}

/** Undefined where there is none yet, or none that can be read. */
function savedFile(
  workbench: RocqWorkbench,
  { workspace }: OperationContext,
  path: string,
): Promise<RocqFile | undefined> {
  return workbench.file(workspace, path).catch((error: unknown) => {
    if (error instanceof QuodError) return undefined;
    throw error;
  });
}
