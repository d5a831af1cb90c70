/**
 * Reads the regular files of a tar archive (ustar, with GNU's long names). Total on any bytes: an archive that is
 * cut off or makes no sense gives `undefined`. Links, devices and folders are left out, and so are names that lead
 * out of the folder or name a file a second time.
 */

const BLOCK = 512;
const TYPE = { regular: 0x30, old: 0, longName: 0x4c } as const;

/** By their names as they stand in the archive. */
export function readTar(bytes: Buffer): Map<string, Buffer> | undefined {
  const files = new Map<string, Buffer>();
  let at = 0;
  let longName: string | undefined;
  for (;;) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.length < BLOCK) return undefined;
    if (header.every((byte) => byte === 0)) return files;
    const size = numberIn(header.subarray(124, 136));
    if (size === undefined) return undefined;
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    if (content.length < size) return undefined;
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const type = header[156] ?? 0;
    if (type === TYPE.longName) {
      longName = textIn(content);
      continue;
    }
    const prefix = textIn(header.subarray(257, 262)) === 'ustar' ? textIn(header.subarray(345, 500)) : '';
    const short = textIn(header.subarray(0, 100));
    const name = longName ?? (prefix === '' ? short : `${prefix}/${short}`);
    longName = undefined;
    const inside = name !== '' && !name.startsWith('/') && !name.split('/').includes('..');
    if ((type === TYPE.regular || type === TYPE.old) && inside && !files.has(name)) files.set(name, content);
  }
}

function textIn(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? field.length : end);
}

/** Octal, or in GNU's way binary for large numbers. */
function numberIn(field: Buffer): number | undefined {
  if ((field[0] ?? 0) & 0x80) {
    const value = field.readBigUInt64BE(field.length - 8);
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined;
  }
  const digits = textIn(field).trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}
