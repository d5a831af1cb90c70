/**
 * Every operation that Quod has. Faces take their tools, routes, commands and pages from here and nowhere else; a
 * caller in this process takes an operation by its name, and the compiler knows what goes in and what comes out.
 */
import { AGENT_OPERATIONS } from './agent/run-operations.ts';
import { DATA_OPERATIONS } from './data/data-operations.ts';
import { FSTAR_MCP_OPERATIONS, FSTAR_OPERATIONS } from './fstar/fstar-operations.ts';
import { gateVerify } from './gate/gate-verify-operation.ts';
import { gateReport } from './gate/report-operation.ts';
import { SUBMIT_OPERATIONS } from './gate/submit-operation.ts';
import { HOL4_OPERATIONS } from './hol4/hol4-operations.ts';
import { LEAN_OPERATIONS } from './lean/lean-operations.ts';
import type { AnyOperation, Area, OperationContext } from './definition/operation.ts';
import { proofBuild } from './project/build-operation.ts';
import { proofCheck } from './project/check-operation.ts';
import { proofDoctor } from './project/doctor-operation.ts';
import { proofHistory } from './project/history-operation.ts';
import { proofStatements } from './project/statements/statements-operation.ts';
import { proofStatus } from './project/status-operation.ts';
import { proofRefute } from './proof/proof-refute-operation.ts';
import { proofSearch } from './proof/proof-search-operation.ts';
import { proofExport, proofTree } from './proof/proof-tree-operation.ts';
import { ROCQ_OPERATIONS } from './rocq/rocq-operations.ts';
import { ROCQSTAR_OPERATIONS } from './rocq/rocqstar/rocqstar-operations.ts';

const OPERATIONS = [
  ...ROCQ_OPERATIONS,
  ...LEAN_OPERATIONS,
  ...HOL4_OPERATIONS,
  ...FSTAR_OPERATIONS,
  proofCheck,
  proofStatus,
  proofStatements,
  proofHistory,
  proofBuild,
  proofDoctor,
  proofSearch,
  proofRefute,
  proofTree,
  proofExport,
  gateVerify,
  gateReport,
  ...SUBMIT_OPERATIONS,
  ...DATA_OPERATIONS,
  ...AGENT_OPERATIONS,
] as const;

type Each = (typeof OPERATIONS)[number];

export type OperationName = Each['name'];

type ByName = { readonly [One in Each as One['name']]: One };

export type InputOf<Name extends OperationName> = Parameters<ByName[Name]['call']>[0];
export type OutputOf<Name extends OperationName> = Awaited<ReturnType<ByName[Name]['call']>>;

/** The part of an operation that a caller in the process needs. */
export interface TypedOperation<Input, Output> {
  readonly name: string;
  readonly call: (input: Input, context: OperationContext) => Promise<Output>;
}

type Typed = { readonly [Name in OperationName]: TypedOperation<InputOf<Name>, OutputOf<Name>> };

/** All, for those who treat them alike. */
export const CATALOGUE: readonly AnyOperation[] = OPERATIONS;

/** Each by its name, with its types. */
// The names of the record are those of the operations, which `Object.fromEntries` cannot say.
export const operations = Object.fromEntries(
  OPERATIONS.map((operation) => [operation.name, operation]),
) as unknown as ByName;

/** The operation of a name that is known only to the caller's type. */
export function typedOperation<Name extends OperationName>(
  name: Name,
): TypedOperation<InputOf<Name>, OutputOf<Name>> {
  const typed: Typed = operations;
  return typed[name];
}

/** Tools of other servers under their own names (`--compat`): instead of the catalogue, never beside it. */
export const COMPATIBLE_CATALOGUES: Readonly<Record<string, readonly AnyOperation[]>> = {
  rocqstar: ROCQSTAR_OPERATIONS,
  'fstar-mcp': FSTAR_MCP_OPERATIONS,
};

export function operationsOf(areas: readonly Area[]): readonly AnyOperation[] {
  return CATALOGUE.filter(({ area }) => areas.includes(area));
}

export function operationNamed(name: string): AnyOperation | undefined {
  return CATALOGUE.find((operation) => operation.name === name);
}
