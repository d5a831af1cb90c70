/** Starting, listing, attaching to and stopping HOL sessions, and talking to them. */
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { QuodError } from '../../core/errors.ts';
import { withItsText } from '../../sessions/hol4/named-tactic.ts';
import { READS, defineOperation } from '../definition/operation.ts';
import { restsOnSchema } from '../definition/rests-on.ts';
import { holRestsOn, inHolSession, serviceOf } from './hol-service.ts';
import {
  holStateOf,
  proofStateSchema,
  holProofStateText,
  replyFields,
  replyOf,
  sessionField,
} from './hol-schemas.ts';

const holStart = defineOperation({
  name: 'hol_start',
  area: 'hol',
  title: 'Start a HOL session',
  summary: 'Starts a HOL4 session in a folder, or finds the one of that name again.',
  details:
    'A session lives until it is stopped, idle for long, or the server ends. It outlives the client: whoever comes next calls `hol_attach`. ' +
    'A HOL that dies is started again and told everything once more.',
  input: z.object({
    workdir: z.string().default('.').describe('The folder whose theories and libraries HOL finds.'),
    name: z.string().min(1).max(100).default('default').describe('How later calls name the session.'),
  }),
  output: z.object({
    session: z.string(),
    workdir: z.string(),
    found: z.boolean().describe('The session was running already.'),
    version: z.string(),
    rests_on: restsOnSchema,
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 120,
  session: 'purpose',
  positional: ['workdir', 'name'],
  render: ({ session, version, workdir, found }) =>
    `${found ? 'Found' : 'Started'} session ${session} (HOL4 ${version}) in ${workdir}`,
  run: async ({ workdir, name }, context) => {
    const service = serviceOf(context);
    const folder = await context.workspace.resolve(workdir);
    const { entry, found } = await service.sessions.start(context.client, name, folder, () =>
      service.startWorkbench(folder, context.signal),
    );
    const rests_on = holRestsOn(context, entry);
    const { version } = rests_on;
    return { session: name, workdir: context.workspace.nameOf(folder), found, version, rests_on };
  },
});

const holSessions = defineOperation({
  name: 'hol_sessions',
  area: 'hol',
  title: 'List HOL sessions',
  summary: 'Lists your HOL sessions and those that nobody holds.',
  input: z.object({}),
  output: z.object({
    sessions: z.array(
      z.object({
        session: z.string(),
        workdir: z.string(),
        held: z.enum(['by-you', 'by-nobody']).describe('One that nobody holds can be attached to.'),
        busy: z.boolean().describe('A command is running.'),
        generation: z.int().describe('How often its HOL was started.'),
        file: z.string().nullable().describe('The file that its cursor works on.'),
        started_at: z.string(),
        last_used_at: z.string(),
      }),
    ),
  }),
  annotations: READS,
  defaultTimeout: 10,
  render: ({ sessions }) =>
    sessions.length === 0
      ? 'No sessions.'
      : sessions
          .map(({ session, workdir, held, busy }) => `${session}  ${workdir}  ${held}${busy ? '  busy' : ''}`)
          .join('\n'),
  run: (_, context) =>
    Promise.resolve({
      sessions: serviceOf(context)
        .sessions.visibleTo(context.client)
        .map(({ id, client, session: { workbench, cursor }, lastUsedAt }) => ({
          session: id,
          workdir: context.workspace.nameOf(workbench.folder),
          held: client === context.client ? ('by-you' as const) : ('by-nobody' as const),
          busy: workbench.busy,
          generation: workbench.generation,
          file: cursor === undefined ? null : context.workspace.nameOf(cursor.path),
          started_at: workbench.startedAt.toISOString(),
          last_used_at: lastUsedAt.toISOString(),
        })),
    }),
});

const holAttach = defineOperation({
  name: 'hol_attach',
  area: 'hol',
  title: 'Attach to a HOL session',
  summary: 'Takes over a session that nobody holds, with everything in it, and shows its proof.',
  input: z.object({ session: sessionField }),
  output: z.object({
    session: z.string(),
    workdir: z.string(),
    file: z.string().nullable().describe('The file that its cursor works on.'),
    commands: z.int().describe('How many commands it has executed.'),
    proof: proofStateSchema,
    rests_on: restsOnSchema,
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 30,
  positional: ['session'],
  render: ({ session, workdir, file, commands, proof }) =>
    `Attached to session ${session} in ${workdir}${file === null ? '' : `, on ${file}`}: ${counted(commands, 'command')} executed.\n\n${holProofStateText(proof)}`,
  run: async ({ session }, context) => {
    serviceOf(context).sessions.attach(context.client, session);
    return await inHolSession(context, session, async (entry) => ({
      session,
      workdir: context.workspace.nameOf(entry.workbench.folder),
      file: entry.cursor === undefined ? null : context.workspace.nameOf(entry.cursor.path),
      commands: entry.workbench.told,
      proof: holStateOf(await entry.workbench.proof({ signal: context.signal })),
      rests_on: holRestsOn(context, entry),
    }));
  },
});

const holStop = defineOperation({
  name: 'hol_stop',
  area: 'hol',
  title: 'Stop a HOL session',
  summary: 'Ends a session and its HOL.',
  input: z.object({ session: sessionField }),
  output: z.object({ session: z.string(), stopped: z.boolean() }),
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  defaultTimeout: 30,
  positional: ['session'],
  render: ({ session }) => `Stopped session ${session}.`,
  run: async ({ session }, context) => {
    await serviceOf(context).sessions.close(context.client, session);
    return { session, stopped: true };
  },
});

const holSend = defineOperation({
  name: 'hol_send',
  area: 'hol',
  title: 'Send SML to HOL',
  summary: 'Executes SML, with HOL’s own syntax, in a session, and says what became of it.',
  details:
    'A command that takes too long is interrupted; the session goes on. In a proof opened by `hol_cursor_start`, `e tactic` ' +
    'as a command of its own is sent as `et ("tactic", tactic)`, so that the finished proof can be written to the file.',
  input: z.object({
    session: sessionField,
    command: z.string().min(1),
    max_output: z.int().positive().max(1_000_000).default(20_000).describe('Characters of output.'),
  }),
  output: z.object({
    ...replyFields,
    sent: z.string().describe('What was executed, where it is not the command itself.').nullable(),
    proof: proofStateSchema.nullable().describe('The proof after the command, when one is open.'),
    proof_unknown: z
      .string()
      .nullable()
      .describe('Why HOL did not tell its proof; null when it did: `proof` is null then when none is open.'),
    rests_on: restsOnSchema,
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  defaultTimeout: 30,
  timeoutMeans: 'Seconds after which the command is interrupted.',
  positional: ['command', 'session'],
  holds: ({ status }) => {
    if (status === 'timeout' || status === 'interrupted' || status === 'lost') return undefined;
    return status === 'ok';
  },
  render: ({ status, output, error, proof, proof_unknown }) =>
    [
      status === 'ok' ? '' : `${status}${error === null ? '' : `: ${error.origin} ${error.message}`}`,
      output,
      proof === null ? '' : holProofStateText(proof),
      proof_unknown === null ? '' : `The proof is not known: ${proof_unknown}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  run: async (input, context) => {
    if (input.command.includes('\0')) {
      throw new QuodError('invalid-input', 'The command has a null character in it, which would end it.', {
        remedy: 'Write "\\000" in an ML string.',
      });
    }
    return await inHolSession(context, input.session, async (entry) => {
      const { workbench, cursor } = entry;
      const sent = cursor?.cursor.status.proving === true ? withItsText(input.command) : undefined;
      // A little earlier than the clock of the call, so that the command is interrupted and still answered.
      const timeoutMs = Math.max(1, input.timeout * 1000 - TIMEOUT_MARGIN_MS);
      const answer = await workbench.send(sent ?? input.command, { timeoutMs, signal: context.signal });
      const quick = { timeoutMs: PROOF_LIMIT_MS };
      // Also when the command ran out of time: the proof is still there, and the client goes on from it.
      const proof = await workbench.proof(quick).catch((error: unknown) => {
        if (error instanceof QuodError) return error;
        throw error;
      });
      const isTold = !(proof instanceof QuodError);
      return {
        ...replyOf(answer, input.max_output),
        sent: sent ?? null,
        proof: isTold && proof.kind !== 'none' ? holStateOf(proof) : null,
        proof_unknown: isTold ? null : proof.message,
        rests_on: holRestsOn(context, entry),
      };
    });
  },
});

const TIMEOUT_MARGIN_MS = 50;
const PROOF_LIMIT_MS = 10_000;

const holProofState = defineOperation({
  name: 'hol_proof_state',
  area: 'hol',
  title: 'Show the goals',
  summary: 'Shows the goals of the proof that is open in a session, each with its hypotheses and conclusion.',
  input: z.object({ session: sessionField }),
  output: z.object({
    ...proofStateSchema.shape,
    proofs: z.int().describe('Open proofs.'),
    rests_on: restsOnSchema,
  }),
  annotations: READS,
  defaultTimeout: 30,
  positional: ['session'],
  render: (output) => holProofStateText(output),
  run: async ({ session }, context) =>
    inHolSession(context, session, async (entry) => {
      const proof = await entry.workbench.proof({ signal: context.signal });
      return { ...holStateOf(proof), proofs: proof.proofs, rests_on: holRestsOn(context, entry) };
    }),
});

const holInterrupt = defineOperation({
  name: 'hol_interrupt',
  area: 'hol',
  title: 'Interrupt HOL',
  summary: 'Interrupts the command that runs in a session; the session and its proof stay.',
  input: z.object({ session: sessionField }),
  output: z.object({
    session: z.string(),
    interrupted: z.boolean().describe('False when nothing was running.'),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 10,
  positional: ['session'],
  render: ({ interrupted }) => (interrupted ? 'Interrupted.' : 'Nothing was running.'),
  run: ({ session }, context) => {
    const { workbench } = serviceOf(context).sessions.now(context.client, session);
    return Promise.resolve({ session, interrupted: workbench.interrupt() });
  },
});

export const HOL_SESSION_OPERATIONS = [
  holStart,
  holSessions,
  holAttach,
  holStop,
  holSend,
  holProofState,
  holInterrupt,
] as const;
