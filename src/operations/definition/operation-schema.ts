/** The JSON Schemas of an operation, as MCP, OpenAPI and the reference pages show them. */
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { isRecord } from '../../core/json.ts';

export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required: readonly string[];
}

/** A JSON Schema of one property: the keys that faces look at. The rest is passed on as it is. */
export interface PropertySchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly items?: PropertySchema;
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly PropertySchema[];
  readonly oneOf?: readonly PropertySchema[];
}

/** An input as a caller sends it, where properties with a default are not required, or an output as it is answered. */
export function objectSchema(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  // The dialect is left out: validators that know only an older one would refuse a schema that they understand.
  const json = z.toJSONSchema(schema, { io, reused: 'inline' });
  delete json.$schema;
  // `required` is left out when nothing is.
  const object = { required: [], ...withSingleTypes(json) };
  if (!isObjectSchema(object)) throw new QuodError('internal', 'A schema of an operation is no object.');
  return object;
}

/** An object schema of zod is always written with its properties, and those are schemas. */
function isObjectSchema(schema: object): schema is ObjectSchema {
  return (
    'type' in schema && schema.type === 'object' && 'properties' in schema && isRecord(schema.properties)
  );
}

/** What says something of a value and allows or forbids none. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'deprecated', 'examples']);

/**
 * A schema whose every `type` is one name. zod writes a string that may be null as `type: ["string", "null"]`,
 * which the dialects of some model vendors do not know; they do know `anyOf`.
 */
function withSingleTypes(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const inner = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, singleTypesInside(keyword, value)]),
  );
  const { type, ...rest } = inner;
  if (!Array.isArray(type)) return inner;
  const entries = Object.entries(rest);
  const assertions = Object.fromEntries(entries.filter(([keyword]) => !ANNOTATIONS.has(keyword)));
  return {
    ...Object.fromEntries(entries.filter(([keyword]) => ANNOTATIONS.has(keyword))),
    anyOf: type.map((name: unknown) => (name === 'null' ? { type: name } : { type: name, ...assertions })),
  };
}

function singleTypesInside(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case 'properties':
    case '$defs':
      return isRecord(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, schema]) => [
              name,
              isRecord(schema) ? withSingleTypes(schema) : schema,
            ]),
          )
        : value;
    case 'items':
    case 'additionalProperties':
    case 'propertyNames':
      return isRecord(value) ? withSingleTypes(value) : value;
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
    case 'prefixItems':
      return Array.isArray(value)
        ? value.map((schema: unknown) => (isRecord(schema) ? withSingleTypes(schema) : schema))
        : value;
    default:
      return value;
  }
}

/** A type for people: `string`, `integer or null`, `list of string`, `"short" or "long"`, `object`. */
export function typeText(schema: PropertySchema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeText))].join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any value']);
  return types
    .map((type) =>
      type === 'array' && schema.items !== undefined ? `list of ${typeText(schema.items)}` : type,
    )
    .join(' or ');
}
