/**
 * The report on a verdict: everything that somebody who was not there needs to repeat it or to tell it from
 * another. It is data in JSON with a fixed form (`reportSchema`), so that it can be kept, compared and signed
 * (signed-report.ts).
 */
import { arch, platform, release } from 'node:os';
import { basename } from 'node:path';
import { z } from 'zod';
import { BYTE_ORDER_MARK } from '../process/foreign-folder/byte-order-mark.ts';
import { QuodError } from '../core/errors.ts';
import { sha256 } from '../core/sha256.ts';
import { DEFAULT_LIMITS, type GatePolicy } from './policy.ts';
import type { RestsOn, Verdict } from './verdict.ts';

const REPORT_FORMAT = 'quod-verdict-report/1';

const fileSchema = z.object({
  name: z.string(),
  bytes: z.int(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const reportSchema = z.object({
  format: z.literal(REPORT_FORMAT),
  verdict: z.enum(['accepted', 'rejected', 'unknown']),
  /** Why nothing may be concluded, when nothing may. */
  reason: z.string().nullable(),
  message: z.string().nullable(),
  target: fileSchema,
  submission: fileSchema,
  policy: z.object({
    /** The file, when one was given. */
    file: fileSchema.nullable(),
    /** As it was read; what it leaves open is the default of this version of Quod. */
    entries: z.record(z.string(), z.unknown()),
    limits: z.record(z.string(), z.number()),
  }),
  statements: z.array(
    z.object({
      name: z.string(),
      printed: z.string().nullable(),
      assumptions: z.array(z.string()),
      /** Statements that are open and that its proof rests on. */
      openStatements: z.array(z.string()),
      /** What each of these says, as the prover prints it, where it does. */
      printedGrounds: z.array(z.object({ name: z.string(), printed: z.string() })).default([]),
    }),
  ),
  findings: z.array(
    z.object({
      kind: z.string(),
      file: z.string(),
      line: z.int().nullable(),
      column: z.int().nullable(),
      subject: z.string().nullable(),
      message: z.string(),
      remedy: z.string(),
    }),
  ),
  warnings: z.array(z.object({ kind: z.string(), message: z.string() })),
  /** What judged: prover, backend, how statements were pinned, sandbox, hashes of compiled files, of libraries and of what is taken in. */
  restsOn: z.record(z.string(), z.unknown()).nullable(),
  quod: z.object({ version: z.string(), node: z.string(), system: z.string() }),
  judgedAt: z.iso.datetime(),
  elapsedMs: z.int(),
});

export type VerdictReport = z.output<typeof reportSchema>;

/** What was read and judged: never what the path holds later. */
export interface JudgedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface ReportRequest {
  readonly target: JudgedFile;
  readonly submission: JudgedFile;
  readonly policy: GatePolicy;
  readonly policyFile?: JudgedFile;
  readonly verdict: Verdict;
  readonly quodVersion: string;
  readonly judgedAt: Date;
  readonly elapsedMs: number;
}

/** @throws QuodError `file-changed` when the verdict is on other bytes than those of the request. */
export function reportOn(request: ReportRequest): VerdictReport {
  const { verdict, policy, policyFile } = request;
  const { limits, ...entries } = policy;
  if (verdict.kind !== 'unknown') {
    checkJudged(request.target, verdict.restsOn.targetSha256);
    checkJudged(request.submission, verdict.restsOn.submissionSha256);
  }
  return {
    format: REPORT_FORMAT,
    verdict: verdict.kind,
    reason: verdict.kind === 'unknown' ? verdict.reason : null,
    message: verdict.kind === 'unknown' ? verdict.message : null,
    target: describeFile(request.target),
    submission: describeFile(request.submission),
    policy: {
      file: policyFile === undefined ? null : describeFile(policyFile),
      entries,
      limits: { ...DEFAULT_LIMITS, ...present(limits ?? {}) },
    },
    statements:
      verdict.kind === 'accepted'
        ? verdict.statements.map(({ name, printed, assumptions, openStatements, printedGrounds = [] }) => ({
            name,
            printed: printed ?? null,
            assumptions: [...assumptions],
            openStatements: [...openStatements],
            printedGrounds: printedGrounds.map((ground) => ({ ...ground })),
          }))
        : [],
    findings:
      verdict.kind === 'rejected'
        ? verdict.findings.map(({ kind, file, position, subject, message, remedy }) => ({
            kind,
            file: basename(file),
            line: position?.line ?? null,
            column: position?.column ?? null,
            subject: subject ?? null,
            message,
            remedy,
          }))
        : [],
    warnings: verdict.kind === 'unknown' ? [] : [...(verdict.restsOn.warnings ?? [])],
    restsOn: verdict.kind === 'unknown' ? null : withoutWarnings(verdict.restsOn),
    quod: {
      version: request.quodVersion,
      node: process.version,
      system: `${platform()} ${release()} ${arch()}`,
    },
    judgedAt: request.judgedAt.toISOString(),
    elapsedMs: request.elapsedMs,
  };
}

export function reportText(report: VerdictReport): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function checkJudged({ path, bytes }: JudgedFile, judged: string): void {
  // A judge has the text without a byte order mark.
  const mark = Buffer.from(BYTE_ORDER_MARK);
  const isMarked = mark.equals(bytes.subarray(0, mark.length));
  if (judged === sha256(isMarked ? bytes.subarray(mark.length) : bytes) || judged === sha256(bytes)) return;
  throw new QuodError('file-changed', 'The file changed while it was judged: no report can be made on it.', {
    place: { file: path },
    remedy: 'Judge it again when nobody writes to it.',
  });
}

function describeFile({ path, bytes }: JudgedFile): z.output<typeof fileSchema> {
  return {
    name: basename(path),
    bytes: bytes.length,
    sha256: sha256(bytes),
  };
}

function withoutWarnings(restsOn: RestsOn): Record<string, unknown> {
  return Object.fromEntries(Object.entries(restsOn).filter(([name]) => name !== 'warnings'));
}

function present(limits: Readonly<Record<string, number | undefined>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(limits).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}
