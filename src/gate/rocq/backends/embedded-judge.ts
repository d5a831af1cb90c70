/**
 * The judge's prover when all there is is the Rocq inside Node: it compiles each text in a thread of its own, and another
 * thread, which has only the compiled file, is asked what it rests on. There is no separate checker; so that none is
 * needed, the kernel's checks are watched while a text is run.
 *
 * That Rocq takes a text sentence by sentence. A text of which it leaves something unread is not judged: another Rocq
 * would read another file.
 */
import { InOrder } from '../../../core/concurrency/in-order.ts';
import { QuodError } from '../../../core/errors.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { lazyConstant } from '../../../core/lazy-constant.ts';
import { lastPart, qualifierOf } from '../../../core/qualified-name.ts';
import type { Isolation } from '../../../process/sandbox.ts';
import { type EmbeddedRocq, createEmbeddedRocq } from '../../../provers/rocq/embedded/adapter.ts';
import type { StmId } from '../../../provers/rocq/driver.ts';
import { splitSentences, unterminatedText } from '../../../provers/rocq/syntax/sentences.ts';
import {
  type AssumptionsAnswer,
  type CompiledUnit,
  type CompileRequest,
  type CompileResult,
  type JudgeBackend,
  type Limits,
  type Unknown,
  unknownAnswer,
} from './judge-backend.ts';
import { libraryDigest, readCompiledFile } from '../compiled/compiled-file.ts';
import { dependencies } from '../compiled/compiled-library.ts';
import type { LibraryPlaces } from '../library-fingerprint.ts';
import { type AskCompiled, CompiledQuestions, PREFIX, QUESTIONS } from './compiled-questions.ts';
import { moved } from './coqc-error.ts';
import { machineValuesIn } from './machine-values.ts';
import { PRINTING } from './printing.ts';

type Document = Awaited<ReturnType<EmbeddedRocq['openDocument']>>['driver'];

const JUDGED_FOLDER = '/judged';

export class EmbeddedJudge implements JudgeBackend {
  readonly name = 'embedded';
  readonly #embedded = lazyConstant(createEmbeddedRocq);

  async version(): Promise<string> {
    return (await this.#embedded()).identity.version;
  }

  /** A thread that reaches nothing of this machine. */
  isolation(): Promise<Isolation | undefined> {
    return Promise.resolve(undefined);
  }

  /** Its own libraries go with its version; those of a project it compiles itself. */
  libraryPlaces({ loadPath }: CompileRequest['project']): Promise<LibraryPlaces> {
    const loadable = loadPath.map(({ physical }) => physical);
    return Promise.resolve({ folders: [], loadable, suffixes: ['.v', '.vo'], variables: {} });
  }

  compile(request: CompileRequest): Promise<CompileResult> {
    return this.#inDocument(`${PREFIX}.${request.moduleName}`, request, (document) =>
      this.#compileIn(document, request),
    );
  }

