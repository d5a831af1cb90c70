/** A folder of files and a client that calls operations on it, for tests. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { loadOperation } from '../load-operation.ts';
import type { OperationContext, Progress } from '../definition/operation-context.ts';
import { Services } from '../definition/services.ts';
import { Workspace } from '../definition/workspace.ts';

export interface Caller {
  readonly folder: string;
  readonly services: Services;
  readonly progress: Progress[];
  call: (name: string, input?: Record<string, unknown>, as?: CallAs) => Promise<Record<string, unknown>>;
  /** The reason code and message of a call that must fail. */
  failure: (
    name: string,
    input?: Record<string, unknown>,
    as?: CallAs,
  ) => Promise<{ readonly reason: string; readonly text: string }>;
  /** What a call of this client gets, for operations that are in no catalogue. */
  context: (as?: CallAs) => OperationContext;
  write: (name: string, text: string) => Promise<string>;
  close: () => Promise<void>;
}

export interface CallAs {
  readonly client?: string;
  readonly signal?: AbortSignal;
}

/** @param proverMemory bytes that all provers together may use */
export async function openCaller(
  files: Readonly<Record<string, string>> = {},
  proverMemory = 4 * 1024 ** 3,
): Promise<Caller> {
  const folder = await mkdtemp(join(tmpdir(), 'quod-operations-'));
  const services = new Services({
    sessionIdleMs: 600_000,
    maximumSessions: 100,
    proverMemory,
  });
  const workspace = await Workspace.confinedTo(folder);
  const progress: Progress[] = [];
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const context: Caller['context'] = (as = {}) => ({
    workspace,
    client: as.client ?? 'a client',
    signal: as.signal ?? new AbortController().signal,
    services,
    progress: (step) => progress.push(step),
  });
  const call: Caller['call'] = async (name, input = {}, as = {}) => {
    const operation = await loadOperation(name);
    if (operation === undefined) throw new Error(`There is no operation ${name}.`);
    return (await operation.answer(input, context(as))).value;
  };
  return {
    folder,
    services,
    progress,
    call,
    context,
    failure: async (name, input, as) => {
      try {
        const answer = await call(name, input, as);
        throw new Error(`${name} should have failed, but answered ${JSON.stringify(answer)}.`);
      } catch (error) {
        if (error instanceof QuodError) return { reason: error.reason, text: error.toString() };
        throw error;
      }
    },
    write,
    close: async () => {
      await services.close();
      await rm(folder, { recursive: true });
    },
  };
}
