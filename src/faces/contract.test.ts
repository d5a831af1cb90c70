/** Every operation at every face: what a stranger's model, editor or script may rely on. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CATALOGUE, COMPATIBLE_CATALOGUES } from '../operations/catalogue.ts';
import { defaultsOf, withDefaults } from '../operations/definition/call-operation.ts';
import { AREAS } from '../operations/definition/operation.ts';
import { OPERATION_WORDS } from './cli/main.ts';
import { addOperationCommands } from './cli/from-operations/operation-commands.ts';
import { buildProgram } from './cli/main.ts';
import { verbOf } from './host.ts';
import { toolListing } from './mcp/operation-tool.ts';
import { PROMPTS } from './mcp/prompts.ts';
import type { PropertySchema } from '../operations/definition/operation-schema.ts';
import { referenceFiles } from './reference/reference-pages.ts';
import { openApiDocument } from './rest/openapi.ts';
import { routePath } from './rest/routes.ts';

const root = new URL('../../', import.meta.url);
const OFFERED = [...CATALOGUE, ...Object.values(COMPATIBLE_CATALOGUES).flat()];

describe.each(OFFERED.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const schemas = [operation.inputSchema(), operation.outputSchema()];

  test('has schemas that every model vendor takes', () => {
    for (const schema of schemas) {
      expect(schema.type).toBe('object');
      for (const key of ['oneOf', 'anyOf', 'allOf', '$defs']) expect(schema).not.toHaveProperty(key);
      expect(JSON.stringify(schema)).not.toMatch(/"\$ref"|"\$defs"/);
      for (const [property, value] of Object.entries(schema.properties))
        expectNothingOptionalInside(property, value);
    }
  });

  test('takes a timeout and refuses what it does not know', () => {
    const input = operation.inputSchema();
    expect(Object.keys(input.properties)).toContain('timeout');
    expect(input).toMatchObject({ additionalProperties: false });
    for (const word of operation.positional) expect(Object.keys(input.properties)).toContain(word);
  });

  test('transforms nothing, and its answer has no defaults', () => {
    // What a caller in the process gives and gets is not parsed, which is right for such schemas only.
    for (const schema of [operation.input, operation.output])
      expect(() => z.toJSONSchema(schema, { io: 'output' })).not.toThrow();
    expect(z.toJSONSchema(operation.output, { io: 'input' }).required).toEqual(
      z.toJSONSchema(operation.output, { io: 'output' }).required,
    );
    const shown = Object.entries(operation.inputSchema().properties).flatMap(([property, schema]) =>
      schema.default === undefined ? [] : [[property, schema.default] as const],
    );
    expect(withDefaults(defaultsOf(operation.input), {})).toEqual(Object.fromEntries(shown));
  });

  test('is named, described and annotated honestly', () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    expect(operation.summary).toMatch(/\.$/);
    const { annotations } = toolListing(operation, true);
    if (annotations?.readOnlyHint === true) expect(annotations).toMatchObject({ destructiveHint: false });
  });
});

/** What may be absent inside an object is null there: optional properties inside objects confuse some vendors. */
function expectNothingOptionalInside(path: string, schema: PropertySchema): void {
  if (schema.properties !== undefined) {
    expect(Object.keys(schema.properties).sort(), path).toEqual([...(schema.required ?? [])].sort());
    for (const [name, inner] of Object.entries(schema.properties)) {
      expectNothingOptionalInside(`${path}.${name}`, inner);
    }
  }
  if (schema.items !== undefined) expectNothingOptionalInside(`${path}[]`, schema.items);
  for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    expectNothingOptionalInside(path, choice);
}

