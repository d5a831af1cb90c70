/** The fields by which a caller says with which Rocq, and with how many at once, sources are run. */
import { z } from 'zod';
import { BACKENDS } from '../../sessions/find-rocq.ts';

export const backendField = z
  .enum(['auto', ...BACKENDS])
  .default('auto')
  .describe('The Rocq to use.');

export const proversField = z.int().positive().max(64).optional().describe('Provers that run at once.');
