import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { ReasonCode } from '../../core/reason.ts';
import { LARGEST_SOURCE_BYTES } from '../../process/foreign-folder/regular-file.ts';
import { sha256 } from '../../core/sha256.ts';
import { applyReplacements, encode, readEditedFile, readSourceFile } from './source-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-source-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function expectRefusal(path: string, reason: ReasonCode, message: RegExp): Promise<void> {
  const error = await readSourceFile(path).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toMatchObject({ name: 'QuodError', reason, place: { file: path } });
  expect(String(error)).toMatch(message);
}

describe('a file that cannot be read as a source is refused with what to do', () => {
  test('no such file', () => expectRefusal(join(folder, 'absent.v'), 'not-found', /no such file/));

  test('a name that is nearly one of a source beside it', async () => {
    mkdirSync(join(folder, 'near'));
    for (const name of ['near/lists.v', 'near/lists.vo']) fileWith(name, 'x');
    for (const name of ['near/lists', 'near/list.v', 'near/Lists.v'])
      await expectRefusal(join(folder, name), 'not-found', /Did you mean \S+\/near\/lists\.v\?$/);
    for (const name of ['near/sorting.v', 'near/nope.v', 'near/lost.v', 'near/l.v'])
      await expectRefusal(join(folder, name), 'not-found', /Check the path/);
  });

  test('a name that is near to none: what they end with is no likeness, and a folder is no file', async () => {
    mkdirSync(join(folder, 'far'));
    for (const name of ['far/done.v', 'far/b.v', 'far/sum.ml']) fileWith(name, 'x');
    mkdirSync(join(folder, 'far/d.v'));
    for (const name of ['far/nope.v', 'far/a.v', 'far/dd.v', 'far/q.v'])
      await expectRefusal(join(folder, name), 'not-found', /Check the path/u);
    await expectRefusal(join(folder, 'far/dome.v'), 'not-found', /Did you mean \S+\/far\/done\.v\?$/u);
  });

  test.each([
    ['with a mark', '\ufeffLemma a : True.', 'utf-16'],
    ['without one', 'Lemma a : True.', 'utf-16le'],
  ])('text in UTF-16 %s', async (_, text, encoding) => {
    const path = fileWith('wide.v', Buffer.from(text, 'utf16le'));
    await expectRefusal(path, 'file-unreadable', new RegExp(`UTF-16.*iconv -f ${encoding} -t utf-8`));
  });

  test('what is no text', () =>
    expectRefusal(fileWith('bytes.v', Buffer.from([1, 2, 0xff, 0])), 'file-unreadable', /that no text has/));

  test('a dangling symbolic link', async () => {
    symlinkSync(join(folder, 'gone.v'), join(folder, 'link.v'));
    await expectRefusal(join(folder, 'link.v'), 'not-found', /symbolic link/);
  });

  test('a directory', async () => {
    mkdirSync(join(folder, 'directory.v'));
    await expectRefusal(join(folder, 'directory.v'), 'file-unreadable', /directory/);
  });

  test('a named pipe, without waiting for a writer', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.v')]);
    await expectRefusal(join(folder, 'pipe.v'), 'file-unreadable', /not a regular file/);
  });

  test('an empty file, and one of blanks', async () => {
    await expectRefusal(fileWith('empty.v', ''), 'invalid-input', /empty/);
    await expectRefusal(fileWith('blank.v', ' \r\n\t\n'), 'invalid-input', /empty/);
    // Who writes in one begins with nothing.
    expect(await readEditedFile(fileWith('empty.v', ''))).toMatchObject({ text: '', hash: sha256('') });
    expect(await readEditedFile(fileWith('blank.v', ' \r\n\t\n'))).toMatchObject({ text: ' \r\n\t\n' });
  });

  test('a file of 50 MB', async () => {
    const path = fileWith('large.v', 'x');
    truncateSync(path, 50 * 1024 * 1024);
    await expectRefusal(path, 'too-large', /more than 10 MiB/);
    expect(LARGEST_SOURCE_BYTES).toBeLessThan(50 * 1024 * 1024);
  });

  test('bytes that are not UTF-8, with their line and column', async () => {
    const latin1 = Buffer.from('Lemma a : True.\n(* été *)\n', 'latin1');
    await expectRefusal(fileWith('latin1.v', latin1), 'file-unreadable', /:2:3: .*UTF-8/);
    const cut = Buffer.from('(* é', 'utf8').subarray(0, -1);
    await expectRefusal(fileWith('cut.v', cut), 'file-unreadable', /:1:3: .*UTF-8/);
  });
});

