/** Building theories, with what was really proved in each. */
import { join } from 'node:path';
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { QuodError } from '../../core/errors.ts';
import { restsOn, restsOnSchema } from '../definition/rests-on.ts';
import { runHolmake, type BuiltTheory } from '../../provers/hol4/build/holmake.ts';
import { type FailedStep, findFailedStep } from '../../sessions/hol4/failed-step.ts';
import { defineOperation, type OperationContext } from '../definition/operation.ts';
import { cutMiddle } from '../../core/foreign-text.ts';
import { goalsOf, holGoalSchema } from './hol-schemas.ts';
import { type HolService, serviceOf } from './hol-service.ts';

const theorySchema = z.object({
  theory: z.string(),
  state: z
    .enum(['built', 'up-to-date', 'failed', 'not-built', 'unknown'])
    .describe('`up-to-date`: built before; its theorems were looked at all the same.'),
  seconds: z.number().nullable(),
  theorems: z.int(),
  flagged: z
    .array(
      z.object({
        name: z.string(),
        standing: z.enum(['cheated', 'oracle', 'axiom', 'hypotheses']),
        conclusion: z.string(),
        oracles: z.array(z.string()),
        hypotheses: z.array(z.string()),
        line: z.int().nullable(),
      }),
    )
    .describe('Theorems that are not proved from HOL’s axioms alone.'),
  axioms: z.array(z.string()).describe('Axioms in it or below it that are not HOL’s own: `theory$name`.'),
  missing: z.array(z.string()).describe('Theorems of the script that the built theory lacks.'),
  cheats: z
    .array(z.object({ name: z.string(), line: z.int() }))
    .describe('Uses of `cheat` and its like in the script, those in local theorems too.'),
  tampered: z.boolean().describe('Its data file is not the one that was exported.'),
  failure: z
    .object({
      message: z.string(),
      theorem: z.string().nullable(),
      line: z.int().nullable(),
      column: z.int().nullable(),
      goal: z.string().nullable().describe('The first goal that was left, as Holmake printed it.'),
      tactic: z.string().nullable().describe('The step that fails; line and column are its place.'),
      goals: z.array(holGoalSchema).describe('The goals before that step.'),
      heap: z.string().nullable().describe('A saved heap in which HOL goes on at the goal.'),
    })
    .nullable(),
  unknown: z.string().nullable().describe('Why nothing can be told.'),
});

