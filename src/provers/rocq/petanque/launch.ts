/**
 * Starts one petanque server and brings it to the state before the first sentence. Three programs speak petanque: `pet`
 * over its standard input and output, `pet-server` over a socket, `coq-lsp` as a part of the language server protocol.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { QuodError, errorText } from '../../../core/errors.ts';
import { GuardedChild } from '../../../process/guarded-child.ts';
import { HEADER_FRAMING, LINE_FRAMING } from '../../../process/message-framing.ts';
import type { RocqProject } from '../project/project.ts';
import { proverRights } from '../prover-rights.ts';
import { makeWorkingFolder } from '../working-folder.ts';
import { type Channel, PetanqueConnection } from './connection.ts';
import { ERRORS, readState } from './protocol.ts';
import { OPTIONS, PetanqueDriver } from './driver.ts';
import { type PetanqueWorkspace, makeWorkspace } from './workspace.ts';

export const SERVER_KINDS = ['pet', 'coq-lsp', 'pet-server'] as const;

export type ServerKind = (typeof SERVER_KINDS)[number];

/** By its name, as the three are installed; whatever else it is called, it is taken for a `pet`. */
function kindOfServer(executable: string): ServerKind {
  const name = basename(executable);
  if (/pet-server/.test(name)) return 'pet-server';
  return /lsp/.test(name) ? 'coq-lsp' : 'pet';
}

export interface PetanqueLaunch {
  readonly executable: string;
  readonly project: RocqProject;
  /** The file that the session speaks for. */
  readonly file: string;
  /** The project's: what stands there can be read by relative paths. */
  readonly folder: string;
  readonly memoryLimit: number;
  readonly givesWay: boolean;
  readonly onlyProves: boolean;
  readonly signal: AbortSignal | undefined;
}

/** So that SIGALRM does nothing unless a command runs that Rocq watches the time of. */
const IGNORING_ALARMS = `trap '' ALRM; exec "$@"`;

/**
 * Said before the first sentence, and visible to it: a time limit for every command, far off, without which the signal
 * that interrupts would not be heard; and lines so wide that none is broken, as petanque prints text and no layout.
 */
const PREAMBLE = ['Set Default Timeout 10000000.', 'Set Printing Width 1000000.'];

/** Seconds between two looks of coq-lsp's idle loop for a message; its default makes every request cost 0.1 s. */
const IDLE_DELAY = '0.001';

/** @throws QuodError `prover-missing`, `prover-crashed`, `interrupted` and the other reasons of a lost prover. */
export async function launchPetanque(launch: PetanqueLaunch): Promise<PetanqueDriver> {
  const workspace = await makeWorkspace(launch.project, launch.file);
  let connection: PetanqueConnection | undefined;
  const cancel = (): void => void connection?.kill();
  launch.signal?.addEventListener('abort', cancel, { once: true });
  try {
    connection = await open(launch, workspace);
    if (launch.signal?.aborted === true) cancel();
    if (kindOfServer(launch.executable) === 'coq-lsp') await greetLanguageServer(connection, workspace);
    let root = await askState(connection, 'petanque/get_root_state', { uri: workspace.uri, opts: OPTIONS });
    for (const tac of PREAMBLE)
      root = await askState(connection, 'petanque/run', { st: root, tac, opts: OPTIONS });
    return new PetanqueDriver(connection, root, launch.memoryLimit, workspace.remove);
  } catch (error) {
    await connection?.kill();
    await workspace.remove();
    throw error;
  } finally {
    launch.signal?.removeEventListener('abort', cancel);
  }
}

async function open(launch: PetanqueLaunch, workspace: PetanqueWorkspace): Promise<PetanqueConnection> {
  switch (kindOfServer(launch.executable)) {
    case 'pet': {
      const child = await start(launch, [`--root=${workspace.folder}`]);
      return new PetanqueConnection(child, overPipes(child));
    }
    case 'coq-lsp': {
      const child = await start(launch, ['-D', IDLE_DELAY]);
      return new PetanqueConnection(child, overPipes(child));
    }
    case 'pet-server': {
      const port = await freePort();
      const child = await start(launch, [
        `--root=${workspace.folder}`,
        '--address=127.0.0.1',
        `--port=${port}`,
      ]);
      child.output.resume();
      const socket = await reach(port, child, launch.signal);
      return new PetanqueConnection(child, { input: socket, output: socket, framing: LINE_FRAMING });
    }
  }
}

function overPipes({ input, output }: GuardedChild): Channel {
  return { input, output, framing: HEADER_FRAMING };
}

async function start(launch: PetanqueLaunch, serverArguments: readonly string[]): Promise<GuardedChild> {
  const { executable, folder, memoryLimit, givesWay } = launch;
  const words = ['-c', IGNORING_ALARMS, 'sh', executable, ...serverArguments];
  // Its load path is in its workspace, as absolute paths.
  const working = makeWorkingFolder(folder);
  try {
    const child = await GuardedChild.start('/bin/sh', words, {
      ...{ folder: working.path, memoryLimit, givesWay },
      ...proverRights(folder, launch),
    });
    void child.exited.then(working.remove);
    return child;
  } catch (error) {
    working.remove();
    throw error;
  }
}

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const PAUSE_MS = 20;

async function reach(port: number, child: GuardedChild, signal: AbortSignal | undefined): Promise<Socket> {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    try {
      await once(socket, 'connect');
      // Its end is the server's end, which is told by the process.
      return socket.on('error', () => {});
    } catch (error) {
      socket.destroy();
      const ended = child.ended;
      if (ended || signal?.aborted === true) {
        const { errorOutput } = await child.kill();
        throw new QuodError(
          ended ? 'prover-crashed' : 'interrupted',
          `pet-server cannot be reached (${errorText(error)}): ${errorOutput.trim()}`,
        );
      }
      await delay(PAUSE_MS);
    }
  }
}

async function greetLanguageServer(
  connection: PetanqueConnection,
  workspace: PetanqueWorkspace,
): Promise<void> {
  const rootUri = pathToFileURL(workspace.folder).href;
  await ask(connection, 'initialize', {
    processId: null,
    rootUri,
    capabilities: {},
    initializationOptions: {},
  });
  connection.notify('initialized', {});
  const textDocument = { uri: workspace.uri, languageId: 'rocq', version: 0, text: '' };
  connection.notify('textDocument/didOpen', { textDocument });
}

async function askState(connection: PetanqueConnection, method: string, params: object): Promise<number> {
  return readState(await ask(connection, method, params)).id;
}

async function ask(connection: PetanqueConnection, method: string, params: object): Promise<unknown> {
  const reply = await connection.request(method, params);
  switch (reply.status) {
    case 'answered':
      return reply.result;
    case 'lost':
      throw new QuodError(reply.reason, reply.message);
    case 'refused': {
      const { code, message } = reply.refusal;
      if (code === ERRORS.unknownMethod)
        throw new QuodError('prover-missing', `This server does not know ${method}.`, {
          remedy: 'Install coq-lsp 0.2.3 or later.',
        });
      throw new QuodError('prover-crashed', `Rocq does not start: ${message}`);
    }
  }
}
