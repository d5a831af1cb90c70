/** What a checked F* file does not say about itself. */
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { orZero } from '../../core/entry.ts';
import { LineIndex } from '../../core/position.ts';
import { appendAll } from '../../core/lists/many.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { auditFile, withoutUnsafeOptions } from '../../provers/fstar/audit/audit-file.ts';
import { locateFstar } from '../../provers/fstar/discovery.ts';
import { runDeclarations, type DeclarationRun } from '../../provers/fstar/measure/run-declarations.ts';
import { findFstarProject } from '../../provers/fstar/project.ts';
import { defineOperation } from '../definition/operation.ts';
import { auditedRuns, type AuditedRuns } from './audited-runs.ts';
import { sourcePath } from './session-operations.ts';
import { launchOf } from './fstar-workbench.ts';
import { declarationTimeout } from './report-schemas.ts';

const findingSchema = z.object({
  file: z.string(),
  line: z.int().nullable().describe('From 1; null when it stands in no text.'),
  column: z.int().nullable(),
  kind: z.string(),
  severity: z
    .enum(['unsound', 'suspicious', 'unknown'])
    .describe('`unsound`: a false statement can pass by it. `unknown`: Quod cannot see what it does.'),
  text: z.string(),
  explanation: z.string(),
  declaration: z.string().nullable(),
  affects: z.array(z.string()).describe('The declarations that an option weakens.'),
});

const NOT_JUDGED = ['not-asked', 'no-fstar'] as const;

type NotJudged = (typeof NOT_JUDGED)[number];

const NOT_JUDGED_TEXTS: Readonly<Record<NotJudged, string>> = {
  'not-asked': 'It was not asked for.',
  'no-fstar': 'There is no F* on this machine.',
};

