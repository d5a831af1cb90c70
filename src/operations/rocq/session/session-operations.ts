/** Opening, listing and closing live sessions. */
import { z } from 'zod';
import { counted } from '../../../core/counted.ts';
import { orNothing, orZero } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { splitSentences } from '../../../provers/rocq/syntax/sentences.ts';
import { rootState, statesAfter } from '../../../sessions/script-state.ts';
import { join } from 'node:path';
import { READS, defineOperation, type OperationContext } from '../../definition/operation.ts';
import { restsOnSchema } from '../../definition/rests-on.ts';
import { proofFields, proofFieldsOf, rocqProofStateText } from './goal-schemas.ts';
import { inSession, placeRestsOn, startOfProof, rocqWorkbenchOf } from './place.ts';
import { refuseForbidden } from './forbidden-in-proof.ts';
import { RocqSession } from './rocq-session.ts';

export const rocqOpen = defineOperation({
  name: 'rocq_open',
  area: 'rocq',
  title: 'Open a Rocq session',
  summary: 'Opens a live session inside a proof of a file, at a position of a file, or behind a preamble.',
  details:
    'Give `file` and `theorem` to prove a theorem (the session starts behind `Proof`, whatever the file has as its proof), ' +
    '`file` and `line` to work at a position, or `preamble` to work behind commands of your own. The file is read once: ' +
    'later changes of it on disk do not change the session. Opening a session on a beginning that another one shares is free.',
  input: z.object({
    file: z.string().optional().describe('A `.v` file of the workspace.'),
    theorem: z.string().optional().describe('The theorem to prove.'),
    line: z.int().positive().optional().describe('Line of a position in the file, from 1.'),
    column: z.int().nonnegative().optional().describe('Column, from 0; default 0.'),
    preamble: z
      .string()
      .optional()
      .describe('Commands to run first, such as `Require Import Lia.`; no file is needed.'),
  }),
  output: z.object({
    session_id: z.string(),
    state: z.string().describe('Where the session starts; later calls take it as `from`.'),
    theorem: z.string().nullable(),
    statement: z.string().nullable().describe('The statement of the theorem as it stands in the file.'),
    ...proofFields,
    rests_on: restsOnSchema,
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  defaultTimeout: 300,
  positional: ['file', 'theorem'],
  session: 'besides',
  render: (output) =>
    [
      `Session ${output.session_id}, state ${output.state}`,
      ...(output.statement === null ? [] : [output.statement]),
      rocqProofStateText(output),
    ].join('\n\n'),
  run: async (input, context) => {
    const workbench = rocqWorkbenchOf(context);
    const session = await startOf(input, context);
    const { id } = workbench.sessions.add(context.client, session);
    try {
      return await inSession(context, { session_id: id }, async ({ pool, state, file }) => {
        const proof = await pool.at(
          state,
          {
            signal: context.signal,
            onProgress: (done, total) => {
              context.progress({ message: 'Running the file up to the place', done, total });
            },
          },
          (prover) => prover.session.goals(prover.state),
        );
        const item = session.target?.item;
        return {
          session_id: id,
          state: session.nameOf(state, proof),
          theorem: item?.name ?? null,
          statement: (item && file?.outline.sentences[item.sentence]?.text) ?? null,
          ...proofFieldsOf(proof),
          rests_on: await placeRestsOn(context, pool, file),
        };
      });
    } catch (error) {
      await workbench.sessions.close(context.client, id).catch(() => undefined);
      throw error;
    }
  },
});

interface OpenInput {
  readonly file?: string | undefined;
  readonly theorem?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly preamble?: string | undefined;
}

async function startOf(input: OpenInput, context: OperationContext): Promise<RocqSession> {
  if ((input.file === undefined) === (input.preamble === undefined)) {
    throw new QuodError('invalid-input', 'Say where the session starts: either `file` or `preamble`.', {
      remedy: 'With a file, name a `theorem` or a `line` as well.',
    });
  }
  if (input.preamble !== undefined) {
    const { sentences, unterminated } = splitSentences(input.preamble);
    if (unterminated !== undefined) {
      throw new QuodError(
        'invalid-input',
        `The ${unterminated.inside} at the end of the preamble has no end.`,
        {
          remedy: 'End every command with a dot.',
        },
      );
    }
    refuseForbidden(input.preamble, new Set());
    const root = rootState({ file: join(context.workspace.root, 'preamble.v'), libraries: '' });
    const states = statesAfter(
      root,
      sentences.map(({ text }) => text),
    );
    return new RocqSession({ base: states.at(-1) ?? root });
  }
  const file = await rocqWorkbenchOf(context).file(context.workspace, orNothing(input.file));
  if (input.theorem !== undefined) {
    const { item, stated, base } = startOfProof(file, input.theorem);
    return new RocqSession({ file, target: { item, stated }, base });
  }
  if (input.line === undefined) return new RocqSession({ file, base: file.stateAtEnd });
  return new RocqSession({ file, base: file.stateAt({ line: input.line, column: orZero(input.column) }) });
}

export const rocqSessions = defineOperation({
  name: 'rocq_sessions',
  area: 'rocq',
  title: 'List Rocq sessions',
  summary: 'Lists your open Rocq sessions.',
  input: z.object({}),
  output: z.object({
    sessions: z.array(
      z.object({
        session_id: z.string(),
        file: z.string().nullable(),
        theorem: z.string().nullable(),
        states: z.int().describe('How many states the session has named.'),
        created_at: z.string(),
        last_used_at: z.string(),
      }),
    ),
    provers_alive: z.int().describe('Provers that run now, for all clients together.'),
  }),
  annotations: READS,
  defaultTimeout: 10,
  render: ({ sessions, provers_alive }) =>
    [
      ...sessions.map(({ session_id, file, theorem, states, last_used_at }) => {
        const place = [theorem, file].filter((part) => part !== null).join(' in ');
        return `${session_id}: ${place === '' ? 'a preamble' : place}, ${counted(states, 'state')}, last used ${last_used_at}`;
      }),
      `${counted(sessions.length, 'session')} of yours, ${counted(provers_alive, 'prover')} for all clients`,
    ].join('\n'),
  run: async (_input, context) => {
    const workbench = rocqWorkbenchOf(context);
    return {
      sessions: workbench.sessions.of(context.client).map(({ id, session, createdAt, lastUsedAt }) => ({
        session_id: id,
        file: session.file?.name ?? null,
        theorem: session.target?.item.name ?? null,
        states: session.states.length,
        created_at: createdAt.toISOString(),
        last_used_at: lastUsedAt.toISOString(),
      })),
      provers_alive: await workbench.proversAlive(),
    };
  },
});

export const rocqClose = defineOperation({
  name: 'rocq_close',
  area: 'rocq',
  title: 'Close a Rocq session',
  summary: 'Closes a session. What it found is not written anywhere: use `rocq_fill` before.',
  input: z.object({ session_id: z.string() }),
  output: z.object({ closed: z.literal(true) }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  defaultTimeout: 30,
  positional: ['session_id'],
  render: () => 'The session is closed.',
  run: async ({ session_id }, context) => {
    await rocqWorkbenchOf(context).sessions.close(context.client, session_id);
    return { closed: true as const };
  },
});
