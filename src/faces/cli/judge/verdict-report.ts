/** `--report` and `--attest` of `quod verify`: what is kept of a verdict, and `quod report`, which checks it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sha256 } from '../../../gate/sha256.ts';
import { QuodError, errorText } from '../../../core/errors.ts';
import { attest, checkAttestation, readPrivateKey, readPublicKey } from '../../../gate/attestation.ts';
import type { GatePolicy } from '../../../gate/policy.ts';
import { reportOn, reportText, type VerdictReport } from '../../../gate/report.ts';
import type { Verdict } from '../../../gate/verdict.ts';
import { readPackageVersion } from '../../package-version.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';

export interface ReportOptions {
  readonly policy?: string;
  readonly report?: string;
  readonly attest?: string;
}

export interface JudgedPair {
  readonly target: string;
  readonly submission: string;
  readonly policy: GatePolicy;
  readonly verdict: Verdict;
  readonly startedAt: Date;
}

/** Refuses what could not be done in the end before anything is judged. @throws QuodError */
export function checkReportOptions({ report, attest: key }: ReportOptions): void {
  if (key === undefined) return;
  if (report === undefined)
    throw new QuodError('invalid-input', '--attest signs a report: say with --report where it goes.');
  readPrivateKey(bytesOf(key), key);
}

/** Writes the report, and beside it its attestation, `FILE.dsse.json`. @throws QuodError `file-unreadable`. */
export function keepReport(options: ReportOptions, pair: JudgedPair): void {
  if (options.report === undefined) return;
  const file = (path: string) => ({ path, bytes: bytesOf(path) });
  const report = reportOn({
    target: file(pair.target),
    submission: file(pair.submission),
    policy: pair.policy,
    ...(options.policy !== undefined && { policyFile: file(options.policy) }),
    verdict: pair.verdict,
    quodVersion: readPackageVersion(),
    judgedAt: pair.startedAt,
    elapsedMs: Date.now() - pair.startedAt.getTime(),
  });
  write(options.report, reportText(report));
  if (options.attest !== undefined)
    write(
      `${options.report}.dsse.json`,
      attest(report, readPrivateKey(bytesOf(options.attest), options.attest)),
    );
}

export interface CheckReportOptions {
  readonly key: string;
  readonly target?: string;
  readonly submission?: string;
  readonly json?: boolean;
}

/** `quod report`: 0 when the holder of the key attests that the submission was accepted, 1 when not. */
export function reportCommand(path: string, options: CheckReportOptions): ExitCode {
  const key = readPublicKey(bytesOf(options.key), options.key);
  const checked = checkAttestation(bytesOf(path).toString('utf8'), key);
  if (checked.status === 'bad') {
    console.error(`quod: ${path}: ${checked.message}`);
    return 1;
  }
  const { report, keyid } = checked;
  for (const role of ['target', 'submission'] as const) {
    const given = options[role];
    if (given !== undefined && sha256(bytesOf(given)) !== report[role].sha256) {
      console.error(
        `quod: ${given}: It is not the ${role} of the report, whose SHA-256 is ${report[role].sha256}.`,
      );
      return 1;
    }
  }
  console.log(options.json === true ? reportText(report).trimEnd() : summary(report, keyid));
  return report.verdict === 'accepted' ? 0 : report.verdict === 'rejected' ? 1 : 2;
}

function summary(report: VerdictReport, keyid: string): string {
  return [
    report.verdict,
    ...report.statements.map(({ name, printed, assumptions }) => {
      const rests = assumptions.length === 0 ? 'no axiom' : assumptions.join(', ');
      return `  ${printed ?? name}: rests on ${rests}`;
    }),
    ...report.findings.map(({ file, line, column, message, kind }) => {
      const place = line === null ? file : `${file}:${line}:${column ?? 0}`;
      return `  ${place}: ${message} [${kind}]`;
    }),
    ...report.warnings.map(({ kind, message }) => `  warning: ${message} [${kind}]`),
    `  target ${report.target.name} ${report.target.sha256}`,
    `  submission ${report.submission.name} ${report.submission.sha256}`,
    `  judged at ${report.judgedAt} by Quod ${report.quod.version}, signed with ${keyid}`,
  ].join('\n');
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new QuodError('not-found', `It cannot be read: ${errorText(error)}.`, {
      place: { file: path },
      cause: error,
    });
  }
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new QuodError('file-unreadable', `The report cannot be written: ${errorText(error)}.`, {
      place: { file: resolve(path) },
      cause: error,
    });
  }
}
