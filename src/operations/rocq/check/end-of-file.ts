/**
 * What a prover that has read a file to its end still has open: what a compiler refuses there (a proof, obligations,
 * sections, modules), which constants it has admitted or assumed, and which checks of the kernel are off. Asked of the
 * prover, because the text does not show what stands in a loaded file, what a command left to be proved, or what a
 * notation hides.
 */
import { errorText } from '../../../core/errors.ts';
import type { Span } from '../../../core/position.ts';
import type { ProverSession, StateId, StepResult } from '../../../core/prover.ts';
import { HeadTokens } from '../../../provers/rocq/syntax/head-tokens.ts';
import { asSentence, type Sentence } from '../../../provers/rocq/syntax/sentences.ts';
import { Asked, refusalIn } from './asked.ts';
import { type InsideModule, NAME, withoutProofs } from './without-proofs.ts';

export interface EndOfFile {
  /** What a compiler refuses, in words. */
  readonly refusals: readonly string[];
  /** The names of what this file declares as admitted or conjectures. What copies another (`Module K := M.`) is left out. */
  readonly admitted: readonly string[];
  /** What it declares without a proof for good: axioms, parameters, variables outside of sections, `Declare …`. */
  readonly assumed: readonly string[];
  /** The checks of the kernel that are off there, as the prover names them. */
  readonly checksOff: readonly string[];
  /** Why the prover could not be asked. */
  readonly unknown?: string;
}

const NOTHING: EndOfFile = { refusals: [], admitted: [], assumed: [], checksOff: [] };

/** What a session runs and a compiler refuses: to go back in a file. */
export function refusedByCompiler(sentences: readonly Sentence[]): { span: Span; message: string }[] {
  const goesBack = ({ role, text }: Sentence): boolean => {
    if (role !== 'command' || !text.includes('Back')) return false;
    const head = new HeadTokens(text);
    // What has no effect on a file is refused in it all the same.
    while (!head.skipPrefixes()) head.place += 1;
    return head.peek() === 'Back';
  };
  const message = 'A compiler takes no `Back` in a file: it is for sessions alone.';
  return sentences.filter(goesBack).map(({ span }) => ({ span, message }));
}

/** The checks of the kernel that are off at a place, as the prover names them: `guarded`, `positive`, `universes`. */
export async function checksOff(session: ProverSession, at: StateId, signal: AbortSignal): Promise<string[]> {
  const flags = await new Asked(session, signal).answer(at, 'Print Typing Flags.');
  return [...flags.matchAll(/^\s*check_(\w+): false$/gmu)].flatMap(([, check]) => check ?? []);
}

const END_OF_SCOPE = `End ${NAME}.`;

/**
 * Where nothing is open yet, the prover says what it says then against the end of a scope. It is asked before the file is
 * run: to go back to the beginning later would cost a second run of the whole file.
 */
export function endWhereNothingIsOpen(session: ProverSession, signal: AbortSignal): Promise<StepResult> {
  return new Asked(session, signal).outcome(session.root, END_OF_SCOPE);
}

/** A file that was run, and what was found on the way. */
export interface FileAtItsEnd {
  readonly end: StateId;
  /** What was found before the ends of modules that hide it. */
  readonly inside: readonly InsideModule[];
  /** {@link endWhereNothingIsOpen}. */
  readonly nothingOpen: StepResult;
}

export async function endOfFile(
  session: ProverSession,
  { end, inside, nothingOpen }: FileAtItsEnd,
  signal: AbortSignal,
): Promise<EndOfFile> {
  const asked = new Asked(session, signal);
  try {
    const notKnown = inside.find(({ unknown }) => unknown !== undefined)?.unknown;
    if (notKnown !== undefined) return { ...NOTHING, unknown: notKnown };
    const at = await withoutDebugging(session, end, signal);
    const refusals = await openThings(asked, session, { at, nothingOpen });
    if (refusals.length > 0) return { ...NOTHING, refusals };
    return {
      refusals,
      ...(await withoutProofs(asked, at, inside)),
      checksOff: await checksOff(session, at, signal),
    };
  } catch (error) {
    return { ...NOTHING, unknown: errorText(error) };
  }
}

/** What a file has the prover tell of its own work would stand in the answers. */
async function withoutDebugging(session: ProverSession, end: StateId, signal: AbortSignal): Promise<StateId> {
  const quiet = await session.run(end, asSentence('Set Debug "-all".'), { signal, expected: true });
  return quiet.status === 'done' ? quiet.state : end;
}

async function openThings(
  asked: Asked,
  session: ProverSession,
  { at, nothingOpen }: { readonly at: StateId; readonly nothingOpen: StepResult },
): Promise<string[]> {
  if ((await session.goals(at)) !== null)
    return ['The file ends inside a proof: what ends it (`Qed.`) is missing.'];
  const obligations = await asked.answerIfKnown(at, 'Obligations.');
  const scope = await asked.refusal(at, END_OF_SCOPE);
  const nothing = refusalIn(nothingOpen, END_OF_SCOPE);
  return [
    ...(obligations === '' ? [] : [`The file ends with obligations that are not proved: ${obligations}`]),
    ...(scope === nothing ? [] : [`The file ends inside a section or a module: ${scope}`]),
  ];
}
