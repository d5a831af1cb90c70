/** A proof of a file as a tree, with the goals behind each sentence; and the same as a picture or a page to send. */
import { basename, isAbsolute } from 'node:path';
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { QuodError } from '../../core/errors.ts';
import { foreignText } from '../../core/foreign-text.ts';
import type { ProverSession, StateId } from '../../core/prover.ts';
import { aboutProof, type ExportedProof } from '../../drawing/about-proof.ts';
import { drawProof, type DrawOptions, type ProofToDraw } from '../../drawing/draw-proof.ts';
import { goalAt, NODE_STATUSES, PROOF_OUTCOMES, type DrawnProof } from '../../drawing/drawn-proof.ts';
import { besideTree, outlineText } from '../../drawing/outline-text.ts';
import { outcomeText, proofPage } from '../../drawing/proof-page.ts';
import { proofPicture } from '../../drawing/proof-picture.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';
import { UnreachableState } from '../../sessions/engine.ts';
import { FileRun } from '../../sessions/rocq/file-run.ts';
import { defineOperation, type OperationContext } from '../definition/operation.ts';
import { madeWithSchema, type MadeWith } from '../definition/rests-on.ts';
import { placeMadeWith, startOfProof, rocqWorkbenchOf } from '../rocq/session/place.ts';
import { requireShown } from '../rocq/session/withheld-proofs.ts';

const WATCHES = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const;

const proofFields = {
  file: z.string().describe('A Rocq file (`.v`) of the workspace.'),
  theorem: z.string().describe('One of its statements, whose proof may be unfinished.'),
  characters: z
    .int()
    .min(100)
    .max(1_000_000)
    .default(4000)
    .describe('Longest type, value or conclusion; what is longer is cut and says so.'),
};

const drawnSchema = z.object({
  file: z.string(),
  theorem: z.string(),
  statement: z.string(),
  outcome: z
    .enum(PROOF_OUTCOMES)
    .describe('finished: the closing sentence was run. admitted, unfinished; refused: see `error`.'),
  error: z.string().nullable(),
  hypotheses: z
    .array(z.object({ name: z.string(), type: z.string(), body: z.string().nullable() }))
    .describe('Each once; goals name them by their place here, from 0.'),
  goals: z.array(z.object({ hypotheses: z.array(z.int()), conclusion: z.string() })),
  nodes: z
    .array(
      z.object({
        goal: z.int().describe('Its place in `goals`.'),
        parent: z.int().nullable().describe('The node whose tactic left it; null at a root.'),
        children: z.array(z.int()),
        status: z
          .enum(NODE_STATUSES)
          .describe(
            'closed: a tactic was run on it. open, given-up; elsewhere: another goal decided it; together: it went in a sentence for several goals; broken: the sentence for it was refused.',
          ),
        tactic: z.string().nullable(),
        sentence: z.int().nullable().describe('The place in `sentences` of what was run on it.'),
        seconds: z.number().nullable(),
      }),
    )
    .describe('Parents before their children, children in the order of the goals.'),
  sentences: z
    .array(
      z.object({
        text: z.string(),
        line: z.int().describe('From 1.'),
        column: z.int().describe('From 0, in code points.'),
        goals: z.array(z.int()).describe('The goals in focus behind it, as places in `goals`.'),
        elsewhere: z.int().describe('Goals out of focus.'),
        shelved: z.int(),
        given_up: z.int(),
        seconds: z.number(),
      }),
    )
    .describe('The statement, then each sentence of the proof that was run.'),
});

interface ProofInput {
  readonly file: string;
  readonly theorem: string;
  readonly characters: number;
}

export const proofTree = defineOperation({
  name: 'proof_tree',
  area: 'proof',
  title: 'A proof as a tree',
  summary:
    'Runs the proof of a theorem, finished or not, and answers its goals as a tree, and the goals behind each sentence.',
  input: z.object(proofFields),
  output: z.object({
    ...drawnSchema.shape,
    errors_before: z
      .array(z.string())
      .describe('Errors of the file before the statement; what they are in was passed over.'),
    rests_on: madeWithSchema,
  }),
  annotations: WATCHES,
  defaultTimeout: 600,
  positional: ['file', 'theorem'],
  render: outlineText,
  conclude: (proof) => conclusionOf(proof),
  holds: ({ outcome }) => outcome === 'finished',
  run: async (input, context) => {
    const { drawn, rests, errorsBefore } = await drawnProof(input, context);
    return { ...mutable(drawn), errors_before: errorsBefore.map(String), rests_on: rests };
  },
});

