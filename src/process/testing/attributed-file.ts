/** Files with an access control list and extended attributes, for tests: Node can neither set them nor ask for them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LISTS = `
import os, struct, sys
def give(name, *entries):
    packed = [struct.pack('<HHI', tag, may, who) for tag, may, who in entries]
    os.setxattr(sys.argv[1], 'system.posix_acl_' + name, struct.pack('<I', 2) + b''.join(packed))
none = 0xffffffff`;

/** A user who is neither its owner nor of its group may write it, and the group may nothing: the mode alone says 0660. */
export function giveAttributes(file: string): void {
  python(
    `${LISTS}
give('access', (1, 6, none), (2, 6, 1234), (4, 0, none), (16, 6, none), (32, 0, none))
os.setxattr(sys.argv[1], 'user.note', b'kept')`,
    file,
  );
}

/** What is made in the folder has a list. */
export function giveDefaultList(folder: string): void {
  python(
    `${LISTS}\ngive('default', (1, 7, none), (2, 7, 4321), (4, 5, none), (16, 7, none), (32, 0, none))`,
    folder,
  );
}

/** All of them, as a text. */
export function attributesOf(file: string): string {
  return python(
    'import os, sys\nprint([(name, os.getxattr(sys.argv[1], name)) for name in sorted(os.listxattr(sys.argv[1]))])',
    file,
  );
}

/** There must be a python3, and a file system with attributes for temporary files. */
export function canHaveAttributes(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'quod-attributes-'));
  const tried = join(folder, 'tried');
  writeFileSync(tried, '');
  try {
    giveAttributes(tried);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function python(script: string, path: string): string {
  return execFileSync('python3', ['-c', script, path], { encoding: 'utf8', stdio: 'pipe' });
}
