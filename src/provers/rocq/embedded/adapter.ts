/**
 * The prover port over the Rocq that runs inside Node: jsCoq's, one thread for each session. Sessions share what is
 * compiled in this process, and memory images of loaded libraries through the cache folder.
 */
import { QuodError } from '../../../core/errors.ts';
import type {
  Prover,
  ProverCapabilities,
  ProverIdentity,
  ProverSession,
  SessionContext,
} from '../../../core/prover.ts';
import { StmSession } from '../stm/session.ts';
import { findJscoq, shippedLibraries, type JscoqInstallation } from './installation.ts';
import { SnapshotStore, cacheDirectory } from './snapshot-store.ts';
import type { Command } from './thread-protocol.ts';
import { CoqThread } from './thread.ts';
import { EmbeddedTransport } from './transport.ts';

export interface EmbeddedRocqOptions {
  /** Where memory images are kept; false: nowhere, every session loads its libraries. Default {@link cacheDirectory}. */
  readonly cache?: string | false;
}

/** Changes when images written by an earlier Quod must not be used. */
const IMAGE_GENERATION = 1;

/** True when {@link createEmbeddedRocq} would find its package. */
export function findEmbeddedRocq(): boolean {
  return findJscoq() !== undefined;
}

/** Starts nothing yet. @throws QuodError `prover-missing` when the package `jscoq` is not installed. */
export function createEmbeddedRocq(options: EmbeddedRocqOptions = {}): Promise<Prover> {
  const installation = findJscoq();
  return installation
    ? Promise.resolve(new EmbeddedRocq(installation, options))
    : Promise.reject(
        new QuodError('prover-missing', 'The npm package `jscoq` (the embedded Rocq) is not installed.', {
          remedy: 'npm install jscoq@0.17.1, or install Rocq itself.',
        }),
      );
}

class EmbeddedRocq implements Prover {
  readonly identity: ProverIdentity;
  readonly capabilities: ProverCapabilities = {
    interrupt: 'in-process',
    backgroundGoals: true,
    installedLibraries: false,
  };
  readonly #installation: JscoqInstallation;
  readonly #store: SnapshotStore | undefined;
  readonly #opening: readonly Command[];

  constructor(installation: JscoqInstallation, options: EmbeddedRocqOptions) {
    const { root, version, rocqVersion } = installation;
    this.#installation = installation;
    this.identity = { prover: 'rocq', backend: 'embedded', version: rocqVersion, location: root };
    this.#opening = openingCommands(root);
    const { cache = cacheDirectory() } = options;
    const owner = JSON.stringify([IMAGE_GENERATION, version, this.#opening]);
    this.#store = cache === false ? undefined : new SnapshotStore(cache, owner);
  }

  async openSession(context: SessionContext): Promise<ProverSession> {
    const start = async (signal?: AbortSignal): Promise<EmbeddedTransport> => {
      const thread = await CoqThread.start(this.#installation, {
        ...(signal && { signal }),
        ...(context.memoryLimit !== undefined && { memoryLimit: context.memoryLimit }),
      });
      return EmbeddedTransport.start(thread, { opening: this.#opening, store: this.#store });
    };
    return StmSession.open(this.identity, start, context.signal);
  }
}

/** Every folder with libraries under its logical name, visible by short names as Coq's own libraries are. */
function openingCommands(root: string): readonly Command[] {
  const folders = new Set<string>();
  for (const file of shippedLibraries(root).keys()) folders.add(file.slice(0, file.lastIndexOf('/')));
  const loadPath = [...folders].sort().map((folder) => [folder.split('/'), [`/lib/${folder}`, '.']]);
  return [
    ['Init', { implicit_libs: true, lib_path: loadPath }],
    ['NewDoc', { top_name: 'Top', lib_init: ['Coq.Init.Prelude'] }],
  ];
}
