/**
 * Operations under a name of their own, besides `quod AREA VERB`: what people run every day. A shortcut takes what its
 * operation takes; only its name and its line in the help stand here, so that `quod --help` need not load the
 * operations.
 */
import type { OperationName } from '../../../operations/catalogue.ts';

export interface Shortcut {
  /** `check`, or `dataset stats`. */
  readonly words: string;
  readonly operation: OperationName;
  /** The arguments, as the list of commands shows them before the operations are loaded. */
  readonly takes?: string;
  readonly summary: string;
  /** Short forms of options, by the name of the input. */
  readonly short?: Readonly<Record<string, string>>;
}

const OUTPUT = { output: '-o' };

export const SHORTCUTS: readonly Shortcut[] = [
  {
    words: 'check',
    operation: 'proof_check',
    takes: '<file>',
    summary: 'list all errors and holes of a file',
  },
  {
    words: 'build',
    operation: 'proof_build',
    takes: '[paths...]',
    summary: 'compile a project, or what a file needs',
  },
  {
    words: 'status',
    operation: 'proof_status',
    takes: '[paths...]',
    summary: 'holes of a project, and what rests on them',
  },
  {
    words: 'refute',
    operation: 'proof_refute',
    takes: '<file>',
    summary: 'find counterexamples to statements, and prove that they are false',
  },
  {
    words: 'index',
    operation: 'data_index',
    takes: '<paths...>',
    summary: 'keep the steps of proofs of a project or library for `quod prove`',
  },
  {
    words: 'mine',
    operation: 'data_mine',
    takes: '<paths...>',
    summary: 'make a data set of every state of every proof',
    short: OUTPUT,
  },
  { words: 'dataset stats', operation: 'data_stats', takes: '<folder>', summary: 'figures of a data set' },
  {
    words: 'dataset check',
    operation: 'data_check',
    takes: '<folder>',
    summary: 'find what is wrong with a data set',
  },
  {
    words: 'dataset merge',
    operation: 'data_merge',
    takes: '<folders...>',
    summary: 'put data sets together',
    short: OUTPUT,
  },
  {
    words: 'dataset index',
    operation: 'data_index_proofs',
    takes: '<folder>',
    summary: 'make a vector index of a data set, to find similar proofs in',
    short: OUTPUT,
  },
  {
    words: 'train',
    operation: 'data_train',
    takes: '<datasets...>',
    summary: 'make a ranker for your own project',
    short: OUTPUT,
  },
  { words: 'runs', operation: 'agent_runs', summary: 'list the runs of the agent' },
  {
    words: 'show',
    operation: 'agent_show',
    takes: '<run>',
    summary: 'show a run of the agent: what happened, what it cost',
  },
  {
    words: 'run reaches',
    operation: 'agent_reaches',
    takes: '[run]',
    summary: 'what the settings reach for, and what you allowed',
  },
  {
    words: 'run allow',
    operation: 'agent_allow',
    summary: 'let runs in this folder reach an address or run a program',
  },
  { words: 'run export', operation: 'agent_export', takes: '<run>', summary: 'print a run as Markdown' },
  { words: 'doctor', operation: 'proof_doctor', summary: 'say what is installed and what would help' },
  {
    words: 'report',
    operation: 'gate_report',
    takes: '<file>',
    summary: 'check a signed report of `quod verify`',
  },
];
