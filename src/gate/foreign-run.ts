/** What the judges of all provers make of a run of foreign code: its limits, why it was stopped, what the sandbox saw. */
import { INCIDENTS, type Incident, type SandboxLimits, type SandboxRun } from '../process/sandbox.ts';
import { DEFAULT_LIMITS, type GatePolicy } from './policy.ts';
import type { Finding, Verdict } from './verdict.ts';

/** The limits of a policy, with the defaults for those that it does not name. */
export function sandboxLimitsOf({ limits = {} }: GatePolicy): SandboxLimits {
  const { time, processorTime, memory, processes, disk, output } = limits;
  return {
    timeoutMs: time ?? DEFAULT_LIMITS.time,
    memoryBytes: memory ?? DEFAULT_LIMITS.memory,
    processes: processes ?? DEFAULT_LIMITS.processes,
    diskBytes: disk ?? DEFAULT_LIMITS.disk,
    outputBytes: output ?? DEFAULT_LIMITS.output,
    ...(processorTime !== undefined && { processorSeconds: Math.ceil(processorTime / 1000) }),
  };
}

type Unknown = Extract<Verdict, { kind: 'unknown' }>;

/** @param what what was stopped, as the subject of a sentence */
export function stoppedVerdict(stopped: NonNullable<SandboxRun['stopped']>, what: string): Unknown {
  switch (stopped) {
    case 'timeout':
      return unknown('timeout', `${what} took longer than the policy allows.`);
    case 'memory':
      return unknown('memory-exceeded', `${what} took more memory than the policy allows.`);
    case 'interrupted':
      return unknown('interrupted', `${what} was cancelled.`);
    case 'processes':
    case 'output':
      return unknown('too-large', `${what} was stopped: more ${stopped} than the policy allows.`);
  }
}

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
