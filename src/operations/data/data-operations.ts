/** The operations on what is learned from proofs. */
import { dataCheck, dataMerge, dataStats } from './dataset-operations.ts';
import { dataIndex } from './index-operation.ts';
import { dataMine } from './mine-operation.ts';
import { dataIndexProofs } from './proof-index-operation.ts';
import { RESULTS_OPERATIONS } from './results-operations.ts';
import { dataTrain } from './train-operation.ts';

export const DATA_OPERATIONS = [
  dataIndex,
  dataMine,
  dataStats,
  dataCheck,
  dataMerge,
  dataIndexProofs,
  dataTrain,
  ...RESULTS_OPERATIONS,
] as const;
