/**
 * What is asked of a compiled file: what its statements rest on, and which of them are propositions. Who is asked never sees a
 * line of the submission: it has required the file without importing it, and set every printing option itself.
 */
import { onOneLine } from '../../../core/sentence.ts';
import { entryAt, orNothing } from '../../../core/entry.ts';
import { lastPart, qualifierOf } from '../../../core/qualified-name.ts';
import { AXIOM_SETS, axiomsOfSet } from '../../axiom-sets.ts';
import { parseAssumptions, parseLocated, type PrintedAssumptions } from './assumptions.ts';
import { type AskBehind, type Instance, instanceOf, nameInFile, subjectOf } from './functor-instances.ts';
import { hiddenAxioms, unlocated } from './hidden-axioms.ts';
import { pluginsIn } from './installed-plugins.ts';
import {
  type AssumedAxiom,
  type Assumptions,
  type AssumptionsAnswer,
  type QuestionSettings,
  type Unknown,
  unknownAnswer,
} from './judge-backend.ts';

/**
 * The library's name is this and the module's name. Target and submission are compiled under the same one, in this run of
 * Quod and in others, so that compiled targets can be kept.
 */
export const PREFIX = 'QuodJudged';
/** The name of the library that asks. */
export const QUESTIONS = 'quod_questions';
/** What refers to all statements, when they are asked about as one. */
const TOGETHER = 'quod_together';
/** From so many statements on. */
const MANY = 4;

export interface Answers {
  readonly status: 'asked';
  /** Of each command. */
  readonly answers: readonly string[];
}

/** Asks commands behind declarations. */
export type AskCompiled = (
  commands: readonly string[],
  declared: readonly string[],
) => Promise<Answers | Unknown>;

/** Asks for the sort of a constant's type. */
function sortQuestion(subject: string): string {
  return `Check ltac:(let t := type of (@${subject}) in let s := type of t in exact s).`;
}

/** @param answer to {@link sortQuestion}. Of a strict proposition, too, it does not matter which proof there is. */
function saysProposition(answer: string): boolean {
  return /^S?Prop\s+:\s/.test(answer);
}

export class CompiledQuestions {
  readonly #library: string;
  readonly #bytes: Uint8Array;
  readonly #askCompiled: AskCompiled;

  constructor(moduleName: string, bytes: Uint8Array, ask: AskCompiled) {
    this.#library = `${PREFIX}.${moduleName}`;
    this.#bytes = bytes;
    this.#askCompiled = ask;
  }

