/** Every operation on Lean. */
import type { Operation } from '../definition/operation.ts';
import { leanCheck } from './check-operation.ts';
import { leanShow } from './show-operation.ts';
import { leanVerify } from './verify-operation.ts';

export const LEAN_OPERATIONS: readonly Operation[] = [leanVerify, leanCheck, leanShow];