describe('the catalogue', () => {
  test('has each name, route and command once', () => {
    for (const namesOf of [({ name }: (typeof CATALOGUE)[number]) => name, routePath]) {
      const names = CATALOGUE.map(namesOf);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('is all reached from the command line, and nothing is reached twice', () => {
    expect([...OPERATION_WORDS].sort()).toEqual([...AREAS, 'call'].sort());
    const program = buildProgram(() => {});
    addOperationCommands(program, CATALOGUE, () => {});
    for (const operation of CATALOGUE) {
      const group = program.commands.find((command: Command) => command.name() === operation.area);
      const found = group?.commands.filter((command) => command.name() === verbOf(operation)) ?? [];
      expect(found, operation.name).toHaveLength(1);
      const [command] = found;
      const reached = [
        ...(command?.registeredArguments ?? []).map((argument) => argument.name()),
        ...(command?.options ?? []).map((option) => option.name().replace(/^no-/, '')),
      ];
      for (const property of Object.keys(operation.inputSchema().properties)) {
        expect(reached, operation.name).toContain(property.replaceAll('_', '-'));
      }
      // The session may be named first, or by its option.
      const twice = reached.filter((word, index) => reached.indexOf(word) !== index);
      expect(
        twice.filter((word) => word !== 'session-id'),
        operation.name,
      ).toEqual([]);
    }
  });

  test('is all described in OpenAPI, and nothing else is but the server itself', () => {
    const { paths } = openApiDocument(CATALOGUE) as {
      paths: Record<string, { post?: { operationId: string } }>;
    };
    const operations = CATALOGUE.map((operation) => [routePath(operation), operation.name]);
    const posts = Object.entries(paths).flatMap(([path, { post }]) =>
      post ? [[path, post.operationId]] : [],
    );
    expect(posts).toEqual([...operations, ['/api/jobs', 'jobs_start']]);
    expect(Object.keys(paths).slice(operations.length)).toEqual([
      ...['/api/jobs', '/api/jobs/{id}', '/api/jobs/{id}/outcome', '/api/jobs/{id}/details'],
      ...['/api/live', '/api/source/rests-on', '/api/source'],
      '/api/server',
      '/api/events',
      '/api/client',
    ]);
  });

  test('names every field of requests and answers in one way, those of the server itself too', () => {
    const fields = fieldsOf(openApiDocument(CATALOGUE));
    expect(fields).toContain('started_at');
    expect(fields.filter((field) => !/^[a-z][a-z0-9_]*$/u.test(field))).toEqual([]);
  });

  test('has all tools that the prompts and the skill speak of', () => {
    const names = new Set(CATALOGUE.map(({ name }) => name));
    for (const { get, listing } of PROMPTS) {
      const values = Object.fromEntries((listing.arguments ?? []).map(({ name }) => [name, 'x']));
      const text = JSON.stringify(get(values));
      for (const [word] of text.matchAll(/\b(?:rocq|lean|fstar|hol|proof|gate)_[a-z_]+/g))
        expect(names).toContain(word);
    }
  });
});

test('of what runs code of others no page says that nothing is changed', () => {
  const pages = [...referenceFiles(CATALOGUE)].map(([, text]) => text).join('\n');
  const lines = pages.split('\n').filter((line) => line.includes('runs code of others'));
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => /changes nothing(?! itself)/u.test(line))).toEqual([]);
  const check = pages.slice(pages.indexOf('## proof_check')).split('\n## ')[0];
  expect(check).toContain('no sandbox');
  expect(check).not.toContain('Nothing is written');
});

test('the reference pages and the skill are what `npm run reference` writes', () => {
  const files = referenceFiles(CATALOGUE);
  for (const [path, text] of files) {
    expect(existsSync(new URL(path, root)), path).toBe(true);
    expect(readFileSync(new URL(path, root), 'utf8'), `${path} is stale: npm run reference`).toBe(text);
  }
  const written = readdirSync(new URL('docs/reference/', root)).map((name) => `docs/reference/${name}`);
  expect(written.sort()).toEqual([...files.keys()].filter((path) => path.startsWith('docs/')).sort());
});

/** Of all schemas in the description, however deep. */
function fieldsOf(described: unknown): string[] {
  if (typeof described !== 'object' || described === null) return [];
  return Object.entries(described).flatMap(([key, value]: [string, unknown]) => [
    ...(key === 'properties' && typeof value === 'object' && value !== null ? Object.keys(value) : []),
    ...fieldsOf(value),
  ]);
}
