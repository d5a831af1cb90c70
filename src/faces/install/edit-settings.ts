/**
 * Puts one entry into the text of a program's settings or takes it out, and changes nothing else: comments, order and
 * layout stay. Whatever would not come out as meant is refused.
 */
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, parse as parseJsonc } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { QuodError } from '../../core/errors.ts';
import { isRecord } from '../../core/json.ts';

export type SettingsFormat = 'json' | 'toml';

/** @throws QuodError `invalid-input` when the text is not of the format. */
export function withEntry(
  text: string,
  format: SettingsFormat,
  path: readonly string[],
  entry: Readonly<Record<string, unknown>>,
): string {
  return checked(text, format, path, entry);
}

/** The text without the entry; the same text when it has none. @throws QuodError `invalid-input`. */
export function withoutEntry(text: string, format: SettingsFormat, path: readonly string[]): string {
  return at(read(text, format), path) === undefined ? text : checked(text, format, path, undefined);
}

function checked(
  text: string,
  format: SettingsFormat,
  path: readonly string[],
  entry: object | undefined,
): string {
  const before = read(text, format);
  const edited = format === 'json' ? editJson(text, path, entry) : editToml(text, path, entry);
  const after = read(edited, format);
  const othersKept = isDeepStrictEqual(without(before, path), without(after, path));
  if (!othersKept || !isDeepStrictEqual(at(after, path), entry === undefined ? undefined : plain(entry))) {
    throw new QuodError('unsupported', 'The settings are written in a way that Quod cannot change safely.', {
      remedy: `Change ${path.join('.')} by hand.`,
    });
  }
  return edited;
}

function editJson(text: string, path: readonly string[], entry: object | undefined): string {
  const indent = /^(?<indent>[ \t]+)\S/m.exec(text)?.groups?.['indent'] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const base = text.trim() === '' ? '{}\n' : text;
  return applyEdits(base, modify(base, [...path], entry, { formattingOptions }));
}

/** Tables of TOML stand on their own, so ours goes to the end and comes away with its lines. */
function editToml(text: string, path: readonly string[], entry: object | undefined): string {
  const name = path.join('.');
  const kept: string[] = [];
  let inside = false;
  for (const line of text.split('\n')) {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (header !== undefined) inside = header === name || header.startsWith(`${name}.`);
    if (!inside) kept.push(line);
  }
  const rest = kept.join('\n');
  if (entry === undefined) return rest;
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const gap = rest === '' || rest.endsWith('\n\n') ? '' : rest.endsWith('\n') ? '\n' : '\n\n';
  return `${rest}${gap}[${name}]\n${lines.join('\n')}\n`;
}

function read(text: string, format: SettingsFormat): unknown {
  if (text.trim() === '') return {};
  if (format === 'json') {
    const errors: ParseError[] = [];
    const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
    if (errors.length === 0) return value;
  } else {
    try {
      return plain(parseToml(text));
    } catch {
      // Told below, in the same words for both formats.
    }
  }
  throw new QuodError('invalid-input', `The settings are not ${format === 'json' ? 'JSON' : 'TOML'}.`, {
    remedy: 'Mend the file first; Quod changes nothing that it cannot read.',
  });
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inside, key) => (isRecord(inside) ? inside[key] : undefined), value);
}

/** The value without what stands at the path, and without objects that are empty then. */
function without(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || !isRecord(value)) return undefined;
  const { [key]: inner, ...others } = value;
  const left = without(inner, rest);
  const isEmpty = left === undefined || (isRecord(left) && Object.keys(left).length === 0);
  return isEmpty ? others : { ...others, [key]: left };
}

function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)),
  );
}
