/**
 * One operation, loaded with what it needs and without the others: to load all of them takes longer than to check a
 * short file. The catalogue has the same ones; a test compares the two.
 */
import type { AnyOperation } from './definition/operation.ts';

type Load = () => Promise<readonly AnyOperation[]>;

/** Who defines the operations of an area, or the one of which the whole name stands here. */
const DEFINED_IN = new Map<string, Load>(
  Object.entries({
    rocq: async () => (await import('./rocq/rocq-operations.ts')).ROCQ_OPERATIONS,
    lean: async () => (await import('./lean/lean-operations.ts')).LEAN_OPERATIONS,
    fstar: async () => (await import('./fstar/fstar-operations.ts')).FSTAR_OPERATIONS,
    hol: async () => (await import('./hol4/hol4-operations.ts')).HOL4_OPERATIONS,
    holmake: async () => (await import('./hol4/hol4-operations.ts')).HOL4_OPERATIONS,
    proof_check: async () => [(await import('./project/check-operation.ts')).proofCheck],
    proof_status: async () => [(await import('./project/status-operation.ts')).proofStatus],
    proof_statements: async () => [
      (await import('./project/statements/statements-operation.ts')).proofStatements,
    ],
    proof_history: async () => [(await import('./project/history-operation.ts')).proofHistory],
    proof_build: async () => [(await import('./project/build-operation.ts')).proofBuild],
    proof_doctor: async () => [(await import('./project/doctor-operation.ts')).proofDoctor],
    proof_search: async () => [(await import('./proof/proof-search-operation.ts')).proofSearch],
    proof_refute: async () => [(await import('./proof/proof-refute-operation.ts')).proofRefute],
    proof_tree: async () => [(await import('./proof/proof-tree-operation.ts')).proofTree],
    proof_export: async () => [(await import('./proof/proof-tree-operation.ts')).proofExport],
    gate_verify: async () => [(await import('./gate/gate-verify-operation.ts')).gateVerify],
    gate_report: async () => [(await import('./gate/report-operation.ts')).gateReport],
    gate: async () => (await import('./gate/submit-operation.ts')).SUBMIT_OPERATIONS,
    data: async () => (await import('./data/data-operations.ts')).DATA_OPERATIONS,
    agent: async () => (await import('./agent/run-operations.ts')).AGENT_OPERATIONS,
  }),
);

/** @returns undefined where there is no operation of that name. */
export async function loadOperation(name: string): Promise<AnyOperation | undefined> {
  const [area = name] = name.split('_', 1);
  const load = DEFINED_IN.get(name) ?? DEFINED_IN.get(area);
  return (await load?.())?.find((operation) => operation.name === name);
}
