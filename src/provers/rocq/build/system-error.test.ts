import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemErrorIn } from './system-error.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-system-error-'));
  mkdirSync(join(folder, 'A.vo'));
  mkdirSync(join(folder, 'closed'));
  writeFileSync(join(folder, 'B.vo'), '');
  chmodSync(join(folder, 'B.vo'), 0);
  chmodSync(join(folder, 'closed'), 0o500);
});
afterAll(() => rmSync(folder, { recursive: true }));

const told = async (printed: string): Promise<string | undefined> =>
  (await systemErrorIn(printed, folder))?.toString().replace(folder, 'FOLDER');

test.each([`Error: Can't open ./A.vo.\n`, `Error: System error: "./A.vo: Is a directory"\n\n`])(
  'a folder in the place of what is written: %s',
  async (printed) => {
    expect(await told(printed)).toMatch(
      /^FOLDER\/A\.vo: A\.vo cannot be written: .*directory.*\. Build a copy of the project elsewhere\.$/u,
    );
  },
);

test('a full disk names no file', async () => {
  expect(await told('Error: System error: "No space left on device"\n')).toBe(
    'FOLDER: What is compiled cannot be written: no space left on device. Make room on the disk (`df -h` shows it), and ask again.',
  );
});

test.runIf(process.getuid?.() !== 0)('rights that are missing', async () => {
  expect(await told('Error: System error: "closed/A.glob: Permission denied"\n')).toMatch(
    /closed\/A\.glob cannot be written: permission denied\. Give .* right to write there .*, or build a copy of the project elsewhere\.$/u,
  );
  expect(await told('Error: System error: "./B.vo: Permission denied"\n')).toMatch(
    /B\.vo cannot be read: permission denied\. Give .* right to read it/u,
  );
});

test.each([
  'Error: Cannot find a physical path bound to logical path A.\n',
  `File "./A.v", line 1, characters 0-4:\nError: Can't open ./A.vo.\n`,
  `Error: Can't open ./C.vo.\n`,
  '',
])('what says something else, or nothing is against, is left as it is: %s', async (printed) => {
  expect(await told(printed)).toBeUndefined();
});
