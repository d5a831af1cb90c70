/**
 * Where a question is asked: at a state of a session, or at a place of a file. Every operation that looks at something
 * takes these parameters and means the same by them.
 */
import { z } from 'zod';
import { orNothing, orZero } from '../../../core/entry.ts';
import { RUN_REMEDIES } from '../../../core/remedies/run-remedies.ts';
import { QuodError, type ErrorPlace } from '../../../core/errors.ts';
import type { Goal } from '../../../core/proof-state.ts';
import type { Prover, ProverIdentity } from '../../../core/prover.ts';
import { missingLibrary, missingLibraryRemedy } from '../../../provers/rocq/known-libraries.ts';
import { withDotHint } from '../../../provers/rocq/syntax/missing-dot.ts';
import { UnreachableState } from '../../../sessions/engine.ts';
import type { BackendChoice } from '../../../sessions/find-rocq.ts';
import type { ProverPool } from '../../../sessions/prover-pool.ts';
import { rootState, type ScriptState } from '../../../sessions/script-state.ts';
import type { OperationContext } from '../../definition/operation.ts';
import { restsOn, type MadeWith, type RestsOn } from '../../definition/rests-on.ts';
import { causeOfRefusal, refusedRequire } from '../check/cause-of-refusal.ts';
import type { RocqFile } from './rocq-file.ts';
import { rocqWorkbench, type RocqWorkbench } from './rocq-workbench.ts';
import type { RocqSession } from './rocq-session.ts';
import { librariesRead, staleDependencies } from './stale-dependencies.ts';

export const sessionFields = {
  session_id: z.string().describe('From `rocq_open`.'),
  from: z
    .string()
    .optional()
    .describe('The state to start from, as an earlier answer named it; default: the start of the session.'),
};

export const placeFields = {
  session_id: z.string().optional().describe('Ask in this session, else in `file`.'),
  from: z.string().optional().describe('Its state; default: the start.'),
  file: z.string().optional().describe('Ask at the end of this file, or at:'),
  theorem: z.string().optional().describe('the start of this theorem’s proof.'),
  line: z.int().positive().optional().describe('Or this line, from 1.'),
  column: z.int().nonnegative().optional().describe('From 0; default 0.'),
};

export type PlaceInput = z.output<z.ZodObject<typeof placeFields>>;

export interface Place {
  readonly workbench: RocqWorkbench;
  readonly pool: ProverPool;
  readonly state: ScriptState;
  readonly file: RocqFile | undefined;
  readonly session: RocqSession | undefined;
}

export function rocqWorkbenchOf(context: Pick<OperationContext, 'services'>): RocqWorkbench {
  return context.services.get(rocqWorkbench);
}

/** Works at a place; a session that is named stays open meanwhile. @throws QuodError `invalid-input`, `not-found`, … */
export async function atPlace<Result>(
  input: PlaceInput,
  context: OperationContext,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const workbench = rocqWorkbenchOf(context);
  if ((input.session_id === undefined) === (input.file === undefined)) {
    throw new QuodError('invalid-input', 'Say where to ask: either `session_id` or `file`.', {
      remedy:
        'For example `file` lists.v asks at the end of that file, and `theorem` with it at the start of that proof. Or open a session with `rocq_open`.',
    });
  }
  if (input.session_id !== undefined) {
    return inSession(context, { session_id: input.session_id, from: input.from }, work);
  }
  const file = await workbench.file(context.workspace, orNothing(input.file));
  const pool = await workbench.pool();
  const state = stateInFile(file, input);
  const way = { file, pool, backend: workbench.backend, signal: context.signal };
  // Who asks at the end of a file may mean something that stands before the error.
  const otherwise = RUN_REMEDIES.askBefore;
  return explained(way, () => work({ workbench, pool, state, file, session: undefined }), otherwise);
}

/** A file that there need not be: nothing of it is read. */
const EMPTY_FILE = 'empty.v';

/** Works where an empty file of the workspace begins, when no place is named. */
export async function atPlaceOrEmptyFile<Result>(
  input: PlaceInput,
  context: OperationContext,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const { session_id, from, file, theorem, line } = input;
  if ([session_id, from, file, theorem, line].some((named) => named !== undefined))
    return atPlace(input, context, work);
  const workbench = rocqWorkbenchOf(context);
  const pool = await workbench.pool();
  const { absolute, libraries } = await workbench.placeOf(context.workspace, EMPTY_FILE);
  const state = rootState({ file: absolute, libraries: libraries.digest });
  return work({ workbench, pool, state, file: undefined, session: undefined });
}

/** The first goal at a place. @throws QuodError `invalid-input` when there is none. */
export async function firstGoalAt(
  { pool, state }: Pick<Place, 'pool' | 'state'>,
  signal: AbortSignal,
  remedy: string,
): Promise<Goal> {
  const proof = await pool.at(state, { signal }, (prover) => prover.session.goals(prover.state));
  const [goal] = proof?.goals ?? [];
  if (goal !== undefined) return goal;
  throw new QuodError('invalid-input', 'There is no goal at this place.', { remedy });
}

