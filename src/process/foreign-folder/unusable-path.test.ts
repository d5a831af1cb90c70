import { mkdirSync, openSync, closeSync, writeSync } from 'node:fs';
import { expect, test } from 'vitest';
import { unusablePath } from './unusable-path.ts';

function thrownBy(doIt: () => unknown): unknown {
  try {
    doIt();
    return undefined;
  } catch (error) {
    return error;
  }
}

test.skipIf(process.platform !== 'linux')('a disk that is full is told as that, not as a defect', () => {
  const full = openSync('/dev/full', 'w');
  const error = unusablePath(thrownBy(() => writeSync(full, 'x')));
  closeSync(full);
  expect(error).toMatchObject({ reason: 'file-unreadable', message: 'There is no room left to write to.' });
});

test.skipIf(process.platform !== 'linux')('so is a folder in which no other can be made', () => {
  // Nobody may make a folder there, and the system says that there is none.
  const error = unusablePath(thrownBy(() => mkdirSync('/proc/quod/runs', { recursive: true })));
  expect(error).toMatchObject({ message: 'No folder can be made here.' });
  expect(error?.place.file).toContain('/proc/quod');
});
