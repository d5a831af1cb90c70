/** What `quod ui` prints: the link, alone on the standard output, and beside it how long it is good. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startQuod } from '../testing/run-quod.ts';
import type { StartedQuod } from '../testing/run-quod.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-ui-'));
const settings = { QUOD_CACHE: join(folder, 'cache') };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ONCE =
  /^The link works once, in one browser, within five minutes\. Run `quod ui` again .* for another\.$/mu;

/** Waits until it serves, asks it for a link by a second `quod ui`, and ends it. */
async function askedTwice(commandLine: readonly string[], isReady: RegExp) {
  const first: StartedQuod = startQuod(commandLine, folder, settings);
  let printed = '';
  await new Promise<void>((resolve) => {
    const add = (text: Buffer | string): void => {
      printed += text.toString();
      if (isReady.test(printed)) resolve();
    };
    first.child.stdout?.on('data', add);
    first.child.stderr?.on('data', add);
  });
  const second = await startQuod(['ui', '--no-open'], folder, settings).finished;
  first.child.kill();
  return { first: await first.finished, second };
}

it('a link that works once says so, and how to get another', async () => {
  const { first, second } = await askedTwice(['ui', '--no-open'], ONCE);
  for (const { stdout, stderr } of [first, second]) {
    expect(stdout).toMatch(/^http:\S+#enter=\S+\n$/u);
    expect(stderr).toMatch(ONCE);
  }
});

it('of a server that asks for no token it is not said', async () => {
  const { second } = await askedTwice(['serve', '--port', '0', '--no-auth'], /No token is asked for/u);
  expect(second.stdout).toMatch(/^http:\S+\/ui\/\n$/u);
  expect(second.stderr).not.toMatch(ONCE);
});
