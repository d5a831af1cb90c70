/** `--report` and `--attest` of `quod verify`: what is kept of a verdict. `quod report` checks it. */
import { foreignName } from '../../../core/foreign-text.ts';
import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { QuodError } from '../../../core/errors.ts';
import { unreadableFile, unwritableFile } from '../../../process/foreign-folder/unreadable-file.ts';
import { attest, envelopeSchema, KEY_REMEDY, readPrivateKey } from '../../../gate/signed-report.ts';
import type { GatePolicy, PolicyFile } from '../../../gate/policy.ts';
import { reportOn, reportSchema, reportText } from '../../../gate/report.ts';
import type { Verdict } from '../../../gate/verdict.ts';
import { judgedFile, type JudgedSource } from '../../../operations/files/judged-file.ts';
import { readPackageVersion } from '../../../core/installed-package.ts';

export interface ReportOptions {
  readonly policy?: string;
  readonly report?: string;
  readonly attest?: string;
}

export interface JudgedPair {
  readonly target: JudgedSource;
  readonly submission: JudgedSource;
  readonly policy: GatePolicy;
  readonly policyFile: PolicyFile | undefined;
  readonly verdict: Verdict;
  readonly startedAt: Date;
}

/** Refuses what could not be done in the end before anything is judged. @throws QuodError */
export function checkReportOptions({ report, attest: key }: ReportOptions): void {
  if (report !== undefined) {
    mayBeReplaced(report, reportSchema);
    mayBeReplaced(attestationOf(report), envelopeSchema);
  }
  if (key === undefined) return;
  if (report === undefined)
    throw new QuodError('invalid-input', '--attest signs a report: say with --report where it goes.');
  readPrivateKey(keyBytes(key), key);
}

/** Writes the report, and beside it its attestation, `FILE.dsse.json`, in the place of an earlier one, which is of another verdict. @throws QuodError `file-unreadable`, `file-changed`. */
export function keepReport(options: ReportOptions, pair: JudgedPair): void {
  if (options.report === undefined) return;
  const { target, submission, policy, policyFile, verdict } = pair;
  const report = reportOn({
    ...{ target: judgedFile(target), submission: judgedFile(submission), policy, verdict },
    ...(policyFile !== undefined && { policyFile }),
    quodVersion: readPackageVersion(),
    judgedAt: pair.startedAt,
    elapsedMs: Date.now() - pair.startedAt.getTime(),
  });
  const signed = attestationOf(options.report);
  remove(signed);
  write(options.report, reportText(report));
  if (options.attest === undefined) {
    console.error(`Report: ${foreignName(options.report)}`);
    return;
  }
  write(signed, attest(report, readPrivateKey(keyBytes(options.attest), options.attest)));
  console.error(
    `Signed report: ${foreignName(signed)}; check with \`quod report ${foreignName(signed)} --key PUBLIC_KEY.pem\`, whose help says how that is made`,
  );
}

function attestationOf(report: string): string {
  return `${report}.dsse.json`;
}

/** A report takes the place of an earlier one or an empty file, and of nothing else: not of the target, nor of another file. */
function mayBeReplaced(path: string, ours: z.ZodType): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.size === 0) return;
  try {
    if (ours.safeParse(JSON.parse(readFileSync(path, 'utf8'))).success) return;
  } catch {
    // What cannot be read or is no JSON is not a report either.
  }
  throw new QuodError('invalid-input', 'What stands in the place of the report is no report of Quod.', {
    place: { file: resolve(path) },
    remedy: 'Name another file with --report, or delete this one first.',
  });
}

function keyBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadableFile(path, error, { what: 'The key', ifMissing: `Check the path. ${KEY_REMEDY}` });
  }
}

/** At once: on a full disk there is no part of a report, which would not be known for one. */
function write(path: string, text: string): void {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) {
      writeFileSync(path, text);
      return;
    }
    const place = found === undefined ? path : realpathSync(path);
    const fresh = `${place}.${process.pid}.new`;
    try {
      writeFileSync(fresh, text, { flag: 'wx', ...(found && { mode: found.mode }) });
      renameSync(fresh, place);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    }
  } catch (error) {
    throw unwritableFile(resolve(path), error, { what: 'The report' });
  }
}

function remove(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) rmSync(path);
  } catch (error) {
    throw unwritableFile(resolve(path), error, { what: 'The signed report of an earlier verdict' });
  }
}
