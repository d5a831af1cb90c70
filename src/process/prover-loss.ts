/** What the end of a prover's process means to a session. */
import type { Lost } from '../core/driver.ts';
import type { ChildExit } from './guarded-child.ts';

/** @param name How the message calls the prover. */
export function lossOf({ code, signal, errorOutput, memoryExceeded }: ChildExit, name = 'The prover'): Lost {
  if (memoryExceeded) {
    return {
      status: 'lost',
      reason: 'memory-exceeded',
      message: `${name} used more memory than it was given.`,
    };
  }
  const how = signal === null ? `with exit code ${code ?? 'unknown'}` : `by ${signal}`;
  const said = errorOutput.trim();
  return {
    status: 'lost',
    reason: 'prover-crashed',
    message: `${name} ended ${how}${said ? `: ${said}` : '.'}`,
  };
}

/** Quod itself ended the prover. */
export const ENDED: Lost = { status: 'lost', reason: 'interrupted', message: 'The prover was ended.' };

export function garbage(why: string): Lost {
  return {
    status: 'lost',
    reason: 'protocol-error',
    message: `The prover wrote something that is not its protocol: ${why}`,
  };
}
