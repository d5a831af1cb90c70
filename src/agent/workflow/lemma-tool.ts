/** The tool by which a model states a lemma. */
import { z } from 'zod';
import { jsonOf, type ToolDescription } from '../models/conversation.ts';

const input = z.object({
  statement: z.string().describe('The whole sentence: `Lemma name : forall …, ….`'),
  proof: z.string().optional().describe('Its script, where you have one.'),
});

/** A lemma as it was asked for. */
export interface Wanted {
  readonly statement: string;
  readonly proof: string | undefined;
}

export const LEMMA_TOOL: ToolDescription = {
  name: 'lemma_prove',
  description:
    'States a helper lemma before the theorem and proves it: with your script, else by the offline search, else by a prover ' +
    'of its own. When it is proved you can use it by its name; your session begins anew at s0 then.',
  inputSchema: z.toJSONSchema(input),
};

/** Undefined where the arguments are something else. */
export function wantedLemma(written: string): Wanted | undefined {
  const { success, data } = input.safeParse(jsonOf(written));
  return success ? { statement: data.statement, proof: data.proof } : undefined;
}

/** The word behind the first. */
const NAME = /^(\s*\S+\s+)([^\s:({]+)/u;

export function nameOfLemma(statement: string): string | undefined {
  return NAME.exec(statement)?.[2];
}

/** What says the same under another name. */
export function underAnotherName(statement: string): string {
  return statement.replace(NAME, `$1$2_again`);
}
