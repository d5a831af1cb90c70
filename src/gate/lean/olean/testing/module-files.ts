/** The compiled modules of ./files, unpacked: for tests and benches. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const FOLDER = new URL('files/', import.meta.url);

/** The names of the files, such as `Extra.olean.private`. */
export const MODULE_FILES = readdirSync(FOLDER)
  .filter((name) => name.includes('.olean') && name.endsWith('.gz'))
  .map((name) => name.slice(0, -'.gz'.length));

/** The bytes of one of the files, or of an export such as `Base.ndjson`. */
export function moduleBytes(name: string): Uint8Array {
  return Uint8Array.from(gunzipSync(readFileSync(new URL(`${name}.gz`, FOLDER))));
}

/** A folder with all of them, and how to be rid of it. */
export function unpackModules(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'quod-olean-'));
  for (const name of MODULE_FILES) writeFileSync(join(folder, name), moduleBytes(name));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
