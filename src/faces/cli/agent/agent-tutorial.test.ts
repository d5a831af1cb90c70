/**
 * Runs docs/agents/tutorial.md: its files are written, its commands executed in order, as a reader would. The
 * models are scripted: the local one stands at another port than the page says, and Anthropic's own package is sent
 * to a server here.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startAnthropicServer } from '../../../agent/testing/scripted-anthropic-server.ts';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { runQuod } from '../testing/run-quod.ts';

const PAGE = readFileSync(new URL('../../../../docs/agents/tutorial.md', import.meta.url), 'utf8');
const COMMUTES =
  'Proof. induction n as [|n IH]; intros m; simpl; [rewrite plus_n_zero | rewrite plus_n_succ, IH]; reflexivity. Qed.';

const folder = mkdtempSync(join(tmpdir(), 'quod-tutorial-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

test('every command of the tutorial works as it stands', async () => {
  const local = await startModelServer(() => ({ text: COMMUTES }));
  const hosted = await startAnthropicServer(() => ({
    text: 'I try induction.',
    call: { name: 'rocq_check_proof', input: { proof: COMMUTES } },
  }));
  const said: string[] = [];
  const before = { ...process.env };
  try {
    process.env['ANTHROPIC_BASE_URL'] = hosted.url;
    process.env['QUOD_CONFIG'] = join(folder, 'own');
    const blocks = [...PAGE.matchAll(/```(\w+)\n([\s\S]*?)```/gu)];
    for (const [, language = '', text = ''] of blocks) {
      if (language === 'coq') write('sums.v', text);
      else if (language === 'markdown') write('TASK.md', text);
      else if (language === 'json')
        write('own/agent.json', text.replace('http://127.0.0.1:9000/v1', local.url));
      else {
        expect(language).toBe('sh');
        for (const line of text.trim().split('\n')) {
          const [program, ...words] = line.split(' ');
          if (program === 'export') {
            const [name = '', value = ''] = (words[0] ?? '').split('=');
            process.env[name] = value;
            continue;
          }
          expect(program).toBe('quod');
          const run = await runQuod(words, folder);
          expect(run, `${line}\n${run.stdout}\n${run.stderr}`).toMatchObject({ exitCode: 0 });
          said.push(run.stdout);
        }
      }
    }
  } finally {
    for (const name of ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY', 'QUOD_CONFIG']) {
      if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before[name];
    }
    await local.close();
    await hosted.close();
  }
  expect(readFileSync(join(folder, 'sums.v'), 'utf8')).not.toContain('Admitted');
  // The original can be had back: it is what the page says.
  expect(said).toContain(/```coq\n([\s\S]*?)```/u.exec(PAGE)?.[1]);
  expect(hosted.keys).toEqual(['your-key']);
}, 900_000);
