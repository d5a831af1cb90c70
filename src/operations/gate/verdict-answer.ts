/** A verdict as operations answer it, whatever judged, and as people read it. */
import { z } from 'zod';
import { acceptedBut, restsOnAxiomsText, restsOnOpenText } from '../../core/rests-on.ts';
import { orNothing, orZero } from '../../core/entry.ts';
import { foreignName, foreignText } from '../../core/foreign-text.ts';
import { sayRemedies } from '../../core/remedies/run-remedies.ts';
import { isUnchecked } from '../../gate/rocq/judgement.ts';
import type { VerdictReport } from '../../gate/report.ts';
import type { Verdict } from '../../gate/verdict.ts';
import type { Saying } from '../definition/operation.ts';

const statementSchema = z.object({
  name: z.string(),
  assumptions: z.array(z.string()).describe('The axioms that it rests on.'),
  open_statements: z.array(z.string()).describe('Statements that are open and that it rests on.'),
});

/** As a report has it. */
export const printedStatementSchema = statementSchema.extend({
  printed: z.string().nullable().describe('The statement as the prover prints it.'),
  printed_grounds: z
    .array(z.object({ name: z.string(), printed: z.string() }))
    .describe('What the axioms and open statements that it rests on say, as the prover prints it.'),
});

export const verdictSchema = z.object({
  verdict: z.enum(['accepted', 'rejected', 'unknown']),
  statements: z.array(statementSchema),
  findings: z.array(
    z.object({
      kind: z.string(),
      message: z.string(),
      remedy: z.string(),
      subject: z.string().nullable(),
      file: z.string(),
      line: z.int().nullable(),
      column: z.int().nullable(),
    }),
  ),
  reason: z.string().nullable().describe('Why it could not judge.'),
  message: z.string().nullable(),
  warnings: z.array(z.object({ kind: z.string(), message: z.string() })),
  isolation: z.string().nullable().describe('In what foreign code was run: bubblewrap, unshare, or none.'),
  judged_by: z.string().nullable(),
  pinned_by: z
    .array(z.string())
    .describe('How it was made sure that the statements are those of the target.'),
  rechecked_by: z.string().nullable().describe('The separate checker that accepted what was compiled.'),
  target_sha256: z.string().nullable(),
  submission_sha256: z
    .string()
    .nullable()
    .describe('Both are of the texts that were judged: of a file without its byte order mark.'),
  seconds: z.number().nullable(),
});

export type VerdictAnswer = z.output<typeof verdictSchema>;

export function verdictAnswer(verdict: Verdict): VerdictAnswer {
  const restsOn = verdict.kind === 'unknown' ? undefined : verdict.restsOn;
  return {
    verdict: verdict.kind,
    statements:
      verdict.kind === 'accepted'
        ? verdict.statements.map(({ name, assumptions, openStatements }) => ({
            ...{ name, assumptions: [...assumptions], open_statements: [...openStatements] },
          }))
        : [],
    findings:
      verdict.kind === 'rejected'
        ? verdict.findings.map(({ kind, message, remedy, subject, file, position }) => ({
            ...{ kind, message, remedy, subject: subject ?? null, file },
            ...{ line: position?.line ?? null, column: position?.column ?? null },
          }))
        : [],
    reason: verdict.kind === 'unknown' ? verdict.reason : null,
    message: verdict.kind === 'unknown' ? verdict.message : null,
    warnings: [...(restsOn?.warnings ?? [])],
    isolation: restsOn?.isolation ?? null,
    judged_by: restsOn === undefined ? null : `${restsOn.prover} (${restsOn.backend})`,
    pinned_by: [...(restsOn?.pinnedBy ?? [])],
    rechecked_by: restsOn?.recheckedBy ?? null,
    target_sha256: restsOn?.targetSha256 ?? null,
    submission_sha256: restsOn?.submissionSha256 ?? null,
    seconds: restsOn === undefined ? null : restsOn.elapsedMs / 1000,
  };
}

export function statementsOf({
  statements,
}: Pick<VerdictReport, 'statements'>): z.output<typeof printedStatementSchema>[] {
  return statements.map(({ openStatements, printedGrounds, ...statement }) => ({
    ...statement,
    open_statements: openStatements,
    printed_grounds: printedGrounds,
  }));
}

/** All that an accepted submission rests on and that is open, each once. */
export function openIn(statements: VerdictAnswer['statements']): string[] {
  return [...new Set(statements.flatMap(({ open_statements }) => open_statements))];
}

export function verdictText(answer: VerdictAnswer, say: Saying = (words) => words): string {
  const warnings = warningLines(answer.warnings, say);
  switch (answer.verdict) {
    case 'accepted':
      return [
        foreignText(acceptedBut(answer.verdict, openIn(answer.statements))),
        ...answer.statements.map(
          ({ name, assumptions, open_statements }) =>
            `  ${foreignName(name)}: ${foreignText(whatItRestsOn(assumptions, open_statements))}`,
        ),
        `  judged by ${orNothing(answer.judged_by)}`,
        ...(answer.rechecked_by === null ? [] : [`  checked again by ${answer.rechecked_by}`]),
        ...warnings,
      ].join('\n');
    case 'rejected':
      return [
        answer.verdict,
        ...answer.findings.map(({ kind, file, line, column, message, remedy }, index) => {
          const called = foreignName(file);
          const place = line === null ? called : `${called}:${line}:${orZero(column)}`;
          const found = `  ${place}: ${foreignText(message)} [${kind}]`;
          // Behind the last of several that ask for the same it is said once.
          const isSaidBelow = answer.findings[index + 1]?.remedy === remedy;
          return isSaidBelow ? found : `${found}\n    ${foreignText(say(remedy))}`;
        }),
        ...warnings,
      ].join('\n');
    case 'unknown':
      return `${answer.verdict}: ${foreignText(sayRemedies(orNothing(answer.message), say))} [${orNothing(answer.reason)}]`;
  }
}

export function warningLines(warnings: VerdictAnswer['warnings'], say: Saying): readonly string[] {
  return warnings.map(
    ({ kind, message }) => `  warning: ${foreignText(sayRemedies(message, say))} [${kind}]`,
  );
}

export function whatItRestsOn(assumptions: readonly string[], open: readonly string[]): string {
  const axioms = assumptions.filter((name) => !isUnchecked(name));
  // Rocq says these as sentences.
  const unchecked = assumptions.filter(isUnchecked).map((sentence) => sentence.replace(/\.$/u, ''));
  const named = [
    ...(axioms.length === 0 ? [] : [axioms.join(', ')]),
    ...(unchecked.length === 0 ? [] : [`what was not checked: ${unchecked.join(', ')}`]),
  ];
  const rests = restsOnAxiomsText(named, ', and on ');
  return open.length === 0 ? rests : `${restsOnOpenText(open)}; ${rests}`;
}

/** What an accepted proof rests on besides what is open, and what the verdict says against itself. */
export interface TellableGrounds {
  readonly axioms: readonly string[];
  readonly warnings: readonly string[];
}

/** Each told once. */
export function groundsTexts({ axioms, warnings }: TellableGrounds, say: Saying): readonly string[] {
  return [
    ...(axioms.length === 0 ? [] : [whatItRestsOn(axioms, [])]),
    ...warnings
      .filter((text) => !axioms.some((name) => text.endsWith(name)))
      .map((text) => `warning: ${sayRemedies(text, say)}`),
  ];
}
