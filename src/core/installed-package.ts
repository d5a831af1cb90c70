/** What comes with the package, found from the sources and from the build alike. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The version in package.json, which lies two directories up from here in the sources and in the build alike. */
export function readPackageVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed
    ? String(parsed.version)
    : 'unknown';
}

// The same way from src/core and from dist/core.
const FOLDER = new URL('../../docs/', import.meta.url);

/**
 * Where a page of the documentation lies: it comes with the package, and is not in the folder of who reads a message. What is
 * told while Quod runs names pages by this; help and generated pages name none, since they are made elsewhere.
 * @param page Such as `agents/agent.md`.
 */
export function installedPage(page: string): string {
  return fileURLToPath(new URL(page, FOLDER));
}
