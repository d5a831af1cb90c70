/**
 * The first bytes of an `.olean` file, in the three layouts that Lean 4 has written: 0 (marker of sixteen bytes,
 * 2023 and before), 1 (with a git hash) and 2 (with Lean's version and flags). Sources: gebner/oleanparser, lean4
 * pull requests 2766 and 5144, and the files in ./testing.
 */
import type { FileBytes } from './file-bytes.ts';
import { malformed } from './malformed.ts';

export interface OleanHeader {
  readonly layout: 0 | 1 | 2;
  /** `4.29.1`; undefined where the layout or the build does not say. */
  readonly leanVersion: string | undefined;
  readonly gitHash: string | undefined;
  /** Absolute address of the file's first byte: what pointers in the file are relative to. */
  readonly base: number;
  /** Offset of the word that points to the root object. */
  readonly rootSlot: number;
  readonly bigNumbers: 'gmp' | 'native';
}

/** Addresses are numbers: every one below 2^53 is exact, and no address space has more than 2^48. */
const ADDRESS_LIMIT = 2 ** 48;

export function readOleanHeader(file: FileBytes): OleanHeader {
  if (file.size < 32) throw malformed(file.path, 0, `the file has ${file.size} bytes, too few for a header.`);
  const marker = text(file, 0, 16);
  if (marker === 'oleanfile!!!!!!!') {
    return finish(file, {
      layout: 0,
      leanVersion: undefined,
      gitHash: undefined,
      rootSlot: 24,
      bigNumbers: 'gmp',
    });
  }
  if (!marker.startsWith('olean'))
    throw malformed(
      file.path,
      0,
      'the file does not begin with the marker of compiled Lean modules, `olean`.',
    );
  const version = file.u8(5);
  if (version === 1) {
    return finish(file, {
      layout: 1,
      leanVersion: undefined,
      gitHash: text(file, 6, 42) || undefined,
      rootSlot: 56,
      bigNumbers: 'gmp',
    });
  }
  if (version !== 2)
    throw malformed(file.path, 5, `header version ${version}; Quod reads the versions 0, 1 and 2.`);
  const flags = file.u8(6);
  if (flags > 1) throw malformed(file.path, 6, `unknown flags ${flags}.`);
  return finish(file, {
    layout: 2,
    leanVersion: text(file, 7, 33) || undefined,
    gitHash: text(file, 40, 40) || undefined,
    rootSlot: 88,
    bigNumbers: flags === 1 ? 'gmp' : 'native',
  });
}

function finish(file: FileBytes, header: Omit<OleanHeader, 'base'>): OleanHeader {
  if (file.size < header.rootSlot + 8)
    throw malformed(file.path, file.size, 'the file ends inside its header.');
  const at = header.rootSlot - 8;
  const base = file.u32(at + 4) * 2 ** 32 + file.u32(at);
  if (base % 8 !== 0 || base + file.size > ADDRESS_LIMIT)
    throw malformed(file.path, at, `the base address 0x${base.toString(16)} is not one.`);
  return { ...header, base };
}

/** The characters before the first NUL. Only for information; bytes beyond ASCII are shown as `?`. */
function text(file: FileBytes, at: number, length: number): string {
  const bytes = file.slice(at, Math.min(length, file.size - at));
  const end = bytes.indexOf(0);
  return Array.from(end < 0 ? bytes : bytes.subarray(0, end), (byte) =>
    byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '?',
  ).join('');
}
