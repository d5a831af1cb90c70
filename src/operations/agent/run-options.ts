/**
 * What may be said of a run over operations, and the same as options of the command that works on it. A value that the
 * schema takes is one that the option takes, however large or small: what is wrong is then told by the name of the field.
 */
import { z } from 'zod';

/** Less is no time; thirty years are more than any run has. */
const SECONDS = { least: 0.001, most: 1e9 };

/**
 * What may be said of a run here. Addresses of servers and programs are for the configuration, which callers do not
 * write.
 */
export const budgetFields = {
  max_cost: z.number().positive().optional().describe('US dollars for the run.'),
  max_time: z.number().min(SECONDS.least).max(SECONDS.most).optional().describe('Seconds for the run.'),
  max_tool_calls: z.int().positive().optional(),
  max_messages: z.int().positive().optional().describe('Calls of models.'),
  write: z.boolean().optional().describe('Put accepted proofs into the file.'),
};

type Budgets = z.output<z.ZodObject<typeof budgetFields>>;

export function budgetOptions({
  max_cost,
  max_time,
  max_tool_calls,
  max_messages,
  write,
}: Budgets): string[] {
  return [
    ...(max_cost === undefined ? [] : [`--max-cost=${max_cost}`]),
    // A whole number is written without an exponent.
    ...(max_time === undefined ? [] : [`--max-time=${Math.round(max_time * 1000)}ms`]),
    ...(max_tool_calls === undefined ? [] : [`--max-tool-calls=${max_tool_calls}`]),
    ...(max_messages === undefined ? [] : [`--max-messages=${max_messages}`]),
    ...(write === true ? ['--write'] : []),
  ];
}

/** A name that cannot be taken for an option, and that a program can be given: no null character, and not endless. */
export const plainName = z
  .string()
  .max(1000)
  .regex(/^[^-\s]\S*$/u, 'must be a name')
  // Not in the pattern: not all that read the schemas know such classes.
  .refine((name) => !/\p{Cc}/u.test(name), 'must be a name');
