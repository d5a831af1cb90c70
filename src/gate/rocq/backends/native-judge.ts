/**
 * The judge's prover when Rocq is installed: `coqc` compiles in a sandbox, and a second `coqc`, in a sandbox that holds
 * nothing but the compiled result, is asked what it rests on (question-processes.ts). Where there is `coqchk`, it checks
 * the result again.
 */
import { realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute } from 'node:path';
import { FileDigests } from '../../../process/foreign-folder/file-digests.ts';
import { isFolder } from '../../../process/foreign-folder/is-folder.ts';
import { BYTE_ORDER_MARK, withoutByteOrderMark } from '../../../process/foreign-folder/byte-order-mark.ts';
import { orNothing, orZero } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { lazyConstant } from '../../../core/lazy-constant.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../../process/foreign-folder/regular-file.ts';
import { GuardedChild } from '../../../process/guarded-child.ts';
import { KeptAnswer } from '../../../process/kept-answer.ts';
import { KILLED, PROCESSOR_TIME_OVER } from '../../../process/sandbox-limits.ts';
import {
  asOutside,
  findSandbox,
  type Isolation,
  runInSandbox,
  type SandboxBackend,
} from '../../../process/sandbox.ts';
import type { LibraryPlaces } from '../library-fingerprint.ts';
import { parseCoqcError } from './coqc-error.ts';
import { cutsAreOurs } from './reported-sentences.ts';
import { mayHaveWorkers } from '../../../provers/rocq/prover-rights.ts';
import { coqArguments, type RocqProject } from '../../../provers/rocq/project/project.ts';
import type { AwaitingRun, Ended } from './awaiting-run.ts';
import { hiddenIn, InstalledPlugins, withStandIns } from './installed-plugins.ts';
import { PREFIX } from './compiled-questions.ts';
import { compiledPlace, type ProverRun, QuestionProcesses } from './question-processes.ts';
import { libraryDigest } from '../compiled/compiled-file.ts';
import {
  foldersOfEnvironment,
  installedFile,
  placesInFolders,
  placesInLoadPath,
} from '../compiled/library-files.ts';
import { tellOutsideLinks } from './outside-links.ts';
import { checkerBeside, SeparateChecker } from './separate-checker.ts';
import {
  type CompiledUnit,
  type CompileRequest,
  type AheadRequest,
  type CompileResult,
  type JudgeBackend,
  type LibrariesToCheck,
  type Limits,
  type LoadedAhead,
  type RecheckAnswer,
  type Unknown,
  unknownAnswer,
} from './judge-backend.ts';

/** What tells Rocq and OCaml where their libraries are. It is the judge's environment, not the submission's. */
const LIBRARY_VARIABLES = [
  ...['COQLIB', 'COQCORELIB', 'ROCQLIB', 'COQPATH', 'ROCQPATH'],
  ...['OCAMLPATH', 'OCAMLLIB', 'OCAMLFIND_CONF', 'CAML_LD_LIBRARY_PATH'],
];

