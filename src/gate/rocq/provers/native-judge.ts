/**
 * The judge's prover when Rocq is installed: `coqc` compiles in a sandbox, and a second `coqc`, in a sandbox that holds
 * nothing but the compiled result, is asked what it rests on. Where there is `coqchk`, it checks the result again.
 *
 * The second process never sees a line of the submission. It requires the result without importing it, sets every
 * printing option itself, and each answer goes to a file of its own, so nothing in the result can stand in for an answer.
 */
import { realpathSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { entryAt, orZero } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { findExecutable } from '../../../process/executable.ts';
import { GuardedChild } from '../../../process/guarded-child.ts';
import {
  findSandbox,
  type Isolation,
  runInSandbox,
  type SandboxRequest,
  type SandboxRun,
} from '../../../process/sandbox.ts';
import type { LibraryPlaces } from '../library-fingerprint.ts';
import { PRINTING } from './printing.ts';
import { AXIOM_SETS, axiomsOf } from '../../axiom-sets.ts';
import { parseAssumptions, parseLocated, parseShorterNames, type PrintedAssumptions } from './assumptions.ts';
import { parseCoqcError } from './coqc-error.ts';
import { cutsAreOurs } from './reported-sentences.ts';
import { coqArguments, type RocqProject } from '../../../provers/rocq/project.ts';
import { type AskBehind, type Instance, instanceOf, nameInFile, subjectOf } from './functor-instances.ts';
import { installedFile, projectFiles } from '../compiled/library-files.ts';
import type {
  AssumedAxiom,
  Assumptions,
  AssumptionsAnswer,
  CompiledUnit,
  CompileRequest,
  CompileResult,
  JudgeBackend,
  Limits,
  QuestionSettings,
  RecheckAnswer,
  Unknown,
} from './judge-backend.ts';

/**
 * The library's name is this and the module's name. Target and submission are compiled under the same one, in this run of
 * Quod and in others, so that compiled targets can be kept.
 */
const PREFIX = 'QuodJudged';
/** The name of the file, and so of the library, that asks. */
const QUESTIONS = 'quod_questions';
/** What refers to all statements, when they are asked about as one. */
const TOGETHER = 'quod_together';
/** From so many statements on. */
const MANY = 4;
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

interface Ended {
  readonly status: 'ended';
  readonly run: SandboxRun;
}

/** A compiled file that is asked about, by processes that know how it was compiled. */
interface Questioned {
  readonly request: CompileRequest;
  readonly bytes: Uint8Array;
  readonly limits: Limits;
}

interface Asked {
  readonly status: 'asked';
  /** Of each command. */
  readonly answers: readonly string[];
}

export class NativeJudge implements JudgeBackend {
  readonly name = 'coqc';
  readonly #coqc: string;
  #about: Promise<Installation> | undefined;
  #processorMs = 0;

  constructor(coqc: string) {
    this.#coqc = coqc;
  }

  get processorMs(): number {
    return this.#processorMs;
  }

  async version(): Promise<string> {
    return (await this.#installation()).version;
  }

  async isolation(): Promise<Isolation> {
    return (await findSandbox())?.isolation ?? 'none';
  }

  async libraryPlaces({ loadPath, ocamlPath }: RocqProject): Promise<LibraryPlaces> {
    const { library, environment } = await this.#installation();
    const named = Object.values(environment).flatMap((paths) => paths.split(delimiter));
    return {
      folders: [library, ...loadPath.map(({ physical }) => physical), ...ocamlPath, ...named].filter(
        isAbsolute,
      ),
      suffixes: ['.vo', '.vos', '.vio', '.cmxs', '.cma'],
      variables: environment,
    };
  }

  compile(request: CompileRequest): Promise<CompileResult> {
    return this.#compile(request);
  }

  /**
   * Rocq takes the first bytes of a file back when they are no byte order mark, and those of a pipe it cannot take back. Its
   * own places in the text begin behind the mark.
   */
  async compileGrowing(request: CompileRequest, rest: Promise<string>): Promise<CompileResult> {
    return (await this.isolation()) === 'none'
      ? unknown('no-sandbox', 'Without a sandbox a text is compiled when it is whole.')
      : this.#compile(request, rest);
  }

  async #compile(request: CompileRequest, rest?: Promise<string>): Promise<CompileResult> {
    const { moduleName, project, limits, confirmCuts = false } = request;
    const source = `${moduleName}.v`;
    const compiled = `${moduleName}.vo`;
    const ended = await this.#run(this.#coqc, {
      arguments: [
        '-q',
        ...(confirmCuts ? ['-time'] : []),
        ...coqArguments(project),
        '-Q',
        '.',
        PREFIX,
        source,
      ],
      files: new Map([[source, rest === undefined ? request.text : `\uFEFF${request.text}`]]),
      ...(rest && { growing: { path: source, rest } }),
      collect: (path) => path === compiled,
      project,
      limits,
    });
    if (ended.status === 'unknown') return ended;
    const { run } = ended;
    if (run.incidents.length > 0) return { status: 'stopped', incidents: run.incidents };
    const bytes = run.files.get(compiled);
    if (run.code !== 0 || bytes === undefined) {
      const error = parseCoqcError(run.errorOutput.replaceAll(`${PREFIX}.`, ''), request.text);
      return { status: 'failed', error };
    }
    const text = rest === undefined ? request.text : request.text + (await rest);
    if (confirmCuts && !cutsAreOurs(run.output, text))
      return unknown('unsupported', 'Rocq reads the sentences of this text otherwise than Quod cuts them.');
    if (bytes.length > LARGEST_FILE)
      return unknown(
        'too-large',
        `The compiled file has ${bytes.length} bytes; up to ${LARGEST_FILE} are read.`,
      );
    return { status: 'compiled', unit: await this.unitOf(request, bytes) };
  }

  async unitOf(request: CompileRequest, bytes: Uint8Array): Promise<CompiledUnit> {
    const { library } = await this.#installation();
    return {
      bytes,
      installedLibrary: (name) => contentOf(installedFile(library, name)),
      libraryFiles: async function* (name) {
        for (const path of [...projectFiles(request.project, name), installedFile(library, name)]) {
          const content = await contentOf(path);
          if (content !== undefined) yield content;
        }
      },
      assumptions: (names, limits, settings) =>
        this.#assumptions({ request, bytes, limits }, names, settings),
      propositions: (names, limits) => this.#propositions({ request, bytes, limits }, names),
      recheck: (limits) => this.#recheck({ request, bytes, limits }),
    };
  }

  /** Many statements are asked about as one first: mostly they rest on nothing, and the prover follows each proof once. */
  async #assumptions(
    questioned: Questioned,
    names: readonly string[],
    settings: QuestionSettings = { printed: false },
  ): Promise<AssumptionsAnswer> {
    if (names.length >= MANY && !settings.printed) {
      const together = await this.#assumptionsOf(questioned, { names, asOne: true });
      const [rests] = together.status === 'done' ? [...together.of.values()] : [];
      if (rests?.axioms.length === 0 && rests.disabledChecks.length === 0)
        return { status: 'done', of: new Map(names.map((name) => [name, rests])) };
    }
    return this.#assumptionsOf(questioned, { names, asOne: false }, settings);
  }

  /** @param subject `asOne`: the answer is about all of them together, under {@link TOGETHER}. */
  async #assumptionsOf(
    questioned: Questioned,
    { names: statements, asOne }: { readonly names: readonly string[]; readonly asOne: boolean },
    settings: QuestionSettings = { printed: false },
  ): Promise<AssumptionsAnswer> {
    const library = `${PREFIX}.${questioned.request.moduleName}`;
    const names = asOne ? [TOGETHER] : statements;
    let instances: readonly Instance[] = [];
    const askAll = (): Promise<Asked | Unknown> => {
      const each = statements.map((name) => subjectOf(library, name, instances));
      const subjects = asOne ? [TOGETHER] : each;
      const about = settings.printed ? subjects.map((subject) => `Check @${subject}.`) : [];
      const known = KNOWN_AXIOMS.map((name) => `Locate Term ${name}.`);
      const commands = [...subjects.map((subject) => `Print Assumptions ${subject}.`), ...about, ...known];
      const one = each.map((subject) => `let _ := @${subject} in`).join('\n');
      const declared = asOne ? [{ declarations: [`Definition ${TOGETHER} := ${one} tt.`], modules: [] }] : [];
      return this.#ask(questioned, commands, [...instances, ...declared]);
    };
    let asked = await askAll();
    if (asked.status === 'unknown' && statements.some((name) => name.includes('.'))) {
      instances = await this.#instances(questioned, statements);
      if (instances.length > 0) asked = await askAll();
    }
    if (asked.status === 'unknown') return asked;
    const printed = new Map<string, PrintedAssumptions>();
    for (const [index, name] of names.entries()) {
      const parsed = parseAssumptions(entryAt(asked.answers, index, 'answer'));
      if (parsed === undefined) {
        return unknown(
          'protocol-error',
          `The assumptions of ${name} were printed in a form that is not known.`,
        );
      }
      printed.set(name, parsed);
    }
    // Well-known axioms were located in the same breath; only others cost a second process.
    const full = new Map(asked.answers.slice(-KNOWN_AXIOMS.length).flatMap(parseShorterNames));
    const axioms = new Set([...printed.values()].flatMap((assumptions) => assumptions.axioms));
    const short = [...axioms].filter((name) => !full.has(name));
    if (short.length > 0) {
      const located = await this.#ask(
        questioned,
        short.map((name) => `Locate Term ${name}.`),
        instances,
      );
      if (located.status === 'unknown') return located;
      for (const [index, name] of short.entries()) {
        const found = parseLocated(entryAt(located.answers, index, 'answer'));
        if (found === undefined) return unknown('protocol-error', `The axiom ${name} cannot be located.`);
        full.set(name, found);
      }
    }
    const of = new Map<string, Assumptions>();
    for (const [index, name] of names.entries()) {
      const { axioms = [], disabledChecks = [] } = printed.get(name) ?? {};
      const statement = asked.answers[names.length + index]?.replaceAll(`${PREFIX}.`, '');
      of.set(name, {
        ...(settings.printed &&
          statement !== undefined && { printed: statement.trim().replace(/\s+/g, ' ') }),
        axioms: axioms.flatMap((axiom): AssumedAxiom[] => {
          const found = full.get(axiom) ?? axiom;
          if (found.startsWith(`${library}.`))
            return [{ name: found.slice(library.length + 1), local: true }];
          if (!found.startsWith(`${QUESTIONS}.`)) return [{ name: found, local: false }];
          const name = nameInFile(found.slice(QUESTIONS.length + 1), instances);
          return name === undefined ? [] : [{ name, local: true }];
        }),
        disabledChecks,
      });
    }
    return { status: 'done', of };
  }

  async #propositions(questioned: Questioned, names: readonly string[]): Promise<ReadonlySet<string>> {
    const ask = async (instances: readonly Instance[]): Promise<Asked | Unknown> => {
      const subjects = names.map((name) =>
        subjectOf(`${PREFIX}.${questioned.request.moduleName}`, name, instances),
      );
      const commands = subjects.map(
        (subject) => `Check ltac:(let t := type of (@${subject}) in let s := type of t in exact s).`,
      );
      return this.#ask(questioned, commands, instances);
    };
    let asked = await ask([]);
    if (asked.status === 'unknown' && names.some((name) => name.includes('.')))
      asked = await ask(await this.#instances(questioned, names));
    if (asked.status === 'unknown') return new Set();
    const { answers } = asked;
    return new Set(names.filter((_, index) => /^Prop\s+:\s/.test(entryAt(answers, index, 'answer'))));
  }

  /** Instances of the functors and module types that statements are in. */
  async #instances(questioned: Questioned, names: readonly string[]): Promise<readonly Instance[]> {
    const paths = new Set(names.map((name) => name.split('.').slice(0, -1).join('.')));
    paths.delete('');
    const library = `${PREFIX}.${questioned.request.moduleName}`;
    const ask: AskBehind = async (declarations, command) => {
      const asked = await this.#ask(questioned, [command], [{ declarations, modules: [] }]);
      return asked.status === 'asked' ? asked.answers[0] : undefined;
    };
    const made = await Promise.all(
      [...paths].map((path, index) => instanceOf(library, path.split('.'), `QuodInstance${index}`, ask)),
    );
    return made.filter((instance) => instance !== undefined);
  }

  /** Asks commands of a fresh process that has only required the compiled bytes, and declared instances of its modules. */
  async #ask(
    { request: { moduleName, project }, bytes, limits }: Questioned,
    commands: readonly string[],
    instances: readonly Instance[] = [],
  ): Promise<Asked | Unknown> {
    const questions = commands.map((command, index) => `Redirect "answer${index}" ${command}`);
    const declared = instances.flatMap(({ declarations }) => declarations);
    const text = [`Require ${PREFIX}.${moduleName}.`, ...declared, ...PRINTING, ...questions].join('\n');
    const ended = await this.#run(this.#coqc, {
      arguments: ['-q', ...coqArguments(project), '-Q', 'judged', PREFIX, `${QUESTIONS}.v`],
      files: new Map<string, string | Uint8Array>([
        [`judged/${moduleName}.vo`, bytes],
        [`${QUESTIONS}.v`, `${text}\n`],
      ]),
      collect: (path) => /^answer\d+\.out$/.test(path),
      project,
      limits,
    });
    if (ended.status === 'unknown') return ended;
    const { code, files, incidents, errorOutput } = ended.run;
    if (code !== 0 || incidents.length > 0) {
      const why = incidents[0]?.kind ?? errorOutput.trim();
      return unknown('protocol-error', `The compiled result could not be questioned: ${why}`);
    }
    return {
      status: 'asked',
      answers: commands.map((_, index) =>
        Buffer.from(files.get(`answer${index}.out`) ?? []).toString('utf8'),
      ),
    };
  }

  /** The libraries that it rests on are taken as they are, as they are by the judge that compiled it. */
  async #recheck({ request: { moduleName, project }, bytes, limits }: Questioned): Promise<RecheckAnswer> {
    const checker = findExecutable([join(dirname(this.#coqc), 'coqchk'), 'coqchk', 'rocqchk']);
    if (checker === undefined) return { status: 'missing' };
    const ended = await this.#run(checker, {
      arguments: [
        ...['-silent', '-norec', `${PREFIX}.${moduleName}`, '-Q', 'judged', PREFIX],
        ...project.loadPath.flatMap(({ flag, physical, logical }) => [flag, physical, logical]),
        ...project.arguments.filter(
          (option) => option === '-impredicative-set' || option === '-indices-matter',
        ),
      ],
      files: new Map([[`judged/${moduleName}.vo`, bytes]]),
      collect: () => false,
      project,
      limits,
    });
    if (ended.status === 'unknown') return ended;
    const { code, output, errorOutput } = ended.run;
    if (code === 0) return { status: 'accepted', by: `coqchk ${await this.version()}` };
    const said = `${errorOutput}${output}`
      .replaceAll(`${PREFIX}.`, '')
      .trim()
      .split('\n')
      .slice(-6)
      .join(' ');
    // A checker that fails has not refused anything.
    return CHECKER_FAILED.test(said)
      ? unknown('prover-crashed', `coqchk: ${said}`)
      : { status: 'refused', message: said };
  }

  async #run(
    program: string,
    request: {
      readonly arguments: readonly string[];
      readonly files: ReadonlyMap<string, string | Uint8Array>;
      readonly growing?: SandboxRequest['growing'];
      readonly collect: (path: string) => boolean;
      readonly project: RocqProject;
      readonly limits: Limits;
    },
  ): Promise<Ended | Unknown> {
    const { timeoutMs, memoryLimit, signal, requireSandbox, ...others } = request.limits;
    const { readable, environment } = await this.#installation();
    const { loadPath, ocamlPath } = request.project;
    const run = await runInSandbox(
      {
        program,
        arguments: request.arguments,
        files: request.files,
        ...(request.growing && { growing: request.growing }),
        collect: request.collect,
        readable: [...readable, ...loadPath.map(({ physical }) => physical), ...ocamlPath],
        environment,
        limits: { timeoutMs, memoryBytes: memoryLimit, ...others },
        ...(signal && { signal }),
      },
      requireSandbox,
    );
    this.#processorMs += orZero(run.processorMs);
    switch (run.stopped) {
      case 'timeout':
        return unknown(
          'timeout',
          run.stalled === undefined
            ? `The prover did not finish within ${Math.round(timeoutMs / 1000)} s.`
            : `The prover was stopped or waited for something that does not come: ${run.stalled}.`,
        );
      case 'interrupted':
        return unknown('interrupted', 'The judgement was cancelled.');
      case 'memory':
        return unknown('memory-exceeded', 'The prover used more memory than the policy allows.');
      case 'processes':
      case 'output':
      case undefined:
    }
    const died = run.code === undefined || (run.code > 128 && run.code !== FATAL_ERROR);
    if (run.incidents.length === 0 && died)
      return run.code === PROCESSOR_TIME_OVER || run.code === KILLED
        ? unknown('timeout', 'The prover used more processor time than the policy allows.')
        : unknown('prover-crashed', `The prover died (exit code ${run.code ?? 'unknown'}).`);
    return { status: 'ended', run };
  }

  #installation(): Promise<Installation> {
    this.#about ??= this.#readInstallation();
    return this.#about;
  }

  async #readInstallation(): Promise<Installation> {
    const [itself, where] = await Promise.all([this.#printed('--version'), this.#printed('-where')]);
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

  async #printed(option: string): Promise<string> {
    const child = await GuardedChild.start(this.#coqc, [option]);
    child.input.end();
    let text = '';
    child.output.setEncoding('utf8').on('data', (part: string) => (text += part));
    await child.exited;
    return text;
  }
}

/** A compiled file is read as a whole. The largest of Debian's libraries has 20 MB. */
const LARGEST_FILE = 128 * 1024 ** 2;

const CHECKER_FAILED = /Anomaly|Stack overflow|Out of memory|cannot find|Cannot find/i;

/** The last parts of the names of well-known axioms. */
const KNOWN_AXIOMS = [
  ...new Set(
    AXIOM_SETS.flatMap(axiomsOf)
      .filter((name) => !name.endsWith('*'))
      .map((name) => name.slice(name.lastIndexOf('.') + 1)),
  ),
];

/** SIGXCPU, and SIGKILL where the soft limit is the hard one. */
const PROCESSOR_TIME_OVER = 128 + 24;
const KILLED = 128 + 9;
/** With which coqc and coqchk end by themselves after a fatal error. */
const FATAL_ERROR = 129;

async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch {
    return undefined;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

function unknown(reason: Unknown['reason'], message: string): Unknown {
  return { status: 'unknown', reason, message };
}
