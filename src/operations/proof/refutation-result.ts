/** What was found out about the falsehood of a statement, in the one form that every face answers with. */
import { z } from 'zod';
import type { TheoremRefutation } from '../../refute/refute-file.ts';
import type { Refutation } from '../../refute/refute-theorem.ts';

export const refutationSchema = z.object({
  theorem: z.string(),
  line: z.int(),
  statement: z.string(),
  outcome: z.enum(['refuted', 'not-refuted', 'not-tried']),
  counterexample: z.string().nullable().describe('For people: `n = 0, l = [1]`. Empty without variables.'),
  values: z.array(z.object({ name: z.string(), value: z.string() })),
  negation: z
    .string()
    .nullable()
    .describe('The theorem that the statement is false, with its proof, as it can stand in the file.'),
  ends_sections: z
    .boolean()
    .describe('Whether `negation` first ends the sections that the statement stands in.'),
  axioms: z.array(z.string()).describe('The axioms that the proof of `negation` rests on.'),
  warnings: z.array(z.string()).describe('What the verdict on it says against itself.'),
  reason: z.string().nullable(),
  message: z.string().nullable(),
  suspects: z
    .array(z.string())
    .describe('Values for which the statement seems to fail, but could not be proved to.'),
  tried: z.int().describe('Combinations of values that were looked at.'),
  seconds: z.number(),
});

export type RefutationResult = z.output<typeof refutationSchema>;

export function refutationResultOf(result: TheoremRefutation): RefutationResult {
  const { theorem, line, statement, elapsedMs, refutation } = result;
  return {
    ...{ theorem, line, statement, outcome: refutation.kind },
    ...fieldsOf(refutation),
    seconds: Math.round(elapsedMs) / 1000,
  };
}

function fieldsOf(refutation: Refutation) {
  const nothing = {
    ...{ counterexample: null, values: [], negation: null, ends_sections: false },
    ...{ axioms: [], warnings: [], reason: null, message: null, suspects: [], tried: 0 },
  };
  switch (refutation.kind) {
    case 'refuted': {
      const { counterexample, values, text, endsSections, axioms, warnings, tried } = refutation;
      return {
        ...nothing,
        ...{ counterexample, values: [...values], negation: text, ends_sections: endsSections, tried },
        ...{ axioms: [...axioms], warnings: [...warnings] },
      };
    }
    case 'not-refuted': {
      const { reason, message, suspects, tried } = refutation;
      return { ...nothing, reason, message, suspects: [...suspects], tried };
    }
    case 'not-tried':
      return { ...nothing, reason: 'unsupported', message: refutation.message };
  }
}
