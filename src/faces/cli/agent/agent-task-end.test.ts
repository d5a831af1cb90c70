/** What stands in the folder when a task ends: files that the user moved stay moved, and what was handed off holds. */
import { appendFileSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test as anyTest } from 'vitest';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import type { Reply, ScriptedModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { inRepository } from '../../../agent/task/testing/in-repository.ts';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod } from '../testing/run-quod.ts';

const test = anyTest.skipIf(findExecutable(['git']) === undefined);

const LONG = 600_000;
const lemma = (name: string, proof = 'Admitted.'): string => `Lemma ${name} : 1 = 1.\nProof.\n${proof}\n\n`;
const HOLES = ['one', 'two', 'three'].map((name) => lemma(name)).join('');
const TASK = '# Three\n\n## Targets\n- a.v\n';

let server: ScriptedModelServer | undefined;

const { folder, git, path } = inRepository('quod-task-end-', { 'a.v': HOLES, 'TASK.md': TASK });
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const proves: Reply = { calls: [{ name: 'rocq_check_proof', arguments: '{"proof": "reflexivity."}' }] };

/** @param answers in their order; the last one again and again. */
const work = async (answers: readonly (() => Reply)[], ...more: string[]) => {
  await server?.close();
  server = await startModelServer(
    (_request, number) => answers.at(Math.min(number, answers.length - 1))?.() ?? proves,
  );
  const providers = `providers=${JSON.stringify({ scripted: { url: server.url, free: true } })}`;
  const command =
    more[0] === 'resume' ? more : ['agent', '--task', 'TASK.md', '--model', 'scripted/m', ...more];
  const isBegun = command[0] === 'agent' ? ['--set', 'search-first=false'] : [];
  return await runQuod([...command, ...isBegun, '--set', providers], folder());
};
const note = (): Reply => ({ text: 'To be gone on with.' });
const proof = (): Reply => proves;

test(
  'a file that the user renames while the run works is not committed under its old name, and told',
  async () => {
    const run = await work([
      proof,
      () => {
        renameSync(path('a.v'), path('b.v'));
        return proves;
      },
    ]);
    expect(run, run.stderr).toMatchObject({ exitCode: 2 });
    expect(run.stderr).toMatch(
      /^Not committed, for you to commit: a\.v is not there any more \(removed or renamed\)\.$/mu,
    );
    expect(run.stderr).toMatch(
      /\/a\.v is not there any more \(removed or renamed\): nothing counts as proved/mu,
    );
    expect(git('log', '--format=%s')).toBe('first\n');
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe(' D a.v\n');
  },
  LONG,
);

test.each([
  ['what it was', HOLES],
  ['what it was, with a comment', `${HOLES}(* mine *)\n`],
  ['another proof', HOLES.replace('Admitted.', 'exact eq_refl. Qed.')],
])(
  'a file that the user puts back to %s while the run works is not committed, and told',
  async (_, text) => {
    const putBack = (): Reply => {
      writeFileSync(path('a.v'), text);
      return { text: 'I give up.' };
    };
    const run = await work([proof, putBack]);
    expect(run.stderr).toMatch(
      /^Not committed, for you to commit: a\.v was changed or put back by somebody else after the run had written it\.$/mu,
    );
    expect(git('log', '--format=%s')).toBe('first\n');
    expect(readFileSync(path('a.v'), 'utf8')).toBe(text);
  },
  LONG,
);

test(
  'what was handed off is taken out of the task file when all is proved, also where another run goes on',
  async () => {
    const first = await work([proof, note], '--max-messages', '1', '--set', 'contexts=1');
    expect(first, first.stderr).toMatchObject({ exitCode: 1 });
    expect(git('show', 'HEAD:TASK.md')).toContain('- [ ] two (a.v)');
    const other = await work([proof], '--fresh');
    expect(other, other.stderr).toMatchObject({ exitCode: 0 });
    expect(git('show', 'HEAD:TASK.md')).toBe(TASK);
    expect(git('log', '--format=%s')).toBe('Prove two, three\nProve one\nfirst\n');
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
  },
  LONG,
);

test(
  'it says what is proved where the work ends with something open, and is taken out by the part that proves that',
  async () => {
    const first = await work([proof, note, proof], '--max-messages', '1', '--set', 'max-messages=3');
    expect(first, first.stderr).toMatchObject({ exitCode: 1 });
    const handed = readFileSync(path('TASK.md'), 'utf8');
    expect(handed).toContain('- [x] one (a.v)\n- [x] two (a.v)\n- [ ] three (a.v)\n\nTo be gone on with.\n');
    expect(handed).not.toContain('State of two');
    expect(git('show', 'HEAD:TASK.md')).toBe(handed);
    const resumed = await work([proof], 'resume', 'last', '--set', 'max-messages=99');
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
    expect(git('show', 'HEAD:TASK.md')).toBe(TASK);
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
  },
  LONG,
);

test(
  'what the user wrote behind it stays where it is, and is not committed',
  async () => {
    const written = (): Reply => {
      appendFileSync(path('TASK.md'), 'Mine.\n');
      return proves;
    };
    const run = await work([proof, note, proof, note, written], '--max-messages', '1');
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path('TASK.md'), 'utf8')).toBe(`${git('show', 'HEAD:TASK.md')}Mine.\n`);
  },
  LONG,
);

test(
  'a commit without proofs says whether the work is handed off or has ended, also of a task that is a link',
  async () => {
    renameSync(path('TASK.md'), path('real.md'));
    symlinkSync('real.md', path('TASK.md'));
    git('rm', '--quiet', '--cached', 'a.v');
    git('add', 'TASK.md', 'real.md');
    git('commit', '--quiet', '-m', 'without');
    const run = await work([proof, note, proof, note, proof], '--max-messages', '1');
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    const handed = 'Hand off the work on proofs\n';
    expect(git('log', '--format=%s')).toBe(`End the work on proofs\n${handed}${handed}without\nfirst\n`);
    expect(git('show', 'HEAD:real.md')).toBe(TASK);
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
  },
  LONG,
);
