/** Who signed the report on a verdict, and whether it is about the files at hand. */
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { orNothing, orZero } from '../../core/entry.ts';
import { someOf } from '../../core/counted.ts';
import { QuodError } from '../../core/errors.ts';
import { foreignName, foreignText } from '../../core/foreign-text.ts';
import { acceptedBut } from '../../core/rests-on.ts';
import { unreadableFile } from '../../process/foreign-folder/unreadable-file.ts';
import { compareWithDisk } from '../../gate/inputs/compare-with-disk.ts';
import { checkAttestation, readPublicKey } from '../../gate/signed-report.ts';
import { reportSchema } from '../../gate/report.ts';
import { nativeJudge } from '../../gate/verify.ts';
import type { SourceText } from '../../gate/verdict.ts';
import { sha256 } from '../../core/sha256.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../process/foreign-folder/regular-file.ts';
import { READS, defineOperation, type Saying } from '../definition/operation.ts';
import { publicKeyFile } from './stored-verdicts.ts';
import {
  openIn,
  printedStatementSchema,
  statementsOf,
  warningLines,
  whatItRestsOn,
} from './verdict-answer.ts';
import type { Workspace } from '../definition/workspace.ts';

const fileSchema = z.object({ name: z.string(), bytes: z.int(), sha256: z.string() });

const differenceSchema = z.object({ name: z.string(), why: z.string() });

const outputSchema = z.object({
  genuine: z.boolean().describe('The holder of the key signed this report, and it is about the files given.'),
  message: z.string().nullable().describe('Why it is not, or why the judge could not judge.'),
  key: z.string().nullable().describe('The name of the key that signed.'),
  verdict: z.enum(['accepted', 'rejected', 'unknown']).nullable().describe('null: not genuine.'),
  statements: z.array(printedStatementSchema),
  findings: reportSchema.shape.findings,
  warnings: reportSchema.shape.warnings,
  policy: z
    .array(z.string())
    .describe('What the policy asked for and allowed where it says other than the default: `ENTRY = VALUE`.'),
  target: fileSchema.nullable(),
  submission: fileSchema.nullable(),
  changed: z
    .array(differenceSchema)
    .describe(
      'What the report names besides (files that target and submission take in, libraries, options of the project) and that is another one on the disk now.',
    ),
  not_compared: z.array(differenceSchema).describe('Of that, what was not compared with the disk, and why.'),
  judged_at: z.string().nullable(),
  quod: z.string().nullable().describe('The version that judged.'),
});

type Checked = z.output<typeof outputSchema>;

export const gateReport = defineOperation({
  name: 'gate_report',
  area: 'gate',
  title: 'Check a signed report',
  summary: 'Checks who signed a report of the gate, and that it is about these files.',
  details:
    'The command ends with 0 when the report attests that the submission was accepted, that no proof rests on a statement that is open, and nothing that was compared is another one now (`changed`). What was not compared is told (`not_compared`), and counts for nothing. `openssl genpkey -algorithm ed25519 -out key.pem` makes a key to sign with, `openssl pkey -in key.pem -pubout -out pub.pem` the public one.',
  input: z.object({
    file: z.string().describe('The signed report, `FILE.dsse.json`.'),
    key: z
      .string()
      .describe('The public key of the one who judged: a file (PEM), or what such a file holds.'),
    target: z
      .string()
      .nullable()
      .default(null)
      .describe(
        'The target that it must be about. With it, what the report names besides is compared with what the disk has now.',
      ),
    submission: z.string().nullable().default(null).describe('The submission that it must be about.'),
  }),
  output: outputSchema,
  annotations: READS,
  defaultTimeout: 60,
  positional: ['file'],
  render: reportText,
  conclude: ({ genuine, message }) => (genuine ? '' : foreignText(message ?? 'It is not genuine.')),
  holds: ({ verdict, statements, changed }) =>
    verdict === 'unknown'
      ? undefined
      : verdict === 'accepted' && openIn(statements).length === 0 && changed.length === 0,
  run: async (input, { workspace }) => {
    const key = await publicKey(input.key, workspace);
    const checked = checkAttestation((await bytesOf(input.file, workspace)).toString('utf8'), key);
    if (checked.status === 'bad') return refused(`${input.file}: ${checked.message}`);
    const { report, keyid } = checked;
    const given: { target?: SourceText; submission?: SourceText } = {};
    for (const role of ['target', 'submission'] as const) {
      const name = input[role];
      if (name === null) continue;
      const bytes = await bytesOf(name, workspace);
      if (sha256(bytes) !== report[role].sha256)
        return refused(
          `${name}: It is not the ${role} of the report, whose SHA-256 is ${report[role].sha256}.`,
        );
      given[role] = { path: await workspace.resolve(name), text: bytes.toString('utf8') };
    }
    const backend = nativeJudge();
    const { changed, notCompared } = await compareWithDisk(report, { ...given, ...(backend && { backend }) });
    const { verdict, message, findings, warnings, target, submission, judgedAt, quod } = report;
    const statements = statementsOf(report);
    const policy = Object.entries(report.policy.entries).map(
      ([entry, value]) => `${entry} = ${JSON.stringify(value)}`,
    );
    return {
      ...{ genuine: true, message, key: keyid, verdict, statements, findings, warnings, target, submission },
      ...{ policy, changed: [...changed], not_compared: [...notCompared] },
      ...{ judged_at: judgedAt, quod: quod.version },
    };
  },
});

