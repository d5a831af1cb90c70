/**
 * The input schema of an operation as a model reads it: without what only a validator needs. The whole schema is in the
 * reference and in OpenAPI, and every call is held to it.
 */
import type { AnyOperation } from '../../operations/definition/operation.ts';
import { GIVEN_UP } from '../../operations/definition/operation.ts';
import type { ObjectSchema, PropertySchema } from '../../operations/definition/operation-schema.ts';

/** Bounds that nobody runs into, and patterns that the message of a refused call explains better. */
const FOR_VALIDATORS = new Set(['pattern', 'minLength', 'maximum', 'minimum', 'exclusiveMinimum']);

export function listedSchema(operation: AnyOperation): ObjectSchema {
  const { properties, ...schema } = operation.inputSchema();
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        // Every operation has it, and it means the same in most.
        name === 'timeout' && property.description === GIVEN_UP
          ? { type: 'number', default: operation.defaultTimeout, description: 'Seconds.' }
          : listed(property),
      ]),
    ),
  };
}

function listed(property: PropertySchema): PropertySchema {
  const kept = Object.entries(property).filter(([key]) => !FOR_VALIDATORS.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => (key === 'items' ? [key, listed(value as PropertySchema)] : [key, value])),
  );
}
