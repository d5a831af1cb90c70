import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { attributesOf, canHaveAttributes, giveAttributes } from '../../process/testing/attributed-file.ts';
import { MCP_CLIENTS } from './clients.ts';
import type { Launch, McpClient, Place } from './clients.ts';
import { withEntry, withoutEntry } from './edit-settings.ts';
import { applyInstall, applyUninstall, plannedInstall, plannedUninstall } from './settings-change.ts';

const launch: Launch = { command: '/usr/bin/node', args: ['/opt/quod.mjs', 'mcp', '--workspace', '/a "b"'] };
let folder = '';
let place: Place;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-install-'));
  vi.stubEnv('QUOD_CACHE', join(folder, 'cache'));
  place = { home: join(folder, 'home'), workspace: join(folder, 'work'), platform: 'linux', environment: {} };
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const hasAttributes = canHaveAttributes();

const JSON_BEFORE = `{
\t// my servers
\t"theme": "dark", /* keep */
\t"mcpServers": {
\t\t"other": { "command": "x" }, // mine
\t}
}`;
const TOML_BEFORE = `# my settings
model = "o"   # keep

[mcp_servers.other]
command = "x"

[[rules]]
name = "[mcp_servers.quod]"
`;

describe.each(Object.entries(MCP_CLIENTS) as [string, McpClient][])('%s', (_name, client) => {
  const before = client.format === 'json' ? JSON_BEFORE : TOML_BEFORE;

  function write(text: string): string {
    const file = client.file(place);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  test('gets an entry, keeps the rest, and loses it byte for byte', async () => {
    const file = write(before);
    await applyInstall(await plannedInstall(client, place, launch));
    const text = readFileSync(file, 'utf8');
    const parsed: unknown =
      client.format === 'json' ? parseJsonc(text, [], { allowTrailingComma: true }) : parseToml(text);
    const entry = client.path.reduce<unknown>(
      (value, key) => (value as Record<string, unknown>)[key],
      parsed,
    );
    expect(entry).toEqual(client.entry(launch));
    for (const line of before.split('\n').filter((kept) => kept.includes('keep') || kept.includes('my'))) {
      expect(text).toContain(line);
    }
    const again = await plannedInstall(client, place, launch);
    expect(again.after).toBe(again.before);
    await applyUninstall(await plannedUninstall(client, place));
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test.skipIf(!hasAttributes)('keeps its access control list and attributes (needs python3)', async () => {
    const file = write(before);
    giveAttributes(file);
    const given = attributesOf(file);
    await applyInstall(await plannedInstall(client, place, launch));
    expect([attributesOf(file), statSync(file).mode & 0o7777]).toEqual([given, 0o660]);
  });

  test('a file that was not there is gone again', async () => {
    await applyInstall(await plannedInstall(client, place, launch));
    expect(existsSync(client.file(place))).toBe(true);
    await applyUninstall(await plannedUninstall(client, place));
    expect(existsSync(client.file(place))).toBe(false);
  });

  test('installed twice, undone to what there was first; changed since, only the entry goes', async () => {
    const file = write(before);
    await applyInstall(await plannedInstall(client, place, launch));
    await applyInstall(await plannedInstall(client, place, { ...launch, command: 'quod' }));
    await applyUninstall(await plannedUninstall(client, place));
    expect(readFileSync(file, 'utf8')).toBe(before);

    await applyInstall(await plannedInstall(client, place, launch));
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n`);
    await applyUninstall(await plannedUninstall(client, place));
    const left = readFileSync(file, 'utf8');
    expect(withoutEntry(left, client.format, client.path)).toBe(left);
    expect(left).toContain('"x"');
  });

  test('settings that nobody can read, and settings that change meanwhile, are left alone', async () => {
    const broken = client.format === 'json' ? '{ "a": ' : 'a = = 1\n';
    const file = write(broken);
    await expect(plannedInstall(client, place, launch)).rejects.toMatchObject({ reason: 'invalid-input' });
    writeFileSync(file, before);
    const change = await plannedInstall(client, place, launch);
    writeFileSync(file, `${before}\n`);
    await expect(applyInstall(change)).rejects.toMatchObject({ reason: 'file-changed' });
    expect(readFileSync(file, 'utf8')).toBe(`${before}\n`);
  });
});

test('whatever JSON the settings hold, adding and taking out the entry changes nothing else', () => {
  // Compared as text that JSON itself printed: a key may be `__proto__`, which few ways of comparing objects see.
  const same = (text: string): string => JSON.stringify(JSON.parse(text));
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(0, 2, 4, '\t'),
      (settings, indent) => {
        fc.pre(!('mcpServers' in settings));
        const text = JSON.stringify(settings, undefined, indent);
        const path = ['mcpServers', 'quod'];
        const parsed = JSON.parse(text) as object;
        const added = withEntry(text, 'json', path, { command: 'quod' });
        expect(same(added)).toBe(JSON.stringify({ ...parsed, mcpServers: { quod: { command: 'quod' } } }));
        expect(same(withoutEntry(added, 'json', path))).toBe(JSON.stringify({ ...parsed, mcpServers: {} }));
      },
    ),
    {
      examples: [[JSON.parse('{"":[{"__proto__":null}]}') as Record<string, fc.JsonValue>, 0]],
      numRuns: 500,
    },
  );
});

test('an inline table of TOML is refused, not spoilt', () => {
  const text = 'mcp_servers = { quod = { command = "x" } }\n';
  expect(() => withEntry(text, 'toml', ['mcp_servers', 'quod'], { command: 'y' })).toThrow(/TOML|by hand/);
});
