/** Another user of the machine listens on the port of a server that has ended, while a page of it is open. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SWAP, at, checked } from './file-page.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

interface Heard {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Answer {
  readonly name: string;
  readonly status: number;
  readonly body: string;
}

/** What the impostor answers to everything. */
const ANSWERS: readonly Answer[] = [
  { name: 'a refusal', status: 503, body: 'no' },
  { name: 'a proof that is none', status: 200, body: '{"page":"AAAA","program":"AAAA","key":"AAAA"}' },
];

async function listenOn(port: number, { status, body }: Answer, heard: Heard[]) {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      heard.push({ url: request.url ?? '', headers: request.headers, body: text });
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

function closed(server: Server): Promise<unknown> {
  const end = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  return end;
}

describe.skipIf(missing !== undefined)(`an impostor on the port of the workbench${whyNot}`, () => {
  const bench = new Workbench({ 'swap.v': SWAP });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  it.each(ANSWERS)('gets nothing by $name with which the next server can be called', async (answer) => {
    const page = await bench.open(at('swap.v', 1));
    await checked(page);
    const { url } = bench;
    await bench.stop('SIGKILL');
    await page.locator('.banner', { hasText: 'does not answer' }).waitFor();
    const heard: Heard[] = [];
    const impostor = await listenOn(Number(new URL(url).port), answer, heard);
    await page.locator('.banner', { hasText: 'has ended' }).waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.type('(* typed *) ');
    await page.keyboard.press('Control+s');
    await page.waitForTimeout(1500);
    expect(await page.getByText('The server is back.').count()).toBe(0);
    expect(await page.getByRole('img', { name: 'Another program answers' }).count()).toBe(1);
    // The browser itself asks for the icon where the address of the page changes.
    const asked = new Set(heard.map(({ url: path }) => path).filter((path) => path !== '/ui/icon.svg'));
    expect(asked).toEqual(new Set(['/ui/proof']));
    expect(heard.filter(({ headers }) => headers['quod-page'] !== undefined)).toEqual([]);
    expect(heard.filter(({ body }) => body.includes('typed'))).toEqual([]);
    // A page that it serves itself gets at what the browser keeps for the address, besides.
    const key = await page.evaluate(() => localStorage.getItem('quod.key') ?? '');
    const cookie = heard.at(-1)?.headers.cookie ?? '';
    expect(key).not.toBe('');
    expect(cookie).toContain('quod-');
    await closed(impostor);

    await bench.startAgain(page);
    expect(bench.url).toBe(url);
    const stolen = await fetch(`${url}/api/jobs`, { headers: { cookie, 'quod-page': key } });
    expect(stolen.status).toBe(401);
    await page.locator('.banner').waitFor({ state: 'detached' });
    await page.getByText('The server is back.').first().waitFor();
    await page.keyboard.press('Control+s');
    await expect
      .poll(() => readFileSync(join(bench.folder, 'swap.v'), 'utf8'), { timeout: 30_000 })
      .toContain('(* typed *)');
    await page.context().close();
  });
});
