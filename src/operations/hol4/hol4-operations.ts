/** Every operation on HOL4. */
import { HOL_CURSOR_OPERATIONS } from './cursor-operations.ts';
import { holmake } from './holmake-operation.ts';
import { holReplay } from './replay-operation.ts';
import { HOL_SESSION_OPERATIONS } from './session-operations.ts';
import { holStateAt } from './state-at-operation.ts';
import { holSearch, holTags } from './theorem-operations.ts';
import { holTry } from './try-operation.ts';

export const HOL4_OPERATIONS = [
  ...HOL_SESSION_OPERATIONS,
  holmake,
  ...HOL_CURSOR_OPERATIONS,
  holStateAt,
  holTry,
  holSearch,
  holTags,
  holReplay,
] as const;
