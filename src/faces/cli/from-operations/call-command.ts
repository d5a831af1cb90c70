/**
 * `quod AREA VERB`: one call. It is made to the running server of the workspace when there is one, since sessions
 * outlive a command only there, and in this process otherwise. The answer is the same.
 */
import { existsSync, realpathSync } from 'node:fs';
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { isRecord } from '../../../core/json.ts';
import {
  LONGEST_TIMEOUT,
  type Answer,
  type AnyOperation,
  type Progress,
} from '../../../operations/definition/operation.ts';
import { openHost } from '../../host.ts';
import { ServerGone, callRemotely } from '../../rest/remote-call.ts';
import type { RemoteServer } from '../../rest/remote-call.ts';
import { proveServer } from '../../access/server-proof.ts';
import { findServer, type RunningServer } from '../../server/server-file.ts';
import { paceProgress, progressText } from '../../paced-progress.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { exitSoon } from '../exit/exit-soon.ts';
import { inCommandWords } from '../terminal/command-words.ts';
import { printError } from '../terminal/print-error.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';
import { inert, inertJson } from '../../../core/foreign-text.ts';

export interface CallOptions {
  readonly json?: boolean;
  readonly server?: string;
  readonly local?: boolean;
  /** The input was written as JSON, with the names of parameters. */
  readonly asJson?: boolean;
}

interface CallSettings {
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
}

export async function callCommand(
  operation: AnyOperation,
  input: unknown,
  options: CallOptions,
): Promise<ExitCode> {
  const interrupt = listenForInterrupt();
  const progress = paceProgress((news) => {
    // Who waits for hours wants to read in a log how far it is.
    const isLong = operation.defaultTimeout > LONGEST_TIMEOUT;
    if (isLong || process.stderr.isTTY) console.error(progressText(news));
  });
  try {
    const answer = await call(operation, input, options, {
      signal: interrupt.signal,
      progress: progress.report,
    });
    progress.stop();
    // What an answer says of a parameter is said of an option.
    const say = (text: string): string => inCommandWords(text, operation);
    const printed = options.json === true ? inertJson(answer.value) : inert(answer.body(say));
    if (printed !== '') console.log(printed);
    const conclusion = orNothing(answer.conclusion(say));
    if (conclusion !== '') console.error(inert(conclusion));
    return exitCodeOfAnswer(answer, interrupt.signal.aborted);
  } catch (error) {
    return printError(error, {
      json: options.json === true,
      ...(options.asJson !== true && { operation }),
    });
  } finally {
    progress.stop();
    interrupt.stop();
    exitSoon();
  }
}

/** Whether what was asked for holds, told to the shell; what was interrupted is told before anything else. */
function exitCodeOfAnswer(answer: Answer, isInterrupted: boolean): ExitCode {
  if (isInterrupted) return 130;
  const holds = answer.holds();
  return holds === undefined ? 2 : holds ? 0 : 1;
}

async function call(
  operation: AnyOperation,
  input: unknown,
  { server, local }: CallOptions,
  settings: CallSettings,
): Promise<Answer> {
  const folder = realpathSync(process.cwd());
  requireNoFileAsSession(operation, input);
  const remote = serverOf(server) ?? (local === true ? undefined : await provedServer(folder));
  if (remote === undefined) {
    requireNoOtherSession(input);
    aboutItsSession(operation, local === true);
    return callHere(operation, input, folder, settings);
  }
  try {
    const client = process.env['QUOD_CLIENT'] ?? 'cli';
    return await callRemotely(remote, operation, input, { client, folder, ...settings });
  } catch (error) {
    if (server === undefined && error instanceof QuodError && error.reason === 'outside-workspace')
      throw outsideOfServer(error, remote.url);
    if (!(error instanceof ServerGone)) throw error;
    if (server !== undefined) {
      throw new QuodError('not-found', error.message, {
        remedy: 'Start it with `quod serve`.',
        cause: error,
      });
    }
    console.error(`quod: ${error.message} The call is made without the server.`);
    return callHere(operation, input, folder, settings);
  }
}

/** The server of the folder, once it has shown that it is that one: before that it is sent nothing. */
async function provedServer(folder: string): Promise<RunningServer | undefined> {
  const found = findServer(folder);
  if (found === undefined) return undefined;
  const proof = await proveServer(found);
  if (proof === 'proved') return found;
  const who = proof === 'silent' ? 'Nobody' : 'Another program';
  console.error(`quod: ${who} answers at ${found.url}. The call is made without the server.`);
  return undefined;
}

/**
 * The caller may not know that a server answers. It is not called again here: what an operation did before it came to
 * this path is not known.
 */
function outsideOfServer({ reason, place, message }: QuodError, url: string): QuodError {
  return new QuodError(reason, message, {
    place,
    remedy: `The server of this folder (${url}), to which the call was made, keeps to its workspace. Call with --local to do without it, or name a file inside.`,
  });
}

const SERVE_FIRST = 'Run `quod serve` in this folder first; the commands find it by themselves.';

/** Who asks at a place of a file writes the file where the session stands. */
function requireNoFileAsSession({ inputSchema }: AnyOperation, input: unknown): void {
  const id = isRecord(input) ? input['session_id'] : undefined;
  if (typeof id !== 'string' || !/\.(?:v|sml|fsti?)$/u.test(id) || !existsSync(id)) return;
  const takesFile = inputSchema().properties['file'] !== undefined;
  throw new QuodError('invalid-input', `${id} is a file, and what stands first here names a session.`, {
    remedy: takesFile
      ? `Write \`--file ${id}\`, with \`--theorem NAME\` or \`--line NUMBER\` for another place than its end.`
      : 'Name a session: `rocq_open`, `hol_start` and `fstar_create_session` open one and say its name.',
  });
}

/** Without a server the session of another command has ended with it. */
function requireNoOtherSession(input: unknown): void {
  const id = isRecord(input) ? input['session_id'] : undefined;
  if (typeof id !== 'string') return;
  throw new QuodError(
    'not-found',
    `There is no session ${id}: no server of this folder runs, and without one a session ends with the command that opened it.`,
    { remedy: `${SERVE_FIRST} Then open the session again.` },
  );
}

/** A session that is opened in this process ends with it: no later command could use it. */
function aboutItsSession({ name, session }: AnyOperation, isWanted: boolean): void {
  if (session === undefined || isWanted) return;
  if (session === 'purpose')
    throw new QuodError(
      'unsupported',
      `Without a server the session of ${inCommandWords(`\`${name}\``)} would end with this command.`,
      { remedy: SERVE_FIRST },
    );
  console.error(
    `quod: The session of ${inCommandWords(`\`${name}\``)} ends with this command. ${SERVE_FIRST}`,
  );
}

function serverOf(url: string | undefined): RemoteServer | undefined {
  if (url === undefined) return undefined;
  if (!URL.canParse(url)) {
    throw new QuodError('invalid-input', '--server is not an address.', {
      remedy: 'Write it as http://127.0.0.1:4770.',
    });
  }
  return { url, token: process.env['QUOD_TOKEN'] ?? null };
}

async function callHere(
  operation: AnyOperation,
  input: unknown,
  folder: string,
  settings: CallSettings,
): Promise<Answer> {
  const host = await openHost({ folder, confined: false, operations: [operation] });
  try {
    return await host.calls.answer(operation, input, { client: 'cli', ...settings });
  } finally {
    await host.services.close();
  }
}
