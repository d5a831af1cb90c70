/** Every operation that Quod has, by area. Faces take their tools, routes, commands and pages from here and nowhere else. */
import { FSTAR_MCP_OPERATIONS, FSTAR_OPERATIONS } from './fstar/fstar-operations.ts';
import { gateVerify } from './gate/gate-verify-operation.ts';
import { HOL4_OPERATIONS } from './hol4/hol4-operations.ts';
import { LEAN_OPERATIONS } from './lean/lean-operations.ts';
import type { Area, Operation } from './definition/operation.ts';
import { proofSearch } from './proof/proof-search-operation.ts';
import { ROCQ_OPERATIONS } from './rocq/rocq-operations.ts';
import { ROCQSTAR_OPERATIONS } from './rocq/rocqstar-operations.ts';

export const CATALOGUE: readonly Operation[] = [
  ...ROCQ_OPERATIONS,
  ...LEAN_OPERATIONS,
  ...HOL4_OPERATIONS,
  ...FSTAR_OPERATIONS,
  proofSearch,
  gateVerify,
];

/** Tools of other servers under their own names (`--compat`): instead of the catalogue, never beside it. */
export const COMPATIBLE_CATALOGUES: Readonly<Record<string, readonly Operation[]>> = {
  rocqstar: ROCQSTAR_OPERATIONS,
  'fstar-mcp': FSTAR_MCP_OPERATIONS,
};

export function operationsOf(areas: readonly Area[]): readonly Operation[] {
  return CATALOGUE.filter(({ area }) => areas.includes(area));
}

export function operationNamed(name: string): Operation | undefined {
  return CATALOGUE.find((operation) => operation.name === name);
}
