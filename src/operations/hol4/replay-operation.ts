/** Exported HOL4 proofs through Quod's own kernel. */
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { formatDuration } from '../../core/duration.ts';
import { orNothing } from '../../core/entry.ts';
import { replayInThread } from '../../gate/hol4/replay/replay-in-thread.ts';
import { defineOperation } from '../definition/operation.ts';
import type { Workspace } from '../definition/workspace.ts';

const fileSchema = z.object({
  file: z.string(),
  sha256: z.string(),
  theory: z.string().nullable().describe('null: the format names none.'),
  steps: z.int(),
  statements: z.int(),
  axioms: z.array(z.string()),
  from_cache: z.boolean(),
  seconds: z.number(),
});

const findingSchema = z.object({
  code: z.string(),
  file: z.string(),
  theory: z.string(),
  line: z.int().nullable().describe('Of the trace, from 1; a byte when it is binary.'),
  step: z.int().nullable().describe('Among the theorems of the theory, from 0.'),
  rule: z.string().nullable(),
  subject: z.string().nullable().describe('The theorem or constant concerned.'),
  message: z.string(),
});

const outputSchema = z.object({
  verdict: z.enum(['accepted', 'rejected', 'unknown']),
  files: z.array(fileSchema),
  findings: z.array(findingSchema),
  reason: z.string().nullable().describe('Why it could not judge.'),
  message: z.string().nullable(),
  seconds: z.number(),
});

type Replayed = z.output<typeof outputSchema>;

export const holReplay = defineOperation({
  name: 'hol_replay',
  area: 'hol',
  title: 'Check exported proofs',
  summary: 'Replays the proofs that a tracing HOL4 exported, down to its four axioms, without HOL4.',
  details: 'Give the trace of every theory that they rest on.',
  input: z.object({
    files: z.array(z.string()).min(1).describe('Traces: text or PFT, plain or compressed with zstd or gzip.'),
    target: z
      .string()
      .nullable()
      .default(null)
      .describe('The trace whose statements the file of the same theory must prove.'),
    cache: z
      .string()
      .nullable()
      .default(null)
      .describe(
        'A folder: keep there what was replayed, and take it from there. Whoever can write there is trusted.',
      ),
    max_bytes: z
      .int()
      .positive()
      .default(2 ** 31)
      .describe('Bytes of the largest file to read, unpacked.'),
  }),
  output: outputSchema,
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 600,
  longestTimeout: 24 * 3600,
  positional: ['files'],
  render: (replayed) =>
    [...replayed.files.map(fileLine), ...replayed.findings.map(findingLine), conclusion(replayed)].join('\n'),
  run: async (input, { workspace, signal, progress }) => {
    const files = await Promise.all(input.files.map((file) => workspace.resolve(file)));
    const target = await resolved(input.target, workspace);
    const cacheDirectory = await resolved(input.cache, workspace);
    const { verdict } = await replayInThread(files, {
      // A little earlier than the call itself, so that the caller gets what was found.
      timeoutMs: input.timeout * 1000 * 0.98,
      signal,
      maximumBytes: input.max_bytes,
      ...(target !== undefined && { target }),
      ...(cacheDirectory !== undefined && { cacheDirectory }),
      onProgress: ({ file, steps, part }) => {
        const name = workspace.nameOf(file);
        progress({ message: `${name}: ${Math.round(part * 100)} %, ${counted(steps, 'step')}` });
      },
    });
    return {
      verdict: verdict.kind,
      files: verdict.files.map(({ file, theory, fromCache, elapsedMs, axioms, ...rest }) => ({
        ...rest,
        file: workspace.nameOf(file),
        theory: theory ?? null,
        axioms: [...axioms],
        from_cache: fromCache,
        seconds: elapsedMs / 1000,
      })),
      findings:
        verdict.kind === 'rejected'
          ? verdict.findings.map(({ file, line, step, rule, subject, ...rest }) => ({
              ...rest,
              file: workspace.nameOf(file),
              line: line ?? null,
              step: step ?? null,
              rule: rule ?? null,
              subject: subject ?? null,
            }))
          : [],
      reason: verdict.kind === 'unknown' ? verdict.reason : null,
      message: verdict.kind === 'unknown' ? verdict.message : null,
      seconds: verdict.elapsedMs / 1000,
    };
  },
});

async function resolved(path: string | null, workspace: Workspace): Promise<string | undefined> {
  return path === null ? undefined : workspace.resolve(path);
}

function conclusion({ verdict, files, seconds, message, reason }: Replayed): string {
  if (verdict === 'unknown') return `unknown: ${orNothing(message)} [${orNothing(reason)}]`;
  const steps = files.reduce((sum, file) => sum + file.steps, 0);
  const told = `${verdict}: ${counted(steps, 'step')} in ${formatDuration(seconds * 1000)}`;
  return verdict === 'accepted' ? `${told}; nothing is believed but the axioms above` : told;
}

function fileLine({
  theory,
  file,
  steps,
  statements,
  axioms,
  from_cache,
  seconds,
}: Replayed['files'][number]) {
  const rests = axioms.length === 0 ? '' : `, axioms ${axioms.join(', ')}`;
  const how = from_cache ? 'from the cache' : formatDuration(seconds * 1000);
  return `${theory ?? file}: ${counted(steps, 'step')}, ${counted(statements, 'theorem')}${rests} (${how})`;
}

function findingLine({
  file,
  line,
  theory,
  step,
  rule,
  subject,
  code,
  message,
}: Replayed['findings'][number]) {
  const place = line === null ? file : `${file}:${line}`;
  const concerned = [
    ...(step === null ? [] : [`step ${step}`]),
    ...(rule === null ? [] : [rule]),
    ...(subject === null ? [] : [`${theory === '' ? '' : `${theory}: `}${subject}`]),
  ];
  return `${place}: ${concerned.length === 0 ? '' : `${concerned.join(', ')}: `}${message} [${code}]`;
}
