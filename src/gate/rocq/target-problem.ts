/** Words and places for a target that cannot be judged against. None of them accepts. */
import { orNothing, orZero } from '../../core/entry.ts';
import { stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { LineIndex, type PrintedPosition } from '../../core/position.ts';
import { offsetBefore, type Replacement } from '../../core/replacement.ts';
import type { TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import type { Finding, SourceText, Verdict, Warning } from '../verdict.ts';
import { projectSources } from '../../provers/rocq/build/project-sources.ts';
import { sourcesInDependencyOrder } from '../../provers/rocq/build/required-sources.ts';
import { buildRemedy, speaksOfLibraries, uncompiledMessage } from '../../provers/rocq/build/uncompiled.ts';
import { missingLibrary } from '../../provers/rocq/known-libraries.ts';
import type { RocqProject } from '../../provers/rocq/project/project.ts';
import { notInTarget } from '../policy-names.ts';
import type { Demand } from './comparison/joint-demands.ts';
import { demandsSaid } from './comparison/level-names.ts';
import type { CompiledFile } from './compiled/compiled-file.ts';
import { declarationsIn, declaredTypes } from './compiled/declarations.ts';
import { limitsOf, type JudgeSettings, unknown, unknownVerdict } from './judgement.ts';
import type { Reference, ReferenceResult } from './reference-result.ts';
import type { Selection } from './statement-selection.ts';
import type { ReferenceText } from './text/reference-text.ts';
import type { Script } from './text/script.ts';

/** An error of the reference is told where it is in the target. */
export function placedInTarget(error: Diagnostic, replacements: ReferenceText['replacements']): Diagnostic {
  if (error.span === undefined) return error;
  const start = offsetBefore(error.span.start, replacements);
  return { ...error, span: { start, end: Math.max(start, offsetBefore(error.span.end, replacements)) } };
}

function notCompiled({ path }: SourceText): string {
  return `The target ${path} does not compile: `;
}

/** What is said of a target that does not compile, for who has said that already. */
export function saidOfTarget(message: string, target: SourceText): string {
  const said = notCompiled(target);
  return message.startsWith(said) ? message.slice(said.length) : message;
}

/** What Rocq says of the target, and which file of its project is not compiled, where that is the reason. */
async function errorOfTarget(
  { message }: Diagnostic,
  { source, outline }: Script,
  project: RocqProject,
): Promise<string> {
  const said = `${notCompiled(source)}${message}`;
  if (!speaksOfLibraries(message)) return said;
  const beside = await libraryBeside(message, source.path, project);
  if (beside !== undefined)
    return `${said} ${beside} lies beside it, but no project says that its libraries are found there, so that the gate does not look. Write a file \`_CoqProject\` with the line \`-Q . ""\` into the folder.`;
  const sources = await sourcesInDependencyOrder(
    outline.requires,
    await projectSources(project),
    source.path,
  );
  const why = await uncompiledMessage(sources);
  return why === undefined ? said : `${said} ${why} ${buildRemedy(project)}`;
}

/** The compiled library that is missing, where it lies beside a file of no project: editors and sessions find it there. */
async function libraryBeside(
  message: string,
  path: string,
  { source }: RocqProject,
): Promise<string | undefined> {
  const library = source === undefined ? missingLibrary(message) : undefined;
  if (library === undefined) return undefined;
  const file = `${library.replaceAll('.', sep)}.vo`;
  const found = await stat(join(dirname(path), file)).catch(() => undefined);
  return found?.isFile() === true ? file : undefined;
}

export async function targetProblem(
  result: Exclude<ReferenceResult, { status: 'compiled' }>,
  target: Script,
  { project }: Pick<JudgeSettings, 'project'>,
): Promise<Verdict> {
  const { path } = target.source;
  switch (result.status) {
    case 'failed': {
      const { span } = result.error;
      return {
        ...{ kind: 'unknown', reason: 'does-not-compile' },
        message: await errorOfTarget(result.error, target, project),
        ...(span && { position: target.positionAt(span.start) }),
      };
    }
    case 'stopped':
      return unknown(
        'invalid-input',
        `The target ${path} does what no proof needs: ${result.incidents.map(({ detail }) => detail).join('; ')}`,
      );
    case 'unknown':
      return unknownVerdict(result);
  }
}

/**
 * A verdict where the policy asks for a proof of what the target defines: a value that is no proof has to stay as it is, so
 * that `accepted` would say nothing about it; and of a symbol or a primitive, which can have none. Of a copy the first is looked at, where the file has it. Constants that nobody can be asked about are passed over.
 */
export async function namedDefinition(
  { constants, unit }: Reference,
  { provable, copied }: Selection,
  target: Script,
  settings: JudgeSettings,
): Promise<Verdict | undefined> {
  const { theorems = [], definitionsMayChange = [] } = settings.policy ?? {};
  if (theorems.length === 0) return undefined;
  const rules = constants.find(({ name, body }) => body === 'other' && provable.has(name));
  if (rules !== undefined)
    return unknown(
      'invalid-input',
      `The policy names ${rules.name} as what is to be proved (theorems), which is a symbol or a primitive in the target: it has no proof.`,
    );
  const defined = constants
    .filter(({ body, isHidden, inModuleType }) => body === 'transparent' && !isHidden && !inModuleType)
    .map(({ name }) => name)
    .filter(
      (name) =>
        provable.has(name) &&
        !provable.has(orNothing(copied.get(name))) &&
        !definitionsMayChange.includes(name) &&
        target.statementNamed(name) === undefined,
    );
  if (defined.length === 0) return undefined;
  const propositions = await unit.propositions(defined, limitsOf(settings));
  const value = defined.find((name) => !propositions.has(name));
  if (value === undefined) return undefined;
  return unknown(
    'invalid-input',
    `The policy names ${value} as what is to be proved (theorems), which the target defines, with a value that a submission has to ` +
      'keep: there is nothing to prove. Name statements; or name it in definitionsMayChange, when the submission is to choose the value.',
  );
}

const WITHOUT_VALUE = {
  assumed: 'assumed, without a value',
  symbol: 'a symbol or a primitive, which has no value',
  type: 'an inductive type or a record, which has no value: what it is made of is the target’s',
  module: 'a module: name the definitions in it',
} as const;

/** What the submission is to choose (`definitionsMayChange`) has a value in the target, or is left open there. */
export function noValueToChoose(
  { file, constants }: Reference,
  { provable, open }: Selection,
  names: readonly string[],
): Verdict | undefined {
  if (names.length === 0) return undefined;
  const declared = new Map(constants.map((constant) => [constant.name, constant]));
  const modules = [...declarationsIn(file)].filter(({ kind }) => kind === 'module' || kind === 'module type');
  const others = new Map([
    ...modules.map(({ name }) => [name, WITHOUT_VALUE.module] as const),
    ...[...declaredTypes(file)].map((name) => [name, WITHOUT_VALUE.type] as const),
  ]);
  for (const name of names) {
    const constant = declared.get(name);
    const isAssumed = constant?.assumed !== undefined && !provable.has(name) && !open.has(name);
    const isSymbol = constant?.body === 'other';
    const without = isSymbol ? WITHOUT_VALUE.symbol : isAssumed ? WITHOUT_VALUE.assumed : undefined;
    const what = constant === undefined ? others.get(name) : without;
    if (what !== undefined)
      return unknown(
        'invalid-input',
        `The policy names ${name} as a definition whose value the submission chooses; in the target it is ${what}.`,
      );
  }
  const absent = notInTarget('definition', names, declared.keys());
  return absent === undefined ? undefined : unknown('not-found', absent);
}

export const CHECKED_NO_FURTHER =
  'The separate checker refuses the target itself, with its holes admitted, and says nothing of the submission.';

export const NOT_KNOWN_WHOSE =
  'The separate checker refuses the submission, and did not finish with the target, which it may refuse for the same.';

/** @param message of the separate checker. */
export function targetRefused(message: string): Verdict {
  return unknown(
    'unsupported',
    `${CHECKED_NO_FURTHER} It says: ${message} Compile what it refuses with all checks on, or put it into a library of the project, which verdicts name then as what they rest on.`,
  );
}

export function optionFinding(file: string, option: string, what: string): Finding {
  return {
    kind: 'checks-disabled',
    file,
    message: `The project ${what} with ${option}.`,
    remedy: 'Remove the option from the project file, or have the policy allow it (flags).',
  };
}

type Unknown = Extract<Verdict, { readonly kind: 'unknown' }>;

/** What is wrong with a file as it was judged, with proofs left out, at its place in the file as it is. */
export function placedInFile(
  verdict: Unknown,
  judged: string,
  script: Script,
  leftOut: readonly Replacement[],
): Unknown {
  if (verdict.position === undefined || leftOut.length === 0) return verdict;
  const offset = new LineIndex(judged).offsetOfPrinted(verdict.position);
  if (offset === undefined) return verdict;
  return { ...verdict, position: script.positionAt(offsetBefore(offset, leftOut)) };
}

/** Where that ends which stands before the sentence, or before the statement with the proof, that does not compile. */
export function endBeforeError(target: Script, error: PrintedPosition | undefined): number {
  if (error === undefined) return target.source.text.length;
  const at = target.sentenceBegunAt(target.offsetOf(error));
  const first = target.enclosing(at)?.item.sentence ?? at;
  return orZero(target.outline.sentences[first - 1]?.span.end);
}

/** @param found what the target declares and nobody can have at once. */
export function targetContradicts(file: CompiledFile, found: readonly Demand[]): Verdict {
  return unknown(
    'invalid-input',
    `Not all that the target itself declares can be had at once, under one order of the universe levels: ${demandsSaid(file, found)}`,
  );
}

/** What a target gives up (`Abort`) changes another declaration when it is proved. */
export function meaningChanged(aborted: readonly TheoremItem[], subject: string): Verdict {
  return unknown(
    'invalid-input',
    `The target gives up ${namesOf(aborted)}, and ${subject} means something else when that is proved. Give it another name, or say ` +
      'what is to be proved (theorems).',
  );
}

export function useChangesMeaning(subject: string): Verdict {
  return unknown(
    'invalid-input',
    `What ${subject} means depends on a proof before it that the target leaves open: on which variables of its section it uses, or on ` +
      'what stands in it besides tactics. Say it there (`Proof using`), and let the rest stand outside of the proof.',
  );
}

/** @param name of what the target declares and the reference does not. */
export function goneWithHole(name: string): Verdict {
  return unknown(
    'unsupported',
    `A proof that the target leaves open declares ${name}, which is gone with that proof: a submission cannot be held to it. Declare it in front.`,
  );
}

export function unreadProof(target: Script, { sentence, name = 'without a name' }: TheoremItem): Verdict {
  const { line, column } = target.positionOf(sentence);
  return unknown(
    'unsupported',
    `${target.source.path}:${line}:${column}: What stands in the proof of ${name}, which the target leaves open, could not be read: the target does not ` +
      'compile there while its holes take all variables of their sections. Say it there (`Proof using`).',
  );
}

/** @param until where the target stops compiling while its holes take all variables of their sections. */
export function variablesChosen(target: Script, until: number): Warning {
  const { line, column } = target.positionAt(until);
  return {
    kind: 'variables-chosen',
    message:
      `${target.source.path}:${line}:${column}: The target does not compile here while its holes take all variables of their sections. ` +
      'How this and what follows is read could depend on which of them the proofs use. Say it there (`Proof using`).',
  };
}

/**
 * A target that does not compile while what it gives up is declared. Where that is the reason, it is not the target that is
 * wrong: as it stands it compiles, or it stops compiling elsewhere. @param given `asItStands`: where it gives something up.
 */
export async function problemWithDeclared(
  result: Exclude<ReferenceResult, { status: 'compiled' }>,
  given: {
    readonly aborted: readonly TheoremItem[];
    readonly asItStands: Promise<ReferenceResult> | undefined;
  },
  target: Script,
  settings: JudgeSettings,
): Promise<Verdict> {
  const own = await given.asItStands;
  if (result.status === 'failed' && own !== undefined) {
    const isOfProof =
      own.status === 'compiled' ||
      (own.status === 'failed' && own.error.span?.start !== result.error.span?.start);
    if (isOfProof)
      return unknown(
        'invalid-input',
        `The target gives up ${namesOf(given.aborted)}, and does not compile when that is proved: ${result.error.message} Give it another name, or say ` +
          'what is to be proved (theorems).',
      );
  }
  return targetProblem(result, target, settings);
}

function namesOf(items: readonly TheoremItem[]): string {
  return items.map(({ name = 'a statement without a name' }) => name).join(', ');
}
