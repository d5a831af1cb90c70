/**
 * What is asked of a compiled file: what its statements rest on, and which of them are propositions. The process that is
 * asked never sees a line of the submission. It requires the file without importing it, sets every printing option
 * itself, and each answer goes to a file of its own, so nothing in the file can stand in for an answer.
 */
import { onOneLine } from '../../../core/sentence.ts';
import { entryAt, orNothing } from '../../../core/entry.ts';
import { lastPart, qualifierOf } from '../../../core/qualified-name.ts';
import { asOutside, type SandboxRequest, type SandboxRun } from '../../../process/sandbox.ts';
import { coqArguments, type RocqProject } from '../../../provers/rocq/project/project.ts';
import { AXIOM_SETS, axiomsOfSet } from '../../axiom-sets.ts';
import { parseAssumptions, parseLocated, parseShorterNames, type PrintedAssumptions } from './assumptions.ts';
import { type AskBehind, type Instance, instanceOf, nameInFile, subjectOf } from './functor-instances.ts';
import { hiddenAxioms, unlocated } from './hidden-axioms.ts';
import { AwaitingRun, type Ended } from './awaiting-run.ts';
import { type HiddenPlugins, pluginsIn } from './installed-plugins.ts';
import {
  type AheadRequest,
  type AssumedAxiom,
  type Assumptions,
  type AssumptionsAnswer,
  type CompileRequest,
  type Limits,
  type QuestionSettings,
  type Unknown,
  unknownAnswer,
} from './judge-backend.ts';
import { PRINTING } from './printing.ts';

/**
 * The library's name is this and the module's name. Target and submission are compiled under the same one, in this run of
 * Quod and in others, so that compiled targets can be kept.
 */
export const PREFIX = 'QuodJudged';
/** The name of the file, and so of the library, that asks. */
const QUESTIONS = 'quod_questions';
/** What a process is asked that has required the libraries before. */
const ASKED = 'quod_asked';
/** What refers to all statements, when they are asked about as one. */
const TOGETHER = 'quod_together';
/** From so many statements on. */
const MANY = 4;

/** A compiled file that is asked about, by processes that know how it was compiled. */
export interface Questioned {
  readonly request: CompileRequest;
  readonly bytes: Uint8Array;
  readonly limits: Limits;
  /** A process that waits for it, with its libraries loaded. */
  readonly ahead?: AwaitingRun | undefined;
}

interface Asked {
  readonly status: 'asked';
  /** Of each command. */
  readonly answers: readonly string[];
}

/** One run of a program of the prover, in a sandbox that holds these files. */
export interface ProverRun {
  readonly arguments: readonly string[];
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly collect: (path: string) => boolean;
  readonly project: RocqProject;
  readonly limits: Limits;
  /** What it may not load. */
  readonly hidden?: HiddenPlugins;
  /** As in a request to the sandbox. */
  readonly growing?: SandboxRequest['growing'];
  readonly awaited?: SandboxRequest['awaited'];
}

/** Asks for the sort of a constant's type. */
export function sortQuestion(subject: string): string {
  return `Check ltac:(let t := type of (@${subject}) in let s := type of t in exact s).`;
}

/** @param answer to {@link sortQuestion}. Of a strict proposition, too, it does not matter which proof there is. */
export function saysProposition(answer: string): boolean {
  return /^S?Prop\s+:\s/.test(answer);
}

export class CompiledQuestions {
  readonly #run: (request: ProverRun) => Promise<Ended | Unknown>;

  /** @param run the compiler. */
  constructor(run: (request: ProverRun) => Promise<Ended | Unknown>) {
    this.#run = run;
  }

