/** The operations on F*. */
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { defineOperation, type AnyOperation } from '../definition/operation.ts';
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

export const FSTAR_OPERATIONS = [
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
] as const;

/** That server's word for a file that F* does not take is an answer, not an error. */
const updateBuffer = defineOperation({
  ...fstarUpdateBuffer,
  name: 'update_buffer',
  input: fstarUpdateBuffer.fields,
  output: z.object({
    status: z.enum(['ok', 'error']),
    error: z.string().nullable().describe('Why the file was not taken.'),
  }),
  render: (answer) => JSON.stringify(answer),
  run: async (input, context) => {
    try {
      await fstarUpdateBuffer.call(input, context);
      return { status: 'ok' as const, error: null };
    } catch (error) {
      if (!(error instanceof QuodError) || error.reason === 'interrupted') throw error;
      return { status: 'error' as const, error: error.toString() };
    }
  },
});

/** The eight of fstar-mcp under its own names, for clients that are configured for it. */
export const FSTAR_MCP_OPERATIONS: readonly AnyOperation[] = [
  fstarCreateSession,
  fstarListSessions,
  fstarTypecheckBuffer,
  updateBuffer,
  fstarLookupSymbol,
  fstarGetProofContext,
  fstarRestartSolver,
  fstarCloseSession,
].map((operation) => ({ ...operation, name: operation.name.replace(/^fstar_/, '') }));
