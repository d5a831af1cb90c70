/** `rocq_text_check` and `rocq_text_goals`: a text while it is typed, as an editor needs it. */
import { z } from 'zod';
import { counted } from '../../../core/counted.ts';
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import type { ProofState } from '../../../core/proof-state.ts';
import { onOneLine } from '../../../core/sentence.ts';
import { withDotHint } from '../../../provers/rocq/syntax/missing-dot.ts';
import { READS, defineOperation, type OperationContext } from '../../definition/operation.ts';
import { madeWithSchema } from '../../definition/rests-on.ts';
import { goalSchema, proofFields, proofFieldsOf, rocqProofStateText } from '../session/goal-schemas.ts';
import { placeMadeWith, rocqWorkbenchOf } from '../session/place.ts';
import { printedRange, rangeSchema } from '../session/positions.ts';
import { messageSchema, sentenceTimeout } from '../step/script-answers.ts';
import type { CheckedSentence } from './checked-text.ts';
import { followingErrors, type FollowedSentence } from './following-errors.ts';
import { openTexts, type OpenText } from './open-texts.ts';

const sentenceSchema = z.object({
  ...rangeSchema.shape,
  status: z
    .enum(['ran', 'refused', 'skipped'])
    .describe('`skipped`: it belongs to a proof, or to the proof of a statement, that was refused before.'),
  elapsed_ms: z.number().nullable(),
  error: z
    .object({
      message: z.string(),
      reason: z.string().nullable(),
      follows: z
        .string()
        .nullable()
        .describe('The earlier declaration or library whose failure explains this one.'),
      follows_line: z.int().nullable().describe('The line in which that begins.'),
      ...rangeSchema.shape,
    })
    .nullable(),
  messages: z.array(messageSchema),
});

/** Characters of one message. */
const LONGEST_MESSAGE = 20_000;

