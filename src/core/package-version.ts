import { readFileSync } from 'node:fs';

/** The version in package.json, which lies two directories up from here in the sources and in the build alike. */
export function readPackageVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed
    ? String(parsed.version)
    : 'unknown';
}
