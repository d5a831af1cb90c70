/**
 * What a judge can do before there is a proof: compile the target, compile the submission up to where the proof will stand, and
 * load the libraries where they will be needed (loaded-ahead.ts). Nothing is decided here. What was begun is taken only where
 * it is what would have been asked for, and only when it went well; in every other case all is done again, in the usual way.
 */
import { BegunWork } from './backends/awaiting-run.ts';
import type { CompiledFile } from './compiled/compiled-file.ts';
import type { CompileRequest, CompileResult, LoadedAhead } from './backends/judge-backend.ts';
import type { ReferenceResult } from './reference-result.ts';

export interface BegunJudgement {
  /** The submission, up to the first proof. */
  readonly submission: BegunCompilation;
  /** Targets, by their text. All are compiled by the same request but for it. */
  readonly targets: Map<string, Promise<ReferenceResult>>;
  /** What will be asked about the submission; undefined where the target could not be begun. */
  readonly libraries: { for(submission: CompiledFile): LoadedAhead | undefined } | undefined;
  /** Whether what stands behind the proofs is left out, as far as that is known before they are there. */
  readonly onlyUpToProofs: boolean;
  /** Ends what was begun and is not needed. */
  end(): void;
}

export class BegunCompilation {
  readonly #request: CompileRequest;
  readonly #work: BegunWork<string, CompileResult>;

  /** @param compile Compiles the text of the request and what follows it, when that is known. */
  constructor(
    request: CompileRequest,
    compile: (request: CompileRequest, rest: Promise<string>) => Promise<CompileResult>,
  ) {
    this.#request = request;
    this.#work = new BegunWork(async (rest) => {
      const result = await compile(request, rest);
      return result.status === 'compiled' ? result : undefined;
    });
  }

  /** Undefined where it is another request, and where it did not go well. It serves once. */
  async finish(request: CompileRequest): Promise<CompileResult | undefined> {
    const { text } = this.#request;
    if (request.text.startsWith(text) && withoutText(request) === withoutText(this.#request))
      return this.#work.finish(request.text.slice(text.length));
    this.end();
    return undefined;
  }

  end(): void {
    this.#work.end();
  }
}

function withoutText({ path, moduleName, project, confirmCuts = false, limits }: CompileRequest): string {
  const limitsInOrder = Object.entries({ ...limits, signal: undefined }).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return JSON.stringify([path, moduleName, project, confirmCuts, limitsInOrder]);
}
