/**
 * The cursor: works through the holes of a script and writes only what the gate accepted, or what it was told to
 * write unjudged.
 */
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { sha256 } from '../../core/sha256.ts';
import { readPolicy } from '../../gate/policy.ts';
import type { CursorStatus, PreparedCompletion } from '../../sessions/hol4/cursor.ts';
import { HolCursor } from '../../sessions/hol4/cursor.ts';
import type { HolEntry, OpenCursor } from '../../sessions/hol4/hol-sessions.ts';
import { READS, defineOperation, type OperationContext } from '../definition/operation.ts';
import { replaceFile } from '../files/replace-file.ts';
import { restsOnSchema } from '../definition/rests-on.ts';
import { errorOfFile } from '../files/error-of-file.ts';
import { encode, readSourceFile, type SourceFile } from '../files/source-file.ts';
import { holRestsOn, inHolSession } from './hol-service.ts';
import { judgeScript, type ScriptJudgement } from './judge-script.ts';
import { holStateOf, proofStateSchema, holProofStateText, sessionField } from './hol-schemas.ts';
import { requireLanguage } from '../files/required-source.ts';

const holeSchema = z.object({
  name: z.string(),
  statement: z.string(),
  line: z.int().describe('From 1.'),
  column: z.int().describe('From 0.'),
});

const cursorFields = {
  file: z.string(),
  current: holeSchema
    .nullable()
    .describe('The theorem that the cursor is at; null when every hole is filled.'),
  remaining: z.array(holeSchema),
  filled: z.array(z.string()).describe('Theorems proved since the cursor was made.'),
  assumed: z
    .array(z.object({ name: z.string(), why: z.string() }))
    .describe('Theorems before the cursor whose own proof fails; they were assumed, to get past them.'),
  other_cheats: z
    .array(z.object({ name: z.string(), line: z.int(), column: z.int() }))
    .describe('Cheats that the cursor cannot fill, in termination proofs for instance.'),
  proving: z.boolean().describe('The proof of the current theorem is open.'),
};

type CursorFields = z.output<z.ZodObject<typeof cursorFields>>;

function cursorOf(context: OperationContext, path: string, status: CursorStatus): CursorFields {
  const hole = ({ name, statement, position }: NonNullable<CursorStatus['current']>) => ({
    name,
    statement,
    ...position,
  });
  return {
    file: context.workspace.nameOf(path),
    current: status.current && hole(status.current),
    remaining: status.remaining.map(hole),
    filled: [...status.filled],
    assumed: status.assumed.map(({ name, why }) => ({ name, why })),
    other_cheats: status.otherCheats.map(({ name, position }) => ({ name, ...position })),
    proving: status.proving,
  };
}

function cursorText({ file, current, remaining, filled }: CursorFields): string {
  const counts = `${counted(remaining.length, 'hole')} left, ${filled.length} filled`;
  if (current === null) return `${file}: ${counts}.`;
  return `${file}:${current.line}: ${current.name} (${counts})\n${current.statement}`;
}

function openCursor({ cursor, name }: HolEntry): OpenCursor {
  if (cursor !== undefined) return cursor;
  throw new QuodError('invalid-input', `The session ${name} has no cursor.`, {
    remedy: 'Call `hol_cursor_init` with a file first.',
  });
}

/** @throws QuodError `file-changed` when the file is not what the cursor knows. */
async function readAsKnown({ path, hash }: OpenCursor): Promise<SourceFile> {
  const source = await readSourceFile(path);
  if (source.hash === hash) return source;
  throw new QuodError('file-changed', 'The file changed on disk since the cursor read it.', {
    place: { file: path },
    remedy: 'Call `hol_cursor_init` again.',
  });
}

function loading(context: OperationContext) {
  return (done: number, total: number): void =>
    context.progress({ message: 'Executing the file up to the theorem', done, total });
}

