/** What the server has beside the operations, as OpenAPI describes it: the jobs, the live events and the sources. */
import { z } from 'zod';
import { madeWithSchema } from '../../operations/definition/rests-on.ts';

export const jobRequest = z.strictObject({
  operation: z.string().describe('The name of the operation, such as `proof_build`.'),
  input: z.record(z.string(), z.unknown()).describe('What the operation takes.'),
  title: z.string().min(1).max(200).describe('What people call the job.'),
});

export const jobChange = z.strictObject({
  input: z.record(z.string(), z.unknown()).describe('The new values of what can be changed while it runs.'),
});

export const sourceSave = z.strictObject({
  file: z.string().describe('A source of a prover.'),
  text: z.string().describe('The whole text.'),
  hash: z
    .string()
    .toLowerCase()
    .nullable()
    .describe('SHA-256 of the bytes that were opened; null: there must be no such file.'),
});

/** The routes and the page have the type of a job from it. */
export const jobSchema = z.object({
  id: z.string(),
  operation: z.string(),
  title: z.string(),
  input: z.record(z.string(), z.unknown()),
  state: z.enum(['running', 'answered', 'failed', 'stopped']),
  started_at: z.string().describe('An ISO 8601 time.'),
  ended_at: z.string().nullable().describe('An ISO 8601 time; null: it runs.'),
  progress: z.object({
    message: z.string(),
    done: z.number().nullable(),
    total: z.number().nullable(),
  }),
  details: z.int().describe('How many details there are.'),
  conclusion: z.string().nullable().describe('How it ended, in one line; null: it runs.'),
  changed: z.array(z.string()).describe('Of a build or a check: sources that were written since it began.'),
});

/** What a source is when it is opened: the routes and the page have their type from it. */
export const sourceSchema = z.object({
  file: z.string(),
  language: z.enum(['rocq', 'hol4', 'fstar', 'lean']),
  text: z.string().describe('Its lines end with a line feed, whatever they end with on the disk.'),
  hash: z.string().describe('SHA-256 of the bytes on the disk.'),
});

/** What describes a route of the server but its tag, its failures and the client's header. */
export interface LiveRoute {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

const JOB = answer(jobSchema);
const JOBS = answer(z.array(jobSchema));
const ID = parameter('id', 'path', { type: 'string' });
const FILE = parameter('file', 'query', { type: 'string' });
const REFUSAL = {
  ...parameter('refusal', 'query', { type: 'string' }),
  required: false,
  description:
    '`told`: a refusal is answered with 200, as `refused` with the problem. For pages that ask for what may be gone: browsers write other statuses into their console.',
};

export const LIVE_PATHS: Readonly<Record<string, Readonly<Record<string, LiveRoute>>>> = {
  '/api/jobs': {
    get: route('jobs_list', ['Jobs', 'The jobs of the server, the newest first.'], JOBS),
    post: {
      ...route('jobs_start', ['Start a job', 'Runs an operation that goes on whoever watches.'], {}),
      ...{ requestBody: body(jobRequest), responses: { 202: JOB[200] } },
    },
    delete: route('jobs_forget', ['Forget ended jobs', 'Forgets what has ended and lists the others.'], JOBS),
  },
  '/api/jobs/{id}': {
    patch: {
      ...route('jobs_change', ['Change a job', 'Changes the input of a job that runs.'], JOB, [ID]),
      requestBody: body(jobChange),
    },
    delete: route('jobs_stop', ['Stop a job', 'Stops a job; one that has ended stays as it is.'], JOB, [ID]),
  },
  '/api/jobs/{id}/outcome': {
    get: route(
      'jobs_outcome',
      [
        'The outcome of a job',
        '`kind` is `answered`, with the answer of the operation as `value`, or `failed`, with the `problem`; null: it runs.',
      ],
      answer(
        z
          .union([
            z.object({ kind: z.literal('answered'), value: z.record(z.string(), z.unknown()) }),
            z.object({ kind: z.literal('failed'), problem: z.record(z.string(), z.unknown()) }),
          ])
          .nullable(),
      ),
      [ID],
    ),
  },
  '/api/jobs/{id}/details': {
    get: route(
      'jobs_details',
      ['The details of a job', 'What happened in it, such as the goals of a search.'],
      answer(z.array(z.record(z.string(), z.unknown()))),
      [ID, parameter('from', 'query', { type: 'integer', minimum: 0, default: 0 })],
    ),
  },
  '/api/live': {
    get: {
      ...route(
        'live',
        [
          'Live events',
          'Server-sent events of files that change, of jobs and of runs; `Last-Event-ID` resumes them, and `renew` says that something was missed.',
        ],
        {},
      ),
      responses: { 200: { description: 'The events.', content: { 'text/event-stream': {} } } },
    },
  },
  '/api/source/rests-on': {
    get: route(
      'source_rests_on',
      ['What a source rests on', 'What a source would be run with as it stands on the disk.'],
      answer(madeWithSchema),
      [FILE, REFUSAL],
    ),
  },
  '/api/source': {
    get: route('source_open', ['Open a source', 'A source as an editor opens it.'], answer(sourceSchema), [
      FILE,
      REFUSAL,
    ]),
    put: {
      ...route(
        'source_save',
        ['Save a source', 'Writes it where the file is still what was opened.'],
        answer(sourceSchema),
        [REFUSAL],
      ),
      requestBody: body(sourceSave),
    },
  },
};

function route(
  operationId: string,
  [summary, description]: readonly [summary: string, description: string],
  responses: Readonly<Record<string, object>>,
  parameters: readonly object[] = [],
): LiveRoute {
  return { operationId, summary, description, parameters, responses };
}

function answer(schema: z.ZodType): { readonly 200: object } {
  return { 200: { description: 'The answer.', content: { 'application/json': { schema: shape(schema) } } } };
}

function body(schema: z.ZodType): object {
  return { required: true, content: { 'application/json': { schema: shape(schema) } } };
}

function shape(schema: z.ZodType): object {
  return z.toJSONSchema(schema);
}

interface ParameterSchema {
  readonly type: 'string' | 'integer';
  readonly minimum?: number;
  readonly default?: number;
}

function parameter(name: string, place: 'path' | 'query', schema: ParameterSchema): object {
  return { name, in: place, required: schema.default === undefined, schema };
}