const ASSUMPTIONS_TIMEOUT_MS = 30_000;
const EXPORT_FORMATS = ['html', 'svg', 'text'] as const;

export const proofExport = defineOperation({
  name: 'proof_export',
  area: 'proof',
  title: 'A proof as a page to send',
  summary:
    'Writes a proof as one HTML page that needs nothing else and runs nothing, as an SVG picture of its tree, or as text.',
  details:
    'The page has the tree, every sentence with its goals, and what the prover says that the proof rests on; it is no judgement (`gate_verify`). Keep it as a file whose name ends in `.html`.',
  input: z.object({
    ...proofFields,
    format: z.enum(EXPORT_FORMATS).default('html'),
    whole: z
      .boolean()
      .default(false)
      .describe('Draw every step by itself: chains and small finished branches are folded otherwise.'),
    beside: z
      .string()
      .nullable()
      .default(null)
      .describe(
        'html: another theorem of the file, or another file and theorem as FILE#THEOREM, to stand beside it.',
      ),
  }),
  output: z.object({
    name: z.string().describe('A name for a file with it.'),
    media_type: z.string(),
    text: z.string(),
  }),
  annotations: WATCHES,
  defaultTimeout: 600,
  positional: ['file', 'theorem'],
  render: ({ text }) => text,
  run: async (input, context) => {
    const exported = await exportedProof(input, context);
    const { drawn } = exported;
    const name = drawn.theorem.replace(/[^\p{L}\p{N}_'.-]+/gu, '_');
    switch (input.format) {
      case 'svg':
        return {
          name: `${name}.svg`,
          media_type: 'image/svg+xml',
          text: proofPicture(drawn, { whole: input.whole, foot: pictureFoot(exported) }),
        };
      case 'text':
        return { name: `${name}.txt`, media_type: 'text/plain', text: exportedText(exported) };
      case 'html': {
        const other = input.beside === null ? undefined : await besideIt(input.beside, input, context);
        const proofs = other === undefined ? [exported] : [exported, other];
        return {
          name: `${name}.html`,
          media_type: 'text/html',
          text: proofPage(proofs, { whole: input.whole }),
        };
      }
    }
  },
});

async function besideIt(named: string, input: ProofInput, context: OperationContext): Promise<ExportedProof> {
  const at = named.lastIndexOf('#');
  const file = at < 0 ? input.file : named.slice(0, at);
  return exportedProof({ ...input, file, theorem: named.slice(at + 1) }, context);
}

/** Also asks what the proof rests on: who gets the export has nothing else. */
async function exportedProof(input: ProofInput, context: OperationContext): Promise<ExportedProof> {
  let assumptions: string | undefined;
  const { drawn, rests, errorsBefore } = await drawnProof(input, context, async (session, state, name) => {
    const command = asSentence(`Print Assumptions ${name}.`);
    const limits = { timeoutMs: ASSUMPTIONS_TIMEOUT_MS, signal: context.signal };
    const answer = await session.query(state, command, limits);
    if (answer.status === 'done') assumptions = answer.messages.map(({ message }) => message).join('\n');
  });
  return withoutOwnPaths({ drawn, assumptions, errorsBefore: errorsBefore.map(String), stale: rests.stale });
}

/** Whoever gets the export is told the names of files, and not where on this machine those lie that are in another folder. */
function withoutOwnPaths(exported: ExportedProof): ExportedProof {
  const { drawn, assumptions, errorsBefore, stale } = exported;
  const isElsewhere = (path: string): boolean => isAbsolute(path) || path.startsWith('..');
  const sent = (path: string): string => (isElsewhere(path) ? basename(path) : path);
  const inText = (text: string): string =>
    [drawn.file, ...stale].reduce((said, path) => said.replaceAll(path, sent(path)), text);
  return {
    drawn: { ...drawn, file: sent(drawn.file), error: drawn.error === null ? null : inText(drawn.error) },
    assumptions: assumptions === undefined ? undefined : inText(assumptions),
    errorsBefore: errorsBefore.map(inText),
    stale: stale.map(sent),
  };
}

function headOf({ outcome, error }: DrawnProof): string {
  return `The proof: ${outcomeText(outcome)}.${error === null ? '' : ` ${error}`}`;
}

function exportedText(exported: ExportedProof): string {
  const foot = [headOf(exported.drawn), ...aboutProof(exported)];
  return [outlineText(exported.drawn), '', ...foot.map((sentence) => foreignText(sentence)), ''].join('\n');
}

/** A picture has the steps of goals only. */
function pictureFoot(exported: ExportedProof): readonly string[] {
  const { drawn } = exported;
  const beside = besideTree(drawn).map(({ text, line }) => `Line ${line}, no step of one goal: ${text}`);
  return [`${drawn.theorem}. ${headOf(drawn)}`, ...aboutProof(exported), ...beside];
}

interface Drawing {
  readonly drawn: DrawnProof;
  readonly rests: MadeWith;
  /** Of the file before the statement; what they are in was passed over. */
  readonly errorsBefore: readonly QuodError[];
}

/** Where the file can be run up to the statement, in a prover that others use too; else in one of its own. */
async function drawnProof(
  input: ProofInput,
  context: OperationContext,
  onClosed?: (session: ProverSession, state: StateId, name: string) => Promise<void>,
): Promise<Drawing> {
  const workbench = rocqWorkbenchOf(context);
  if (!input.file.endsWith('.v'))
    throw new QuodError('unsupported', 'Proofs are drawn of Rocq files (.v) only.', {
      place: { file: input.file },
      remedy: 'Of HOL4 and F* files `proof_statements` lists the statements.',
    });
  const file = await workbench.file(context.workspace, input.file);
  const { item, stated } = startOfProof(file, input.theorem);
  requireShown(context, file, input.theorem);
  const pool = await workbench.pool();
  const { signal, progress } = context;
  const rests = await placeMadeWith(context, pool, file);
  const source = { file: file.name, outline: file.outline, theorem: item };
  const options: DrawOptions = {
    ...{ signal, characters: input.characters },
    onProgress: (done, total) => progress({ message: 'Running the proof', done, total }),
    onClosed: async (session, state) => {
      if (item.name !== undefined) await onClosed?.(session, state, item.name);
    },
  };
  const onWay = (done: number, total: number): void =>
    progress({ message: 'Running the file up to the statement', done, total });
  try {
    const drawn = await pool.at(stated, { signal, onProgress: onWay }, (prover) =>
      drawProof(prover.session, prover.state, source, options),
    );
    return { drawn, rests, errorsBefore: [] };
  } catch (error) {
    if (!(error instanceof UnreachableState) || error.reason !== undefined) throw error;
    const session = await (await workbench.prover()).openSession({ file: file.source.path, signal });
    try {
      return { ...(await drawPastErrors(session, source, options)), rests };
    } finally {
      await session.close();
    }
  }
}

/**
 * Runs the file as far as the statement, and past what does not work before it. @throws QuodError
 * `does-not-compile`.
 */
async function drawPastErrors(
  session: ProverSession,
  source: ProofToDraw,
  options: DrawOptions,
): Promise<Omit<Drawing, 'rests'>> {
  const errorsBefore: QuodError[] = [];
  const done = new AbortController();
  let drawn: DrawnProof | undefined;
  const run = new FileRun(
    session,
    source,
    { onTrace: () => {}, onError: (error) => errorsBefore.push(error) },
    {
      record: false,
      signal: AbortSignal.any([options.signal, done.signal]),
      proofs: async (theorem, opened) => {
        if (theorem !== source.theorem) return undefined;
        drawn = await drawProof(session, opened, source, options);
        done.abort();
        return opened;
      },
    },
  );
  await run.finish();
  if (drawn !== undefined) return { drawn, errorsBefore };
  options.signal.throwIfAborted();
  throw (
    errorsBefore.at(-1) ?? new QuodError('internal', 'The run of the file did not come to the statement.')
  );
}

/** The answer's own arrays: what is drawn may be kept by others. */
function mutable(drawn: DrawnProof): z.output<typeof drawnSchema> {
  return {
    ...drawn,
    hypotheses: drawn.hypotheses.map((one) => ({ ...one })),
    goals: drawn.goals.map((goal) => ({ ...goal, hypotheses: [...goal.hypotheses] })),
    nodes: drawn.nodes.map((node) => ({ ...node, children: [...node.children] })),
    sentences: drawn.sentences.map((sentence) => ({ ...sentence, goals: [...sentence.goals] })),
  };
}

function conclusionOf(proof: DrawnProof): string {
  const open = proof.nodes.filter(({ status }) => status === 'open' || status === 'broken');
  const first = open[0] === undefined ? undefined : goalAt(proof, open[0].goal);
  const steps = counted(proof.sentences.length - 1, 'sentence');
  switch (proof.outcome) {
    case 'finished':
      return `finished in ${steps}`;
    case 'refused':
      return proof.error ?? 'refused';
    case 'admitted':
    case 'unfinished':
      return `${proof.outcome} after ${steps}: ${counted(open.length, 'open goal')}${first === undefined ? '' : `, the first is ${first.conclusion}`}`;
  }
}