export const holmake = defineOperation({
  name: 'holmake',
  area: 'hol',
  title: 'Build with Holmake',
  summary: 'Runs Holmake and says for each theory what was proved, cheated, assumed or failed.',
  details:
    '`clean` is said only when a fresh HOL has loaded every theory and found each theorem of its script proved. Holmake itself ' +
    'ends with code 0 for theories that cheat, and says nothing of those it finds built.',
  input: z.object({
    workdir: z.string().default('.'),
    target: z
      .string()
      .regex(/^[\w./]+$/, 'It must be the name of a theory or file.')
      .optional()
      .describe('`fooTheory`; default: everything in the folder.'),
    max_output: z.int().positive().max(200_000).default(4000),
  }),
  output: z.object({
    status: z.enum(['clean', 'cheated', 'failed', 'unknown']),
    exit_code: z.int().nullable(),
    stopped: z.enum(['timeout', 'interrupted']).nullable(),
    theories: z.array(theorySchema),
    aborted: z.array(z.string()),
    output: z.string().describe('The end of what Holmake printed.'),
    seconds: z.number(),
    rests_on: restsOnSchema,
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 900,
  positional: ['workdir', 'target'],
  holds: ({ status }) => (status === 'unknown' ? undefined : status === 'clean'),
  render: ({ status, theories, output }) =>
    [
      ...theories.flatMap(({ theory, state, theorems, flagged, failure, missing, axioms, cheats }) => [
        `${theory}: ${state}, ${counted(theorems, 'theorem')}`,
        ...flagged.map(
          ({ name, standing, line }) => `  ${name}${line === null ? '' : ` (line ${line})`}: ${standing}`,
        ),
        ...missing.map((name) => `  ${name}: missing`),
        ...cheats.map(({ name, line }) => `  line ${line}: ${name}`),
        ...axioms.map((name) => `  axiom ${name}`),
        ...(failure === null
          ? []
          : [
              `  ${failure.message}${failure.line === null ? '' : ` (line ${failure.line})`}`,
              ...(failure.goal === null ? [] : [`    ${failure.goal}`]),
            ]),
      ]),
      status === 'clean' ? 'Everything is proved.' : `Status: ${status}`,
      ...(status === 'failed' && theories.every(({ failure }) => failure === null) ? [output] : []),
    ].join('\n'),
  run: async (input, context) => {
    const service = serviceOf(context);
    const { installation } = service;
    const folder = await context.workspace.resolve(input.workdir);
    const heartbeat = setInterval(() => context.progress({ message: 'Holmake is running' }), HEARTBEAT_MS);
    let done = 0;
    let total: number | undefined;
    try {
      const report = await runHolmake({
        installation,
        folder,
        ...(input.target !== undefined && { target: input.target }),
        signal: context.signal,
        memoryLimit: service.memoryLimit,
        onEvent: (event) => {
          if (event.kind === 'total') total = event.theories;
          if (event.kind === 'finished') done += 1;
          if (event.kind === 'started' || event.kind === 'finished')
            context.progress({
              message: `${event.target} ${event.kind}`,
              done,
              ...(total !== undefined && { total }),
            });
        },
      });
      return {
        status: report.status,
        exit_code: report.exitCode,
        stopped: report.stopped,
        theories: await Promise.all(
          report.theories.map(async (theory) =>
            shown(theory, await failedStep(theory, folder, service, context)),
          ),
        ),
        aborted: [...report.aborted],
        output: cutMiddle(report.output, input.max_output).text,
        seconds: report.elapsedMs / 1000,
        rests_on: restsOn(
          { prover: 'hol4', backend: 'holmake', version: report.version, location: installation.hol },
          null,
        ),
      };
    } finally {
      clearInterval(heartbeat);
    }
  },
});

const HEARTBEAT_MS = 10_000;

/** Where the proof fails; undefined when that is known already, or cannot be told. */
async function failedStep(
  { theory, failure }: BuiltTheory,
  folder: string,
  service: HolService,
  { signal, progress }: OperationContext,
): Promise<FailedStep | undefined> {
  if (failure?.theorem === undefined || signal.aborted) return undefined;
  progress({ message: `Looking for the step of ${failure.theorem} that fails` });
  const replay = await service.openReplay(folder, signal);
  try {
    const path = join(folder, `${theory}Script.sml`);
    return await findFailedStep(replay, path, failure.theorem, { timeoutMs: STEP_LIMIT_MS, signal });
  } catch (error) {
    // The build has failed and says so; not to find the place is no failure of the call.
    if (error instanceof QuodError) return undefined;
    throw error;
  } finally {
    await replay.session.close();
  }
}

const STEP_LIMIT_MS = 60_000;

function shown(
  { failure, theorems, ...theory }: BuiltTheory,
  step: FailedStep | undefined,
): z.output<typeof theorySchema> {
  return {
    ...theory,
    axioms: [...theory.axioms],
    missing: [...theory.missing],
    cheats: theory.cheats.map(({ name, line }) => ({ name, line })),
    theorems: theorems.length,
    flagged: theorems.flatMap(({ name, standing, conclusion, oracles, hypotheses, line }) =>
      standing === 'clean'
        ? []
        : [{ name, standing, conclusion, oracles: [...oracles], hypotheses: [...hypotheses], line }],
    ),
    failure: failure && {
      message: step === undefined ? failure.message : `${failure.message} ${step.message}`,
      theorem: failure.theorem ?? null,
      line: step?.position.line ?? failure.line ?? null,
      column: step?.position.column ?? (failure.column === undefined ? null : failure.column - 1),
      tactic: step?.tactic ?? null,
      goals: goalsOf(step?.goals ?? []),
      goal: failure.goal ?? null,
      heap: failure.heap ?? null,
    },
  };
}
