/** The packed package holds what it needs and nothing else, and does its main job installed in an empty directory. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findExecutable } from '../../process/executable.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const hasNativeRocq = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;
// The Node of this process first, so that `#!/usr/bin/env node` finds one that is new enough.
const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;

const run = async (cwd: string, program: string, ...options: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(program, options, { cwd, env: { ...process.env, PATH } });
  return stdout;
};

/** What is made here, and what is not of the package by any rule. */
const NOT_COPIED = new Set(['node_modules', 'dist', '.git', '.quod', 'bench']);

const COMPILER_RECORD = '.tsbuildinfo';

/** Whether the compiler made a file or folder of `dist` of a source that is there. */
function madeOf(path: string): boolean {
  return path === COMPILER_RECORD || existsSync(join(root, 'src', path.replace(/\.(?:d\.ts|js)$/u, '.ts')));
}

/**
 * Bytes of an install, with room for small growth. jscoq and what it depends on are 117 MB of the larger one; npm can
 * leave out neither the files of another package nor what that package asks for.
 */
const LARGEST_WITH_EMBEDDED_ROCQ = 200e6;
const LARGEST_WITHOUT = 76e6;

let folder: string;
let archive: string;
let files: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quod-package-'));
  // A copy is built and packed, so that a `dist` that somebody works with stays as it is.
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  for (const name of readdirSync(root).filter((entry) => !NOT_COPIED.has(entry)))
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const built = join(root, 'dist');
  const isOfSource = (path: string): boolean => madeOf(relative(built, path));
  // The compiler makes again what it has another text of by its record; all of it takes half a minute of processor time.
  if (existsSync(join(built, COMPILER_RECORD)))
    cpSync(built, join(copy, 'dist'), { recursive: true, preserveTimestamps: true, filter: isOfSource });
  const printed = await run(copy, 'npm', 'pack', '--json', '--pack-destination', folder);
  const [packed] = JSON.parse(printed.slice(printed.indexOf('[\n'))) as [
    { filename: string; files: { path: string }[] },
  ];
  archive = join(folder, packed.filename);
  files = packed.files.map(({ path }) => path);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the package holds the build, the documents and what users take from it, but no sources and no tests', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      'bin/quod.mjs',
      'dist/bundle/NOTICE',
      'dist/bundle/start.js',
      'dist/faces/cli/start.js',
      'dist/onnxruntime/ort-wasm-simd-threaded.wasm.gz',
      'dist/onnxruntime/ort.wasm.bundle.min.mjs',
      'dist/web/index.html',
      'examples/rocq/lists.v',
      'exporters/hol4/Tracing.sml',
      'man/quod.1',
      'models/prices.json',
      'models/ranker/card.json',
      'models/ranker/ranker.onnx',
      'models/ranker/tokenizer.json',
      'prompts/agent/execute.md',
      'skill/SKILL.md',
      'training/requirements.lock',
      'training/quod_training/train.py',
      'docs/prove/command-line.md',
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
      'NOTICE',
    ]),
  );
  const allowed =
    /^(?:bin|docs|examples|exporters|man|prompts|skill)\/|^dist\/.*(?<!\.test)\.js$|^dist\/bundle\/NOTICE$|^dist\/onnxruntime\/(?:NOTICE|ort\.wasm\.bundle\.min\.mjs|ort-wasm-simd-threaded\.wasm\.gz)$|^dist\/web\/(?:index\.html|icon\.svg|assets\/[\w.-]+\.(?:js|css))$|^models\/prices\.json$|^models\/ranker\/(?:card\.json|ranker\.onnx|tokenizer\.json)$|^training\/(?:quod_training\/\w+\.py|licences\.json|requirements\.lock)$|^(?:package\.json|README\.md|CHANGELOG\.md|CONTRIBUTING\.md|LICENSE|NOTICE)$/;
  expect(files.filter((path) => !allowed.test(path) || path.includes('/testing/'))).toEqual([]);
});

test.skipIf(!hasNativeRocq)(
  'installed in an empty directory without jscoq, it proves a theorem with the native Rocq',
  async () => {
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    await run(project, 'npm', 'install', '--omit=optional', '--prefer-offline', '--no-audit', archive);
    expect(bytesUnder(join(project, 'node_modules'))).toBeLessThan(LARGEST_WITHOUT);
    const file = 'Lemma twice (n : nat) : n + 0 = n.\nProof.\nAdmitted.\n';
    writeFileSync(join(project, 'twice.v'), file);
    const quod = join('node_modules', '.bin', 'quod');
    expect(await run(project, quod, 'prove', 'twice.v')).toMatch(/^Lemma twice [^]*Proof\.[^]*Qed\.\n$/);
    expect(readFileSync(join(project, 'twice.v'), 'utf8')).toBe(file);
    // The first step that the README names for whoever has the package and no clone.
    const [example] =
      /node_modules\/quod\/examples\/[\w/.]+\.v/u.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
    expect(await run(project, quod, 'prove', `${example}`)).toContain('Qed.');
  },
);

test('installed globally from the archive, it starts, its ranker runs, and it is as small as it was', async () => {
  const prefix = join(folder, 'prefix');
  await run(
    folder,
    'npm',
    'install',
    '--global',
    '--prefix',
    prefix,
    '--prefer-offline',
    '--no-audit',
    archive,
  );
  const installed = join(prefix, 'lib', 'node_modules', 'quod');
  expect(await run(folder, join(prefix, 'bin', 'quod'), '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(readFileSync(join(prefix, 'share', 'man', 'man1', 'quod.1'), 'utf8')).toMatch(/^\.TH QUOD 1/mu);
  const script = `
    import { Encoder } from ${JSON.stringify(join(installed, 'dist/retrieval/model/encoder.js'))};
    import { rankerModelFolder } from ${JSON.stringify(join(installed, 'dist/retrieval/model/model-format.js'))};
    const encoder = await Encoder.open(rankerModelFolder({}));
    const [vector] = await encoder.encode([{ id: '', hypotheses: [], conclusion: 'x = x' }]);
    console.log(encoder.runtime, vector.length);
  `;
  expect(await run(folder, 'node', '--input-type=module', '--eval', script)).toBe('webassembly 256\n');
  expect(bytesUnder(installed)).toBeLessThan(LARGEST_WITH_EMBEDDED_ROCQ);
});

function bytesUnder(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
