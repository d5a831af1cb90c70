/** Puts a proof into a file: judged by the gate first, written in one step, never over somebody else's change. */
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { defineOperation } from '../operation.ts';
import { replaceFile } from '../replace-file.ts';
import { restsOnSchema } from '../rests-on.ts';
import { applyReplacements, encode, hashOf } from '../source-file.ts';
import { judgeText } from './judge-in-file.ts';
import { placeRestsOn, workbenchOf } from './place.ts';
import { splice } from './splice.ts';

export const rocqFill = defineOperation({
  name: 'rocq_fill',
  area: 'rocq',
  title: 'Write a proof into the file',
  summary: 'Puts a proof in the place of a theorem’s proof in its file, after the gate has accepted it.',
  details:
    'Give `file_hash` (from `rests_on` of the session or of the outline): the file is left alone when it changed since. ' +
    'With `dry_run` only the diff is made. What the gate rejects is not written.',
  input: z.object({
    file: z.string(),
    theorem: z.string(),
    proof: z.string().describe('The script; `Proof.` and `Qed.` may be left out.'),
    file_hash: z
      .string()
      .optional()
      .describe('SHA-256 of the version of the file that the proof was made for.'),
    dry_run: z.boolean().default(false),
    unjudged: z
      .boolean()
      .default(false)
      .describe('Write it without asking the gate: for proofs that are not finished.'),
  }),
  output: z.object({
    written: z.boolean(),
    verdict: z.enum(['accepted', 'rejected', 'unknown', 'not-asked']),
    findings: z.array(z.string()),
    diff: z.string().describe('From the file as it was to the file with the proof.'),
    file_hash: z.string().describe('Of the file as it is now.'),
    rests_on: restsOnSchema,
  }),
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  defaultTimeout: 600,
  positional: ['file', 'theorem', 'proof'],
  render: ({ written, verdict, findings, diff }) =>
    [`${written ? 'Written' : 'Not written'} (gate: ${verdict})`, ...findings, diff].join('\n'),
  run: async (input, context) => {
    const workbench = workbenchOf(context);
    const file = await workbench.file(context.workspace, input.file);
    if (input.file_hash !== undefined && input.file_hash !== file.source.hash) {
      throw new QuodError('file-changed', 'The file changed since the proof was made.', {
        place: { file: file.name },
        remedy: 'Nothing was written. Open a session on the file as it is now and check the proof there.',
      });
    }
    const item = file.theorem(input.theorem);
    const text = applyReplacements(file.source, [splice(file.outline, item, input.proof)]);
    const bytes = encode(file.source, text);
    const { createTwoFilesPatch } = await import('diff');
    const diff = createTwoFilesPatch(`a/${file.name}`, `b/${file.name}`, file.source.text, text);
    context.progress({ message: 'Asking the gate' });
    const { verdict, findings } = input.unjudged
      ? { verdict: 'not-asked' as const, findings: [] }
      : await judgeText(file, item.sentence, input.proof, context.signal);
    const written = !input.dry_run && (verdict === 'accepted' || verdict === 'not-asked');
    if (written) await replaceFile(file.source, bytes);
    return {
      written,
      verdict,
      findings,
      diff,
      file_hash: written ? hashOf(bytes) : file.source.hash,
      rests_on: await placeRestsOn(context, await workbench.pool(), file),
    };
  },
});
