/** All attacks on the Rocq judge, and which of them another judge lets pass. */
import type { Attack } from './attack.ts';
import { ENVIRONMENT_ATTACKS } from './environment-attacks.ts';
import { FILE_SYSTEM_ATTACKS, OTHER_FILE_ATTACKS } from './file-attacks.ts';
import { KERNEL_ATTACKS } from './kernel-attacks.ts';
import { MACHINE_ATTACKS } from './machine-attacks.ts';
import { OUTPUT_ATTACKS } from './output-attacks.ts';
import { PROOF_ATTACKS } from './proof-attacks.ts';
import { STATEMENT_ATTACKS } from './statement-attacks.ts';

export const ATTACKS: readonly Attack[] = [
  ...PROOF_ATTACKS,
  ...STATEMENT_ATTACKS,
  ...ENVIRONMENT_ATTACKS,
  ...KERNEL_ATTACKS,
  ...OUTPUT_ATTACKS,
  ...FILE_SYSTEM_ATTACKS,
  ...OTHER_FILE_ATTACKS,
  ...MACHINE_ATTACKS,
];

/**
 * The attacks that pass `rocq_verify` of rocq-mcp, by reading its source (commit 24a5b55) and its README: nothing was run.
 * It looks for forbidden words, wraps the submission into a module, states the theorem again outside and reads the answer
 * of `Print Assumptions` from everything that the one process printed. Three things follow.
 */
export const PASS_ROCQ_MCP: ReadonlySet<string> = new Set([
  // A line that says that there are no axioms is believed wherever it comes from.
  'an axiom under a forged answer',
  // Its list of allowed axioms is not the target's.
  'an axiom of a library that the target does not use',
  'an axiom hidden behind printed words',
  'a name that an answer could hold',
  'printing narrowed and shortened',
  // Where wrapping fails it judges in the submission's own environment, as its README says.
  'a name of the statement shadowed',
  'a module that shadows one',
  'a notation redefined',
  'a notation declared by a definition',
  'another scope opened',
  'a scope bound to an argument',
  'a second coercion',
  'another instance found',
  'another canonical structure',
  'the type of a bound name implied',
  'an inductive type with another constructor',
  'a record with a weaker field',
  // Words that are not on its list of forbidden ones; there is no sandbox behind it.
  'a primitive replaced',
  'a primitive declared',
  'definitional proof irrelevance of equality',
  'native computation',
  'native computation in the notation for casts',
  'a file written by Print',
  'a state written',
  'an option that is not known',
  'a program where no command allows one',
  'writing outside',
  'filling the disk',
  'filling the disk with many files',
  'connecting',
  'forking without end',
  'a process left behind',
  'printing without end',
]);