export const rocqTextCheck = defineOperation({
  name: 'rocq_text_check',
  area: 'rocq',
  title: 'Check a text as it is typed',
  summary: 'Runs the text of a file as somebody types it, and answers what each sentence came to.',
  details:
    'Nothing on the disk is read or changed but what the text requires: what reaches further, and a command that Quod does not ' +
    'know, is run where the saved file has it, else refused as `not-allowed`. Answers after `seconds` with what there is; call ' +
    'again with `version` instead of `text` until `complete`. A later text runs only what stands behind the first change. ' +
    'Behind an error it goes on. `session_id` is a session in which `rocq_text_goals` names the states of the text.',
  input: z.object({
    file: z.string().describe('The `.v` file that the text is of; it need not exist.'),
    text: z.string().optional().describe('The whole text. Give either this or `version`.'),
    version: z
      .string()
      .optional()
      .describe('A text that was sent before, by the name that the answer gave it.'),
    known: z
      .int()
      .nonnegative()
      .default(0)
      .describe('How many sentences of this version the caller knows: the answer begins behind them.'),
    seconds: z.number().nonnegative().max(60).default(1),
    sentence_timeout: sentenceTimeout,
  }),
  output: z.object({
    version: z.string(),
    session_id: z.string(),
    complete: z.boolean().describe('Every sentence was run or skipped.'),
    checked: z.int().describe('How many sentences were run or skipped.'),
    sentences_total: z.int(),
    sentences: z.array(sentenceSchema).describe('From `known` on, as far as they were run or skipped.'),
    unterminated: z
      .object({ inside: z.string(), ...rangeSchema.shape })
      .nullable()
      .describe('What begins at the end of the text and has no end.'),
    rests_on: madeWithSchema,
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 300,
  session: 'besides',
  holds: ({ complete, sentences, unterminated }) => {
    const isRefused = unterminated !== null || sentences.some(({ status }) => status !== 'ran');
    return complete || isRefused ? !isRefused : undefined;
  },
  run: async (input, context) => {
    const open = await textOf(input, context);
    const { checked, version, sessionId } = open;
    const pool = await rocqWorkbenchOf(context).pool();
    const { outline, lines } = checked.file;
    const slow = new SlowSentence((index) => {
      const sentence = outline.sentences[index];
      const line = sentence === undefined ? '' : ` of line ${lines.printedAt(sentence.span.start).line}`;
      const which = sentence === undefined ? '' : `: ${beginningOf(sentence.text)}`;
      const message = `Rocq runs the sentence${line}, for ${counted(input.sentence_timeout, 'second')} at the most${which}`;
      context.progress({ message, done: index, total: outline.sentences.length });
    });
    try {
      await checked.check(pool, {
        signal: context.signal,
        sentenceTimeoutMs: input.sentence_timeout * 1000,
        until: performance.now() + input.seconds * 1000,
        onSentence: (index) => slow.begin(index),
      });
    } finally {
      slow.end();
    }
    const following = await followingErrors(checked, input.known);
    return {
      version,
      session_id: sessionId,
      complete: checked.complete,
      checked: checked.checked.length,
      sentences_total: outline.sentences.length,
      sentences: checked.checked
        .slice(input.known)
        .flatMap((settled, index) =>
          answerOf({ open, settled, index: input.known + index, cause: following.get(input.known + index) }),
        ),
      unterminated:
        outline.unterminated === undefined
          ? null
          : { inside: outline.unterminated.inside, ...printedRange(lines, outline.unterminated.span) },
      rests_on: await placeMadeWith(context, pool, checked.file),
    };
  },
});

const SHOWN_CHARACTERS = 80;

/** Of a sentence, on one line. */
function beginningOf(sentence: string): string {
  const text = onOneLine(sentence);
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}…`;
}

/** Milliseconds of a sentence after which it is told that it is the one that runs. */
const SLOW_MS = 1000;

/** What is run is answered when the sentence that runs has ended: of one that takes long it is told meanwhile. */
class SlowSentence {
  readonly #tell: (index: number) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (index: number) => void) {
    this.#tell = tell;
  }

  begin(index: number): void {
    this.end();
    this.#timer = setTimeout(() => this.#tell(index), SLOW_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

interface Settled {
  readonly open: OpenText;
  readonly settled: CheckedSentence;
  readonly index: number;
  /** The sentence that its error follows from. */
  readonly cause: FollowedSentence | undefined;
}

function answerOf({ open: { checked }, settled: { status, run }, index, cause }: Settled) {
  const { outline, lines } = checked.file;
  const sentence = outline.sentences[index];
  if (sentence === undefined) return [];
  const { span } = sentence;
  const { error } = run ?? {};
  const place =
    error?.span === undefined
      ? span
      : { start: span.start + error.span.start, end: span.start + error.span.end };
  const said = orNothing(error?.message).trim().slice(0, LONGEST_MESSAGE);
  const hinted = run?.hint === undefined ? said : `${said}\n${run.hint}`;
  return [
    {
      ...printedRange(lines, span),
      status,
      elapsed_ms: run === undefined ? null : Math.round(run.elapsedMs * 10) / 10,
      error:
        error === undefined
          ? null
          : {
              message: run?.reason === undefined ? withDotHint(hinted, outline.text, span) : said,
              reason: run?.reason ?? null,
              follows: cause?.name ?? null,
              follows_line: cause === undefined ? null : lines.printedAt(cause.start).line,
              ...printedRange(lines, place),
            },
      messages: (run?.messages ?? []).map(({ severity, message }) => ({
        severity,
        text: message.slice(0, LONGEST_MESSAGE),
      })),
    },
  ];
}

export const rocqTextGoals = defineOperation({
  name: 'rocq_text_goals',
  area: 'rocq',
  title: 'Goals in a text',
  summary:
    'Shows the goals at a place of a text that `rocq_text_check` runs, and those before the sentence there.',
  details:
    'What was run is answered without running it again. `state` names the state in the session of the text: `rocq_try`, `rocq_about` ' +
    'and the like take it as `from`.',
  input: z.object({
    file: z.string(),
    version: z.string(),
    line: z.int().positive(),
    column: z.int().nonnegative().default(0),
    max_goals: z.int().positive().max(10_000).default(50),
    max_characters: z
      .int()
      .positive()
      .max(10_000_000)
      .default(20_000)
      .describe('Of one type, body or conclusion.'),
  }),
  output: z.object({
    reached: z
      .boolean()
      .describe(
        'False: the text was not run up to the place yet, and the rest is of the last place that was.',
      ),
    session_id: z.string(),
    state: z.string(),
    sentence: z.int().nullable().describe('Which sentence, from 0, leads to the state; null at the start.'),
    ...proofFields,
    before: z.array(goalSchema).describe('The goals in focus before that sentence.'),
    messages: z.array(messageSchema),
  }),
  annotations: READS,
  defaultTimeout: 60,
  render: rocqProofStateText,
  run: async (input, context) => {
    const open = context.services.get(openTexts).find(context.client, input.file, input.version);
    const { checked, session, sessionId } = open;
    const offset = checked.file.lines.offsetOfPrinted(input);
    if (offset === undefined)
      throw new QuodError('invalid-input', `The text has no place ${input.line}:${input.column}.`, {
        remedy: 'Lines count from 1 and columns from 0.',
      });
    const wanted = checked.sentencesBefore(offset);
    const at = Math.min(wanted, checked.checked.length);
    const settled = checked.checked[at - 1];
    const limits = { goals: input.max_goals, characters: input.max_characters };
    const proof = await proofAt(open, at, context);
    const before = at === 0 ? null : await proofAt(open, at - 1, context);
    return {
      reached: at === wanted,
      session_id: sessionId,
      state: session.nameOf(settled?.state ?? session.base, proof),
      sentence: at === 0 ? null : at - 1,
      ...proofFieldsOf(proof, limits),
      before: proofFieldsOf(before, limits).goals,
      messages: (settled?.run?.messages ?? []).map(({ severity, message }) => ({
        severity,
        text: message.slice(0, LONGEST_MESSAGE),
      })),
    };
  },
});

/** The proof behind the first `count` sentences. */
async function proofAt(
  { checked }: OpenText,
  count: number,
  context: OperationContext,
): Promise<ProofState | null> {
  let index = count - 1;
  // Behind what was refused everything is as it was before.
  while (index >= 0 && checked.checked[index]?.status !== 'ran') index -= 1;
  const settled = checked.checked[index];
  // Behind a proof that was refused what it proves is admitted.
  if (settled === undefined || (index < count - 1 && checked.isBehindProof(index, count))) return null;
  if (settled.run?.proof !== undefined) return settled.run.proof;
  if (!checked.isInTheorem(index)) return null;
  const pool = await rocqWorkbenchOf(context).pool();
  return pool.at(settled.state, { signal: context.signal }, (prover) => prover.session.goals(prover.state));
}

function textOf(
  { file, text, version }: { file: string; text?: string | undefined; version?: string | undefined },
  context: OperationContext,
): Promise<OpenText> | OpenText {
  const texts = context.services.get(openTexts);
  if ((text === undefined) === (version === undefined))
    throw new QuodError('invalid-input', 'Say which text: either `text` or `version`.', {
      remedy: 'Send the text once, then name it by its version.',
    });
  if (text !== undefined) return texts.open(context, file, text);
  return texts.find(context.client, file, orNothing(version));
}
