/** The OpenAPI 3.1 description of the routes, from the operations. */
import { REASON_CODES } from '../../core/reason.ts';
import type { Area, AnyOperation } from '../../operations/definition/operation.ts';
import { PROBLEM_TYPE, statusOf } from '../problem.ts';
import { readPackageVersion } from '../../core/installed-package.ts';
import { LIVE_PATHS, type LiveRoute } from './live-paths.ts';
import { hasGet, routePath } from './routes.ts';

/** What `/api` itself answers: where everything is. */
export function apiEntrance(): object {
  return {
    quod: readPackageVersion(),
    openapi: '/api/openapi.json',
    documentation: '/docs',
    server: '/api/server',
    operations: '/api/AREA/VERB',
  };
}

export function openApiDocument(operations: readonly AnyOperation[]): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quod',
      version: readPackageVersion(),
      description:
        'Live sessions with proof assistants, proof search and a gate that judges proofs. A failed call answers problem details with a reason code. A POST with `Accept: text/event-stream` answers `progress` events and then one `result` or `error`.',
      contact: { name: 'Quod' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags: [
      ...[...new Set(operations.map(({ area }) => area))].map((name) => ({
        name,
        description: AREA_DESCRIPTIONS[name],
      })),
      { name: SERVER_TAG, description: 'The server itself and its clients.' },
    ],
    paths: {
      ...Object.fromEntries(operations.map((operation) => [routePath(operation), routesOf(operation)])),
      ...Object.fromEntries(Object.entries(LIVE_PATHS).map(([path, routes]) => [path, liveRoutes(routes)])),
      '/api/server': {
        get: plainRoute('server', 'The server', 'Which server this is, and for which workspace.'),
      },
      '/api/events': {
        get: plainRoute(
          'events',
          'The calls of this client',
          'Every call of this client as it begins, gets on and ends, as server-sent events.',
          'text/event-stream',
        ),
      },
      '/api/client': {
        delete: {
          operationId: 'client_delete',
          tags: [SERVER_TAG],
          summary: 'The end of a client',
          description: 'Ends every session of this client.',
          parameters: [CLIENT_PARAMETER],
          responses: { 204: { description: 'Done.' }, ...PROBLEMS },
        },
      },
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'Printed by `quod serve`.' } },
      schemas: { Problem: problemSchema() },
      responses: {
        Refused: problemResponses('The call cannot be answered as it was made', (status) => status < 500),
        Failed: problemResponses('The call failed', (status) => status >= 500),
      },
    },
  };
}

const CLIENT_PARAMETER = {
  name: 'Quod-Client',
  in: 'header',
  description: 'The name of the program that calls. Sessions belong to a name.',
  schema: { type: 'string', pattern: '^[\\w.:-]{1,64}$' },
};

const SERVER_TAG = 'server';

const AREA_DESCRIPTIONS: Readonly<Record<Area, string>> = {
  rocq: 'Files, sessions and proofs of Rocq.',
  lean: 'Lean 4.',
  fstar: 'Files and sessions of F*.',
  hol: 'Scripts, sessions and proofs of HOL4.',
  proof: 'Files and projects of any prover, and the search for proofs.',
  gate: 'Verdicts on proofs.',
  data: 'What is learned from proofs: mining, data sets, indexes, rankers.',
  agent: 'The runs of the agent.',
};

const PROBLEMS = {
  '4XX': { $ref: '#/components/responses/Refused' },
  '5XX': { $ref: '#/components/responses/Failed' },
};

/** Statuses that say more than the reason `invalid-input` under which they come. */
const EXACT_STATUSES = [405, 415];

/** Problem details whose description names the reasons of each status. */
function problemResponses(what: string, included: (status: number) => boolean): object {
  const statuses = [...new Set(reasons().map(statusOf))].filter(included).sort((a, b) => a - b);
  const ofStatus = (status: number): string =>
    `${status} ${reasons()
      .filter((reason) => statusOf(reason) === status)
      .map((reason) => `\`${reason}\``)
      .join(', ')}`;
  return {
    description: `${what}; \`reason\` says why: ${statuses.map(ofStatus).join('; ')}.`,
    content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function routesOf(operation: AnyOperation): object {
  const { name, area, title, summary, details } = operation;
  const input = operation.inputSchema();
  const shared = {
    tags: [area],
    summary: title,
    description: [summary, details].filter((part) => part !== '').join('\n\n'),
    responses: {
      200: {
        description: 'The answer.',
        content: { 'application/json': { schema: operation.outputSchema() } },
      },
      ...PROBLEMS,
    },
  };
  const parameters = Object.entries(input.properties).map(([parameter, { description, ...schema }]) => ({
    name: parameter,
    in: 'query',
    required: input.required.includes(parameter),
    ...(description !== undefined && { description }),
    schema,
  }));
  return {
    post: {
      operationId: name,
      ...shared,
      parameters: [CLIENT_PARAMETER],
      requestBody: {
        required: input.required.length > 0,
        content: { 'application/json': { schema: input } },
      },
    },
    ...(hasGet(operation) && {
      get: { operationId: `${name}_get`, ...shared, parameters: [CLIENT_PARAMETER, ...parameters] },
    }),
  };
}

function liveRoutes(routes: Readonly<Record<string, LiveRoute>>): object {
  const described = Object.entries(routes).map(([method, { parameters, responses, ...route }]) => [
    method,
    {
      ...{ ...route, tags: [SERVER_TAG], parameters: [CLIENT_PARAMETER, ...parameters] },
      responses: { ...responses, ...PROBLEMS },
    },
  ]);
  return Object.fromEntries(described) as object;
}

function plainRoute(
  operationId: string,
  summary: string,
  description: string,
  type = 'application/json',
): object {
  return {
    operationId,
    tags: [SERVER_TAG],
    summary,
    description,
    parameters: [CLIENT_PARAMETER],
    responses: { 200: { description: 'The answer.', content: { [type]: {} } }, ...PROBLEMS },
  };
}

function problemSchema(): object {
  return {
    type: 'object',
    description: 'Problem details (RFC 9457).',
    properties: {
      type: { type: 'string', description: 'Where the reason is explained.' },
      title: { type: 'string' },
      status: {
        type: 'integer',
        enum: [...new Set(reasons().map(statusOf)), ...EXACT_STATUSES].sort((a, b) => a - b),
      },
      detail: { type: 'string', description: 'What happened.' },
      reason: { type: 'string', enum: reasons() },
      message: { type: 'string', description: 'The same as `detail`, as at the other faces.' },
      file: { type: 'string' },
      line: { type: 'integer', description: 'From 1.' },
      column: { type: 'integer', description: 'From 0, in code points.' },
      remedy: { type: 'string', description: 'What to do.' },
    },
    required: ['type', 'title', 'status', 'detail', 'reason', 'message'],
  };
}

function reasons(): (keyof typeof REASON_CODES)[] {
  return Object.keys(REASON_CODES) as (keyof typeof REASON_CODES)[];
}
