/** Whether Rocq is there and well: three questions from cheap to thorough. */
import { loadavg } from 'node:os';
import { z } from 'zod';
import { counted } from '../../../core/counted.ts';
import { formatDuration } from '../../../core/duration.ts';
import { entryAt, orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { examineMachine } from '../../project/examine-machine.ts';
import { READS, defineOperation } from '../../definition/operation.ts';
import { rocqWorkbenchOf } from '../session/place.ts';

const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

export const rocqHealth = defineOperation({
  name: 'rocq_health',
  area: 'rocq',
  title: 'Is Rocq there?',
  summary: 'Says in a moment whether a Rocq is there and which one sessions use. Call it first.',
  input: z.object({}),
  output: z.object({
    ok: z.boolean(),
    version: z.string().nullable(),
    backend: z.string().nullable(),
    location: z.string().nullable(),
    problem: z.string().nullable(),
    remedy: z.string().nullable(),
  }),
  annotations: READS,
  defaultTimeout: 30,
  render: ({ ok, version, backend, location, problem, remedy }) =>
    ok
      ? `Rocq ${orNothing(version)} (${[backend, location].filter((part) => part !== null).join(', ')})`
      : [problem, remedy].filter((part) => part !== null).join(' '),
  run: async (_input, context) => {
    try {
      const { identity } = await rocqWorkbenchOf(context).prover();
      const { version, backend, location } = identity;
      return { ok: true, version, backend, location, problem: null, remedy: null };
    } catch (error) {
      if (!(error instanceof QuodError)) throw error;
      return {
        ok: false,
        version: null,
        backend: null,
        location: null,
        problem: error.message,
        remedy: error.remedy ?? null,
      };
    }
  },
});

export const rocqToolchain = defineOperation({
  name: 'rocq_toolchain',
  area: 'rocq',
  title: 'Rocq toolchain',
  summary:
    'Tries every Rocq on the machine, lists installed libraries and automatic provers, and says what would help.',
  input: z.object({}),
  output: z.object({
    backends: z.array(
      z.object({
        backend: z.string(),
        works: z.boolean(),
        version: z.string().nullable(),
        location: z.string().nullable(),
        problem: z.string().nullable(),
      }),
    ),
    libraries: z.array(z.string()),
    hammer: z.boolean().describe('CoqHammer’s tactics are installed.'),
    provers: z.array(z.string()).describe('Automatic provers that a hammer can use.'),
    advice: z.array(z.string()),
  }),
  annotations: READS,
  defaultTimeout: 120,
  render: ({ backends, libraries, hammer, provers, advice }) =>
    [
      ...backends.map(({ backend, works, version, location, problem }) => {
        const seen = works ? [version, location] : [problem];
        return `${works ? '+' : '-'} ${backend}: ${seen.filter((part) => part !== null).join(', ')}`;
      }),
      `libraries: ${listed(libraries)}`,
      `tactics of CoqHammer: ${hammer ? 'yes' : 'no'}; automatic provers: ${listed(provers)}`,
      ...advice,
    ].join('\n'),
  run: async (_input, context) => {
    const report = await examineMachine(context.workspace.root);
    return {
      backends: report.backends.map((backend) => ({
        backend: backend.backend,
        works: backend.status === 'works',
        version: backend.status === 'works' ? backend.version : null,
        location: backend.status === 'works' ? backend.location : null,
        problem: backend.status === 'works' ? null : backend.message,
      })),
      libraries: [...report.libraries],
      hammer: report.hammer.tactics,
      provers: report.hammer.provers.flatMap(({ name, location }) => (location === undefined ? [] : [name])),
      advice: [...report.advice],
    };
  },
});

export const rocqDiagnose = defineOperation({
  name: 'rocq_diagnose',
  area: 'rocq',
  title: 'State of the workbench',
  summary:
    'Shows what the workbench is doing: provers, sessions, memory of Quod, load. For finding out why something is slow.',
  input: z.object({}),
  output: z.object({
    provers_alive: z.int(),
    sessions: z.int().describe('Of all clients.'),
    your_sessions: z.int(),
    memory_bytes: z.int().describe('Resident memory of Quod itself, without provers.'),
    load: z.number().describe('Load average of the machine over a minute.'),
    uptime_seconds: z.number(),
  }),
  annotations: READS,
  defaultTimeout: 10,
  render: ({ provers_alive, sessions, your_sessions, memory_bytes, load, uptime_seconds }) =>
    [
      `${counted(provers_alive, 'prover')}, ${counted(sessions, 'session')}, ${your_sessions} of them yours`,
      `${Math.round(memory_bytes / 1e6)} MB of memory without provers, load ${load.toFixed(1)}, up for ${formatDuration(uptime_seconds * 1000)}`,
    ].join('\n'),
  run: async (_input, context) => {
    const workbench = rocqWorkbenchOf(context);
    return {
      provers_alive: await workbench.proversAlive(),
      sessions: workbench.sessions.size,
      your_sessions: workbench.sessions.of(context.client).length,
      memory_bytes: process.memoryUsage.rss(),
      load: entryAt(loadavg(), 0, 'load'),
      uptime_seconds: process.uptime(),
    };
  },
});
