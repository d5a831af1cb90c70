/** How a program ended, as it is told: a signal is no code. */
import type { ChildExit } from './guarded-child.ts';

export function exitText({ code, signal }: Pick<ChildExit, 'code' | 'signal'>): string {
  return signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
}
