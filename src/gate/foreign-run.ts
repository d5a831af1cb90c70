/**
 * What the judges of all provers make of a run of foreign code: its limits, why it was stopped, what the sandbox
 * saw.
 */
import { INCIDENTS, type Incident, type SandboxLimits, type SandboxRun } from '../process/sandbox.ts';
import { KILLED, PROCESSOR_TIME_OVER } from '../process/sandbox-limits.ts';
import { DEFAULT_LIMITS, type GatePolicy } from './policy.ts';
import type { Finding, Verdict } from './verdict.ts';

/** The limits of a policy, with the defaults for those that it does not name. */
export function sandboxLimitsOf({ limits = {} }: GatePolicy): SandboxLimits {
  const { time, idle, processorTime, memory, processes, disk, output } = limits;
  return {
    timeoutMs: time ?? DEFAULT_LIMITS.time,
    idleMs: idle ?? DEFAULT_LIMITS.idle,
    memoryBytes: memory ?? DEFAULT_LIMITS.memory,
    processes: processes ?? DEFAULT_LIMITS.processes,
    diskBytes: disk ?? DEFAULT_LIMITS.disk,
    outputBytes: output ?? DEFAULT_LIMITS.output,
    ...(processorTime !== undefined && { processorSeconds: Math.ceil(processorTime / 1000) }),
  };
}

type Unknown = Extract<Verdict, { kind: 'unknown' }>;

/**
 * @param what what was stopped, as the subject of a sentence
 * @param stalled what the sandbox saw when nothing ran any more (`SandboxRun.stalled`)
 */
export function stoppedVerdict(
  stopped: NonNullable<SandboxRun['stopped']>,
  what: string,
  stalled?: string,
): Unknown {
  switch (stopped) {
    case 'timeout':
      return unknown(
        'timeout',
        stalled === undefined
          ? `${what} took longer than the policy allows.`
          : `${what} was stopped, or waited for something that does not come: ${stalled}.`,
      );
    case 'memory':
      return unknown('memory-exceeded', `${what} took more memory than the policy allows.`);
    case 'interrupted':
      return unknown('interrupted', `${what} was cancelled.`);
    case 'processes':
    case 'output':
      return unknown('too-large', `${what} was stopped: more ${stopped} than the policy allows.`);
  }
}

/**
 * Undefined for a run that came to its end. One that a signal ended, or that was not heard of again, says nothing about
 * the submission, unless the sandbox saw an attempt.
 */
export function diedVerdict(
  { code, incidents }: Pick<SandboxRun, 'code' | 'incidents'>,
  what: string,
): Unknown | undefined {
  if (incidents.length > 0 || (code !== undefined && code <= LAST_OWN_CODE)) return undefined;
  return code === PROCESSOR_TIME_OVER || code === KILLED
    ? unknown('timeout', `${what} used more processor time than the policy allows.`)
    : unknown('prover-crashed', `${what} did not come to its end (exit code ${code ?? 'unknown'}).`);
}

/** A shell tells a signal by codes above it. */
const LAST_OWN_CODE = 128;

function unknown(reason: Unknown['reason'], message: string): Unknown {
  return { kind: 'unknown', reason, message };
}

/** What a sandbox saw, as findings against the submission. */
export function incidentFindings(file: string, incidents: readonly Incident[]): Finding[] {
  return incidents.map(({ kind, detail }) => {
    const isLimit = kind === 'processes' || kind === 'disk' || kind === 'output';
    return {
      kind: isLimit ? 'limit-exceeded' : 'sandbox-violation',
      file,
      message: `${INCIDENTS[kind]} (${detail})`,
      remedy: isLimit
        ? 'Make do with less, or have the policy allow more.'
        : 'A proof needs nothing but the prover: leave the rest of the machine alone.',
    };
  });
}
