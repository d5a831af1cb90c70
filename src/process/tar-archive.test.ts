import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTar } from './tar-archive.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-tar-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const packed = (): Buffer => execFileSync('tar', ['-cf', '-', '.'], { cwd: folder });

describe('an archive of the real tar', () => {
  it('gives regular files, with long names and odd sizes, and no links', () => {
    const long = `${'d'.repeat(90)}/${'e'.repeat(120)}.txt`;
    mkdirSync(join(folder, 'd'.repeat(90)));
    writeFileSync(join(folder, long), 'long');
    writeFileSync(join(folder, 'ünï'), Buffer.alloc(513, 7));
    writeFileSync(join(folder, 'empty'), '');
    symlinkSync('/etc/passwd', join(folder, 'link'));
    const files = readTar(packed());
    expect([...(files?.keys() ?? [])].sort()).toEqual([`./${long}`, './empty', './ünï'].sort());
    expect(files?.get('./ünï')).toEqual(Buffer.alloc(513, 7));
    expect(files?.get(`./${long}`)?.toString()).toBe('long');
  });

  it('cut off anywhere, or with a byte changed, is never read beyond its end', () => {
    writeFileSync(join(folder, 'a'), 'x'.repeat(700));
    const whole = packed();
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(whole.length - 1), fc.nat(255), (end, at, byte) => {
        const changed = Buffer.from(whole.subarray(0, end));
        if (at < end) changed[at] = byte;
        const files = readTar(changed);
        for (const content of files?.values() ?? []) expect(content.length).toBeLessThanOrEqual(end);
      }),
    );
    expect(readTar(Buffer.alloc(0))).toBeUndefined();
    expect(readTar(whole.subarray(0, 600))).toBeUndefined();
  });
});

it('leaves out names that lead out of the folder, and second files of a name', () => {
  const entry = (name: string, text: string): Buffer => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(text.length.toString(8).padStart(11, '0'), 124);
    header[156] = 0x30;
    return Buffer.concat([header, Buffer.from(text.padEnd(512, '\0'))]);
  };
  const files = readTar(
    Buffer.concat([
      entry('/etc/passwd', 'a'),
      entry('../up', 'b'),
      entry('in/../../up', 'c'),
      entry('good', 'first'),
      entry('good', 'second'),
      Buffer.alloc(1024),
    ]),
  );
  expect([...(files ?? [])].map(([name, content]) => [name, content.toString()])).toEqual([
    ['good', 'first'],
  ]);
});