  /** Begins a process that requires libraries, and waits for a compiled file that requires them and for what is to be asked. */
  ahead({ moduleName, project, limits, libraries }: AheadRequest): AwaitingRun {
    const text = [...libraries.map((name) => `Require ${name}.`), `Load "./${ASKED}".`].join('\n');
    return new AwaitingRun((files, signal) =>
      this.#run({
        ...askedBy(project, new Map([[`${QUESTIONS}.v`, `${text}\n`]])),
        awaited: { paths: [judgedPlace(moduleName), `${ASKED}.v`], files },
        limits: { ...limits, signal },
      }),
    );
  }

  /** Many statements are asked about as one first: mostly they rest on nothing, and the prover follows each proof once. */
  async assumptions(
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
    /** Of what is in the judged file, or in an instance of its functors, by what name the file has it. */
    const inFile = (full: string): string | undefined => {
      if (full.startsWith(`${library}.`)) return full.slice(library.length + 1);
      const isAsked = full.startsWith(`${QUESTIONS}.`);
      return isAsked ? nameInFile(full.slice(QUESTIONS.length + 1), instances) : undefined;
    };
    const askAll = (): Promise<Asked | Unknown> => {
      const each = statements.map((name) => subjectOf(library, name, instances));
      const subjects = asOne ? [TOGETHER] : each;
      // `Check` would reduce it.
      const about = settings.printed ? subjects.map((subject) => `About ${subject}.`) : [];
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
        return unknownAnswer(
          'protocol-error',
          `The assumptions of ${name} were printed in a form that is not known.`,
        );
      }
      printed.set(name, parsed);
    }
    // Well-known axioms were located in the same breath; only others cost a second process.
    const full = new Map(asked.answers.slice(-KNOWN_AXIOMS.length).flatMap(parseShorterNames));
    const axioms = [...printed.values()].flatMap((assumptions) => assumptions.axioms.map(({ name }) => name));
    const short = [...new Set(axioms)].filter((name) => !full.has(name));
    if (short.length > 0) {
      const located = await this.#ask(
        questioned,
        short.map((name) => `Locate Term ${name}.`),
        instances,
      );
      if (located.status === 'unknown') return located;
      let hidden: ReadonlySet<string> | undefined;
      for (const [index, name] of short.entries()) {
        const found = parseLocated(entryAt(located.answers, index, 'answer'));
        if (found === undefined) {
          hidden ??= hiddenAxioms(questioned.bytes);
          if (!hidden.has(orNothing(inFile(name)))) return unlocated(inFile(name) ?? name);
        }
        full.set(name, found ?? name);
      }
    }
    const of = new Map<string, Assumptions>();
    for (const [index, name] of names.entries()) {
      const { axioms = [], disabledChecks = [] } = printed.get(name) ?? {};
      const statement = asked.answers[names.length + index]?.split('\n\n')[0];
      of.set(name, {
        ...(settings.printed && statement !== undefined && { printed: onOneLine(asOfTarget(statement)) }),
        axioms: axioms.flatMap(({ name: axiom, type: printed }): AssumedAxiom[] => {
          const found = full.get(axiom) ?? axiom;
          const name = inFile(found);
          const type = asOfTarget(printed);
          if (name !== undefined) return [{ name, type, local: true }];
          // What belongs to the arguments of an instance is what the statement is about.
          return found.startsWith(`${QUESTIONS}.`) ? [] : [{ name: found, type, local: false }];
        }),
        disabledChecks,
      });
    }
    return { status: 'done', of };
  }

  /** As the prover names them. */
  async plugins(questioned: Questioned): Promise<readonly string[]> {
    const asked = await this.#ask(questioned, ['Print ML Modules.']);
    return asked.status === 'asked' ? pluginsIn(entryAt(asked.answers, 0, 'answer')) : [];
  }

  async propositions(questioned: Questioned, names: readonly string[]): Promise<ReadonlySet<string>> {
    const ask = async (instances: readonly Instance[]): Promise<Asked | Unknown> => {
      const subjects = names.map((name) =>
        subjectOf(`${PREFIX}.${questioned.request.moduleName}`, name, instances),
      );
      return this.#ask(questioned, subjects.map(sortQuestion), instances);
    };
    let asked = await ask([]);
    if (asked.status === 'unknown' && names.some((name) => name.includes('.')))
      asked = await ask(await this.#instances(questioned, names));
    if (asked.status === 'unknown') return new Set();
    const { answers } = asked;
    return new Set(names.filter((_, index) => saysProposition(entryAt(answers, index, 'answer'))));
  }

  /** Instances of the functors and module types that statements are in. */
  async #instances(questioned: Questioned, names: readonly string[]): Promise<readonly Instance[]> {
    const paths = new Set(names.map(qualifierOf));
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
    { request: { moduleName, project }, bytes, limits, ahead }: Questioned,
    commands: readonly string[],
    instances: readonly Instance[] = [],
  ): Promise<Asked | Unknown> {
    const questions = commands.map((command, index) => `Redirect "answer${index}" ${command}`);
    const declared = instances.flatMap(({ declarations }) => declarations);
    const lines = [`Require ${PREFIX}.${moduleName}.`, ...declared, ...PRINTING, ...questions];
    const text = `${lines.join('\n')}\n`;
    const answersIn = ({ files }: SandboxRun): Asked => ({
      status: 'asked',
      answers: commands.map((_, index) =>
        Buffer.from(files.get(`answer${index}.out`) ?? []).toString('utf8'),
      ),
    });
    const judged = [judgedPlace(moduleName), bytes] as const;
    const begun = await ahead?.finish(
      new Map<string, string | Uint8Array>([judged, [`${ASKED}.v`, text]]),
      limits.signal,
    );
    if (begun !== undefined) return answersIn(begun);
    const files = new Map<string, string | Uint8Array>([judged, [`${QUESTIONS}.v`, text]]);
    const ended = await this.#run({ ...askedBy(project, files), limits });
    if (ended.status === 'unknown') return ended;
    const { code, incidents, errorOutput, places } = ended.run;
    if (code !== 0 || incidents.length > 0) {
      const why = incidents[0]?.kind ?? asOutside(errorOutput.trim(), places);
      return errorOutput.includes(`${QUESTIONS}.v", line 1,`)
        ? unknownAnswer('unsupported', `${CANNOT_LOAD} ${why}`)
        : unknownAnswer('protocol-error', `The compiled result could not be questioned: ${why}`);
    }
    return answersIn(ended.run);
  }
}

/** What is printed has the judged file's library in names. */
export function asOfTarget(printed: string): string {
  return printed.replaceAll(`${PREFIX}.`, '');
}

const CANNOT_LOAD =
  'Rocq compiles the submission, and cannot load what it compiled. A `Require` inside a module can do that: write it at the top of the file. Rocq says:';

/** Where a compiled file lies in the sandbox of those who look at it. */
export function judgedPlace(moduleName: string): string {
  return `judged/${moduleName}.vo`;
}

function askedBy(
  project: RocqProject,
  files: ProverRun['files'],
): Pick<ProverRun, 'arguments' | 'files' | 'collect' | 'project'> {
  return {
    arguments: ['-q', ...coqArguments(project), '-Q', 'judged', PREFIX, `${QUESTIONS}.v`],
    ...{ files, project, collect: (path: string) => /^answer\d+\.out$/.test(path) },
  };
}

/** The last parts of the names of well-known axioms. */
const KNOWN_AXIOMS = [
  ...new Set(
    AXIOM_SETS.flatMap(axiomsOfSet)
      .filter((name) => !name.endsWith('*'))
      .map(lastPart),
  ),
];
