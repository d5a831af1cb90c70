/** What the log of a run keeps of the task file that the run is about. */
import { z } from 'zod';
import { exact } from './exact-text.ts';

export const taskSchema = z.object({
  file: exact(z.string().describe('Absolute.')),
  text: exact(z.string().describe('As it was at the start.')),
  /** Of its bytes; logs of older versions do not tell. */
  fileHash: exact(z.string()).optional(),
  ...{ instructions: z.string(), prompt: z.string() },
  usersOwn: exact(
    z.array(z.string()).describe('Files with changes of the user’s own, which are never committed.'),
  ),
  usersOwnWhy: z.record(exact(z.string()), z.string()).optional(),
});

/** What a run on a task file is about. */
export type Task = z.output<typeof taskSchema>;
