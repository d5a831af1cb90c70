import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  attributesOf,
  canHaveAttributes,
  giveAttributes,
  giveDefaultList,
} from '../../process/testing/attributed-file.ts';
import { exchange, replaceFile, requireReplaceable } from './replace-file.ts';
import { encode, readSourceFile, type SourceFile } from './source-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-replace-'));
const path = join(folder, 'file.v');
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  writeFileSync(path, 'old');
});

test('the bytes change; mode, owner and a symbolic link to the file stay', async () => {
  chmodSync(path, 0o751);
  const link = join(folder, 'link.v');
  symlinkSync(path, link);
  const source = await readSourceFile(link);
  await replaceFile(source, encode(source, 'new'));
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o7777).toBe(0o751);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['file.v', 'link.v']);
});

test.skipIf(!canHaveAttributes())(
  'an access control list and extended attributes stay, and none come from the folder (needs python3)',
  async () => {
    giveDefaultList(folder);
    const plain = attributesOf(path);
    const replaced = async (text: string): Promise<string> => {
      const source = await readSourceFile(path);
      await replaceFile(source, encode(source, text));
      expect(readFileSync(path, 'utf8')).toBe(text);
      return attributesOf(path);
    };
    expect(await replaced('new')).toBe(plain);
    giveAttributes(path);
    const given = attributesOf(path);
    expect(given).toContain('user.note');
    expect([await replaced('a'), statSync(path).mode & 0o7777]).toEqual([given, 0o660]);
    // Also where what somebody wrote meanwhile comes back, and the file cannot have a second name.
    const { hash } = await readSourceFile(path);
    const [fresh, old] = [join(folder, 'fresh'), join(folder, 'old')];
    writeFileSync(path, 'an edit');
    writeFileSync(fresh, 'new');
    writeFileSync(old, 'taken');
    expect(() => exchange({ path, fresh, old }, hash)).toThrow();
    expect([readFileSync(path, 'utf8'), attributesOf(path)]).toEqual(['an edit', given]);
  },
);

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Before anything is written, and where it is. */
async function expectRefused(source: SourceFile, why: RegExp): Promise<void> {
  for (const refused of [
    () => requireReplaceable(source),
    () => replaceFile(source, encode(source, 'new')),
  ]) {
    const error: unknown = await refused().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'file-unwritable', place: { file: path } });
    expect(String(error)).toMatch(why);
  }
}

test.each([
  ['is missing', '', /there is no `cp` in PATH.*coreutils/su],
  ['knows no attributes', 'echo "cp: unrecognized option: preserve" >&2; exit 1', /unrecognized|preserve/u],
])('where the program that copies attributes %s, nothing is written', async (_, script, why) => {
  const programs = mkdtempSync(join(tmpdir(), 'quod-programs-'));
  if (script !== '') writeFileSync(join(programs, 'cp'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', programs);
  const source = await readSourceFile(path);
  await expectRefused(source, why);
  expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['old', ['file.v']]);
  rmSync(programs, { recursive: true });
});

test.each([
  ['that its owner made read-only', () => chmodSync(path, 0o444), /lets nobody write it.*`chmod u\+w`/su],
  ['that has another name', () => linkSync(path, join(folder, 'other.v')), /hard link.*copy it/su],
])('a file %s is left alone, and that is told early, too', async (_, prepare, why) => {
  prepare();
  const source = await readSourceFile(path);
  const names = readdirSync(folder);
  await expectRefused(source, why);
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(names);
  // What is there already need not be written.
  await replaceFile(source, encode(source, 'old'));
});

test('a file that can be replaced stays as it is when that is asked', async () => {
  const before = statSync(path);
  await requireReplaceable(await readSourceFile(path));
  const { ino, mtimeMs, mode } = statSync(path);
  expect({ ino, mtimeMs, mode }).toEqual({ ino: before.ino, mtimeMs: before.mtimeMs, mode: before.mode });
  expect(readdirSync(folder)).toEqual(['file.v']);
});

const OTHER_USER = 65_534;
const mayBeAnother = process.getuid?.() === 0 && canRead(import.meta.filename);

test.skipIf(!mayBeAnother)(
  'a group that cannot be kept is named, and the file is left alone (needs root)',
  () => {
    chmodSync(folder, 0o777);
    chownSync(path, OTHER_USER, 0);
    const module = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
    const script = `
    const { replaceFile, requireReplaceable } = await import(${module('./replace-file.ts')});
    const { encode, readSourceFile } = await import(${module('./source-file.ts')});
    const source = await readSourceFile(${JSON.stringify(path)});
    const tell = (error) => console.log(error.message);
    await requireReplaceable(source).catch(tell);
    await replaceFile(source, encode(source, 'new')).catch(tell);`;
    expect(asAnother(script)).toMatch(
      /^(?:The file cannot be replaced: it belongs to the user 65534 and the group 0,.*\n){2}$/u,
    );
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['file.v']);
    chownSync(path, OTHER_USER, OTHER_USER);
    expect(asAnother(script)).toBe('');
    expect(readFileSync(path, 'utf8')).toBe('new');
  },
);

