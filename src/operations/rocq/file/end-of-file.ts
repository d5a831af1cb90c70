/**
 * What a prover that has read a file to its end still has open: what a compiler refuses there (a proof, obligations,
 * sections, modules), which constants it has admitted or assumed, and which checks of the kernel are off. Asked of the
 * prover, because the text does not show what stands in a loaded file, what a command left to be proved, or what a
 * notation hides.
 */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { orNothing } from '../../../core/entry.ts';
import { errorText } from '../../../core/errors.ts';
import type { ProverSession, StateId } from '../../../core/prover.ts';
import { asSentence } from '../../../provers/rocq/syntax/sentences.ts';

export interface EndOfFile {
  /** What a compiler refuses, in words. */
  readonly refusals: readonly string[];
  /** The names, as short as they may be written, of what this file declares as admitted or conjectures. */
  readonly admitted: readonly string[];
  /** What it declares without a proof for good: axioms, parameters, variables outside of sections, `Declare …`. */
  readonly assumed: readonly string[];
  /** The checks of the kernel that are off there, as the prover names them. */
  readonly checksOff: readonly string[];
  /** Why the prover could not be asked. */
  readonly unknown?: string;
}

const NOTHING: EndOfFile = { refusals: [], admitted: [], assumed: [], checksOff: [] };

/** The checks of the kernel that are off at a place, as the prover names them: `guarded`, `positive`, `universes`. */
export async function checksOff(session: ProverSession, at: StateId, signal: AbortSignal): Promise<string[]> {
  const flags = await new Asked(session, signal).answer(at, 'Print Typing Flags.');
  return [...flags.matchAll(/^\s*check_(\w+): false$/gmu)].flatMap(([, check]) => check ?? []);
}

const TIMEOUT_MS = 60_000;
/** No file has a section or a module of this name. */
const NAME = 'quod_end_of_file';

export async function endOfFile(
  session: ProverSession,
  end: StateId,
  signal: AbortSignal,
): Promise<EndOfFile> {
  const asked = new Asked(session, signal);
  try {
    const refusals = await openThings(asked, session, end);
    if (refusals.length > 0) return { ...NOTHING, refusals };
    return {
      refusals,
      ...(await withoutProofs(asked, end)),
      checksOff: await checksOff(session, end, signal),
    };
  } catch (error) {
    return { ...NOTHING, unknown: errorText(error) };
  }
}

async function openThings(asked: Asked, session: ProverSession, end: StateId): Promise<string[]> {
  if ((await session.goals(end)) !== null)
    return ['The file ends inside a proof: what ends it (`Qed.`) is missing.'];
  const obligations = await asked.answerIfKnown(end, 'Obligations.');
  const scope = await asked.refusal(end, `End ${NAME}.`);
  // What the prover says where nothing is open, it says at the beginning of the file.
  const nothing = await asked.refusal(session.root, `End ${NAME}.`);
  return [
    ...(obligations === '' ? [] : [`The file ends with obligations that are not proved: ${obligations}`]),
    ...(scope === nothing ? [] : [`The file ends inside a section or a module: ${scope}`]),
  ];
}

async function withoutProofs(asked: Asked, end: StateId): Promise<Pick<EndOfFile, 'admitted' | 'assumed'>> {
  const hidden = orNothing((await asked.answer(end, 'Print Table Search Blacklist.')).split(':').at(-1));
  const words = hidden
    .replace(/\.\s*$/u, '')
    .split(/\s+/u)
    .filter(Boolean);
  let at = await asked.next(end, 'Set Search Output Name Only.');
  if (words.length > 0)
    at = await asked.next(at, `Remove Search Blacklist ${words.map((word) => `"${word}"`).join(' ')}.`);
  const namesOf = async (kinds: string): Promise<string[]> =>
    (await asked.answer(at, `Search ${kinds}.`)).split(/\s+/u).filter(Boolean);
  const admitted = await namesOf('is:Conjecture');
  const assumed = await namesOf('[ is:Axiom | is:Parameter | is:Context | is:Primitive ]');
  if (admitted.length + assumed.length === 0) return NOTHING;
  const inside = await asked.next(await asked.next(at, `Module ${NAME}.`), `End ${NAME}.`);
  const library = placeOf(await asked.answer(inside, `Locate Module ${NAME}.`)).slice(0, -NAME.length);
  const ownOf = async (names: readonly string[]): Promise<string[]> => {
    const own: string[] = [];
    for (const name of names)
      if (placeOf(await asked.answer(at, `Locate Term ${name}.`)).startsWith(library)) own.push(name);
    return own;
  };
  return { admitted: await ownOf(admitted), assumed: await ownOf(assumed) };
}

/** `Constant Library.name (shorter name to refer to it …)`: the full name that is meant by the one that was asked about. */
function placeOf(located: string): string {
  return orNothing(/^\s*(?:Constant|Module)\s+(\S+)/u.exec(located)?.[1]);
}

function textOf(messages: readonly Diagnostic[]): string {
  return messages
    .map(({ message }) => message)
    .join('\n')
    .trim();
}

/** Questions to a session. A prover that does not answer them is an error: nothing may be concluded then. */
class Asked {
  readonly #session: ProverSession;
  readonly #limits: { readonly timeoutMs: number; readonly signal: AbortSignal };

  constructor(session: ProverSession, signal: AbortSignal) {
    this.#session = session;
    this.#limits = { timeoutMs: TIMEOUT_MS, signal };
  }

  async answer(at: StateId, command: string): Promise<string> {
    const result = await this.#session.query(at, asSentence(command), this.#limits);
    if (result.status === 'done') return textOf(result.messages);
    throw new Error(result.status === 'failed' ? result.error.message : result.message);
  }

  /** Nothing where a plugin that would bring the command, and what it asks about, is not loaded (`-noinit`). */
  async answerIfKnown(at: StateId, command: string): Promise<string> {
    const result = await this.#session.query(at, asSentence(command), this.#limits);
    if (result.status === 'unknown') throw new Error(result.message);
    return result.status === 'failed' ? '' : textOf(result.messages);
  }

  async next(at: StateId, command: string): Promise<StateId> {
    const result = await this.#session.run(at, asSentence(command), this.#limits);
    if (result.status === 'done') return result.state;
    throw new Error(result.status === 'failed' ? result.error.message : result.message);
  }

  /** What the prover says against a command. */
  async refusal(at: StateId, command: string): Promise<string> {
    const result = await this.#session.run(at, asSentence(command), this.#limits);
    if (result.status === 'failed') return result.error.message.trim();
    throw new Error(result.status === 'done' ? `${command} was not refused.` : result.message);
  }
}
