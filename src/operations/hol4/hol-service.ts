/** The live side of the HOL4 operations: where HOL is, and the sessions of the server. */
import { type HolInstallation, requireHol4 } from '../../provers/hol4/discovery.ts';
import { identityOfHol } from '../../provers/hol4/session/version.ts';
import { FileReplay } from '../../sessions/hol4/file-replay.ts';
import { openHolSession } from '../../sessions/hol4/hol-session.ts';
import { type HolEntry, HolSessions } from '../../sessions/hol4/hol-sessions.ts';
import { HolWorkbench } from '../../sessions/hol4/workbench.ts';
import type { OperationContext } from '../definition/operation.ts';
import { type RestsOn, restsOn } from '../definition/rests-on.ts';
import type { Service, ServiceSettings } from '../definition/services.ts';

export class HolService implements Service {
  readonly sessions: HolSessions;
  readonly #settings: ServiceSettings;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
    this.sessions = new HolSessions({ idleMs: settings.sessionIdleMs, maximum: settings.maximumSessions });
  }

  /** @throws QuodError `prover-missing`. */
  get installation(): HolInstallation {
    return requireHol4();
  }

  get memoryLimit(): number {
    return this.#settings.proverMemory;
  }

  /** @throws QuodError as starting HOL does. */
  async startWorkbench(folder: string, signal: AbortSignal): Promise<HolWorkbench> {
    const { installation, memoryLimit } = this;
    return await HolWorkbench.start({ installation, folder, memoryLimit, signal });
  }

  /** What looks at places of files for a session. @throws QuodError as starting HOL does. */
  async replayOf(entry: HolEntry): Promise<FileReplay> {
    entry.replay ??= this.openReplay(entry.workbench.folder);
    try {
      return await entry.replay;
    } catch (error) {
      entry.replay = undefined;
      throw error;
    }
  }

  /** @throws QuodError as starting HOL does. */
  async openReplay(folder: string, signal?: AbortSignal): Promise<FileReplay> {
    const session = await openHolSession({
      executable: this.installation.hol,
      folder,
      memoryLimit: this.memoryLimit,
      ...(signal !== undefined && { signal }),
    });
    return new FileReplay(session);
  }

  clientGone(client: string): Promise<void> {
    return this.sessions.clientGone(client);
  }

  clientAway(client: string): void {
    void this.sessions.clientGone(client);
  }

  async close(): Promise<void> {
    await this.sessions.closeAll();
  }
}

/** The factory under which the services hold the one service. */
function holService(settings: ServiceSettings): HolService {
  return new HolService(settings);
}

export function serviceOf({ services }: OperationContext): HolService {
  return services.get(holService);
}

/** Runs a call on a session of the caller, after those made before. @throws QuodError `not-found`. */
export async function inHolSession<Result>(
  context: OperationContext,
  name: string,
  call: (entry: HolEntry, service: HolService) => Promise<Result>,
): Promise<Result> {
  const service = serviceOf(context);
  return await service.sessions.useInTurn(
    context.client,
    name,
    (entry) => call(entry, service),
    context.signal,
  );
}

export function holRestsOn(
  context: OperationContext,
  entry: HolEntry,
  source: { readonly path: string; readonly hash: string } | null = null,
): RestsOn {
  const about = source && { file: context.workspace.nameOf(source.path), hash: source.hash };
  return restsOn(identityOfHol(serviceOf(context).installation.hol, entry.workbench.banner), about);
}
