/** The input of a tool as people read it. */

/** JSON of one or two fields of text is read as these texts. */
export function writtenInput(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return input;
    return Object.entries(value)
      .map(([name, field]) => `${name}: ${typeof field === 'string' ? field : JSON.stringify(field)}`)
      .join('\n');
  } catch {
    return input;
  }
}