const sourceText = fc
  .array(fc.constantFrom('Lemma a.', 'é', '∀', '𝔸', '\n', '\r\n', '\r', ' ', '\t', '\uFEFF', '.'), {
    minLength: 1,
  })
  .map((pieces) => `x${pieces.join('')}`);

test('exactly one byte order mark is skipped: what begins with more is no text that a prover reads', async () => {
  const one = await readSourceFile(fileWith('one.v', '\uFEFFLemma a.\n'));
  expect(one).toMatchObject({ text: 'Lemma a.\n', byteOrderMark: true });
  for (const marks of ['\uFEFF\uFEFF', '\uFEFF\uFEFF\uFEFF'])
    await expectRefusal(
      fileWith('more.v', `${marks}Lemma a.\n`),
      'file-unreadable',
      /more than one byte order/,
    );
  // One inside is a character like any other.
  const text = 'Lemma\uFEFF a.\n';
  expect(await readSourceFile(fileWith('inside.v', text))).toMatchObject({ text, byteOrderMark: false });
});

test('reading and encoding unchanged text gives the bytes back', async () => {
  await fc.assert(
    fc.asyncProperty(sourceText, fc.boolean(), async (text, mark) => {
      const bytes = Buffer.from((mark ? '\uFEFF' : '') + text, 'utf8');
      const source = await readSourceFile(fileWith('round-trip.v', bytes));
      expect(source.byteOrderMark).toBe(mark);
      expect(source.text).toBe(text);
      expect(encode(source, applyReplacements(source, [])).equals(bytes)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('replacements change their spans and nothing else, and take the line ends of the file', async () => {
  const source = await readSourceFile(
    fileWith('crlf.v', '\uFEFFLemma a.\r\nAdmitted.\r\nLemma b.\r\nAbort.\r\n'),
  );
  const spanOf = (text: string) => {
    const start = source.text.indexOf(text);
    return { start, end: start + text.length };
  };
  const result = applyReplacements(source, [
    { span: spanOf('Abort.'), text: 'Proof.\n  exact I.\nQed.' },
    { span: spanOf('Admitted.'), text: 'Qed.' },
  ]);
  expect(encode(source, result).toString('utf8')).toBe(
    '\uFEFFLemma a.\r\nQed.\r\nLemma b.\r\nProof.\r\n  exact I.\r\nQed.\r\n',
  );
});

test('a file whose lines end with returns alone gets such ends', async () => {
  const source = await readSourceFile(fileWith('cr.v', 'Lemma a.\rAdmitted.\r'));
  const start = source.text.indexOf('Admitted.');
  const span = { start, end: start + 'Admitted.'.length };
  expect(applyReplacements(source, [{ span, text: 'Proof.\n  exact I.\nQed.' }])).toBe(
    'Lemma a.\rProof.\r  exact I.\rQed.\r',
  );
});

test('replacements that overlap are a defect, not a damaged file', async () => {
  const source = await readSourceFile(fileWith('overlap.v', 'Admitted.'));
  const replacement = { span: { start: 0, end: 4 }, text: '' };
  expect(() => applyReplacements(source, [replacement, replacement])).toThrow(/same place/);
});