/** Works at a state of a session. */
export async function inSession<Result>(
  context: OperationContext,
  input: { readonly session_id: string; readonly from?: string | undefined },
  work: (place: Place & { readonly session: RocqSession }) => Promise<Result>,
): Promise<Result> {
  const workbench = rocqWorkbenchOf(context);
  return workbench.sessions.use(context.client, input.session_id, async (session) => {
    const state = input.from === undefined ? session.base : session.stateNamed(input.from);
    const pool = await workbench.pool();
    const { file } = session;
    const way = { file, pool, backend: workbench.backend, signal: context.signal };
    return explained(way, () => work({ workbench, pool, state, file, session }));
  });
}

function stateInFile(file: RocqFile, input: PlaceInput): ScriptState {
  if (input.theorem !== undefined) return startOfProof(file, input.theorem).base;
  if (input.line !== undefined) return file.stateAt({ line: input.line, column: orZero(input.column) });
  return file.stateAtEnd;
}

/** The states behind a theorem's statement and behind its `Proof`, which is the same when there is none. */
export function startOfProof(file: RocqFile, name: string) {
  const item = file.theorem(name);
  const stated = file.stateBefore(item.sentence + 1);
  const base = item.proofSentence === undefined ? stated : file.stateBefore(item.proofSentence + 1);
  return { item, stated, base };
}

/** How many sentences of the file the state has behind it, whatever came after them. */
export function sharedSentences(file: RocqFile, state: ScriptState): number {
  let at = state;
  while (file.sentenceBefore(at) === undefined && at.parent !== undefined) at = at.parent;
  return at.depth;
}

/** To a place in a file. */
interface WayTo {
  readonly file: RocqFile | undefined;
  readonly pool: ProverPool;
  readonly backend: BackendChoice;
  readonly signal: AbortSignal;
}

/**
 * Where a sentence on the way is refused, the error names its place in the file and a remedy.
 * @param otherwise What else can be done.
 */
async function explained<Result>(way: WayTo, work: () => Promise<Result>, otherwise = ''): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnreachableState)) throw error;
    throw await errorOnTheWay(error, way, otherwise);
  }
}

async function errorOnTheWay(
  error: UnreachableState,
  { file, pool: { identity }, backend, signal }: WayTo,
  otherwise: string,
): Promise<QuodError> {
  const index = file?.sentenceBefore(error.refused);
  const sentence = index === undefined ? undefined : file?.outline.sentences[index];
  const place: ErrorPlace =
    file === undefined || sentence === undefined
      ? {}
      : {
          file: file.name,
          position: file.positionOf(sentence.span.start + orZero(error.diagnostic.span?.start)),
        };
  const message = error.diagnostic.message.trim();
  if (error.reason !== undefined) return new QuodError(error.reason, message, { place });
  const library = missingLibrary(message);
  if (library !== undefined) {
    const { context, outline } = file ?? {};
    const refusal = outline && context && { file: context.file, outline, message, identity, backend, signal };
    const cause = refusal && (await causeOfRefusal(refusal));
    if (cause !== undefined) return refusedRequire(message, cause, place);
    const remedy = missingLibraryRemedy(library, identity.backend);
    return new QuodError('library-missing', message, { place, remedy });
  }
  const { text = '' } = file?.outline ?? {};
  const said = sentence === undefined ? message : withDotHint(message, text, sentence.span);
  return new QuodError('does-not-compile', said, {
    place,
    remedy: `${RUN_REMEDIES.mendFirst} Nothing behind it can be reached. ${otherwise}`.trim(),
  });
}

/** What an answer at a place rests on. */
export async function placeRestsOn(
  context: OperationContext,
  { identity }: Pick<Prover, 'identity'>,
  file: RocqFile | undefined,
): Promise<RestsOn> {
  if (file === undefined) return restsOn(identity, null);
  const stale = await staleDependencies(file.context.file, file.outline.requires, identity);
  return restsOnAbout(context, identity, { file, stale });
}

/** The same, with a name for the libraries as they stood when the file was read. */
export async function placeMadeWith(
  context: Pick<OperationContext, 'workspace'>,
  { identity }: Pick<Prover, 'identity'>,
  file: RocqFile,
): Promise<MadeWith> {
  const { stale, libraries } = await librariesRead(file, identity);
  return { ...restsOnAbout(context, identity, { file, stale }), libraries };
}

function restsOnAbout(
  { workspace }: Pick<OperationContext, 'workspace'>,
  identity: ProverIdentity,
  { file, stale }: { readonly file: RocqFile; readonly stale: readonly string[] },
): RestsOn {
  return restsOn(
    identity,
    { file: file.name, hash: file.source.hash },
    stale.map((path) => workspace.nameOf(path)),
  );
}
