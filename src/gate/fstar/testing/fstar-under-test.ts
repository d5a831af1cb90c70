/**
 * The F* that the attacks run on: the real one of the machine, or what such a one made of the same files when the
 * recording was made; of the solver's log only the lines that are read. With QUOD_FSTAR_RECORD set the recording is
 * made anew, or, when it is `add`, what is missing is added. What is not in the recording is an error, so that no
 * test passes by accident.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { locateFstar } from '../../../provers/fstar/discovery.ts';
import { installedFstar, type TrustedFstar } from '../trusted-fstar.ts';

const RECORDING = fileURLToPath(new URL('attack-runs.json.gz', import.meta.url));

const recordingSchema = z.object({
  version: z.string(),
  solver: z.string(),
  runs: z.record(
    z.string(),
    z.object({ code: z.number().optional(), said: z.string(), logs: z.array(z.string()) }),
  ),
  answers: z.record(z.string(), z.string()),
});

export class NotRecorded extends Error {
  override readonly name = 'NotRecorded';
}

type Recorded = z.output<typeof recordingSchema>;

export async function trustedFstarUnderTest(): Promise<TrustedFstar> {
  if (locateFstar() === undefined) return recorded();
  const real = await installedFstar();
  return process.env['QUOD_FSTAR_RECORD'] ? recording(real) : real;
}

function keyOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function recorded(): TrustedFstar {
  const { version, solver, runs, answers } = recordingSchema.parse(
    JSON.parse(gunzipSync(readFileSync(RECORDING)).toString('utf8')),
  );
  return {
    version,
    solver,
    run: ({ files, verify }) => {
      const run = runs[keyOf([[...files].sort(), verify])];
      if (run === undefined) return Promise.reject(new NotRecorded('This run is not in the recording.'));
      return Promise.resolve({
        isolation: 'bubblewrap',
        stopped: undefined,
        incidents: [],
        ...run,
        code: run.code,
      });
    },
    solve: (log) => {
      const output = answers[keyOf(log)];
      if (output === undefined)
        return Promise.reject(new NotRecorded('These questions are not in the recording.'));
      return Promise.resolve({ stopped: undefined, output });
    },
  };
}

/** Of five megabytes of what F* tells the solver, the lines that the gate reads. */
function readPart(log: string): string {
  return log
    .split('\n')
    .filter((line) => line.startsWith('; Starting query') || line.startsWith('(check-sat'))
    .join('\n');
}

function recording(real: TrustedFstar): TrustedFstar {
  const kept: Recorded =
    process.env['QUOD_FSTAR_RECORD'] === 'add'
      ? recordingSchema.parse(JSON.parse(gunzipSync(readFileSync(RECORDING)).toString('utf8')))
      : { version: real.version, solver: real.solver, runs: {}, answers: {} };
  const save = (): void => writeFileSync(RECORDING, gzipSync(JSON.stringify(kept), { level: 9 }));
  return {
    version: real.version,
    solver: real.solver,
    run: async (request) => {
      const run = await real.run(request);
      kept.runs[keyOf([[...request.files].sort(), request.verify])] = {
        ...(run.code !== undefined && { code: run.code }),
        said: run.said.slice(0, 4000),
        logs: run.logs.map(readPart),
      };
      save();
      return run;
    },
    solve: async (log, request) => {
      const answer = await real.solve(log, request);
      const results = answer.output.match(/^<result>\r?\n\w+/gm) ?? [];
      kept.answers[keyOf(readPart(log))] = results.join('\n');
      save();
      return answer;
    },
  };
}
