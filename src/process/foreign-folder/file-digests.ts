/** What files say, as digests, looked at again and again: one that nobody touched since is not read again. */
import { lstat, stat } from 'node:fs/promises';
import { sha256 } from '../../core/sha256.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from './regular-file.ts';

export class FileDigests {
  readonly #known = new Map<string, { readonly stamp: string; readonly digest: string }>();

  /** SHA-256; of what cannot be read, as it is too large, the size and time of its last change. Undefined where there is none. */
  async of(path: string): Promise<string | undefined> {
    const status = await stat(path, { bigint: true }).catch(() => undefined);
    if (status === undefined) return undefined;
    const { dev, ino, size, mtimeNs, ctimeNs } = status;
    const stamp = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.digest;
    const digest = await readRegularFile(path, LARGEST_WRITTEN_BYTES).then(
      (bytes) => sha256(bytes),
      async () => {
        const now = await lstat(path).catch(() => undefined);
        return now === undefined ? undefined : `${now.size} bytes of ${now.mtimeMs}`;
      },
    );
    if (digest !== undefined) this.#known.set(path, { stamp, digest });
    return digest;
  }

  /** When each file was changed last as it was looked at last, whatever it says. */
  stamps(): ReadonlyMap<string, string> {
    return new Map([...this.#known].map(([path, { stamp }]) => [path, stamp]));
  }
}
