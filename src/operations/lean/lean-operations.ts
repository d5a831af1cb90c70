/** Every operation on Lean. */
import { leanCheck } from './check-operation.ts';
import { leanShow } from './show-operation.ts';
import { leanVerify } from './verify-operation.ts';

export const LEAN_OPERATIONS = [leanVerify, leanCheck, leanShow] as const;
