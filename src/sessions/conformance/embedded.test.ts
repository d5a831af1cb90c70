import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prover, ProverSession, StateId } from '../../core/prover.ts';
import { replayedProver } from '../replayed-prover.ts';
import { describeRocqPort } from './rocq-port.ts';
import { createEmbeddedRocq, findEmbeddedRocq } from '../../provers/rocq/embedded/adapter.ts';
import { findJscoq } from '../../provers/rocq/embedded/installation.ts';
import { CoqThread } from '../../provers/rocq/embedded/thread.ts';

const cache = mkdtempSync(join(tmpdir(), 'quod-embedded-'));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

async function embeddedRocq(kept: string): Promise<Prover> {
  return replayedProver(await createEmbeddedRocq({ cache: kept }));
}

async function run(session: ProverSession, from: StateId, ...sentences: readonly string[]): Promise<StateId> {
  let state = from;
  for (const sentence of sentences) {
    const result = await session.run(state, { text: sentence });
    if (result.status !== 'done')
      throw new Error(`${sentence} ${result.status === 'failed' ? result.error.message : result.message}`);
    state = result.state;
  }
  return state;
}

function imagesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.image'))
    .map((name) => join(folder, name));
}

async function eventually<Value>(ask: () => Value | undefined): Promise<Value> {
  for (;;) {
    const value = ask();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

if (findEmbeddedRocq()) {
  describeRocqPort('the embedded Rocq', { open: () => embeddedRocq(cache) });

  describe('the embedded Rocq', () => {
    let prover: Prover;
    beforeAll(async () => {
      prover = await embeddedRocq(cache);
    });

    async function withSession(
      work: (session: ProverSession) => Promise<void>,
      context: { readonly file?: string; readonly memoryLimit?: number } = {},
    ): Promise<void> {
      const session = await prover.openSession({ file: '/nowhere/embedded.v', ...context });
      try {
        await work(session);
      } finally {
        await session.close();
      }
    }

    it('knows the version of the Coq inside', () =>
      withSession(async (session) => {
        const answer = await session.query(session.root, { text: 'Print LoadPath.' });
        expect(answer.status).toBe('done');
        expect(prover.identity.version).toBe('8.17.1');
      }));

    it('stays where it is, at whatever moment of a step it is interrupted', () =>
      withSession(async (session) => {
        const ask = Reflect.get<CoqThread, 'ask'>(CoqThread.prototype, 'ask');
        const base = await run(session, session.root, 'Definition one := 1.', 'Goal True.');
        try {
          for (let round = 0; round < 120; round += 1) {
            // Going back belongs to the step.
            await run(session, base, 'idtac.', 'assert True.');
            const controller = new AbortController();
            CoqThread.prototype.ask = function asked(request) {
              const reply = ask.call(this, request);
              if (request.kind === 'step' && !controller.signal.aborted) {
                const until = performance.now() + (round % 30) / 10;
                while (performance.now() < until);
                controller.abort();
              }
              return reply;
            };
            const stopped = session.run(
              base,
              { text: 'assert True by exact I.' },
              { signal: controller.signal },
            );
            const behind = session.run(base, { text: 'exact I.' });
            expect(['done', 'unknown']).toContain((await stopped).status);
            expect(await behind).toMatchObject({ status: 'done' });
          }
        } finally {
          CoqThread.prototype.ask = ask;
        }
      }));

    it('stays in a proof in which a command of another kind fails', () =>
      withSession(async (session) => {
        const base = await run(session, session.root, 'Definition one := 1.', 'Goal True.');
        for (const command of ['Definition bad := 1 + true.', 'Lemma nested : 1 + true = 2.'])
          expect(await session.run(base, { text: command })).toMatchObject({ status: 'failed' });
        const inside = await run(session, base, 'Definition two := one + one.');
        expect(await session.run(inside, { text: 'Definition bad := two + true.' })).toMatchObject({
          status: 'failed',
        });
        await run(session, inside, 'Definition three := two + one.', 'exact I.', 'Qed.', 'Print three.');
      }));

    it('loads the libraries it ships, and their plugins', () =>
      withSession(async (session) => {
        const loaded = await run(
          session,
          session.root,
          'From Coq Require Import ssreflect ssrfun ssrbool.',
          'Require Import Bool List.',
          'Goal forall (a b : bool), a && b -> b.',
        );
        await run(session, loaded, 'by move=> a b; case/andP.', 'Qed.');
        await run(session, session.root, 'From Ltac2 Require Import Ltac2.', 'Goal True.', 'Ltac2 Eval 1.');
      }));

    it('starts from an image after a header, with the same states, and goes back to inside of it', async () => {
      const header = ['Require Import Bool.', 'Require Import List.', 'Import ListNotations.'];
      const use = ['Lemma app1 (l : list nat) : l ++ [] = l.', 'apply app_nil_r.', 'Qed.'];
      const own = mkdtempSync(join(cache, 'own-'));
      const first = await embeddedRocq(own);
      const one = await first.openSession({ file: '/nowhere/a.v' });
      await run(one, one.root, ...header, ...use);
      await one.close();
      await eventually(() => (imagesIn(own).length === 2 ? true : undefined));
      const two = await first.openSession({ file: '/nowhere/b.v' });
      const bool = await run(two, two.root, '(* Another comment. *) Require Import Bool.');
      expect((await two.query(bool, { text: 'Check app_nil_r.' })).status).toBe('failed');
      expect((await two.run(bool, { text: 'Check [1].' })).status).toBe('failed');
      const all = await run(two, bool, ...header.slice(1), ...use);
      expect((await two.query(all, { text: 'Print Assumptions app1.' })).status).toBe('done');
      await two.close();
    });

    it('rebuilds images that are damaged', async () => {
      const own = mkdtempSync(join(cache, 'own-'));
      const other = await embeddedRocq(own);
      const first = await other.openSession({ file: '/nowhere/a.v' });
      await first.close();
      const image = await eventually(() => imagesIn(own)[0]);
      const good = readFileSync(image);
      for (const damage of [good.length - 1000, 30, 5, 0]) {
        const bad = Buffer.from(good);
        bad[damage] = (bad[damage] ?? 0) ^ 0x55;
        writeFileSync(image, damage === 0 ? bad.subarray(0, good.length >> 1) : bad);
        const again = await other.openSession({ file: '/nowhere/a.v' });
        await run(again, again.root, 'Lemma fine : 1 = 1.', 'reflexivity.', 'Qed.');
        await again.close();
      }
    });

    it('stops Coq inside where it listens, and by a new process where it does not', () =>
      withSession(async (session) => {
        const base = await run(session, session.root, 'Goal True.');
        const timeout = { status: 'unknown', reason: 'timeout' };
        expect(
          await session.run(base, { text: 'repeat (assert True by trivial).' }, { timeoutMs: 100 }),
        ).toMatchObject(timeout);
        expect(session.generation).toBe(1);
        expect(await session.run(base, { text: 'do 1000000000 idtac.' }, { timeoutMs: 100 })).toMatchObject(
          timeout,
        );
        await run(session, base, 'exact I.', 'Qed.');
        expect(session.generation).toBe(2);
      }));

    it('ends a step that takes more memory than it may', () =>
      withSession(
        async (session) => {
          const base = await run(session, session.root, 'Goal True.');
          expect(
            await session.run(base, { text: 'let x := eval cbv in (Nat.pow 2 18) in idtac.' }),
          ).toMatchObject({
            status: 'unknown',
            reason: 'memory-exceeded',
          });
          expect((await session.run(base, { text: 'idtac.' })).status).toBe('done');
        },
        { memoryLimit: 120_000_000 },
      ));

    it('goes back over commands with side effects inside of a proof', () =>
      withSession(async (session) => {
        const before = await run(
          session,
          session.root,
          'Definition early := 1.',
          'Goal early = 1.',
          'idtac.',
        );
        const inside = await run(session, before, 'Definition within := early.', 'idtac.');
        expect((await session.run(inside, { text: 'fail.' })).status).toBe('failed');
        const after = await run(session, inside, 'exact (eq_refl within).', 'Qed.');
        expect((await session.query(before, { text: 'Check within.' })).status).toBe('failed');
        const other = await run(session, before, 'reflexivity.', 'Qed.');
        expect((await session.run(other, { text: 'Check within.' })).status).toBe('failed');
        expect((await session.run(after, { text: 'Check within.' })).status).toBe('done');
        expect(session.generation).toBe(1);
      }));

    it('compiles the sources of a project of dune, and not the copies that dune made of older ones', async () => {
      const project = mkdtempSync(join(cache, 'dune-'));
      mkdirSync(join(project, '_build/default'), { recursive: true });
      writeFileSync(join(project, 'dune-project'), '(lang dune 2.9)\n(using coq 0.3)\n');
      writeFileSync(join(project, 'dune'), '(coq.theory (name Proj))\n');
      writeFileSync(join(project, 'A.v'), 'Definition news := 1.\n');
      writeFileSync(join(project, '_build/default/A.v'), 'Definition old := 1.\n');
      await withSession(
        async (session) => {
          const loaded = await run(session, session.root, 'From Proj Require Import A.');
          expect((await session.query(loaded, { text: 'Check news.' })).status).toBe('done');
          expect((await session.query(loaded, { text: 'Check old.' })).status).toBe('failed');
        },
        { file: join(project, 'main.v') },
      );
    });

    it('compiles the files of the project that a file requires', async () => {
      const project = mkdtempSync(join(cache, 'project-'));
      mkdirSync(join(project, 'sub'));
      writeFileSync(join(project, '_CoqProject'), '-Q . Proj\n');
      writeFileSync(join(project, 'A.v'), 'Definition one := 1.\n');
      writeFileSync(
        join(project, 'sub/B.v'),
        'From Proj Require Import A.\nLemma two : one + one = 2.\nProof. reflexivity. Qed.\n',
      );
      writeFileSync(join(project, 'Bad.v'), '(* é *)\nDefinition bad : nat := true.\n');
      const file = join(project, 'main.v');
      await withSession(
        async (session) => {
          const loaded = await run(session, session.root, 'From Proj Require Import sub.B.');
          const assumptions = await session.query(loaded, { text: 'Print Assumptions two.' });
          expect(assumptions.status === 'done' && assumptions.messages.at(-1)?.message).toBe(
            'Closed under the global context',
          );
          const bad = await session.run(loaded, { text: 'From Proj Require Import Bad.' });
          expect(bad).toMatchObject({
            status: 'failed',
            error: { message: expect.stringContaining(`${join(project, 'Bad.v')}:2:0`) as string },
          });
          expect((await session.run(loaded, { text: 'Require Import Proj.A.' })).status).toBe('done');
        },
        { file },
      );
      writeFileSync(join(project, 'A.v'), 'Definition one := 1.\nDefinition news := 3.\n');
      await withSession(
        async (session) => {
          const loaded = await run(session, session.root, 'From Proj Require Import sub.B.');
          expect((await session.query(loaded, { text: 'Check Proj.A.news.' })).status).toBe('done');
        },
        { file },
      );
    });

    it('lets the process end once its sessions are closed', async () => {
      const module = pathToFileURL(join(import.meta.dirname, '../find-rocq.ts')).href;
      const script = `
        const { findRocq } = await import(${JSON.stringify(module)});
        const session = await (await findRocq('embedded')).openSession({ file: '/nowhere/x.v' });
        const result = await session.run(session.root, { text: 'Definition x := 1.' });
        await session.close();
        process.stdout.write(result.status);`;
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
      expect(stdout).toBe('done');
    });
  });
} else {
  describe('the embedded Rocq', () => {
    it.skip('needs the optional npm package jscoq, which is not installed', () => {});
  });
}

describe('findJscoq', () => {
  it('finds nothing where nothing is installed', () => {
    expect(findJscoq(pathToFileURL(join(cache, 'x.js')).href)).toBeUndefined();
  });
});