function asAnother(script: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    ...{ uid: OTHER_USER, gid: OTHER_USER, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  });
}

function canRead(file: string): boolean {
  try {
    return (
      asAnother(
        `await import('node:fs').then(({ readFileSync }) => readFileSync(${JSON.stringify(file)}))`,
      ) === ''
    );
  } catch {
    return false;
  }
}

test('a file that changed since it was read is left alone', async () => {
  const source = await readSourceFile(path);
  writeFileSync(path, 'somebody else');
  await expect(replaceFile(source, encode(source, 'new'))).rejects.toMatchObject({ reason: 'file-changed' });
  expect(readFileSync(path, 'utf8')).toBe('somebody else');
  rmSync(path);
  await expect(replaceFile(source, encode(source, 'new'))).rejects.toMatchObject({ reason: 'file-changed' });
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder, or one above it, that was exchanged for a link to another is left alone, and so is that', async () => {
  for (const exchanged of ['inner', 'inner/most']) {
    for (const at of ['inner/most', 'inner/elsewhere/most', 'elsewhere/most'])
      mkdirSync(join(folder, at), { recursive: true });
    const inside = join(folder, 'inner/most/file.v');
    const outside = [join(folder, 'elsewhere/file.v'), join(folder, 'elsewhere/most/file.v')];
    for (const file of [inside, ...outside]) writeFileSync(file, 'old');
    const source = await readSourceFile(inside);
    renameSync(join(folder, exchanged), join(folder, 'kept'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, exchanged));
    await expect(replaceFile(source, encode(source, 'new'))).rejects.toMatchObject({
      reason: 'file-changed',
    });
    expect(outside.map((file) => readFileSync(file, 'utf8'))).toEqual(['old', 'old']);
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  }
});

test('what was written in place after the last look comes back', async () => {
  const hash = (await readSourceFile(path)).hash;
  const [fresh, old] = [join(folder, 'fresh'), join(folder, 'old')];
  const put = (): void => exchange({ path, fresh, old }, hash);
  writeFileSync(fresh, 'new');
  // Somebody wrote it between the comparison and the exchange.
  writeFileSync(path, 'old, and an edit');
  const { ino } = statSync(path);
  expect(put).toThrow(expect.objectContaining({ reason: 'file-changed' }));
  expect([readFileSync(path, 'utf8'), statSync(path).ino]).toEqual(['old, and an edit', ino]);
  // The same where the file cannot have a second name.
  writeFileSync(fresh, 'new');
  writeFileSync(old, 'taken');
  expect(put).toThrow(expect.objectContaining({ reason: 'file-changed' }));
  expect(readFileSync(path, 'utf8')).toBe('old, and an edit');
});

test('a file in whose place something else stands is left alone, and is called what the user calls it', async () => {
  const source = await readSourceFile('file.v', path);
  const others = [
    () => symlinkSync('elsewhere', path),
    () => mkdirSync(path),
    () => execFileSync('mkfifo', [path]),
  ];
  for (const other of others) {
    rmSync(path, { recursive: true });
    other();
    await expect(replaceFile(source, encode(source, 'new'))).rejects.toMatchObject({
      reason: 'file-changed',
      place: { file: 'file.v' },
      message: expect.not.stringContaining('/proc') as string,
    });
  }
  expect(readdirSync(folder)).toEqual(['file.v']);
});

test('killed with -9 at 50 random moments while it writes, the file is old or new, never damaged', async () => {
  // The writer swaps two texts of 2 MB for ever, so that nearly every moment lies inside a replacement.
  const texts = ['a', 'b'].map((letter) => `${letter.repeat(2 * 1024 * 1024)}.`);
  const writer = `
    import { replaceFile } from ${JSON.stringify(new URL('replace-file.ts', import.meta.url).href)};
    import { encode, readSourceFile } from ${JSON.stringify(new URL('source-file.ts', import.meta.url).href)};
    const path = process.argv[1];
    for (let turn = 0; ; turn += 1) {
      const source = await readSourceFile(path);
      const text = (turn % 2 === 0 ? 'b' : 'a').repeat(2 * 1024 * 1024) + '.';
      await replaceFile(source, encode(source, text));
      if (turn === 0) process.stdout.write('writing');
    }`;
  writeFileSync(path, texts[0] ?? '');
  let inTheMiddle = 0;
  for (let round = 0; round < 50; round += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', writer, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await delay(Math.random() * 30);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(texts).toContain(readFileSync(path, 'utf8'));
    if (readdirSync(folder).length > 1) inTheMiddle += 1;
  }
  expect(inTheMiddle).toBeGreaterThan(0);
  // What the killed writers left beside the file goes away with the next replacement.
  const source = await readSourceFile(path);
  await replaceFile(source, encode(source, 'new'));
  expect(readdirSync(folder)).toEqual(['file.v']);
  // Fifty writers one after another; how long one takes is the machine's affair.
}, 900_000);
