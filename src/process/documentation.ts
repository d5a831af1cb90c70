/**
 * Where a page of the documentation lies: it comes with the package, and is not in the folder of who reads a message. What is
 * told while Quod runs names pages by this; help and generated pages name none, since they are made elsewhere.
 */
import { fileURLToPath } from 'node:url';

// The same way from src/process and from dist/process.
const FOLDER = new URL('../../docs/', import.meta.url);

/** @param page Such as `agents/agent.md`. */
export function documentationPage(page: string): string {
  return fileURLToPath(new URL(page, FOLDER));
}
