/** A command with the processor time of all that it started and waited for: unlike the clock, others hardly change it. */
import { runCommand, type CommandResult } from './search/command.ts';

export interface TimedCommand {
  readonly run: CommandResult;
  /** User and system time. */
  readonly processorSeconds: number;
}

/** @param words Run in the folder, with a cache of Quod's in it. */
export async function timedCommand(words: readonly string[], folder: string): Promise<TimedCommand> {
  const script = 'TIMEFORMAT="processor %U %S"; time "$@"';
  const run = await runCommand('bash', ['-c', script, 'bash', ...words], {
    folder,
    timeoutSeconds: 600,
    environment: { QUOD_CACHE: `${folder}/cache` },
  });
  const [, user = NaN, system = NaN] = /processor (\S+) (\S+)\s*$/u.exec(run.errorOutput)?.map(Number) ?? [];
  return { run, processorSeconds: hundredths(user + system) };
}

/** Seconds to two places. */
export function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
