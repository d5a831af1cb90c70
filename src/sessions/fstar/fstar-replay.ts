/** The session engine over F*: each step is a declaration at its place in the file. */
import type { DriverSource } from '../../core/driver.ts';
import { FstarConnection, type Launch } from '../../provers/fstar/session/connection.ts';
import { FstarDriver, type FstarPlace, type FstarStep } from '../../provers/fstar/session/driver.ts';
import { ReplayedSession } from '../replayed-session.ts';

export type FstarReplay = ReplayedSession<FstarStep, FstarPlace, FstarDriver>;

/** Starts the processes of a session, and tells each the files of the virtual file system. */
export class FstarSource implements DriverSource<FstarStep, FstarPlace, FstarDriver> {
  readonly virtualFiles = new Map<string, string>();
  readonly #launch: Launch;
  /** The process that the session has now, or had last. */
  driver: FstarDriver | undefined;

  constructor(launch: Launch) {
    this.#launch = launch;
  }

  async start({ signal }: { readonly signal?: AbortSignal }): Promise<FstarDriver> {
    const connection = await FstarConnection.start(this.#launch, signal);
    for (const [file, contents] of this.virtualFiles)
      await connection.ask({ query: 'vfs-add', file, contents });
    this.driver = new FstarDriver(connection, this.driver?.isDistrusted === true);
    return this.driver;
  }
}

/** @throws QuodError as {@link FstarConnection.start} does. */
export async function openFstarReplay(
  source: FstarSource,
  { executable }: Launch,
  signal?: AbortSignal,
): Promise<FstarReplay> {
  return await ReplayedSession.open<FstarStep, FstarPlace, FstarDriver>(
    ({ protocol: { version } }) => ({
      prover: 'fstar',
      backend: 'ide',
      version: `protocol ${version}`,
      location: executable,
    }),
    source,
    signal,
  );
}
