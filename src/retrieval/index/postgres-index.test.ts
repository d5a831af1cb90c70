/**
 * Against a PostgreSQL of its own, started from the binaries in `QUOD_TEST_POSTGRES_BIN`, else from the machine's.
 * What needs pgvector is skipped where PostgreSQL has none (Debian 12 packages none); `QUOD_TEST_POSTGRES` names a
 * server that has it.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toyEntries, toyVector } from '../testing/toy-vectors.ts';
import { buildPostgresIndex, openPostgresIndex } from './postgres-index.ts';

const SERVERS = '/usr/lib/postgresql';
const PER_SOURCE = 100;

const installed = existsSync(SERVERS)
  ? readdirSync(SERVERS).map((version) => join(SERVERS, version, 'bin'))
  : [];
const binaries = [process.env['QUOD_TEST_POSTGRES_BIN'] ?? '', ...installed].find((folder) =>
  existsSync(join(folder, 'initdb')),
);
const given = process.env['QUOD_TEST_POSTGRES'];

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  // A connection that ends as it begins is told of here too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** PostgreSQL refuses to run as root. */
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

describe.skipIf(binaries === undefined && given === undefined)(
  `an index in PostgreSQL${binaries === undefined && given === undefined ? ' (skipped: no PostgreSQL here)' : ''}`,
  () => {
    let folder: string | undefined;
    let server: ChildProcess | undefined;
    let url = given ?? '';

    beforeAll(async () => {
      if (given !== undefined || binaries === undefined) return;
      folder = await mkdtemp(join(tmpdir(), 'quod-postgres-'));
      await chmod(folder, 0o777);
      const files = join(folder, 'files');
      execFileSync(join(binaries, 'initdb'), ['-D', files, '-U', 'quod', '--auth=trust', '--no-sync'], {
        ...account,
        cwd: folder,
      });
      server = spawn(
        join(binaries, 'postgres'),
        ['-D', files, '-k', folder, '-c', 'listen_addresses=', '-F'],
        {
          ...account,
          cwd: folder,
          stdio: 'ignore',
        },
      );
      url = `postgres://quod@/postgres?host=${encodeURIComponent(folder)}`;
      // The socket is there before the server lets anybody in ("the database system is starting up").
      while (!(await answers(url))) {
        if (server.exitCode !== null) throw new Error('PostgreSQL did not start.');
        await wait(50);
      }
    });

    afterAll(async () => {
      if (server !== undefined) {
        const ended = new Promise((resolve) => server?.once('exit', resolve));
        server.kill('SIGINT');
        await ended;
      }
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    });

    /** A model's name of its own for each test; tables are named by it. */
    let tests = 0;
    const model = (): string => `test${process.pid}x${(tests += 1)}`;

    async function buildOrSkip(name: string, skip: (why: string) => void) {
      try {
        return await buildPostgresIndex({ url, model: name });
      } catch (error) {
        expect(error).toMatchObject({ reason: 'unsupported' });
        skip('this PostgreSQL has no pgvector');
        throw error;
      }
    }

    it('says what is missing where there is no pgvector, and opens where there is', async () => {
      const opened = await buildPostgresIndex({ url, model: model() }).then(
        (index) => index.close().then(() => 'opened'),
        (error: unknown) => (error as { reason: string }).reason,
      );
      expect(['opened', 'unsupported']).toContain(opened);
    });

    it('finds what the embedded index would, before and after its graph is made', async ({ skip }) => {
      const name = model();
      const builder = await buildOrSkip(name, skip);
      for (let source = 0; source < 5; source += 1)
        await builder.add(
          { name: `source ${source}`, hash: 'one' },
          toyEntries(source * PER_SOURCE, PER_SOURCE),
        );
      const index = await openPostgresIndex({ url, model: name });
      expect(index.size).toBe(5 * PER_SOURCE);
      const numbers = async (): Promise<number[]> =>
        (await index.nearest(toyVector(123), 10)).map(({ item }) => (item as { number: number }).number);
      // Without an index PostgreSQL compares with all.
      const exact = await numbers();
      expect(exact[0]).toBe(123);
      await builder.finish();
      await builder.close();
      const near = new Set(await numbers());
      expect(exact.filter((number) => near.has(number)).length).toBeGreaterThanOrEqual(9);
      await index.close();
    });

    it('keeps what was added, adds a source once, and refuses another version of it', async ({ skip }) => {
      const name = model();
      const first = await buildOrSkip(name, skip);
      await first.add({ name: 'a', hash: 'one' }, toyEntries(0, 10));
      await expect(
        first.add({ name: 'b', hash: 'one' }, [{ vector: new Float32Array(3), item: {} }]),
      ).rejects.toThrow();
      await first.close();
      const second = await buildPostgresIndex({ url, model: name });
      expect(second.size).toBe(10);
      expect(second.has({ name: 'b', hash: 'one' })).toBe(false);
      await second.add({ name: 'a', hash: 'one' }, toyEntries(0, 10));
      expect(second.size).toBe(10);
      await expect(second.add({ name: 'a', hash: 'two' }, [])).rejects.toMatchObject({
        reason: 'invalid-input',
      });
      await second.close();
    });

    it('is not searched where another model made it, and makes no tables for that', async ({ skip }) => {
      const builder = await buildOrSkip(model(), skip);
      await builder.add({ name: 'a', hash: 'one' }, toyEntries(0, 10));
      await builder.close();
      const other = model();
      for (let time = 0; time < 2; time += 1)
        await expect(openPostgresIndex({ url, model: other })).rejects.toMatchObject({
          reason: 'invalid-input',
          message: expect.stringContaining('another model') as string,
        });
    });

    it.skipIf(given !== undefined)('is searched by who may read it and nothing else', async ({ skip }) => {
      const [name, other] = [model(), model()];
      for (const each of [name, other]) {
        const builder = await buildOrSkip(each, skip);
        await builder.add({ name: 'a', hash: 'one' }, toyEntries(0, 10));
        await builder.finish();
        await builder.close();
      }
      const owner = new pg.Client({ connectionString: url });
      await owner.connect();
      await owner.query('CREATE ROLE reader LOGIN');
      await owner.query(`GRANT SELECT ON quod_vectors_${name}, quod_vectors_${name}_sources TO reader`);
      await owner.end();
      const reader = url.replace('//quod@', '//reader@');
      const index = await openPostgresIndex({ url: reader, model: name });
      expect((await index.nearest(toyVector(3), 1)).map(({ item }) => item)).toEqual([{ number: 3 }]);
      await index.close();
      await expect(openPostgresIndex({ url: reader, model: model() })).rejects.toMatchObject({
        reason: 'invalid-input',
      });
    });

    it.skipIf(given !== undefined)(
      'is not there where none was built, or nothing was added',
      async ({ skip }) => {
        const empty = url.replace('/postgres?', '/template1?');
        const missing = { reason: 'not-found', message: 'There is no vector index in this PostgreSQL.' };
        const name = model();
        await expect(openPostgresIndex({ url: empty, model: name })).rejects.toMatchObject(missing);
        const builder = await buildPostgresIndex({ url: empty, model: name }).catch(() => undefined);
        if (builder === undefined) skip('this PostgreSQL has no pgvector');
        await builder?.close();
        await expect(openPostgresIndex({ url: empty, model: name })).rejects.toMatchObject(missing);
      },
    );
  },
);

it('says that no PostgreSQL answers', async () => {
  await expect(openPostgresIndex({ url: 'postgres://127.0.0.1:9/none', model: 'toy' })).rejects.toMatchObject(
    {
      reason: 'not-found',
    },
  );
});
