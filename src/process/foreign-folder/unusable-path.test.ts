import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { unusablePath } from './unusable-path.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-path-'));
afterAll(() => rmSync(folder, { recursive: true }));

function faultOf(path: string): unknown {
  try {
    readFileSync(path);
  } catch (error) {
    return error;
  }
  return undefined;
}

it('what the system says of a path is the caller’s affair, and the path is told in part where it is long', () => {
  symlinkSync('circle', join(folder, 'circle'));
  writeFileSync(join(folder, 'file'), '');
  for (const name of ['n'.repeat(300), 'a/'.repeat(3000), 'circle', 'file/inside']) {
    const error = unusablePath(faultOf(join(folder, name)));
    expect(error, name.slice(0, 20)).toMatchObject({ reason: 'invalid-input' });
    expect(String(error?.place.file).length).toBeLessThan(300);
  }
});

it('a folder that is to be listed and is not there is not found, and what is in a new one’s place is told', () => {
  const faultIn = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };
  expect(unusablePath(faultIn(() => readdirSync(join(folder, 'nowhere'))))).toMatchObject({
    reason: 'not-found',
  });
  writeFileSync(join(folder, 'taken'), '');
  const made = unusablePath(faultIn(() => mkdirSync(join(folder, 'taken'), { recursive: true })));
  expect(made).toMatchObject({ reason: 'invalid-input', message: 'Something else is at this path already.' });
});

it.each([
  ['scandir', 'The files of this folder may not be listed: permission denied.'],
  ['mkdir', 'This folder may not be made: permission denied.'],
  ['lutimes', 'What was to be done with this path is not allowed: permission denied.'],
])('where %s is not allowed, it is told what was to be done, and which right is missing', (syscall, said) => {
  const denied = Object.assign(new Error('denied'), { code: 'EACCES', path: 'there', syscall });
  expect(String(unusablePath(denied))).toBe(
    `there: ${said} Give the user who runs Quod the right to do that (\`chmod\`), and to enter the folders above, or name another path.`,
  );
});

it('what is not said of a path stays a defect', () => {
  expect(unusablePath(new TypeError('x is not a function'))).toBeUndefined();
  expect(unusablePath(faultOf(join(folder, 'missing')))).toBeUndefined();
  expect(unusablePath('ENAMETOOLONG')).toBeUndefined();
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

it.skipIf(process.platform !== 'linux')('a disk that is full is told as that, not as a defect', () => {
  const full = openSync('/dev/full', 'w');
  const error = unusablePath(thrownBy(() => writeSync(full, 'x')));
  closeSync(full);
  expect(error).toMatchObject({ reason: 'file-unwritable', message: 'There is no room left to write to.' });
});

it('a folder that cannot be made, of which Node says that there is none, is no defect', () => {
  const error = Object.assign(new Error("ENOENT: no such file or directory, mkdir '/a/.quod/runs'"), {
    ...{ code: 'ENOENT', syscall: 'mkdir', path: '/a/.quod/runs' },
  });
  expect(unusablePath(error)).toMatchObject({
    message: 'No folder can be made here.',
    place: { file: '/a/.quod/runs' },
  });
});
