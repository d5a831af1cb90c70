/** What is loaded by itself is what the catalogue has, and without the others. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { CATALOGUE } from './catalogue.ts';
import { loadOperation } from './load-operation.ts';

it('gives every operation of the catalogue by its name, and nothing for another name', async () => {
  for (const operation of CATALOGUE) expect(await loadOperation(operation.name)).toBe(operation);
  for (const name of ['', 'rocq', 'rocq_', 'proof', 'proof_tree_x', 'toString', 'constructor_x'])
    expect(await loadOperation(name)).toBeUndefined();
});

/** Has the process say at its end which modules of ours it loaded. */
const TELLING = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
process.on('exit', () => process.stderr.write(loaded.filter((url) => url.includes('/src/')).join('\\n')));
`;

it.each([
  [['status', '.'], 'project/status-operation.ts'],
  [['agent', 'runs'], 'agent/run-operations.ts'],
  [['call', 'proof_doctor', '--input', '{"x":1}'], 'project/doctor-operation.ts'],
])('quod %j loads the operation that it runs and not the catalogue', async (commandLine, own) => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-loaded-'));
  const start = fileURLToPath(new URL('../faces/cli/start.ts', import.meta.url));
  const telling = `data:text/javascript,${encodeURIComponent(TELLING)}`;
  const ended = promisify(execFile)(process.execPath, ['--import', telling, start, ...commandLine], {
    cwd: folder,
  });
  const { stderr } = await ended.catch((error: unknown) => error as { readonly stderr: string });
  rmSync(folder, { recursive: true });
  expect(stderr).toContain(`/operations/${own}`);
  expect(stderr).not.toContain('/operations/catalogue.ts');
});
