/** The operations on F*. */
import type { Operation } from '../operation.ts';
import { fstarAudit } from './audit-operation.ts';
import { fstarLookupSymbol, fstarTypecheckBuffer, fstarUpdateBuffer } from './buffer-operations.ts';
import { fstarOutline, fstarProfile, fstarQuake } from './file-operations.ts';
import { fstarGetProofContext, fstarGoalsAt } from './proof-operations.ts';
import {
  fstarCloseSession,
  fstarCreateSession,
  fstarListSessions,
  fstarRestartSolver,
} from './session-operations.ts';

export const FSTAR_OPERATIONS: readonly Operation[] = [
  fstarCreateSession,
  fstarListSessions,
  fstarTypecheckBuffer,
  fstarUpdateBuffer,
  fstarLookupSymbol,
  fstarGetProofContext,
  fstarGoalsAt,
  fstarOutline,
  fstarAudit,
  fstarQuake,
  fstarProfile,
  fstarRestartSolver,
  fstarCloseSession,
];

/** The eight of fstar-mcp under its own names, for clients that are configured for it. */
export const FSTAR_MCP_OPERATIONS: readonly Operation[] = [
  fstarCreateSession,
  fstarListSessions,
  fstarTypecheckBuffer,
  fstarUpdateBuffer,
  fstarLookupSymbol,
  fstarGetProofContext,
  fstarRestartSolver,
  fstarCloseSession,
].map((operation) => ({ ...operation, name: operation.name.replace(/^fstar_/, '') }));
