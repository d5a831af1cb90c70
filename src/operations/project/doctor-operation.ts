/** What is installed, and what would get better by installing what. */
import { z } from 'zod';
import { formatDuration } from '../../core/duration.ts';
import { orNothing, orZero } from '../../core/entry.ts';
import { readPackageVersion } from '../../core/installed-package.ts';
import { foreignText } from '../../core/foreign-text.ts';
import { defineOperation, type Saying } from '../definition/operation.ts';
import { examineMachine, type BackendReport, type ProgramReport } from './examine-machine.ts';

const backendSchema = z.object({
  backend: z.string(),
  status: z.enum(['works', 'missing', 'broken']).describe('It works when it has proved something.'),
  version: z.string().nullable(),
  location: z.string().nullable(),
  seconds: z.number().nullable().describe('From nothing to a proved theorem.'),
  message: z.string().nullable().describe('Why it does not work.'),
  remedy: z.string().nullable(),
});

const programSchema = z.object({
  name: z.string(),
  purpose: z.string(),
  location: z.string().nullable().describe('null: it was not found.'),
});

const outputSchema = z.object({
  quod: z.string(),
  node: z.string(),
  processors: z.int(),
  memory_bytes: z.int(),
  free_memory_bytes: z.int(),
  backends: z.array(backendSchema).describe('The ways to reach a Rocq.'),
  libraries: z.array(z.string()).describe('Installed with the native Rocq.'),
  hammer: z.object({
    tactics: z.boolean().describe('CoqHammer is installed.'),
    provers: z.array(programSchema),
  }),
  other_provers: z.array(programSchema),
  project: z.object({
    status: z.enum(['readable', 'wrong']),
    source: z.string().nullable().describe('The file that says how files of the workspace are run.'),
    message: z.string().nullable(),
  }),
  advice: z.array(z.string()),
});

type Examined = z.output<typeof outputSchema>;

export const proofDoctor = defineOperation({
  name: 'proof_doctor',
  area: 'proof',
  title: 'Say what is installed',
  summary: 'Tries every prover on this machine and says what would get better by installing what.',
  input: z.object({}),
  output: outputSchema,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 300,
  render: reportText,
  holds: ({ backends }) => (backends.some(({ status }) => status === 'works') ? true : undefined),
  run: async (_input, { workspace }) => {
    const { memoryBytes, freeMemoryBytes, backends, libraries, hammer, otherProvers, project, ...rest } =
      await examineMachine(workspace.root);
    return {
      ...{ quod: readPackageVersion(), node: rest.node, processors: rest.processors },
      ...{ memory_bytes: memoryBytes, free_memory_bytes: freeMemoryBytes },
      backends: backends.map(backendOf),
      libraries: [...libraries],
      hammer: { tactics: hammer.tactics, provers: hammer.provers.map(programOf) },
      other_provers: otherProvers.map(programOf),
      project:
        project.status === 'readable'
          ? { status: project.status, source: project.source ?? null, message: null }
          : { status: project.status, source: null, message: project.message },
      advice: [...rest.advice],
    };
  },
});

function programOf({ name, purpose, location }: ProgramReport): z.output<typeof programSchema> {
  return { name, purpose, location: location ?? null };
}

function backendOf(report: BackendReport): z.output<typeof backendSchema> {
  const { backend, status } = report;
  if (report.status === 'works') {
    const { version, location, elapsedMs } = report;
    return { backend, status, version, location, seconds: elapsedMs / 1000, message: null, remedy: null };
  }
  const { message, remedy } = report;
  return {
    ...{ backend, status, version: null, location: null, seconds: null },
    ...{ message, remedy: remedy ?? null },
  };
}

function reportText(report: Examined, say: Saying): string {
  const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  const { libraries, hammer, other_provers, project, advice } = report;
  const provers = hammer.provers.map(({ name, location }) => `${name} ${location ?? 'not found'}`);
  const source = project.source ?? 'none says how files here are run';
  return [
    `Quod ${report.quod}, Node ${report.node}, ${report.processors} processors, ${gigabytes(report.free_memory_bytes)} of ${gigabytes(report.memory_bytes)} memory free`,
    '',
    'Rocq',
    ...report.backends.map((backend) => `  ${backendText(backend, say)}`),
    `  libraries: ${libraries.length === 0 ? 'none besides the standard library' : libraries.join(', ')}`,
    `  CoqHammer: ${hammer.tactics ? 'installed' : 'not installed'} (${provers.join(', ')})`,
    `  project: ${project.message === null ? source : `✗ ${foreignText(project.message)}`}`,
    '',
    'Other provers',
    ...other_provers.map(
      ({ name, purpose, location }) =>
        `  ${location === null ? '✗' : '✓'} ${name} ${location ?? 'not found'} (${say(purpose)})`,
    ),
    '',
    ...(advice.length === 0
      ? ['Nothing to improve.']
      : ['What would help', ...advice.map((line) => `  ${line}`)]),
  ].join('\n');
}

function backendText(
  { backend, status, version, location, seconds, message, remedy }: Examined['backends'][number],
  say: Saying,
): string {
  return status === 'works'
    ? `✓ ${backend} ${orNothing(version)} (${orNothing(location)}), first theorem after ${formatDuration(orZero(seconds) * 1000)}`
    : `✗ ${backend} ${status}: ${foreignText(orNothing(message))}${remedy === null ? '' : ` ${foreignText(say(remedy))}`}`;
}
