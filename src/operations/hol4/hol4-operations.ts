/** Every operation on HOL4. */
import { HOL_CURSOR_OPERATIONS } from './cursor-operations.ts';
import { HOL_EXPLORING_OPERATIONS } from './exploring-operations.ts';
import { holmake } from './holmake-operation.ts';
import { holReplay } from './replay-operation.ts';
import { HOL_SESSION_OPERATIONS } from './session-operations.ts';

export const HOL4_OPERATIONS = [
  ...HOL_SESSION_OPERATIONS,
  holmake,
  ...HOL_CURSOR_OPERATIONS,
  ...HOL_EXPLORING_OPERATIONS,
  holReplay,
] as const;