  #ask(commands: readonly string[], instances: readonly Pick<Instance, 'declarations'>[] = []) {
    const declared = instances.flatMap(({ declarations }) => declarations);
    return this.#askCompiled(commands, declared);
  }

  /** Many statements are asked about as one first: mostly they rest on nothing, and the prover follows each proof once. */
  async assumptions(
    names: readonly string[],
    settings: QuestionSettings = { printed: false },
  ): Promise<AssumptionsAnswer> {
    if (names.length >= MANY && !settings.printed) {
      const together = await this.#assumptionsOf({ names, asOne: true });
      const [rests] = together.status === 'done' ? [...together.of.values()] : [];
      if (rests?.axioms.length === 0 && rests.disabledChecks.length === 0)
        return { status: 'done', of: new Map(names.map((name) => [name, rests])) };
    }
    return this.#assumptionsOf({ names, asOne: false }, settings);
  }

  /** @param subject `asOne`: the answer is about all of them together, under {@link TOGETHER}. */
  async #assumptionsOf(
    { names: statements, asOne }: { readonly names: readonly string[]; readonly asOne: boolean },
    settings: QuestionSettings = { printed: false },
  ): Promise<AssumptionsAnswer> {
    const names = asOne ? [TOGETHER] : statements;
    const { asked, instances } = await this.#askBehind(statements, (behind) => {
      const each = statements.map((name) => subjectOf(this.#library, name, behind));
      const subjects = asOne ? [TOGETHER] : each;
      // `Check` would reduce it.
      const about = settings.printed ? subjects.map((subject) => `About ${subject}.`) : [];
      const known = KNOWN_AXIOMS.map((name) => `Locate Term ${name}.`);
      const commands = [...subjects.map((subject) => `Print Assumptions ${subject}.`), ...about, ...known];
      const one = each.map((subject) => `let _ := @${subject} in`).join('\n');
      const declared = asOne ? [{ declarations: [`Definition ${TOGETHER} := ${one} tt.`] }] : [];
      return this.#ask(commands, [...behind, ...declared]);
    });
    if (asked.status === 'unknown') return asked;
    /** Of what is in the judged file, or in an instance of its functors, by what name the file has it. */
    const inFile = (full: string): string | undefined => {
      if (full.startsWith(`${this.#library}.`)) return full.slice(this.#library.length + 1);
      const isAsked = full.startsWith(`${QUESTIONS}.`);
      return isAsked ? nameInFile(full.slice(QUESTIONS.length + 1), instances) : undefined;
    };
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
    const full = new Map(asked.answers.slice(-KNOWN_AXIOMS.length).flatMap(parseLocated));
    const axioms = [...printed.values()].flatMap((assumptions) => assumptions.axioms.map(({ name }) => name));
    const short = [...new Set(axioms)].filter((name) => !full.has(name));
    if (short.length > 0) {
      // Not by all of a name, which may begin with a keyword: a file can be called like one.
      const last = new Set(short.map(lastPart));
      const located = await this.#ask(
        [...last].map((part) => `Locate Term ${part}.`),
        instances,
      );
      if (located.status === 'unknown') return located;
      for (const [name, found] of located.answers.flatMap(parseLocated)) full.set(name, found);
      let hidden: ReadonlySet<string> | undefined;
      for (const name of short) {
        if (full.has(name)) continue;
        hidden ??= hiddenAxioms(this.#bytes);
        if (!hidden.has(orNothing(inFile(name)))) return unlocated(inFile(name) ?? name);
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
  async plugins(): Promise<readonly string[]> {
    const asked = await this.#ask(['Print ML Modules.']);
    return asked.status === 'asked' ? pluginsIn(entryAt(asked.answers, 0, 'answer')) : [];
  }

  async propositions(names: readonly string[]): Promise<ReadonlySet<string>> {
    const { asked } = await this.#askBehind(names, (instances) => {
      const subjects = names.map((name) => subjectOf(this.#library, name, instances));
      return this.#ask(subjects.map(sortQuestion), instances);
    });
    if (asked.status === 'unknown') return new Set();
    const { answers } = asked;
    return new Set(names.filter((_, index) => saysProposition(entryAt(answers, index, 'answer'))));
  }

  /** What cannot be asked of statements as they are called is asked behind instances of what they are in. */
  async #askBehind(
    statements: readonly string[],
    ask: (instances: readonly Instance[]) => Promise<Answers | Unknown>,
  ): Promise<{ readonly asked: Answers | Unknown; readonly instances: readonly Instance[] }> {
    const asked = await ask([]);
    const mayBeInside = asked.status === 'unknown' && statements.some((name) => name.includes('.'));
    const instances = mayBeInside ? await this.#instances(statements) : [];
    return { asked: instances.length > 0 ? await ask(instances) : asked, instances };
  }

  /** Instances of the functors and module types that statements are in. */
  async #instances(names: readonly string[]): Promise<readonly Instance[]> {
    const paths = new Set(names.map(qualifierOf));
    paths.delete('');
    const library = this.#library;
    const ask: AskBehind = async (declarations, command) => {
      const asked = await this.#ask([command], [{ declarations }]);
      return asked.status === 'asked' ? asked.answers[0] : undefined;
    };
    const made = await Promise.all(
      [...paths].map((path, index) => instanceOf(library, path.split('.'), `QuodInstance${index}`, ask)),
    );
    return made.filter((instance) => instance !== undefined);
  }
}

/** What is printed has the judged file's library in names. */
export function asOfTarget(printed: string): string {
  return printed.replaceAll(`${PREFIX}.`, '');
}

/** The last parts of the names of well-known axioms. */
const KNOWN_AXIOMS = [
  ...new Set(
    AXIOM_SETS.flatMap(axiomsOfSet)
      .filter((name) => !name.endsWith('*'))
      .map(lastPart),
  ),
];
