/**
 * Which operations a client is shown as tools. A model reads every description that it is shown before its first
 * call, so that little is shown unless somebody asks for more: a core that fits the provers of this machine. What
 * is not shown is found with `tools_search`, and every operation can be called by its name.
 */
import { greatestOf } from '../../core/lists/many.ts';
import type { AnyOperation } from '../../operations/definition/operation.ts';
import { PROVER_AREAS } from '../../sessions/installed-provers.ts';
import type { ProverArea } from '../../sessions/installed-provers.ts';

/** `core`: the best of each prover that is there; `installed`: all but those of provers that are not; `all`. */
export const TOOL_LISTS = ['core', 'installed', 'all'] as const;

export type ToolList = (typeof TOOL_LISTS)[number];

export function isToolList(name: string): name is ToolList {
  return (TOOL_LISTS as readonly string[]).includes(name);
}

/** The most tools of the core, with the two that find and call the others. */
export const MOST_CORE_TOOLS = 16;

/** Of every machine. */
const CORE_OF_ALL = ['proof_check', 'proof_search', 'gate_verify'];

/** Of each prover, what one cannot work without first. */
const CORE_OF: Readonly<Record<ProverArea, readonly string[]>> = {
  rocq: [
    ...['rocq_open', 'rocq_check_proof', 'rocq_try', 'rocq_step', 'rocq_search', 'rocq_fill', 'rocq_goals'],
    ...['rocq_outline', 'rocq_about', 'rocq_print', 'rocq_similar_proofs'],
  ],
  hol: [
    ...['hol_cursor_init', 'hol_state_at', 'hol_try', 'hol_search', 'hol_start', 'hol_send', 'holmake'],
    ...['hol_cursor_complete', 'hol_stop'],
  ],
  fstar: [
    ...['fstar_create_session', 'fstar_typecheck_buffer', 'fstar_goals_at', 'fstar_lookup_symbol'],
    ...['fstar_get_proof_context', 'fstar_audit', 'fstar_close_session'],
  ],
  lean: ['lean_check', 'lean_verify', 'lean_show'],
};

/** Those to show, in their order in `operations`, which keeps areas together. */
export function shownOperations(
  list: ToolList,
  operations: readonly AnyOperation[],
  installed: readonly ProverArea[],
): readonly AnyOperation[] {
  switch (list) {
    case 'all':
      return operations;
    case 'installed':
      return operations.filter(({ area }) => !isProverArea(area) || installed.includes(area));
    case 'core': {
      const names = new Set(coreNames(installed).slice(0, MOST_CORE_TOOLS - 2));
      return operations.filter(({ name }) => names.has(name));
    }
  }
}

/** The provers take turns, so that none of several is left out. */
function coreNames(installed: readonly ProverArea[]): readonly string[] {
  const lists = PROVER_AREAS.filter((area) => installed.includes(area)).map((area) => CORE_OF[area]);
  const longest = greatestOf([0, ...lists.map(({ length }) => length)]);
  const inTurns = Array.from({ length: longest }, (_, turn) =>
    lists.flatMap((names) => names.slice(turn, turn + 1)),
  );
  return [...CORE_OF_ALL, ...inTurns.flat()];
}

function isProverArea(area: string): area is ProverArea {
  return (PROVER_AREAS as readonly string[]).includes(area);
}
