/** What files say, as digests, looked at again and again: one that nobody touched since is not read again. */
import { lstat, stat } from 'node:fs/promises';
import { sha256 } from '../../core/sha256.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from './regular-file.ts';

/** Another one when somebody wrote the file. Undefined where there is none. */
export async function fileStamp(path: string): Promise<string | undefined> {
  const status = await stat(path, { bigint: true }).catch(() => undefined);
  if (status === undefined) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = status;
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

export class FileDigests {
  readonly #known = new Map<string, { readonly stamp: string; readonly digest: string }>();
  readonly #digestOf: (bytes: Uint8Array) => string;

  constructor(digestOf = (bytes: Uint8Array): string => sha256(bytes)) {
    this.#digestOf = digestOf;
  }

  /** By default SHA-256; of what cannot be read, as it is too large, the size and time of its last change. Undefined where there is none. */
  async of(path: string): Promise<string | undefined> {
    const stamp = await fileStamp(path);
    if (stamp === undefined) return undefined;
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.digest;
    const digest = await readRegularFile(path, LARGEST_WRITTEN_BYTES).then(this.#digestOf, async () => {
      const now = await lstat(path).catch(() => undefined);
      return now === undefined ? undefined : `${now.size} bytes of ${now.mtimeMs}`;
    });
    // Another file may have come into its place before it was read.
    if (digest !== undefined && (await fileStamp(path)) === stamp) this.#known.set(path, { stamp, digest });
    return digest;
  }

  /** Of the file as it was when it had this stamp; the stamp itself where it has another by now and was not read before. */
  async asOf(path: string, stamp: string): Promise<string> {
    if (this.#known.get(path)?.stamp !== stamp && (await fileStamp(path)) === stamp) await this.of(path);
    const known = this.#known.get(path);
    return known?.stamp === stamp ? known.digest : stamp;
  }

  /** When each file was changed last as it was looked at last, whatever it says. */
  stamps(): ReadonlyMap<string, string> {
    return new Map([...this.#known].map(([path, { stamp }]) => [path, stamp]));
  }
}
