/** A submission that is handed in: judged as gate_verify judges, and kept with its signed report. */
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { foreignName, foreignText } from '../../core/foreign-text.ts';
import { readPackageVersion } from '../../core/installed-package.ts';
import { acceptedBut } from '../../core/rests-on.ts';
import { sha256 } from '../../core/sha256.ts';
import { AXIOM_SETS, meaningOf } from '../../gate/axiom-sets.ts';
import { type GatePolicy, KERNEL_FLAGS, parsePolicy, policySchema } from '../../gate/policy.ts';
import { reportOn, type VerdictReport } from '../../gate/report.ts';
import { verify } from '../../gate/verify.ts';
import { READS, defineOperation, type OperationContext } from '../definition/operation.ts';
import { madeWithSchema, type MadeWith } from '../definition/rests-on.ts';
import type { Workspace } from '../definition/workspace.ts';
import { judgedFile, type JudgedSource, readJudgedFile } from '../files/judged-file.ts';
import { sourceMadeWith } from './source-made-with.ts';
import {
  keepVerdict,
  listVerdicts,
  publicKeyFile,
  readVerdict,
  type VerdictToKeep,
} from './stored-verdicts.ts';
import {
  openIn,
  printedStatementSchema,
  statementsOf,
  verdictAnswer,
  verdictSchema,
  verdictText,
} from './verdict-answer.ts';

const LARGEST_TEXT = 8 * 1024 * 1024;
const textField = z.string().max(LARGEST_TEXT).optional();

