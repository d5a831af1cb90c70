/**
 * The drivers of Rocq: a step is a sentence, and the running prover knows the state behind it by a number. Every Rocq
 * before coq-lsp has one document manager (the STM): sentences are added at the tip, going back to an earlier one
 * throws everything after it away. Petanque has states instead, which it keeps.
 */
import type {
  AskAnswer as DriverAskAnswer,
  ExecuteAllAnswer as DriverExecuteAllAnswer,
  ExecuteAnswer as DriverExecuteAnswer,
  ProverAdapter,
  ProverDriver,
} from '../../core/driver.ts';
import type { Sentence } from '../../core/prover.ts';

/** The number by which the running prover knows a sentence. Means nothing to the process that replaces it. */
export type StmId = number;

export type RocqDriver = ProverDriver<Sentence, StmId>;
export type RocqAdapter = ProverAdapter<Sentence, StmId>;
export type ExecuteAnswer = DriverExecuteAnswer<Sentence, StmId>;
export type ExecuteAllAnswer = DriverExecuteAllAnswer<StmId>;
export type AskAnswer<Value> = DriverAskAnswer<Value>;
