/**
 * What readers of our schemas complain about stays away: the rules of the MCP inspector's check of portability, and
 * those of the two linters of OpenAPI that are most used (Redocly's recommended set, Spectral's `spectral:oas`),
 * for what they found here before.
 */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isRecord } from '../core/json.ts';
import { CATALOGUE, COMPATIBLE_CATALOGUES } from '../operations/catalogue.ts';
import { defineOperation } from '../operations/definition/operation.ts';
import { toolListing } from './mcp/operation-tool.ts';
import { openApiDocument } from './rest/openapi.ts';

const OFFERED = [...CATALOGUE, ...Object.values(COMPATIBLE_CATALOGUES).flat()];

describe('schemas of tools', () => {
  test.each(OFFERED.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
    const { inputSchema, outputSchema } = toolListing(operation, true);
    expect([...faultsOf(inputSchema, 'input'), ...faultsOf(outputSchema, 'output')]).toEqual([]);
  });

  test('a value that may be null is one of two schemas, with what is said of it at the top', () => {
    const { properties } = defineOperation({
      name: 'gate_null',
      area: 'gate',
      title: 'Null',
      summary: 'Null.',
      input: z.object({}),
      output: z.object({
        word: z.string().min(2).nullable().describe('A word.'),
        words: z.array(z.object({ count: z.number().int().nullable() })),
      }),
      annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      defaultTimeout: 1,
      run: () => Promise.resolve({ word: null, words: [] }),
    }).outputSchema();
    expect(properties['word']).toEqual({
      description: 'A word.',
      anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }],
    });
    expect(faultsOf(properties['words'], 'words')).toEqual([]);
  });

  test('the check sees what it is for', () => {
    const inside = (schema: unknown): string[] =>
      faultsOf({ type: 'object', properties: { a: { type: 'array', items: schema } } }, '');
    expect(inside({ type: ['string', 'null'] })).toEqual(['.a[]: several types']);
    expect(inside({ description: 'x' })).toEqual(['.a[]: allows anything']);
    expect(inside(true)).toEqual(['.a[]: no schema']);
    expect(inside({ $ref: 'https://example.org/a' })).toEqual(['.a[]: a reference']);
    expect(inside({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toEqual([]);
  });
});

describe('the OpenAPI document', () => {
  const { info, tags, paths } = openApiDocument(CATALOGUE) as {
    info: object;
    tags: { name: string; description?: string }[];
    paths: Record<string, Record<string, Route>>;
  };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => [`${method} ${path}`, route] as const),
  );

  test.each(routes)('%s is named, described and tagged, and says how it fails', (_route, route) => {
    expect(route).toMatchObject({
      operationId: expect.stringMatching(/^[a-z_]+$/) as unknown,
      summary: expect.stringMatching(/./) as unknown,
      description: expect.stringMatching(/./) as unknown,
    });
    expect(tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...route.tags]));
    expect(route.tags).not.toEqual([]);
    expect(Object.keys(route.responses)).toEqual(expect.arrayContaining(['4XX', '5XX']));
  });

  test('its tags are described and each operation has a name of its own', () => {
    for (const tag of tags) expect(tag.description, tag.name).toMatch(/\.$/);
    const ids = routes.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(info).toMatchObject({ contact: {}, license: {} });
  });

  test('every reference leads to something', () => {
    const document: unknown = openApiDocument(CATALOGUE);
    for (const [, pointer = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]*)"/g)) {
      const target = pointer
        .split('/')
        .reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), document);
      expect(target, pointer).toBeDefined();
    }
  });
});

interface Route {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly responses: Readonly<Record<string, unknown>>;
}

/** What allows or forbids a value; a schema with none of them accepts anything. */
const ASSERTIONS = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not'];

function faultsOf(schema: unknown, path: string): string[] {
  if (!isRecord(schema)) return [`${path}: no schema`];
  const inner = (value: unknown, way: string): string[] => (value === undefined ? [] : faultsOf(value, way));
  const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((keyword) => {
    const choices = schema[keyword];
    return Array.isArray(choices) ? choices.flatMap((choice: unknown) => faultsOf(choice, path)) : [];
  });
  const { properties, additionalProperties } = schema;
  return [
    ...(Array.isArray(schema['type']) ? [`${path}: several types`] : []),
    ...('$ref' in schema
      ? [`${path}: a reference`]
      : ASSERTIONS.some((keyword) => keyword in schema)
        ? []
        : [`${path}: allows anything`]),
    ...lists,
    ...inner(schema['items'], `${path}[]`),
    ...(typeof additionalProperties === 'boolean' ? [] : inner(additionalProperties, `${path}.*`)),
    ...(isRecord(properties)
      ? Object.entries(properties).flatMap(([name, value]) => faultsOf(value, `${path}.${name}`))
      : []),
  ];
}
