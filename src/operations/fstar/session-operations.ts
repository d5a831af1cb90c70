/** Opening, listing, restarting and closing F* sessions. */
import { existsSync, statSync } from 'node:fs';
import { z } from 'zod';
import { formatDuration } from '../../core/duration.ts';
import { QuodError } from '../../core/errors.ts';
import { sha256 } from '../../core/sha256.ts';
import { isProgramAllowed } from '../../process/foreign-folder/allowed.ts';
import { shellWord } from '../../core/shell-text.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { locateFstar } from '../../provers/fstar/discovery.ts';
import { callerOptions } from '../../provers/fstar/caller-options.ts';
import { counterpartOf } from '../../provers/fstar/project.ts';
import { READS, defineOperation, type OperationContext } from '../definition/operation.ts';
import { restsOn, restsOnSchema } from '../definition/rests-on.ts';
import { checkFields, checkHolds, checkFieldsOf, type diagnosticSchema } from './report-schemas.ts';
import { checkText } from './report-text.ts';
import { type OpenFile, fstarWorkbenchOf } from './fstar-workbench.ts';
import { requireLanguage } from '../files/required-source.ts';

export const sessionId = z.string().describe('From `fstar_create_session`.');

export const fstarCreateSession = defineOperation({
  name: 'fstar_create_session',
  area: 'fstar',
  title: 'Open an F* session',
  summary: 'Opens an F* session on a file, or on a scratch file, and checks what is in the file.',
  details:
    'Later checks cost only what changed. A new session replaces the one that you ' +
    'have on the same file. Settings come from the nearest `*.fst.config.json`, else from `make FILE-in` where ' +
    'the user allowed `make` (`quod run allow --program make`); `include_dirs` and `options` are added to them.',
  input: z.object({
    file_path: z
      .string()
      .optional()
      .describe(
        'A `.fst` or `.fsti` file. Without one, a temporary file that takes the name of the module you check.',
      ),
    fstar_exe: z.string().optional().describe('A name in PATH, or what the user allowed.'),
    cwd: z
      .string()
      .optional()
      .describe('The folder in which F* runs; default: that of the settings, else of the file.'),
    include_dirs: z.array(z.string()).optional().describe('Folders with modules (`--include`).'),
    options: z
      .array(z.string())
      .optional()
      .describe('Such as `--z3rlimit`, `20`; none that starts programs.'),
  }),
  output: z.object({
    session_id: z.string(),
    ...checkFields,
    created_at: z.string(),
    file_path: z.string().describe('The file; that of a session without one is temporary.'),
    counterpart: z
      .string()
      .nullable()
      .describe('The interface of an implementation, or the other way round.'),
    settings_from: z.string().nullable().describe('The settings file or Makefile that was used.'),
    z3: z.string().nullable().describe('The solver that F* gets, and its version.'),
    protocol_version: z.int(),
    rests_on: restsOnSchema,
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  defaultTimeout: 600,
  positional: ['file_path'],
  session: 'besides',
  holds: checkHolds,
  render: (output) => `Session ${output.session_id} on ${output.file_path}\n${checkText(output)}`,
  run: async (input, context) => {
    const workbench = fstarWorkbenchOf(context);
    const file = input.file_path === undefined ? null : await sourcePath(input.file_path, context);
    const options = {
      executable: input.fstar_exe === undefined ? undefined : await executablePath(input.fstar_exe, context),
      folder: input.cwd === undefined ? undefined : await context.workspace.resolve(input.cwd),
      includeFolders: await Promise.all(
        (input.include_dirs ?? []).map((folder) => context.workspace.resolve(folder)),
      ),
      options: await callerOptions(input.options ?? [], (path) => context.workspace.resolve(path)),
      root: context.workspace.root,
    };
    const { id, open } = await workbench.open(context.client, file, options, context.signal);
    try {
      const text = file !== null && existsSync(file) ? await readRegularText(file) : '';
      return await workbench.sessions.use(context.client, id, async (_, { createdAt }) => {
        const report = await open.session.check(
          text,
          { kind: 'full' },
          { signal: context.signal, onProgress: context.progress },
        );
        const { z3, project } = open.prepared;
        const fields = checkFieldsOf(report, text, context.workspace);
        const remarks = [z3.warning, project.withheld].flatMap((text) =>
          text === null ? [] : [warning(text)],
        );
        const counterpart = counterpartOf(open.file);
        return {
          session_id: id,
          ...fields,
          diagnostics: [...remarks, ...fields.diagnostics],
          created_at: createdAt.toISOString(),
          file_path: context.workspace.nameOf(open.file),
          counterpart: counterpart && context.workspace.nameOf(counterpart),
          settings_from: project.source && context.workspace.nameOf(project.source),
          z3: z3.location && `${z3.location} (${z3.version ?? 'version unknown'})`,
          protocol_version: open.session.protocolVersion,
          rests_on: restsOnBuffer(open, text, context),
        };
      });
    } catch (error) {
      await workbench.sessions.close(context.client, id).catch(() => undefined);
      throw error;
    }
  },
});

function warning(message: string): z.input<typeof diagnosticSchema> {
  return { level: 'warning', number: null, message, range: null, related: [] };
}

/** @throws QuodError `invalid-input`, `not-found`, `outside-workspace`. */
export async function sourcePath(path: string, context: OperationContext): Promise<string> {
  const file = await context.workspace.resolve(path);
  await requireLanguage('fstar', file, path);
  if (!existsSync(file) || !statSync(file).isFile()) {
    throw new QuodError('not-found', 'There is no such file.', {
      place: { file: path },
      remedy: 'Name a file that exists, or open a session without a file.',
    });
  }
  return file;
}

/**
 * The F* that Quod found, or one by its name in PATH, which is the user's. A program of the workspace is one that the
 * user allowed there: whoever may write files must not come to run them. @throws QuodError `not-allowed`,
 * `outside-workspace`.
 */
async function executablePath(name: string, { workspace }: OperationContext): Promise<string> {
  if (name === locateFstar() || FSTAR_NAME.test(name)) return name;
  const program = name.includes('/') ? await workspace.resolve(name) : name;
  if ([name, program].some((one) => isProgramAllowed(one, workspace.root))) return program;
  throw new QuodError(
    'not-allowed',
    `${JSON.stringify(name)} is a program that the user did not allow here.`,
    {
      remedy: `If you trust it, say so in the folder of the workspace: quod run allow --program ${shellWord(name)}`,
    },
  );
}

const FSTAR_NAME = /^fstar(?:[-.\w]*)$/u;

export function restsOnBuffer(
  open: OpenFile,
  text: string,
  context: OperationContext,
): z.output<typeof restsOnSchema> {
  const source = { file: context.workspace.nameOf(open.file), hash: sha256(Buffer.from(text)) };
  return restsOn(open.identity, source);
}

export const fstarListSessions = defineOperation({
  name: 'fstar_list_sessions',
  area: 'fstar',
  title: 'List F* sessions',
  summary: 'Lists your open F* sessions; answers at once, whatever they are doing.',
  input: z.object({}),
  output: z.object({
    sessions: z.array(
      z.object({
        session_id: z.string(),
        file_path: z.string(),
        created_at: z.string(),
        last_activity: z.string(),
        idle_seconds: z.number(),
        status: z.enum(['ok', 'error', 'unchecked']).describe('What the last check found.'),
        generation: z.int(),
      }),
    ),
    count: z.int(),
  }),
  annotations: READS,
  defaultTimeout: 10,
  render: ({ sessions }) =>
    sessions.length === 0
      ? 'No sessions.'
      : sessions
          .map(
            ({ session_id, file_path, status, idle_seconds }) =>
              `${session_id}  ${file_path}  ${status}, idle for ${formatDuration(idle_seconds * 1000)}`,
          )
          .join('\n'),
  run: (_input, context) => {
    const sessions = fstarWorkbenchOf(context).sessions.of(context.client);
    return Promise.resolve({
      sessions: sessions.map(({ id, session, createdAt, lastUsedAt }) => {
        const last = session.session.lastCheck?.report.status;
        return {
          session_id: id,
          file_path: context.workspace.nameOf(session.file),
          created_at: createdAt.toISOString(),
          last_activity: lastUsedAt.toISOString(),
          idle_seconds: Math.max(0, (Date.now() - lastUsedAt.getTime()) / 1000),
          status:
            last === undefined
              ? ('unchecked' as const)
              : last === 'ok'
                ? ('ok' as const)
                : ('error' as const),
          generation: session.session.generation,
        };
      }),
      count: sessions.length,
    });
  },
});

export const fstarRestartSolver = defineOperation({
  name: 'fstar_restart_solver',
  area: 'fstar',
  title: 'Restart the solver',
  summary: 'Gives a session a fresh Z3; what was checked stays checked where F* can keep it.',
  input: z.object({ session_id: sessionId }),
  output: z.object({
    status: z.literal('ok'),
    restarted: z
      .enum(['solver', 'process'])
      .describe(
        '`process`: this F* cannot replace its solver alone, so the next check starts at the beginning.',
      ),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 120,
  positional: ['session_id'],
  render: ({ restarted }) =>
    restarted === 'solver'
      ? 'The session has a fresh Z3.'
      : 'The session has a fresh F*: the next check starts at the beginning.',
  run: async ({ session_id }, context) => {
    const restarted = await fstarWorkbenchOf(context).sessions.use(
      context.client,
      session_id,
      ({ session }) => session.restartSolver(),
    );
    return { status: 'ok' as const, restarted };
  },
});

export const fstarCloseSession = defineOperation({
  name: 'fstar_close_session',
  area: 'fstar',
  title: 'Close an F* session',
  summary: 'Ends a session and its F*, also in the middle of a check.',
  input: z.object({ session_id: sessionId }),
  output: z.object({ status: z.literal('ok') }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  defaultTimeout: 30,
  positional: ['session_id'],
  render: () => 'The session is closed.',
  run: async ({ session_id }, context) => {
    await fstarWorkbenchOf(context).sessions.close(context.client, session_id);
    return { status: 'ok' as const };
  },
});
