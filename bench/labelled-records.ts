/** Records of a bench, a JSON object a line, each under the label of the run that it is of. */
import { existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';

/** Those of one label; none where there is no file. @throws ZodError for a line that is no such record. */
export function labelledRecords<Record extends { readonly label: string }>(
  file: string,
  schema: z.ZodType<Record>,
  label: string,
): Record[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => schema.parse(JSON.parse(line)))
    .filter((record) => record.label === label);
}
