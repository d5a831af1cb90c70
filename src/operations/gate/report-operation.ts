/** Who signed the report on a verdict, and whether it is about the files at hand. */
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { orNothing, orZero } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { foreignName, foreignText } from '../../core/foreign-text.ts';
import { acceptedBut } from '../../core/rests-on.ts';
import { unreadableFile } from '../../process/foreign-folder/unreadable-file.ts';
import { checkAttestation, readPublicKey } from '../../gate/signed-report.ts';
import { reportSchema } from '../../gate/report.ts';
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
    'The command ends with 0 when the report attests that the submission was accepted, and that no proof rests on a statement that is open. `openssl genpkey -algorithm ed25519 -out key.pem` makes a key to sign with, `openssl pkey -in key.pem -pubout -out pub.pem` the public one.',
  input: z.object({
    file: z.string().describe('The signed report, `FILE.dsse.json`.'),
    key: z
      .string()
      .describe('The public key of the one who judged: a file (PEM), or what such a file holds.'),
    target: z.string().nullable().default(null).describe('The target that it must be about.'),
    submission: z.string().nullable().default(null).describe('The submission that it must be about.'),
  }),
  output: outputSchema,
  annotations: READS,
  defaultTimeout: 60,
  positional: ['file'],
  render: reportText,
  conclude: ({ genuine, message }) => (genuine ? '' : foreignText(message ?? 'It is not genuine.')),
  run: async (input, { workspace }) => {
    const key = await publicKey(input.key, workspace);
    const checked = checkAttestation((await bytesOf(input.file, workspace)).toString('utf8'), key);
    if (checked.status === 'bad') return refused(`${input.file}: ${checked.message}`);
    const { report, keyid } = checked;
    for (const role of ['target', 'submission'] as const) {
      const given = input[role];
      if (given !== null && sha256(await bytesOf(given, workspace)) !== report[role].sha256)
        return refused(
          `${given}: It is not the ${role} of the report, whose SHA-256 is ${report[role].sha256}.`,
        );
    }
    const { verdict, message, findings, warnings, target, submission, judgedAt, quod } = report;
    const statements = statementsOf(report);
    const policy = Object.entries(report.policy.entries).map(
      ([entry, value]) => `${entry} = ${JSON.stringify(value)}`,
    );
    return {
      ...{ genuine: true, message, key: keyid, verdict, statements, findings, warnings, target, submission },
      ...{ policy, judged_at: judgedAt, quod: quod.version },
    };
  },
});

function refused(message: string): Checked {
  return {
    ...{ genuine: false, message, key: null, verdict: null, statements: [], findings: [], warnings: [] },
    ...{ policy: [], target: null, submission: null, judged_at: null, quod: null },
  };
}

function reportText(report: Checked, say: Saying): string {
  const { verdict, target, submission, judged_at, quod, key } = report;
  if (verdict === null || target === null || submission === null) return '';
  return [
    foreignText(acceptedBut(verdict, openIn(report.statements))),
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
    ...report.policy.map((entry) => `  policy: ${foreignText(entry)}`),
    `  target ${foreignName(target.name)} ${target.sha256}`,
    `  submission ${foreignName(submission.name)} ${submission.sha256}`,
    `  judged at ${orNothing(judged_at)} by Quod ${orNothing(quod)}, signed with ${orNothing(key)}`,
  ].join('\n');
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