export const fstarAudit = defineOperation({
  name: 'fstar_audit',
  area: 'fstar',
  title: 'Audit an F* file',
  summary: 'Lists everything by which something false could have passed in a file and in what it depends on.',
  details:
    'F* answers success for `admit`, `assume`, `magic`, unsafe options, silenced errors and a `val` without a definition. ' +
    'The audit reads the code of the file, of its interface and of the project files that it names (not F*’s own library). ' +
    'With `judge`, and an F*, the file is also run with its unsafe options taken out: what fails then, they had hidden.',
  input: z.object({
    file_path: z.string().describe('A `.fst` or `.fsti` file.'),
    judge: z
      .boolean()
      .default(true)
      .describe('Also run F*, to tell what unsafe options hide and what F* itself reports.'),
    declaration_timeout: declarationTimeout,
  }),
  output: z.object({
    verdict: z
      .enum(['clean', 'suspicious', 'unsound'])
      .describe('The worst of the findings; `clean` when there is none that is more than `unknown`.'),
    findings: z.array(findingSchema),
    hidden_failures: z
      .array(z.string())
      .describe('Declarations that fail when unsafe options are taken out: by effect, not by text.'),
    failing: z.array(z.string()).describe('Declarations that fail as they stand.'),
    cut_off: z
      .array(z.string())
      .describe('Declarations for which the time was over, as they stand or without unsafe options.'),
    judged: z.boolean().describe('False when F* was not run: then nothing is known of what fails.'),
    not_judged: z
      .enum(NOT_JUDGED)
      .nullable()
      .describe('Why not: it was not asked for, or this machine has no F*; null: it was run.'),
    not_judged_because: z.string().nullable().describe('The same, for people.'),
    files: z.array(z.string()).describe('The files whose text was read.'),
    dependencies: z.array(
      z.object({
        module: z.string(),
        file: z.string().nullable(),
        checked: z.enum(['fresh', 'stale', 'missing', 'library']),
      }),
    ),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 1200,
  positional: ['file_path'],
  holds: ({ verdict, failing, cut_off, not_judged }) => {
    if (verdict === 'unsound' || failing.length > 0) return false;
    const isCutOff = cut_off.length > 0 || not_judged === 'no-fstar';
    return isCutOff ? undefined : true;
  },
  render: (output) =>
    [
      `${output.verdict}: ${counted(output.findings.length, 'finding')} in ${counted(output.files.length, 'file')}`,
      ...output.findings.map(({ file, line, column, severity, text, explanation }) => {
        return `${file}${line === null ? '' : `:${line}:${orZero(column)}`}: ${severity}: ${text}. ${explanation}`;
      }),
      ...output.hidden_failures.map((name) => `${name} fails when unsafe options are taken out`),
      ...output.failing.map((name) => `${name} fails as it stands`),
      ...output.cut_off.map((name) => `${name}: the time was over`),
      ...(output.not_judged_because === null
        ? []
        : [`Not judged by running F*: ${output.not_judged_because}`]),
    ].join('\n'),
  run: async ({ file_path, judge, declaration_timeout }, context) => {
    const file = await sourcePath(file_path, context);
    const text = await readRegularText(file);
    const project = await findFstarProject(file, {}, context.workspace.root);
    const installed = locateFstar();
    const library = installed === undefined ? null : join(dirname(dirname(installed)), 'ulib');
    const audit = await auditFile(file, text, {
      folder: project.folder,
      includeFolders: project.includeFolders,
      options: project.options,
      library,
    });
    const indexes = new Map([...audit.texts].map(([path, own]) => [path, new LineIndex(own)]));
    const findings: z.input<typeof findingSchema>[] = audit.escapes.map((escape) => {
      const place = escape.span && indexes.get(escape.file)?.printedAt(escape.span.start);
      return {
        file: context.workspace.nameOf(escape.file),
        line: place?.line ?? null,
        column: place?.column ?? null,
        kind: escape.kind,
        severity: escape.severity,
        text: escape.text,
        explanation: escape.explanation,
        declaration: escape.declaration,
        affects: [...escape.affects],
      };
    });
    // Options in there may weaken what is checked.
    if (project.withheld !== null)
      findings.push({
        ...{ file: context.workspace.nameOf(file), line: null, column: null, kind: 'settings-not-read' },
        ...{ severity: 'suspicious', text: 'Makefile', explanation: project.withheld },
        ...{ declaration: null, affects: [] },
      });

    let told: AuditedRuns = { failing: [], hidden: [], cutOff: [] };
    const notJudged = whyNotJudged(judge, installed !== undefined);
    if (notJudged === null) {
      const launch = await launchOf(file, context);
      const options = {
        signal: context.signal,
        timeoutMs: declaration_timeout * 1000,
        onProgress: (done: number, total: number) => context.progress({ message: 'Checking', done, total }),
      };
      const asItStands = await runDeclarations(launch, text, options);
      appendAll(findings, reported(asItStands, context.workspace.nameOf(file)));
      const safe = withoutUnsafeOptions(text);
      told = auditedRuns(asItStands, safe === undefined ? [] : await runDeclarations(launch, safe, options));
    }
    const severities = new Set(findings.map(({ severity }) => severity));
    const unsound = severities.has('unsound') || told.hidden.length > 0;
    return {
      verdict: unsound
        ? ('unsound' as const)
        : severities.has('suspicious')
          ? ('suspicious' as const)
          : ('clean' as const),
      findings,
      hidden_failures: [...told.hidden],
      failing: [...told.failing],
      cut_off: [...told.cutOff],
      judged: notJudged === null,
      not_judged: notJudged,
      not_judged_because: notJudged === null ? null : NOT_JUDGED_TEXTS[notJudged],
      files: [...audit.texts.keys()].map((path) => context.workspace.nameOf(path)),
      dependencies: audit.dependencies.map(({ module, file: path, checked }) => ({
        module,
        file: path && context.workspace.nameOf(path),
        checked,
      })),
    };
  },
});

function whyNotJudged(isAsked: boolean, isInstalled: boolean): NotJudged | null {
  if (!isAsked) return 'not-asked';
  return isInstalled ? null : 'no-fstar';
}

/** What F* itself says of assumptions, where the file did not silence it. */
const TELLING_NUMBERS = new Set([240, 241, 247, 296, 334]);
const TELLING_TEXTS = /admitted goal|without a definition|no corresponding definition|was not written since/i;

function reported(runs: readonly DeclarationRun[], file: string): z.input<typeof findingSchema>[] {
  return runs.flatMap(({ declaration, issues }) =>
    issues
      .filter(({ level, number, message }) => {
        return (
          level === 'warning' &&
          (TELLING_TEXTS.test(message) || (number !== null && TELLING_NUMBERS.has(number)))
        );
      })
      .map(({ message, ranges: [range] }) => ({
        file,
        line: range?.start.line ?? null,
        column: range?.start.column ?? null,
        kind: 'reported',
        severity: 'suspicious' as const,
        text: message.trim().slice(0, 300),
        explanation: 'F* says so itself.',
        declaration: declaration.names[0] ?? null,
        affects: [],
      })),
  );
}
