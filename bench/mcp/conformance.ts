/**
 * `npm run bench:mcp`: the MCP conformance suite, as published, against Quod's MCP face over HTTP, and the inspector's
 * command line against `quod mcp`. Both are fetched by npx and are no part of Quod. Prints a line for each scenario.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { orNothing } from '../../src/core/entry.ts';
import { openHost } from '../../src/faces/host.ts';
import { serveHttp } from '../../src/faces/server/serve.ts';
import { CONFORMANCE_SURFACE } from './conformance-surface.ts';

const run = promisify(execFile);
const SUITE = '@modelcontextprotocol/conformance@0.1.16';
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

/** Scenarios that do not apply, and why. */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  'tools-call-sampling':
    'Quod never asks the client for a model; the revision of 2026-07-28 has no such request.',
  'tools-call-elicitation':
    'Quod never asks the person at the client; all that it needs is an input of a tool.',
  'elicitation-sep1034-defaults': 'As above.',
  'elicitation-sep1330-enums': 'As above.',
  'resources-subscribe': 'Quod offers no subscriptions: resources are read when they are wanted.',
  'resources-unsubscribe': 'As above.',
};

const host = await openHost({ folder: '.', confined: true, operations: [] });
const server = await serveHttp({
  host,
  surface: () => CONFORMANCE_SURFACE,
  port: 0,
  token: null,
  onError: () => {},
  onClientError: () => {},
});
const folder = mkdtempSync(join(tmpdir(), 'quod-conformance-'));
let failed = 0;
try {
  const listed = (await npx([SUITE, 'list'])).output;
  const serverPart = listed.slice(0, listed.indexOf('Client scenarios'));
  for (const [, scenario = ''] of serverPart.matchAll(/^ {2}- (\S+)/gm)) {
    const reason = NOT_APPLICABLE[scenario];
    if (reason !== undefined) {
      console.log(`n/a   ${scenario}: ${reason}`);
      continue;
    }
    const { code, output } = await npx([
      SUITE,
      'server',
      '--url',
      `${server.url}/mcp`,
      '--scenario',
      scenario,
    ]);
    if (code !== 0) failed += 1;
    const detail = code === 0 ? '' : `\n${output.split('\n').slice(-12).join('\n')}`;
    console.log(`${code === 0 ? 'pass ' : 'FAIL '} ${scenario}${detail}`);
  }
  const quod = fileURLToPath(new URL('../../src/faces/cli/start.ts', import.meta.url));
  for (const [method, ...rest] of [
    ['tools/list'],
    ['tools/call', '--tool-name', 'rocq_files', '--tool-arg', 'folder=examples'],
    ['prompts/list'],
    ['resources/list'],
  ]) {
    const { code, output } = await npx([
      INSPECTOR,
      '--cli',
      process.execPath,
      quod,
      'mcp',
      '--workspace',
      process.cwd(),
      '--method',
      orNothing(method),
      ...rest,
    ]);
    if (code !== 0) failed += 1;
    console.log(`${code === 0 ? 'pass ' : 'FAIL '} inspector ${method}${code === 0 ? '' : `\n${output}`}`);
  }
} finally {
  await server.close();
  await host.services.close();
  rmSync(folder, { recursive: true });
}
console.log(failed === 0 ? 'All that applies passes.' : `${failed} failed.`);
process.exitCode = failed === 0 ? 0 : 1;

async function npx(commandLine: readonly string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout } = await run('npx', ['--yes', ...commandLine], { cwd: folder, maxBuffer: 1 << 26 });
    return { code: 0, output: stdout };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { code: 1, output: stdout + stderr };
  }
}