const holCursorInit = defineOperation({
  name: 'hol_cursor_init',
  area: 'hol',
  title: 'Put the cursor on a file',
  summary: 'Parses a script, executes what stands before its first `cheat`, and stands there.',
  details:
    'With `theorem` it goes to that theorem instead. A session that has executed a file before starts afresh.',
  input: z.object({
    session: sessionField,
    file: z.string().describe('A `…Script.sml` file.'),
    theorem: z.string().optional().describe('Go to this theorem; default: the first with a cheat.'),
    item_timeout: z
      .number()
      .positive()
      .max(3600)
      .default(300)
      .describe('Seconds for each declaration of the file.'),
  }),
  output: z.object({ ...cursorFields, restarted: z.boolean(), rests_on: restsOnSchema }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 600,
  positional: ['file', 'session'],
  render: cursorText,
  run: async (input, context) => {
    const path = await context.workspace.resolve(input.file);
    await requireLanguage('hol4', path, input.file);
    const source = await readSourceFile(path);
    return await inHolSession(context, input.session, async (entry) => {
      const restarted = entry.cursor !== undefined;
      entry.cursor = undefined;
      if (restarted) await entry.workbench.reset(context.signal);
      const limits = { timeoutMs: input.item_timeout * 1000, signal: context.signal };
      const progress = loading(context);
      const { workbench } = entry;
      let cursor: HolCursor;
      try {
        cursor = await HolCursor.init(workbench, {
          file: path,
          text: source.text,
          limits,
          theorem: input.theorem,
          progress,
        });
      } catch (error) {
        // Half of a file must not be there when the next one is read.
        await workbench.reset().catch(() => undefined);
        throw error instanceof QuodError && error.place.file === undefined
          ? errorOfFile(error, input.file)
          : error;
      }
      entry.cursor = { cursor, path, hash: source.hash };
      const rests_on = holRestsOn(context, entry, entry.cursor);
      return { ...cursorOf(context, path, cursor.status), restarted, rests_on };
    });
  },
});

const holCursorStatus = defineOperation({
  name: 'hol_cursor_status',
  area: 'hol',
  title: 'Where the cursor is',
  summary: 'Says which theorem the cursor is at and which holes are left.',
  input: z.object({ session: sessionField }),
  output: z.object({ ...cursorFields, rests_on: restsOnSchema }),
  annotations: READS,
  defaultTimeout: 30,
  positional: ['session'],
  render: cursorText,
  run: async ({ session }, context) =>
    inHolSession(context, session, (entry) => {
      const open = openCursor(entry);
      return Promise.resolve({
        ...cursorOf(context, open.path, open.cursor.status),
        rests_on: holRestsOn(context, entry, open),
      });
    }),
});

const holCursorStart = defineOperation({
  name: 'hol_cursor_start',
  area: 'hol',
  title: 'Open the proof',
  summary: 'Opens the proof of the current theorem as a goal tree.',
  details:
    'Then prove with `hol_send`: `e (tactic)`, and `b()` to undo. Other proofs that are open in the session are dropped.',
  input: z.object({ session: sessionField }),
  output: z.object({ theorem: z.string(), proof: proofStateSchema, rests_on: restsOnSchema }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 60,
  positional: ['session'],
  render: ({ theorem, proof }) => `${theorem}\n\n${holProofStateText(proof)}`,
  run: async ({ session }, context) =>
    inHolSession(context, session, async (entry) => {
      const open = openCursor(entry);
      const proof = await open.cursor.start({ signal: context.signal });
      return {
        theorem: orNothing(open.cursor.status.current?.name),
        proof: holStateOf(proof),
        rests_on: holRestsOn(context, entry, open),
      };
    }),
});

const holCursorComplete = defineOperation({
  name: 'hol_cursor_complete',
  area: 'hol',
  title: 'Write the proof and go on',
  summary:
    'Takes the finished proof, executes its text, has the gate judge the file with it, writes that file, and goes to the next hole.',
  details:
    'Nothing is written unless the text proves the theorem as it stands in the file, without cheats and hypotheses, and the ' +
    'gate accepts the very file that would be written. Without a HOL4 that exports its proofs the gate says `unknown` ' +
    '(`not-replayed`): `unjudged` writes such a proof all the same. Only the one proof of the file changes. With `proof` ' +
    'that text is used instead of the goal tree.',
  input: z.object({
    session: sessionField,
    proof: z
      .string()
      .optional()
      .describe('The text between `Proof` and `QED`; default: the proof by goal tree.'),
    unjudged: z
      .boolean()
      .default(false)
      .describe('Write it without asking the gate: HOL took it, and nobody else looked.'),
    policy: z
      .string()
      .nullable()
      .default(null)
      .describe('A TOML or JSON file with what the gate may allow, as for `gate_verify`.'),
    item_timeout: z
      .number()
      .positive()
      .max(3600)
      .default(300)
      .describe('Seconds for the proof, and for each declaration after it.'),
  }),
  output: z.object({
    ...cursorFields,
    theorem: z.string().describe('The theorem that was proved.'),
    proof: z.string().describe('What stands between `Proof` and `QED` now, or would stand there.'),
    written: z.boolean(),
    verdict: z.enum(['accepted', 'rejected', 'unknown', 'not-asked']).describe('Of the gate.'),
    findings: z.array(z.string()).describe('Why it was not accepted, or what the acceptance rests on.'),
    oracles: z.array(z.string()).describe('What the theorem rests on unproved: other holes of the file.'),
    rests_on: restsOnSchema,
  }),
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  defaultTimeout: 600,
  positional: ['session'],
  render: ({ theorem, proof, written, verdict, findings, ...cursor }) =>
    [
      `${written ? 'Wrote' : 'Did not write'} the proof of ${theorem} (gate: ${verdict}):`,
      proof,
      ...findings,
      '',
      cursorText(cursor),
    ].join('\n'),
  run: async (input, context) =>
    inHolSession(context, input.session, async (entry) => {
      const open = openCursor(entry);
      const source = await readAsKnown(open);
      const limits = { timeoutMs: input.item_timeout * 1000, signal: context.signal };
      const prepared = await open.cursor.complete(limits, input.proof, source.lineEnd);
      const judged = input.unjudged
        ? { verdict: 'not-asked' as const, findings: [] }
        : await judge(context, source, prepared, input.policy);
      const written = judged.verdict === 'accepted' || judged.verdict === 'not-asked';
      const known = written ? await write(open, source, prepared.text) : open;
      entry.cursor = known;
      const status = written
        ? await open.cursor.advance(prepared.text, limits, loading(context))
        : open.cursor.status;
      return {
        ...cursorOf(context, open.path, status),
        theorem: prepared.theorem,
        proof: prepared.proof,
        written,
        ...judged,
        oracles: [...prepared.oracles],
        rests_on: holRestsOn(context, entry, known),
      };
    }),
});

async function write(open: OpenCursor, source: SourceFile, text: string): Promise<OpenCursor> {
  const bytes = encode(source, text);
  await replaceFile(source, bytes);
  return { ...open, hash: sha256(bytes) };
}

/** The gate's verdict on the text that will be written, against the text of the file. */
async function judge(
  context: OperationContext,
  source: SourceFile,
  { theorem, text }: PreparedCompletion,
  policyFile: string | null,
): Promise<ScriptJudgement> {
  const policy = policyFile === null ? {} : readPolicy(await context.workspace.resolve(policyFile));
  context.progress({ message: 'Asking the gate' });
  const script = { file: source.path, original: source.text, text, theorems: [theorem] };
  return await judgeScript(script, policy, context.signal);
}

export const HOL_CURSOR_OPERATIONS = [
  holCursorInit,
  holCursorStatus,
  holCursorStart,
  holCursorComplete,
] as const;
