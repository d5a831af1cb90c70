/**
 * The HOL4 that the attacks run on: a real one with the tracing kernel (`QUOD_HOL4_TRACING`), or what such a one
 * made of the same scripts when the recording was made. With QUOD_HOL4_RECORD set the recording is made anew, or,
 * when it is `add`, what is missing is added. A script that is not
 * in the recording is an error, so that no test passes by accident.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { findHol4 } from '../../../provers/hol4/discovery.ts';
import { installedHol, type TheoryBuild, type TrustedHol } from '../theory/theory-build.ts';

const FIXTURES = fileURLToPath(new URL('fixtures/', import.meta.url));
const RECORDING = `${FIXTURES}attack-builds.json.gz`;

const bytes = z.base64().transform((text) => new Uint8Array(Buffer.from(text, 'base64')));
const recordingSchema = z.object({
  version: z.string(),
  /** Data of HOL's own theories; their traces lie beside the recording. */
  data: z.record(z.string(), bytes),
  builds: z.record(
    z.string(),
    z.object({
      code: z.number().optional(),
      said: z.string(),
      theories: z.record(z.string(), z.object({ data: bytes, module: z.string(), proof: bytes.optional() })),
    }),
  ),
});

type Recorded = z.input<typeof recordingSchema>;

export function tracingHolUnderTest(): TrustedHol {
  const chosen = process.env['QUOD_HOL4_TRACING'];
  const found = chosen ? findHol4({ ...process.env, QUOD_HOL4: chosen }) : undefined;
  if (found === undefined) return recordedHol();
  const real = installedHol(found.folder, found.holmake);
  const folder = found.folder;
  return process.env['QUOD_HOL4_RECORD'] ? recordingHol(real, folder) : real;
}

function keyOf(files: ReadonlyMap<string, string | Uint8Array>): string {
  const scripts = [...files].filter(([path]) => path.endsWith('Script.sml')).sort();
  return createHash('sha256').update(JSON.stringify(scripts)).digest('hex');
}

export function recordedHol(): TrustedHol {
  const { version, data, builds } = readRecording();
  return {
    version,
    build: ({ files }) => {
      const built = builds[keyOf(files)];
      if (built === undefined) return Promise.reject(new Error('This script is not in the recording.'));
      return Promise.resolve({
        isolation: 'bubblewrap',
        stopped: undefined,
        incidents: [],
        code: built.code,
        said: built.said,
        objects: new Map(),
        theories: new Map(
          Object.entries(built.theories).map(([name, { data: own, module, proof }]) => [
            name,
            { data: own, module, ...(proof && { proof }) },
          ]),
        ),
      } satisfies TheoryBuild);
    },
    dataOf: (theory) => data[theory],
    theoriesRead: new Map(),
    traceOf: recordedTraceOf,
  };
}

export function readRecording(): z.output<typeof recordingSchema> {
  return recordingSchema.parse(JSON.parse(gunzipSync(readFileSync(RECORDING)).toString('utf8')));
}

/** Under which key a script of the theory `mine` was recorded. */
export function keyOfScript(script: string): string {
  return keyOf(new Map([['mineScript.sml', script]]));
}

export function recordedTraceOf(theory: string): string | undefined {
  const path = `${FIXTURES}attack-${theory}.prf.gz`;
  return existsSync(path) ? path : undefined;
}

function recordingHol(real: TrustedHol, folder: string): TrustedHol {
  const recorded: Recorded =
    process.env['QUOD_HOL4_RECORD'] === 'add'
      ? (JSON.parse(gunzipSync(readFileSync(RECORDING)).toString('utf8')) as Recorded)
      : { version: real.version, data: {}, builds: {} };
  const base64 = (own: Uint8Array): string => Buffer.from(own).toString('base64');
  const save = (): void => writeFileSync(RECORDING, gzipSync(JSON.stringify(recorded), { level: 9 }));
  return {
    version: real.version,
    build: async (request) => {
      const build = await real.build(request);
      recorded.builds[keyOf(request.files)] = {
        ...(build.code !== undefined && { code: build.code }),
        said: build.said.replaceAll(folder, '/opt/hol4').slice(0, 2000),
        theories: Object.fromEntries(
          [...build.theories].map(([name, { data, module, proof }]) => [
            name,
            { data: base64(data), module, ...(proof && { proof: base64(proof) }) },
          ]),
        ),
      };
      save();
      return build;
    },
    dataOf: (theory) => {
      const data = real.dataOf(theory);
      if (data !== undefined) recorded.data[theory] = base64(data);
      return data;
    },
    theoriesRead: new Map(),
    traceOf: (theory) => {
      const path = real.traceOf(theory);
      if (path !== undefined)
        writeFileSync(`${FIXTURES}attack-${theory}.prf.gz`, gzipSync(readFileSync(path), { level: 9 }));
      return path;
    },
  };
}