interface Installation {
  readonly version: string;
  readonly library: string;
  readonly readable: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export class NativeJudge implements JudgeBackend {
  readonly name = 'coqc';
  readonly #coqc: string;
  readonly #sandbox: SandboxBackend | 'none' | undefined;
  readonly #questions = new QuestionProcesses((request) => this.#run(this.#coqc, request));
  /** They are asked for again and again. */
  readonly #installed = new FileDigests((bytes) => orNothing(libraryDigest(bytes)));
  readonly #installation = lazyConstant(() => this.#readInstallation());
  #processorMs = 0;

  /** @param sandbox default: what is found */
  constructor(coqc: string, sandbox?: SandboxBackend | 'none') {
    this.#coqc = coqc;
    this.#sandbox = sandbox;
  }

  get processorMs(): number {
    return this.#processorMs;
  }

  async version(): Promise<string> {
    return (await this.#installation()).version;
  }

  async isolation(): Promise<Isolation> {
    const sandbox = this.#sandbox ?? (await findSandbox()) ?? 'none';
    return sandbox === 'none' ? sandbox : sandbox.isolation;
  }

  async libraryPlaces({ loadPath, ocamlPath }: RocqProject): Promise<LibraryPlaces> {
    const { library, environment } = await this.#installation();
    const named = Object.values(environment).flatMap((paths) => paths.split(delimiter));
    const loadable = [...loadPath.map(({ physical }) => physical), ...ocamlPath, ...named].filter(isAbsolute);
    return {
      folders: [library],
      loadable,
      suffixes: ['.vo', '.vos', '.vio', '.cmxs', '.cma'],
      variables: environment,
    };
  }

  compile(request: CompileRequest): Promise<CompileResult> {
    return this.#compile(request);
  }

  /**
   * Rocq opens a text twice: for a digest, which goes into a file that nobody reads here (.aux), and to compile it. It takes
   * the first bytes back when they are no byte order mark, and those of a pipe it cannot take back. Its own places in the
   * text begin behind the mark.
   */
  async compileGrowing(request: CompileRequest, rest: Promise<string>): Promise<CompileResult> {
    return (await this.isolation()) === 'none'
      ? unknownAnswer('no-sandbox', 'Without a sandbox a text is compiled when it is whole.')
      : this.#compile(request, rest);
  }

  async #compile(request: CompileRequest, rest?: Promise<string>): Promise<CompileResult> {
    const { moduleName, project, limits } = request;
    // A command that Quod takes for a comment could start a plugin, which can write any compiled file.
    const confirmCuts = request.confirmCuts === true || (request.plugins ?? []).length > 0;
    // For a .glob file, Rocq would open the text once more and take a digest. Workers refuse the option.
    const quiet = mayHaveWorkers(request.text) ? ['-q'] : ['-q', '-noglob'];
    const options = confirmCuts ? [...quiet, '-time'] : quiet;
    const compiled = compiledPlace(moduleName);
    const source = compiled.slice(0, -1);
    const hidden = request.plugins && (await this.#plugins(project)).without(request.plugins);
    const ended = await this.#run(this.#coqc, {
      arguments: [...options, ...coqArguments(project), '-Q', '.', PREFIX, source],
      files: new Map([
        [source, rest === undefined ? request.text : BYTE_ORDER_MARK + withoutByteOrderMark(request.text)],
      ]),
      ...(rest && { growing: { path: source, rest } }),
      collect: (path) => path === compiled,
      ...(hidden && { hidden }),
      project,
      limits,
    });
    if (ended.status === 'unknown') return ended;
    const { run } = ended;
    if (run.incidents.length > 0) return { status: 'stopped', incidents: run.incidents };
    const bytes = run.files.get(compiled);
    if (run.code !== 0 || bytes === undefined) {
      const said = parseCoqcError(run.errorOutput.replaceAll(`${PREFIX}.`, ''), request.text);
      const lacksPlugin = hidden && hiddenIn(said.message, hidden);
      const outside = asOutside(said.message, run.places);
      const message = [outside, await this.#outside(outside, project)];
      const error = { ...said, message: message.filter((line) => line !== undefined).join('\n') };
      return { status: 'failed', error, ...(lacksPlugin !== undefined && { lacksPlugin }) };
    }
    const text = rest === undefined ? request.text : request.text + (await rest);
    if (confirmCuts && !cutsAreOurs(run.output, text))
      return unknownAnswer(
        'unsupported',
        'Rocq reads the sentences of this text otherwise than Quod cuts them.',
      );
    if (bytes.length > LARGEST_FILE)
      return unknownAnswer(
        'too-large',
        `The compiled file has ${bytes.length} bytes; up to ${LARGEST_FILE} are read.`,
      );
    return { status: 'compiled', unit: await this.unitOf(request, bytes) };
  }

  loadAhead(request: AheadRequest): LoadedAhead {
    const checker = request.isRechecked ? this.#checker() : undefined;
    return new Waiting(this.#questions.ahead(request), checker?.ahead(request));
  }

  async recheckLibraries(request: LibrariesToCheck): Promise<RecheckAnswer> {
    return (await this.#checker()?.libraries(request)) ?? NO_CHECKER;
  }

  async unitOf(request: CompileRequest, bytes: Uint8Array, ahead?: LoadedAhead): Promise<CompiledUnit> {
    const { library, environment } = await this.#installation();
    const folders = foldersOfEnvironment(environment);
    const waiting = ahead instanceof Waiting ? ahead : undefined;
    const about = (limits: Limits, begun?: AwaitingRun) =>
      this.#questions.about({ request, bytes, limits, ahead: begun });
    return {
      bytes,
      installedDigest: (name) => this.#installed.of(installedFile(library, name)),
      libraryFiles: async function* (name) {
        const ofProject = placesInLoadPath(request.project, name);
        for (const path of [...ofProject, installedFile(library, name), ...placesInFolders(folders, name)]) {
          const content = await readRegularFile(path, LARGEST_WRITTEN_BYTES).catch(() => undefined);
          if (content !== undefined) yield content;
        }
      },
      assumptions: (names, limits, settings) =>
        about(limits, waiting?.questions).assumptions(names, settings),
      propositions: (names, limits) => about(limits).propositions(names),
      plugins: (limits) => about(limits).plugins(),
      recheck: async (limits) =>
        (await this.#checker()?.submission({ request, bytes, limits, ahead: waiting?.checker })) ??
        NO_CHECKER,
    };
  }

  #checker(): SeparateChecker | undefined {
    const program = checkerBeside(this.#coqc);
    if (program === undefined) return undefined;
    return new SeparateChecker(
      (request) => this.#run(program, request),
      async () => `coqchk ${await this.version()}`,
    );
  }

  async #run(program: string, request: ProverRun): Promise<Ended | Unknown> {
    const { timeoutMs, memoryLimit, signal, requireSandbox, ...others } = request.limits;
    const { readable, environment } = await this.#installation();
    const { loadPath, ocamlPath } = request.project;
    const { hidden } = request;
    const inFull = { arguments: request.arguments, files: request.files, environment };
    const isOpen = hidden !== undefined && (await this.isolation()) === 'none';
    const run = await runInSandbox(
      {
        program,
        ...(isOpen ? withStandIns(inFull, hidden) : inFull),
        ...(hidden && { hidden: [...hidden.files.keys()] }),
        ...(request.growing && { growing: request.growing }),
        ...(request.awaited && { awaited: request.awaited }),
        collect: request.collect,
        readable: [...readable, ...loadPath.map(({ physical }) => physical), ...ocamlPath],
        limits: { timeoutMs, memoryBytes: memoryLimit, ...others },
        ...(signal && { signal }),
      },
      requireSandbox,
      this.#sandbox,
    );
    this.#processorMs += orZero(run.processorMs);
    switch (run.stopped) {
      case 'timeout':
        return unknownAnswer(
          'timeout',
          run.stalled === undefined
            ? `The prover did not finish within ${timeoutMs / 1000} s.`
            : `The prover was stopped or waited for something that does not come: ${run.stalled}.`,
        );
      case 'interrupted':
        return unknownAnswer('interrupted', 'The judgement was cancelled.');
      case 'memory':
        return unknownAnswer('memory-exceeded', 'The prover used more memory than the policy allows.');
      case 'processes':
      case 'output':
      case undefined:
    }
    const died = run.code === undefined || (run.code > 128 && run.code !== FATAL_ERROR);
    if (run.incidents.length === 0 && died)
      return run.code === PROCESSOR_TIME_OVER || run.code === KILLED
        ? unknownAnswer('timeout', 'The prover used more processor time than the policy allows.')
        : unknownAnswer('prover-crashed', `The prover died (exit code ${run.code ?? 'unknown'}).`);
    return { status: 'ended', run };
  }

  /** What may be why a library is not found. */
  async #outside(message: string, project: RocqProject): Promise<string | undefined> {
    if ((await this.isolation()) === 'none') return undefined;
    return tellOutsideLinks(message, project, (await this.#installation()).readable);
  }

  async #plugins({ loadPath, ocamlPath }: RocqProject): Promise<InstalledPlugins> {
    const { library, environment } = await this.#installation();
    const folders = [...loadPath.map(({ physical }) => physical), ...ocamlPath];
    return InstalledPlugins.of(library, folders, environment);
  }

  async #readInstallation(): Promise<Installation> {
    const [itself, where] = await Promise.all([this.#said('--version'), this.#said('-where')]);
    const version = /version ([\d.+a-z~]+)/i.exec(itself)?.[1];
    const library = where.trim();
    if (version === undefined || !(await isFolder(library))) {
      throw new QuodError('prover-missing', `${this.#coqc} does not answer like a Rocq compiler.`);
    }
    const environment: Record<string, string> = {};
    for (const name of LIBRARY_VARIABLES) {
      const value = process.env[name];
      if (value !== undefined) environment[name] = value;
    }
    // An installation of its own (opam) has its programs and libraries below one folder.
    const own = [dirname(dirname(this.#coqc)), dirname(dirname(realpathSync(this.#coqc))), library];
    const named = Object.values(environment).flatMap((paths) => paths.split(delimiter));
    const readable = [...new Set([...own, ...named])].filter((path) => path.startsWith('/') && path !== '/');
    return { version, library, readable: readable.filter((path) => !/^\/usr(\/|$)/.test(path)), environment };
  }

  /**
   * What the compiler says of itself. Without a sandbox, code of some submission could have written to the cache before.
   */
  async #said(option: string): Promise<string> {
    const variables = LIBRARY_VARIABLES.map((name) => orNothing(process.env[name]));
    const kept = new KeptAnswer(this.#coqc, [option, ...variables]);
    const { known } = kept;
    if (known !== undefined && (await this.isolation()) !== 'none') return known;
    const printed = await this.#printed(option);
    if (printed !== '') await kept.keep(printed);
    return printed;
  }

  async #printed(option: string): Promise<string> {
    const child = await GuardedChild.start(this.#coqc, [option]);
    return (await child.readToEnd()).printed;
  }
}

const NO_CHECKER: RecheckAnswer = { status: 'missing', message: 'There is no coqchk here.' };

class Waiting implements LoadedAhead {
  readonly questions: AwaitingRun;
  readonly checker: AwaitingRun | undefined;

  constructor(questions: AwaitingRun, checker: AwaitingRun | undefined) {
    this.questions = questions;
    this.checker = checker;
  }

  end(): void {
    this.questions.end();
    this.checker?.end();
  }
}

/** A compiled file is read as a whole. The largest of Debian's libraries has 20 MB. */
const LARGEST_FILE = 128 * 1024 ** 2;

/** With which coqc and coqchk end by themselves after a fatal error. */
const FATAL_ERROR = 129;
