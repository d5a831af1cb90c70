import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hiddenIn, InstalledPlugins, packageFolders, pluginsIn, withStandIns } from './installed-plugins.ts';

/** An installation: packages in `lib`, libraries of Rocq in `lib/coq/user-contrib`, with copies of the plugins. */
function installation(folder: string): { readonly packages: string; readonly libraries: string } {
  const files: Readonly<Record<string, string>> = {
    'lib/coq-core/META': 'package "plugins" (requires = "coq-core.vernac")',
    'lib/coq-core/plugins/ltac/ltac_plugin.cmxs': '',
    'lib/zarith/META': 'version = "1"',
    'lib/zarith/zarith.cmxs': '',
    'lib/coq-one/META': 'package "plugin" (requires = "coq-core.plugins.ltac coq-two.plugin zarith")',
    'lib/coq-one/one_plugin.cmxs': '',
    'lib/coq-two/META': 'package "plugin" (requires = "coq-core.plugins.ltac")',
    'lib/coq-two/src/two_plugin.cmxs': '',
    'lib/rocq-three/META': 'package "plugin" (requires = "rocq-runtime.plugins.ltac")',
    'lib/rocq-three/three_plugin.cmxs': '',
    'lib/coq/user-contrib/One/one_plugin.cmxs': '',
    'lib/coq/user-contrib/One/One.vo': '',
    'lib/coq/user-contrib/Alone/deep/alone.cmxs': '',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const libraries = join(folder, 'lib/coq/user-contrib');
  symlinkSync(libraries, join(libraries, 'round'));
  return { packages: join(folder, 'lib'), libraries };
}

const folder = mkdtempSync(join(tmpdir(), 'quod-plugins-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const { packages, libraries } = installation(folder);
const installed = new InstalledPlugins([packages, packages], [libraries]);
const hiddenWith = (...allowed: string[]): readonly string[] =>
  [...installed.without(allowed).files.keys()].map((file) => file.slice(packages.length + 1)).sort();

const ALL = [
  'coq-one/one_plugin.cmxs',
  'coq-two/src/two_plugin.cmxs',
  'coq/user-contrib/Alone/deep/alone.cmxs',
  'coq/user-contrib/One/one_plugin.cmxs',
  'rocq-three/three_plugin.cmxs',
];

it('hides every plugin that is not named, and none of the prover or of OCaml', () => {
  expect(hiddenWith()).toEqual(ALL);
  expect(installed.without([]).packages).toEqual(['coq-one', 'coq-two', 'rocq-three']);
});

it('shows a plugin by its package, its name in the package, its file, with its copies and what it needs', () => {
  const withoutOne = ['coq/user-contrib/Alone/deep/alone.cmxs', 'rocq-three/three_plugin.cmxs'];
  for (const name of ['coq-one', 'coq-one.plugin', 'one_plugin:coq-one.plugin', 'rocq-one'])
    expect(hiddenWith(name), name).toEqual(withoutOne);
  expect(hiddenWith('coq-two')).toEqual(ALL.filter((file) => !file.includes('two')));
  expect(hiddenWith('alone.cmxs', 'coq-three')).toEqual(ALL.filter((file) => !/alone|three/u.test(file)));
  expect(hiddenWith('one_plugin')).toEqual(ALL.filter((file) => !file.includes('one_plugin')));
  expect(hiddenWith('one', 'elpi', '')).toEqual(withoutOne);
});

it('names what an error is about as a policy would', () => {
  const hidden = installed.without([]);
  expect(hiddenIn('cannot open /x/One/one_plugin.cmxs: denied', hidden)).toBe('coq-one');
  expect(hiddenIn('cannot open /x/alone.cmxs: denied', hidden)).toBe('alone');
  expect(hiddenIn('No such package: nothing - required by `coq-two.plugin`', hidden)).toBe('coq-two');
  expect(hiddenIn('The reference x was not found.', hidden)).toBeUndefined();
});

it('puts stand-ins in the place of packages and files', () => {
  const command = { arguments: ['t.v'], files: new Map([['t.v', '']]), environment: { OCAMLPATH: '/own' } };
  const changed = withStandIns(command, installed.without(['coq-one', 'alone']));
  expect([...changed.files.keys()]).toEqual([
    't.v',
    'quod_hidden/rocq-three/META',
    'quod_hidden/three_plugin.cmxs',
  ]);
  expect(changed.arguments).toEqual(['-I', 'quod_hidden', 't.v']);
  expect(changed.environment).toEqual({ OCAMLPATH: './quod_hidden:/own' });
});

it('reads which plugins are loaded', () => {
  const printed = `Loaded ML Modules:
  ltac_plugin.cmxs (using legacy method)
  coq-unicoq.plugin
`;
  expect(pluginsIn(printed)).toEqual(['ltac_plugin.cmxs', 'coq-unicoq.plugin']);
  expect(pluginsIn('Error: something')).toEqual([]);
});

it('looks for packages where OCaml does', () => {
  const configuration = join(packages, 'findlib.conf');
  writeFileSync(configuration, 'destdir="/d"\npath="/one:/two"\n');
  const variables = { OCAMLPATH: '/named:relative', OCAMLFIND_CONF: configuration };
  expect(packageFolders('/opt/lib/coq', variables)).toEqual(['/opt/lib', '/named', '/one', '/two']);
});