  async unitOf(request: CompileRequest, bytes: Uint8Array): Promise<CompiledUnit> {
    const rocq = await this.#embedded();
    const { memoryLimit, signal = new AbortController().signal } = request.limits;
    const project = rocq.projectLibrary({ file: request.path, memoryLimit, signal });
    return {
      bytes,
      installedDigest: (name) => {
        const file = rocq.libraryFile(name);
        return Promise.resolve(file && libraryDigest(file));
      },
      libraryFiles: async function* (name) {
        const file = rocq.libraryFile(name) ?? (await project.compiled(name, signal));
        if (file !== undefined) yield file;
      },
      asksSlowly: true,
      assumptions: (names, limits) =>
        this.#behind<AssumptionsAnswer>(request, bytes, limits, (questions) => questions.assumptions(names)),
      propositions: async (names, limits) => {
        const found = await this.#behind(request, bytes, limits, async (questions) => {
          return { status: 'done' as const, propositions: await questions.propositions(names) };
        });
        return found.status === 'done' ? found.propositions : new Set();
      },
    };
  }

  async #compileIn(document: Document, request: CompileRequest): Promise<CompileResult> {
    const { text, limits } = request;
    let at = document.root;
    const { sentences, unterminated } = splitSentences(text);
    if (unterminated !== undefined) {
      const { span } = unterminated;
      return failed({ severity: 'error', message: unterminatedText(unterminated), span });
    }
    const flags = await typingFlags(document, at);
    let hadChecksOff = false;
    for (const sentence of sentences) {
      const answer = await document.execute(at, sentence, false);
      if (answer.status === 'failed')
        return failed(moved(answer.error, sentence.span.start, sentence.text.length));
      if (answer.status !== 'done') return notAnswered(sentence.text, answer, limits);
      at = answer.place;
      if (!document.cutAsGiven)
        return unknownAnswer(
          'unsupported',
          'The embedded Rocq reads the sentences of this text otherwise than Quod cuts them. Judge it with an installed Rocq.',
        );
      if (isCommand(sentence.text)) hadChecksOff ||= (await typingFlags(document, at)) !== flags;
    }
    const goals = await document.goals(at);
    if (goals.status === 'done' && goals.value !== null) {
      const end = { start: text.length, end: text.length };
      return failed({ severity: 'error', message: 'There are pending proofs.', span: end });
    }
    const bytes = await document.compiledFile();
    if (bytes === undefined)
      return unknownAnswer('prover-crashed', 'The embedded Rocq wrote no compiled file.');
    const machine = machineValuesIn(bytes);
    return machine !== undefined
      ? unknownAnswer(
          'unsupported',
          `The embedded Rocq computes otherwise than others with the machine's numbers and arrays (${machine}). Judge it with an installed Rocq.`,
        )
      : { status: 'compiled', unit: { ...(await this.unitOf(request, bytes)), hadChecksOff } };
  }

  /** Questions to a document that has required the compiled bytes, with all printing options set. */
  async #behind<Answer extends { readonly status: string }>(
    request: CompileRequest,
    bytes: Uint8Array,
    limits: Limits,
    work: (questions: CompiledQuestions) => Promise<Answer>,
  ): Promise<Answer | Unknown> {
    const name = `${PREFIX}.${request.moduleName}`;
    const rocq = await this.#embedded();
    const ofProject = dependencies(readCompiledFile(bytes))
      .libraries.map(({ name }) => name)
      .filter((name) => !rocq.ships(name));
    return this.#inDocument(QUESTIONS, { ...request, limits }, async (document) => {
      await document.show([{ name: `${JUDGED_FOLDER}/${lastPart(name)}.vo`, bytes }]);
      const run = async (place: StmId, texts: readonly string[]) => {
        let at = place;
        for (const text of texts) {
          const answer = await document.execute(at, { text }, false);
          if (answer.status !== 'done') return notAnswered(text, answer, limits);
          at = answer.place;
        }
        return { status: 'ran' as const, at };
      };
      const loaded = await run(document.root, [
        // A sentence that names files of the project brings them.
        ...ofProject.map((name) => `Require ${name}.`),
        ...[`Add LoadPath "${JUDGED_FOLDER}" as ${qualifierOf(name)}.`, `Require ${name}.`],
        ...PRINTING,
      ]);
      if (loaded.status === 'unknown') return loaded;
      const ask: AskCompiled = async (commands, declared) => {
        const behind = await run(loaded.at, declared);
        if (behind.status === 'unknown') return behind;
        const answers: string[] = [];
        for (const text of commands) {
          const answer = await document.query(behind.at, { text });
          if (answer.status !== 'done') return notAnswered(text, answer, limits);
          // An answer is a notice; what the prover says about its work (files that it reads) is not.
          const notices = answer.value.filter(({ severity }) => severity === 'notice');
          answers.push(notices.map(({ message }) => message).join('\n'));
        }
        return { status: 'asked', answers };
      };
      const turns = new InOrder();
      const inTurn: AskCompiled = (commands, declared) => turns.run(() => ask(commands, declared));
      return work(new CompiledQuestions(request.moduleName, bytes, inTurn));
    });
  }

  async #inDocument<Answer extends { readonly status: string }>(
    topName: string,
    { path, limits }: Pick<CompileRequest, 'path' | 'limits'>,
    work: (document: Document) => Promise<Answer>,
  ): Promise<Answer | Unknown> {
    const { timeoutMs, memoryLimit, signal } = limits;
    const rocq = await this.#embedded();
    let document: Document;
    try {
      const context = { file: path, memoryLimit, ...(signal && { signal }) };
      document = (await rocq.openDocument(topName, context)).driver;
    } catch (error) {
      if (error instanceof QuodError) return unknownAnswer(error.reason, error.message);
      throw error;
    }
    const stop = (): void => void document.kill();
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort();
      stop();
    }, timeoutMs);
    signal?.addEventListener('abort', stop);
    try {
      const answer = await work(document);
      return late.signal.aborted && answer.status === 'unknown'
        ? unknownAnswer('timeout', `The embedded Rocq did not finish within ${timeoutMs / 1000} s.`)
        : answer;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      await document.kill();
    }
  }
}

function notAnswered(
  text: string,
  answer: Exclude<Awaited<ReturnType<Document['query']>>, { readonly status: 'done' }>,
  limits: Limits,
): Unknown {
  switch (answer.status) {
    case 'failed':
      return unknownAnswer('protocol-error', `${text} failed: ${answer.error.message}`);
    case 'interrupted':
      return stoppedBy(limits);
    case 'lost':
      return unknownAnswer(answer.reason, answer.message);
  }
}

/** What the kernel checks, in the prover's words; undefined when it does not say. */
async function typingFlags(document: Document, at: StmId): Promise<string | undefined> {
  const answer = await document.query(at, { text: 'Print Typing Flags.' });
  return answer.status === 'done' ? answer.value.map(({ message }) => message).join('\n') : undefined;
}

/** Tactics, bullets and braces leave the flags alone: only they begin otherwise. */
function isCommand(sentence: string): boolean {
  return /^[\p{Lu}#]/u.test(sentence);
}

function failed(error: Diagnostic): CompileResult {
  return { status: 'failed', error };
}

function stoppedBy({ signal }: Limits): Unknown {
  return signal?.aborted === true
    ? unknownAnswer('interrupted', 'The judgement was cancelled.')
    : unknownAnswer('timeout', 'The embedded Rocq was stopped before it had finished.');
}