function refused(message: string): Checked {
  return {
    ...{ genuine: false, message, key: null, verdict: null, statements: [], findings: [], warnings: [] },
    ...{
      policy: [],
      changed: [],
      not_compared: [],
      target: null,
      submission: null,
      judged_at: null,
      quod: null,
    },
  };
}

function reportText(report: Checked, say: Saying): string {
  const { verdict, target, submission, judged_at, quod, key } = report;
  if (verdict === null || target === null || submission === null) return '';
  return [
    foreignText(verdictNow(report)),
    ...report.statements.map(
      ({ name, assumptions, open_statements }) =>
        `  ${foreignName(name)}: ${foreignText(whatItRestsOn(assumptions, open_statements))}`,
    ),
    ...report.findings.map(({ file, line, column, message, kind }) => {
      const called = foreignName(file);
      const place = line === null ? called : `${called}:${line}:${orZero(column)}`;
      return `  ${place}: ${foreignText(message)} [${kind}]`;
    }),
    ...warningLines(report.warnings, say),
    ...report.changed.map(({ name, why }) => `  changed since: ${foreignName(name)}: ${foreignText(why)}`),
    ...[...Map.groupBy(report.not_compared, ({ why }) => why)].map(
      ([why, those]) =>
        `  not compared: ${someOf(those.map(({ name }) => foreignName(name)))}: ${foreignText(say(why))}`,
    ),
    ...report.policy.map((entry) => `  policy: ${foreignText(entry)}`),
    `  target ${foreignName(target.name)} ${target.sha256}`,
    `  submission ${foreignName(submission.name)} ${submission.sha256}`,
    `  judged at ${orNothing(judged_at)} by Quod ${orNothing(quod)}, signed with ${orNothing(key)}`,
  ].join('\n');
}

/** What was judged, in a word, or in more where it is not what is here. */
function verdictNow({ verdict, statements, changed }: Checked): string {
  const said = acceptedBut(orNothing(verdict), openIn(statements));
  const names = someOf(changed.map(({ name }) => name));
  return changed.length === 0 ? said : `${said}, of what is another one now: ${names}`;
}

/** @param given a file, or what such a file holds. The key that gate_kept names is the one file of Quod's own that is for everybody. */
async function publicKey(given: string, workspace: Workspace): Promise<KeyObject> {
  if (given.includes('-----BEGIN ')) return readPublicKey(given, 'the key that was given');
  const own = publicKeyFile(workspace.root);
  const isOwn = resolve(workspace.root, given) === own && existsSync(own);
  return readPublicKey(isOwn ? await readRegularFile(own) : await bytesOf(given, workspace), given);
}

async function bytesOf(name: string, workspace: Workspace): Promise<Buffer> {
  try {
    return await readRegularFile(await workspace.resolve(name), LARGEST_WRITTEN_BYTES);
  } catch (cause) {
    if (cause instanceof QuodError) throw cause;
    throw unreadableFile(name, cause);
  }
}
