/**
 * Where each operation is reached: `/api/AREA/VERB`, by POST with a JSON body, and by GET where that is safe and
 * simple.
 */
import type { AnyOperation } from '../../operations/definition/operation.ts';
import { verbOf } from '../host.ts';
import type { PropertySchema } from '../../operations/definition/operation-schema.ts';

/** The folder from which relative paths of a request start; inside the workspace. */
export const FOLDER_HEADER = 'quod-folder';

export function routePath(operation: AnyOperation): string {
  return `/api/${operation.area}/${verbOf(operation)}`;
}

/** Whether the operation is also a GET: it changes nothing, and all that it takes fits into a query. */
export function hasGet(operation: AnyOperation): boolean {
  return operation.annotations.readOnly && Object.values(operation.inputSchema().properties).every(isScalar);
}

/**
 * @returns The input as the query says it; numbers and booleans by the schema, everything else as the text that it
 * is.
 */
export function inputOfQuery(operation: AnyOperation, query: URLSearchParams): Record<string, unknown> {
  const { properties } = operation.inputSchema();
  return Object.fromEntries(
    [...query].map(([name, text]) => [name, scalarOf(properties[name], text)] as const),
  );
}

const SCALARS = new Set(['string', 'number', 'integer', 'boolean']);

function isScalar({ type }: PropertySchema): boolean {
  return typeof type === 'string' && SCALARS.has(type);
}

function scalarOf(schema: PropertySchema | undefined, text: string): unknown {
  switch (schema?.type) {
    case 'number':
    case 'integer':
      // What is no number stays text, so that the operation itself says what is wrong with it.
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    default:
      return text;
  }
}
