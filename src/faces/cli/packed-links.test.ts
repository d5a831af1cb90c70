/** Who has the package has no sources: a link of a document leads to what is packed, and a source is named by its path alone. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Where the links of a text lead that are no addresses and not in it, by what stands behind `](` or `]: `. */
function linksIn(text: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```/gmu, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]:\s*(\S+)/gmu)]
    .map(([, inline, below]) => inline ?? below ?? '')
    .filter((target) => !/^(?:[a-z]+:|#)/u.test(target));
}

test('every link of a packed document leads to something that is packed', () => {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` },
  });
  const [{ files }] = JSON.parse(printed) as [{ files: { path: string }[] }];
  const packed = new Set<string>();
  for (const { path } of files) for (let at = path; at !== '.'; at = posix.dirname(at)) packed.add(at);
  const documents = [...packed].filter((path) => path.endsWith('.md'));
  expect(documents.length).toBeGreaterThan(20);
  const dead = documents.flatMap((document) =>
    linksIn(readFileSync(join(root, document), 'utf8')).flatMap((target) => {
      const [path = ''] = target.split('#');
      const leadsTo = posix.join(posix.dirname(document), path).replace(/\/$/u, '');
      return packed.has(leadsTo) ? [] : [`${document}: ${target}`];
    }),
  );
  expect(dead).toEqual([]);
});
