/** A folder, the real server of it, and the real Chromium, for tests of the page. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import { present } from '../../src/core/entry.ts';
import { startQuod } from '../../src/faces/cli/testing/run-quod.ts';
import type { StartedQuod } from '../../src/faces/cli/testing/run-quod.ts';
import { findExecutable } from '../../src/process/executable.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const chromiumPath = findExecutable(['chromium', 'chromium-browser', 'google-chrome']);
export const hasRocq = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;

/** Why the tests of the page cannot run here; undefined when they can. */
export const missing =
  chromiumPath === undefined
    ? 'there is no Chromium: apt-get install chromium'
    : hasRocq
      ? undefined
      : 'there is no coqidetop: apt-get install coq';

/** Behind the name of tests that are skipped: why. */
export const whyNot = missing === undefined ? '' : ` (${missing})`;

export class Workbench {
  readonly folder: string;
  readonly #home: string;
  #browser: Browser | undefined;
  #server: StartedQuod | undefined;
  #link = '';

  constructor(files: Readonly<Record<string, string>>) {
    const base = mkdtempSync(join(tmpdir(), 'quod-workbench-'));
    this.folder = join(base, 'project');
    this.#home = base;
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    const path = join(this.folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }

  /** Writes into the folder of the user's own settings. */
  configure(name: string, text: string): void {
    mkdirSync(this.#configuration, { recursive: true });
    writeFileSync(join(this.#configuration, name), text);
  }

  get #configuration(): string {
    return join(this.#home, 'configuration');
  }

  /** The address without a path. */
  get url(): string {
    return new URL(this.#link).origin;
  }

  /** A link that admits a browser. */
  get link(): string {
    return this.#link;
  }

  get server(): StartedQuod {
    if (this.#server === undefined) throw new Error('The server was not started.');
    return this.#server;
  }

  async start(): Promise<void> {
    if (!existsSync(join(ROOT, 'dist/web/index.html')))
      execFileSync(
        process.execPath,
        [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--config', 'web/vite.config.ts'],
        {
          cwd: ROOT,
        },
      );
    const started = startQuod(['ui', this.folder, '--no-open'], this.folder, {
      QUOD_CACHE: join(this.#home, 'cache'),
      QUOD_CONFIG: this.#configuration,
    });
    this.#server = started;
    this.#link = await new Promise<string>((resolve, reject) => {
      let text = '';
      started.child.stdout?.on('data', (chunk: Buffer | string) => {
        text += chunk.toString();
        const found = /http:\S+/.exec(text)?.[0];
        if (found !== undefined) resolve(found);
      });
      void started.finished.then(({ stderr }) => reject(new Error(stderr)));
    });
  }

  /** Starts it again after `stop`, and opens the link that it prints in the browser of a page that stayed open. */
  async startAgain(page: Page): Promise<void> {
    await this.start();
    const other = await page.context().newPage();
    await other.goto(this.link);
    await other.locator('.header').waitFor();
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#server?.child.kill(signal);
    await this.#server?.finished;
  }

  /** A browser of its own, not admitted yet. */
  async person(options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> {
    this.#browser ??= await chromium.launch({
      executablePath: present(chromiumPath, 'Chromium'),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(60_000);
    return context;
  }

  /** A page of somebody who was admitted, at a path. */
  async open(path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await this.person(options);
    const page = await context.newPage();
    await page.goto(`${this.url}${path}#enter=${await this.#newTicket()}`);
    await page.locator('.header').waitFor();
    return page;
  }

  /** Asked for as a second `quod ui` asks: a process for each page was much of the time of a test. */
  async #newTicket(): Promise<string> {
    const folder = join(this.#home, 'cache', 'servers');
    const file = readdirSync(folder).find((name) => /^[0-9a-f]+\.json$/u.test(name));
    const running: unknown = JSON.parse(
      readFileSync(join(folder, present(file, 'the file of the server')), 'utf8'),
    );
    const { token } = z.object({ token: z.string() }).parse(running);
    const answer = await fetch(`${this.url}/ui/ticket`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    return z.object({ ticket: z.string() }).parse(await answer.json()).ticket;
  }

  /** A new link from the running server, as a second `quod ui` prints it. */
  async ticket(): Promise<string> {
    const second = startQuod(['ui', this.folder, '--no-open'], this.folder, {
      QUOD_CACHE: join(this.#home, 'cache'),
    });
    const { stdout } = await second.finished;
    return stdout.trim();
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    await this.stop();
    rmSync(this.#home, { recursive: true, force: true });
  }
}
