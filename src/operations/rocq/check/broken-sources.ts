/**
 * Why a file of a project cannot be run whose required files are not compiled: the first of these, which is one cause for all that
 * require it, may have an error itself, so that no build helps. To know it, that file is run; nothing is compiled.
 */
import { relative } from 'node:path';
import { LineIndex } from '../../../core/position.ts';
import { QuodError } from '../../../core/errors.ts';
import { dependenciesOf } from '../../../provers/rocq/build/project-build.ts';
import { notCompiled } from '../../../provers/rocq/build/project-sources.ts';
import type { FileOutline } from '../../../provers/rocq/syntax/outline.ts';
import type { BackendChoice } from '../../../sessions/find-rocq.ts';
import { readSourceFile } from '../../files/source-file.ts';
import { checkByAnyRocq } from './other-rocq.ts';

export interface BlockedFile {
  /** Absolute path. */
  readonly file: string;
  readonly outline: Pick<FileOutline, 'requires'>;
  readonly backend: BackendChoice;
  readonly signal: AbortSignal;
}

const SENTENCE_TIMEOUT_MS = 10_000;
/** Nobody waits longer for a better message. */
const MOST_MS = 30_000;

/** What keeps all that require a file from being compiled. */
export interface BrokenSource {
  /** Which file it is, where its first error is, and what Rocq says of it. */
  readonly message: string;
  readonly remedy: string;
}

/** Of one run over many files: each is looked at once. */
export class BrokenSources {
  readonly #errors = new Map<string, Promise<BrokenSource | undefined>>();
  /** One was not seen to be broken: the project may only be not built, and no other is run to learn more. */
  #isOnlyUnbuilt = false;

  /** Undefined where no file below it is known to be broken. */
  async cause(blocked: BlockedFile): Promise<BrokenSource | undefined> {
    const { sources } = await dependenciesOf(blocked.file, blocked.outline.requires);
    const [first] = await notCompiled(sources);
    if (first === undefined) return undefined;
    const known = this.#errors.get(first.path);
    if (known !== undefined) return known;
    if (this.#isOnlyUnbuilt) return undefined;
    const looking = brokenAt(first.path, blocked);
    this.#errors.set(first.path, looking);
    const error = await looking;
    this.#isOnlyUnbuilt = error === undefined;
    return error;
  }
}

async function brokenAt(path: string, { backend, signal }: BlockedFile): Promise<BrokenSource | undefined> {
  const name = relative(process.cwd(), path);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)]);
  const looked = async () => {
    const { text } = await readSourceFile(name, path);
    const request = { file: path, text, backend, timeoutMs: SENTENCE_TIMEOUT_MS, signal: limit };
    const [error] = (await checkByAnyRocq(request)).report.errors;
    return error && { ...error, ...new LineIndex(text).printedAt(error.span.start) };
  };
  // What cannot be looked at is not known to be broken.
  const error = await looked().catch((failure: unknown) => {
    if (failure instanceof QuodError || limit.aborted) return undefined;
    throw failure;
  });
  // What cannot load a library is not what is broken.
  if (error === undefined || error.reason !== undefined) return undefined;
  const { line, column } = error;
  return {
    message: `${name}, which it requires, itself or through others, does not compile: ${name}:${line}:${column}: ${error.message}`,
    remedy: `Mend ${name} first; \`proof_check\` lists all its errors.`,
  };
}
