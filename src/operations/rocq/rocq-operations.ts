/** The operations on Rocq, in the order in which one meets them. */
import type { Operation } from '../operation.ts';
import { rocqCompile } from './compile-operation.ts';
import {
  rocqAbout,
  rocqAssumptions,
  rocqCheckTerm,
  rocqLocate,
  rocqObjects,
  rocqPremises,
  rocqPrint,
  rocqSearch,
} from './environment-operations.ts';
import { rocqFiles, rocqNotations, rocqOutline, rocqTheorem, rocqTheoremNames } from './file-operations.ts';
import { rocqFill } from './fill-operation.ts';
import { rocqCheckProof } from './check-proof-operation.ts';
import { rocqGoals, rocqProofTree } from './goal-operations.ts';
import { rocqStep, rocqTry } from './step-operations.ts';
import { rocqClose, rocqOpen, rocqSessions } from './session-operations.ts';
import { rocqSimilarProofs } from './similar-proofs-operation.ts';
import { rocqDiagnose, rocqHealth, rocqToolchain } from './toolchain-operations.ts';

export const ROCQ_OPERATIONS: readonly Operation[] = [
  rocqHealth,
  rocqToolchain,
  rocqDiagnose,
  rocqFiles,
  rocqOutline,
  rocqTheorem,
  rocqTheoremNames,
  rocqNotations,
  rocqOpen,
  rocqSessions,
  rocqClose,
  rocqCheckProof,
  rocqStep,
  rocqTry,
  rocqGoals,
  rocqProofTree,
  rocqAbout,
  rocqCheckTerm,
  rocqPrint,
  rocqSearch,
  rocqLocate,
  rocqObjects,
  rocqAssumptions,
  rocqPremises,
  rocqSimilarProofs,
  rocqCompile,
  rocqFill,
];
