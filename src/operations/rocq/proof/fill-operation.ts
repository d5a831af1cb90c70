/** Puts a proof into a file: judged by the gate first, written in one step, never over somebody else's change. */
import { lostWithProof } from '../../../gate/rocq/text/lost-with-proof.ts';
import { z } from 'zod';
import { sayRemedies } from '../../../core/remedies/run-remedies.ts';
import { restsOnOpenText } from '../../../core/rests-on.ts';
import { QuodError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/sha256.ts';
import { defineOperation } from '../../definition/operation.ts';
import { filePatch } from '../../files/file-patch.ts';
import { replaceFile, requireReplaceable } from '../../files/replace-file.ts';
import { restsOnSchema } from '../../definition/rests-on.ts';
import { whatItRestsOn } from '../../gate/verdict-answer.ts';
import { LARGEST_SOURCE_BYTES } from '../../../process/foreign-folder/regular-file.ts';
import {
  forbiddenCommand,
  noTactic,
  tacticWordsOf,
  type ForbiddenSentence,
} from '../session/forbidden-in-proof.ts';
import { fillIn, judgeFilled } from './judge-in-file.ts';
import { placeRestsOn, rocqWorkbenchOf } from '../session/place.ts';
import { hasClosingCommand, readSentProof, refusalText } from './single-proof.ts';

export const rocqFill = defineOperation({
  name: 'rocq_fill',
  area: 'rocq',
  title: 'Write a proof into the file',
  summary: 'Puts a proof in the place of a theorem’s proof in its file, after the gate has accepted it.',
  details:
    'Give `file_hash` from `rests_on`: a file that changed since is left alone. What the gate rejects is not written; what ' +
    'rests on open statements is, and `rests_on_open` names them. Text that is not one proof is refused with its place; code ' +
    'fences, a repeated statement and a missing last dot are mended, and `notes` says so. `dry_run` only makes the diff.',
  input: z.object({
    file: z.string(),
    theorem: z.string(),
    proof: z.string().describe('The script; `Proof.` and `Qed.` may be left out.'),
    file_hash: z
      .string()
      .toLowerCase()
      .optional()
      .describe('SHA-256 of the version of the file that the proof was made for.'),
    dry_run: z.boolean().default(false),
    unjudged: z
      .boolean()
      .default(false)
      .describe(
        'Write it without asking the gate: for proofs that are not finished. It ends with `Admitted.` unless it says its own end.',
      ),
    expected_hash: z
      .string()
      .toLowerCase()
      .optional()
      .describe(
        '`new_file_hash` of an earlier answer: nothing is written unless the file becomes exactly that.',
      ),
  }),
  output: z.object({
    written: z.boolean(),
    verdict: z.enum(['accepted', 'rejected', 'unknown', 'not-asked']),
    findings: z.array(z.string()),
    rests_on_open: z
      .array(z.string())
      .describe(
        'Statements of the file that the proof uses and that are open themselves: it is proved but for them.',
      ),
    axioms: z.array(z.string()).describe('The axioms that the accepted proof rests on.'),
    warnings: z.array(z.string()).describe('What the verdict says against itself.'),
    stops_behind: z
      .string()
      .nullable()
      .describe(
        'Where the file stops compiling behind an accepted proof, as `line:column`; null when it does not.',
      ),
    notes: z
      .array(z.string())
      .describe('What was changed in the proof as it was sent, and what the verdict lacks.'),
    diff: z.string().describe('From the file as it was to the file with the proof.'),
    file_hash: z.string().describe('Of the file as it is now.'),
    new_file_hash: z
      .string()
      .nullable()
      .describe('Of the file with the proof; null when it is no single proof.'),
    rests_on: restsOnSchema,
  }),
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  defaultTimeout: 600,
  positional: ['file', 'theorem', 'proof'],
  render: ({ written, verdict, findings, rests_on_open, axioms, warnings, notes, diff }, say) =>
    [
      `${written ? 'Written' : 'Not written'} (gate: ${verdict})`,
      ...(rests_on_open.length === 0 ? [] : [`It ${restsOnOpenText(rests_on_open)}.`]),
      ...(verdict === 'accepted' && (axioms.length > 0 || rests_on_open.length === 0)
        ? [`It ${whatItRestsOn(axioms, [])}.`]
        : []),
      ...findings,
      ...warnings.map((text) => sayRemedies(text, say)),
      ...notes,
      diff,
    ].join('\n'),
  run: async (input, context) => {
    const workbench = rocqWorkbenchOf(context);
    const file = await workbench.file(context.workspace, input.file);
    if (input.file_hash !== undefined && input.file_hash !== file.source.hash) {
      throw new QuodError('file-changed', 'The file changed since the proof was made.', {
        place: { file: file.name },
        remedy: 'Nothing was written. Open a session on the file as it is now and check the proof there.',
      });
    }
    const item = file.theorem(input.theorem);
    const rests_on = await placeRestsOn(context, await workbench.pool(), file);
    const unwritten = {
      ...{ written: false, ...NOTHING_SEEN, diff: '' },
      ...{ file_hash: file.source.hash, rests_on },
    };
    const refusal = (finding: string) => ({
      ...unwritten,
      verdict: 'rejected' as const,
      findings: [finding],
      notes: [],
      new_file_hash: null,
    });
    const lost = lostWithProof(file.script(), item);
    if (lost !== undefined) return refusal(`would-be-lost: ${lost.message} Nothing was written.`);
    const sent = readSentProof(input.proof, { outline: file.outline, item });
    if (sent.kind === 'refused') return refusal(`not-one-proof: ${refusalText(sent, input.proof)}`);
    const tactics = tacticWordsOf(file);
    const reaching = forbiddenCommand(sent.script, tactics);
    const forbidden = ({ what, span }: ForbiddenSentence, remedy: string) => {
      const text = { kind: 'refused' as const, what: `the proof has ${what} in it`, remedy, span };
      return refusal(`forbidden-command: ${refusalText(text, input.proof)}`);
    };
    if (reaching !== undefined)
      return forbidden(reaching, 'Prove it with tactics; nothing was run or written by this call.');
    const asSent = fillIn(file, item.sentence, sent.script);
    // The gate has the last word: what it accepted to the byte is not asked about again.
    const isOnTrust = input.unjudged && !workbench.wasAccepted(file, sha256(asSent.bytes));
    // What nobody judged is trusted and run when the file is.
    const unclear = isOnTrust ? noTactic(sent.script, tactics) : undefined;
    if (unclear !== undefined)
      return forbidden(unclear, 'Write it without that, or leave `unjudged` out; nothing was written.');
    const isAdmitted = isOnTrust && !hasClosingCommand(sent.script);
    const filled = isAdmitted ? fillIn(file, item.sentence, `${sent.script}\nAdmitted.`) : asSent;
    if (filled.bytes.length > LARGEST_SOURCE_BYTES)
      return refusal(
        'too-large: With this proof the file would be larger than Quod reads. Write it shorter.',
      );
    const newHash = sha256(filled.bytes);
    if (input.expected_hash !== undefined && input.expected_hash !== newHash) {
      throw new QuodError('not-verified', 'The file with this proof is not the one that was judged.', {
        place: { file: file.name },
        remedy: 'Nothing was written. Call with `dry_run` and take its `new_file_hash`.',
      });
    }
    const isSame = filled.text === file.source.text;
    // Before the gate is asked, which takes its time.
    if (!input.dry_run && !isSame) await requireReplaceable(file.source);
    const diff = (await filePatch(file.name, file.source.text, filled.text)).trimEnd();
    context.progress({ message: 'Asking the gate' });
    const { verdict, findings, rests_on_open, axioms, warnings, stops_behind } = input.unjudged
      ? { verdict: 'not-asked' as const, ...NOTHING_SEEN }
      : await judgeFilled(filled, context.signal);
    if (verdict === 'accepted') workbench.noteAccepted(file, newHash);
    const written = !input.dry_run && (verdict === 'accepted' || verdict === 'not-asked');
    if (written) await replaceFile(file.source, filled.bytes);
    return {
      written,
      verdict,
      findings,
      rests_on_open,
      axioms,
      warnings: [...warnings],
      stops_behind,
      notes: [
        ...sent.notes,
        ...(isOnTrust
          ? [isAdmitted ? 'Nobody judged the proof: it ends with `Admitted.`' : 'Nobody judged the proof.']
          : []),
        ...(isSame ? ['The file has this proof already.'] : []),
      ],
      diff,
      file_hash: written ? newHash : file.source.hash,
      new_file_hash: newHash,
      rests_on,
    };
  },
});

const NOTHING_SEEN = { findings: [], rests_on_open: [], axioms: [], warnings: [], stops_behind: null };
