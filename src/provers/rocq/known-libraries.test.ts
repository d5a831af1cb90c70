import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { missingLibrary, missingLibraryRemedy, packageOf } from './known-libraries.ts';

test.each([
  ['Cannot find a physical path bound to logical path Foo.Bar.', 'Foo.Bar'],
  ['Cannot find a physical path bound to logical path\nall_foo with prefix mathcomp.', 'mathcomp.all_foo'],
  ['Cannot find a physical path bound to logical path base with prefix stdpp.', 'stdpp.base'],
  ['Cannot find a physical path bound to logical path base\nwith prefix stdpp.\nAnother line.', 'stdpp.base'],
])('the name of a missing library is read from %j', (message, name) => {
  expect(missingLibrary(message)).toBe(name);
});

test('other errors are not about libraries', () => {
  expect(missingLibrary('The reference foo was not found in the current environment.')).toBeUndefined();
});

test('the longest known prefix decides', () => {
  expect(packageOf('mathcomp.finmap.finmap')?.debian).toBe('libcoq-mathcomp-finmap');
  expect(packageOf('mathcomp.all_ssreflect')?.debian).toBe('libcoq-mathcomp');
  expect(packageOf('MyProject.Base')).toBeUndefined();
});

test('a remedy names the package, or says how to bind a file of the project', () => {
  expect(missingLibraryRemedy('stdpp.base', 'coqidetop')).toContain('apt install libcoq-stdpp');
  expect(missingLibraryRemedy('stdpp.base', 'embedded')).toContain('`coq` itself');
  expect(missingLibraryRemedy('compcert.lib.Maps', 'coqidetop')).not.toContain('apt');
  expect(missingLibraryRemedy('MyProject.Base', 'coqidetop')).toMatch(
    /compile it with `proof_build` \(which makes `MyProject\/Base\.vo`\)/u,
  );
});

describe('on a machine with Debian packages', () => {
  const folder = '/usr/lib/ocaml/coq/user-contrib';
  const roots = existsSync(folder) ? readdirSync(folder) : [];

  test.skipIf(roots.length === 0)('every installed library is attributed to the package that owns it', () => {
    const paths = roots.map((root) => join(folder, root));
    const owners = new Map(
      execFileSync('dpkg', ['-S', ...paths], { encoding: 'utf8' })
        .split('\n')
        .map((line) => line.split(': '))
        .map(([packages = '', path = '']) => [path, packages.split(', ')]),
    );
    for (const [index, root] of roots.entries()) {
      // A folder can belong to several packages that one package of the same name brings together.
      const name = packageOf(root)?.debian ?? 'no package';
      expect(
        owners.get(paths[index] ?? '')?.some((owner) => owner.startsWith(name)),
        `${root}: ${name}`,
      ).toBe(true);
    }
  });
});