const gateSubmit = defineOperation({
  name: 'gate_submit',
  area: 'gate',
  title: 'Hand in a submission',
  summary:
    'Judges a submission against a target, given as files or as texts, and keeps the verdict with a signed report.',
  details:
    'The same judge as `gate_verify`. A text is judged as if it stood in the workspace’s own folder under its name, so that it sees the ' +
    'libraries of the project; no file is written there. The verdict is kept under `.quod/verdicts`, with a report signed by a key of that ' +
    'folder: `gate_report` checks it, `gate_history` lists what was judged.',
  input: z.object({
    target: z.string().describe('The file with the trusted statements; with `target_text` its name.'),
    target_text: textField.describe('The text of the target, when it is no file of the workspace.'),
    submission: z.string().describe('The file with the proofs; with `submission_text` its name.'),
    submission_text: textField.describe('The text of the submission, when it is no file of the workspace.'),
    policy: z
      .string()
      .max(100_000)
      .default('{}')
      .describe(
        'What is allowed, as the JSON of a policy file; {}: the axioms of the target, helper lemmas.',
      ),
  }),
  output: z.object({
    id: z.string().nullable().describe('Under which it is kept; null: it could not be kept.'),
    not_kept: z.string().nullable().describe('Why it could not be kept; null: it is.'),
    ...verdictSchema.shape,
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  defaultTimeout: 1800,
  positional: ['target', 'submission'],
  render: verdictText,
  conclude: ({ id, not_kept, verdict, statements }) => {
    const kept = id === null ? `not kept: ${orNothing(not_kept)}` : `kept as ${id}`;
    return foreignText(`${acceptedBut(verdict, openIn(statements))}; ${kept}`);
  },
  run: async (input, context) => {
    const { workspace, signal, progress } = context;
    const policy: GatePolicy = parsePolicy(input.policy, 'policy.json');
    const target = await sourceOf(workspace, input.target, input.target_text);
    const submission = await sourceOf(workspace, input.submission, input.submission_text);
    if (extname(target.path) !== extname(submission.path))
      throw new QuodError('invalid-input', 'Target and submission are files of different kinds.', {
        place: { file: input.submission },
      });
    progress({ message: 'The gate judges' });
    const files = [
      ...(input.target_text === undefined ? [{ name: input.target, source: target }] : []),
      ...(input.submission_text === undefined ? [{ name: input.submission, source: submission }] : []),
    ];
    const madeWith = await madeWithOf(context, files);
    const judgedAt = new Date();
    const verdict = await verify(target, submission, { policy, signal, inDetail: true });
    const judged = { target: judgedFile(target), submission: judgedFile(submission) };
    const report = reportOn({
      ...{ ...judged, policy, verdict, quodVersion: readPackageVersion(), judgedAt },
      elapsedMs: Date.now() - judgedAt.getTime(),
    });
    const kept = keptOrNot(workspace.root, {
      ...{ report, madeWith, target: judged.target.bytes, submission: judged.submission.bytes },
    });
    return { ...kept, ...verdictAnswer(verdict) };
  },
});

/** Whether a verdict can be compared later is nothing to keep it from being made. */
async function madeWithOf(
  context: OperationContext,
  files: readonly { readonly name: string; readonly source: JudgedSource }[],
): Promise<readonly MadeWith[] | undefined> {
  try {
    return await Promise.all(
      files.map(async ({ name, source }) => ({
        ...(await sourceMadeWith(context, name)),
        // Of what is judged, whatever stands there meanwhile.
        file_hash: sha256(judgedFile(source).bytes),
      })),
    );
  } catch (error) {
    if (error instanceof QuodError) return undefined;
    throw error;
  }
}

/** A verdict holds whether it can be kept or not. */
function keptOrNot(
  root: string,
  verdict: VerdictToKeep,
): { readonly id: string | null; readonly not_kept: string | null } {
  try {
    return { id: keepVerdict(root, verdict), not_kept: null };
  } catch (error) {
    if (error instanceof QuodError) return { id: null, not_kept: error.toString() };
    throw error;
  }
}

/** Of one name in a folder, on all systems that Quod runs on. */
const LONGEST_NAME_BYTES = 255;

async function sourceOf(workspace: Workspace, name: string, text: string | undefined): Promise<JudgedSource> {
  if (extname(name) === '.olean')
    throw new QuodError('unsupported', 'Compiled Lean modules are not judged here.', {
      place: { file: name },
      remedy: '`gate_verify` judges them.',
    });
  if (text === undefined) return await readJudgedFile(await workspace.resolve(name));
  // A name and no path: a text that was dropped comes from nowhere in the workspace.
  const own = basename(name);
  if (!/^[\p{L}_][\p{L}\p{N}_.'-]*\.[a-z]+$/u.test(own))
    throw new QuodError('invalid-input', `${JSON.stringify(own)} is no name of a source file.`, {
      remedy: 'Name it as the prover does: `Sorting.v`, `sortingScript.sml`, `Sorting.fst`, `Sorting.lean`.',
    });
  if (Buffer.byteLength(own) > LONGEST_NAME_BYTES)
    throw new QuodError('invalid-input', 'The name is longer than the system takes.', {
      remedy: `File names have up to ${LONGEST_NAME_BYTES} bytes.`,
    });
  return { path: join(workspace.root, own), text, bytes: Buffer.from(text) };
}

const keptFields = {
  id: z.string(),
  verdict: z.enum(['accepted', 'rejected', 'unknown']),
  target: z.string(),
  submission: z.string(),
  judged_at: z.string(),
  seconds: z.number(),
  statements: z.int(),
  open_statements: z
    .array(z.string())
    .describe('Statements that are open and that an accepted submission rests on.'),
  findings: z.int(),
};

const keptSchema = z.object(keptFields);

const gateHistory = defineOperation({
  name: 'gate_history',
  area: 'gate',
  title: 'Verdicts that are kept',
  summary: 'Lists the verdicts of `gate_submit` that are kept in the workspace, newest first.',
  input: z.object({ limit: z.int().positive().max(1000).default(100) }),
  output: z.object({
    verdicts: z.array(keptSchema),
    unreadable: z
      .array(z.object({ id: z.string(), why: z.string() }))
      .describe(
        'Those that cannot be shown, because something of them was changed or removed; newest first.',
      ),
    total: z.int(),
  }),
  annotations: READS,
  defaultTimeout: 60,
  render: ({ verdicts, unreadable }) =>
    [
      ...verdicts.map(({ id, verdict, target, submission, open_statements }) => {
        const judged = acceptedBut(verdict, open_statements).padEnd('accepted'.length);
        return `${id}  ${foreignText(judged)}  ${foreignName(submission)} for ${foreignName(target)}`;
      }),
      ...unreadable.map(({ id, why }) => `${foreignName(id)}  not shown: ${foreignText(why)}`),
    ]
      .sort()
      .reverse()
      .join('\n'),
  run: ({ limit }, { workspace }) => {
    const ids = listVerdicts(workspace.root);
    const verdicts: z.output<typeof keptSchema>[] = [];
    const unreadable: { id: string; why: string }[] = [];
    for (const id of ids.slice(0, limit)) {
      try {
        verdicts.push(keptOf(id, readVerdict(workspace.root, id).report));
      } catch (error) {
        // One that somebody changed is no reason not to list the others.
        if (!(error instanceof QuodError)) throw error;
        unreadable.push({ id, why: error.message });
      }
    }
    return Promise.resolve({ verdicts, unreadable, total: ids.length });
  },
});

function keptOf(id: string, report: VerdictReport): z.output<typeof keptSchema> {
  return {
    ...{ id, verdict: report.verdict, target: report.target.name, submission: report.submission.name },
    ...{ judged_at: report.judgedAt, seconds: report.elapsedMs / 1000 },
    ...{ statements: report.statements.length, open_statements: openIn(statementsOf(report)) },
    findings: report.findings.length,
  };
}

const gateKept = defineOperation({
  name: 'gate_kept',
  area: 'gate',
  title: 'A verdict that is kept',
  summary: 'Answers a kept verdict whole: its report, the signed report, the judged texts and the policy.',
  input: z.object({ id: z.string().describe('From `gate_submit` or `gate_history`.') }),
  output: z.object({
    ...keptFields,
    statements: z.array(printedStatementSchema),
    findings: verdictSchema.shape.findings,
    warnings: verdictSchema.shape.warnings,
    message: z.string().nullable().describe('Why it could not judge.'),
    target_text: z.string(),
    submission_text: z.string(),
    policy: z.string().describe('As it was read, with all limits, as JSON.'),
    report: z.string().describe('The report, as JSON.'),
    signed_report: z.string().describe('The report in a signed envelope (DSSE), for `gate_report`.'),
    public_key: z.string().describe('The file with the key to check it with.'),
    made_with: z
      .array(madeWithSchema)
      .nullable()
      .describe('With what target and submission were judged, where they are files; null: not known.'),
  }),
  annotations: READS,
  defaultTimeout: 60,
  positional: ['id'],
  render: ({ report }) => report,
  conclude: ({ verdict, open_statements }) => foreignText(acceptedBut(verdict, open_statements)),
  run: ({ id }, { workspace }) => {
    const { report, signed, target, submission, madeWith } = readVerdict(workspace.root, id);
    const { message, findings, warnings } = report;
    const { entries, limits } = report.policy;
    return Promise.resolve({
      ...keptOf(id, report),
      ...{ message, statements: statementsOf(report), findings, warnings },
      policy: JSON.stringify({ ...entries, limits }, undefined, 2),
      ...{ target_text: target, submission_text: submission },
      ...{ report: JSON.stringify(report, undefined, 2), signed_report: signed },
      public_key: workspace.nameOf(publicKeyFile(workspace.root)),
      made_with: madeWith === undefined ? null : [...madeWith],
    });
  },
});

const gatePolicy = defineOperation({
  name: 'gate_policy',
  area: 'gate',
  title: 'What a policy may say',
  summary: 'Checks the text of a policy, and lists the entries that there are with what each means.',
  input: z.object({
    policy: z.string().max(100_000).default('{}').describe('JSON, as a policy file has it.'),
  }),
  output: z.object({
    fault: z.string().nullable().describe('What is wrong with it; null: nothing.'),
    entries: z.array(z.object({ name: z.string(), meaning: z.string() })),
    flags: z.array(z.object({ name: z.string(), meaning: z.string() })),
    logic: z
      .array(z.object({ name: z.string(), meaning: z.string() }))
      .describe('Sets of well-known axioms.'),
  }),
  annotations: READS,
  defaultTimeout: 10,
  positional: ['policy'],
  render: ({ fault, entries }) =>
    [
      foreignText(fault ?? 'The policy is well formed.'),
      ...entries.map(({ name, meaning }) => `  ${name}: ${meaning}`),
    ].join('\n'),
  holds: ({ fault }) => fault === null,
  run: ({ policy }) =>
    Promise.resolve({
      fault: faultOf(policy),
      entries: Object.entries(policySchema.shape).map(([name, { description }]) => ({
        ...{ name, meaning: orNothing(description) },
      })),
      flags: Object.entries(KERNEL_FLAGS).map(([name, meaning]) => ({ name, meaning })),
      logic: AXIOM_SETS.map((name) => ({ name, meaning: meaningOf(name) })),
    }),
});

function faultOf(policy: string): string | null {
  try {
    parsePolicy(policy, 'policy.json');
    return null;
  } catch (error) {
    if (error instanceof QuodError) return error.message;
    throw error;
  }
}

export const SUBMIT_OPERATIONS = [gateSubmit, gateHistory, gateKept, gatePolicy] as const;
