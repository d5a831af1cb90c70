/**
 * Which texts of an event are read back exactly: paths, the user's own files, names of theorems, hashes, proofs that were
 * found. All others are what somebody said, and may have something left out.
 */
import { z } from 'zod';

/** A field of a schema that says so of itself. */
const EXACT = Symbol('exact');

/** Marks a field of the schema of events with all that is in it. */
export function exact<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  return Object.assign(schema, { [EXACT]: true });
}

/** A value with its texts changed, names of fields that the schema does not know among them, but for what is exact. */
export function withSaidTexts(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  change: (text: string) => string,
): unknown {
  if (schema !== undefined && EXACT in schema) return value;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return withSaidTexts(schema.unwrap(), value, change);
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) return value;
  if (schema instanceof z.ZodDiscriminatedUnion) return withSaidTexts(optionOf(schema, value), value, change);
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) {
    const element = schema instanceof z.ZodArray ? schema.element : undefined;
    return value.map((one) => withSaidTexts(element, one, change));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
    return Object.fromEntries(
      entries.map(([name, inside]) =>
        Object.hasOwn(shape, name)
          ? [name, withSaidTexts(shape[name], inside, change)]
          : [change(name), withSaidTexts(undefined, inside, change)],
      ),
    );
  }
  const record = schema instanceof z.ZodRecord ? schema : undefined;
  return Object.fromEntries(
    entries.map(([name, inside]) => [
      withSaidTexts(record?.keyType, name, change),
      withSaidTexts(record?.valueType, inside, change),
    ]),
  );
}

function optionOf(union: z.ZodDiscriminatedUnion, value: unknown): z.core.$ZodType | undefined {
  const { discriminator } = union.def;
  if (typeof value !== 'object' || value === null) return undefined;
  const said: unknown = Object.entries(value).find(([name]) => name === discriminator)?.[1];
  return union.options.find((option) => {
    if (!(option instanceof z.ZodObject)) return false;
    const shape: Readonly<Record<string, z.core.$ZodType>> = option.shape;
    const kind = shape[discriminator];
    return kind !== undefined && z.safeParse(kind, said).success;
  });
}
