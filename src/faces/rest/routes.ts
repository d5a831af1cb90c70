/**
 * Where each operation is reached: `/api/AREA/VERB`, by POST with a JSON body, and by GET where that is safe and
 * simple.
 */
import { decimalNumber } from '../../core/numbers/decimal-number.ts';
import type { AnyOperation } from '../../operations/definition/operation.ts';
import { nearestNames } from '../../core/names/nearest-names.ts';
import { verbOf } from '../host.ts';
import type { PropertySchema } from '../../operations/definition/operation-schema.ts';

/** The folder from which relative paths of a request start; inside the workspace. */
export const FOLDER_HEADER = 'quod-folder';

export function routePath(operation: AnyOperation): string {
  return `/api/${operation.area}/${verbOf(operation)}`;
}

/**
 * Where the operation is that a path was meant for, which may have the name of one in it (`/api/proof_search`).
 * Undefined: of an area, or of nothing in it, no one operation is meant.
 */
export function pathMeant(path: string, operations: readonly AnyOperation[]): string | undefined {
  const parts = path.split('/').filter(Boolean).slice(1);
  const words = parts.join('_').replaceAll('-', '_');
  const named = operations.find(({ name, area }) => words === name || words === `${area}_${name}`);
  if (named !== undefined) return routePath(named);
  if (parts.length > 1) return nearestNames(path, operations.map(routePath))[0];
  if (!words.includes('_')) return undefined;
  const [nearest] = nearestNames(
    words,
    operations.map(({ name }) => name),
  );
  return operations.filter(({ name }) => name === nearest).map(routePath)[0];
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
      return decimalNumber(text) ?? text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    default:
      return text;
  }
}
