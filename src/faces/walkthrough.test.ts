/**
 * One walk through a proof, over every face: a file is opened, looked at, tried, checked with a wrong end, finished
 * from the valid prefix and filled, and the compiler takes it. All faces give the same answers.
 */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../process/executable.ts';
import { accessTo, runQuod, startQuod, type StartedQuod } from './cli/testing/run-quod.ts';

type Answer = Record<string, unknown>;
type Call = (operation: string, input: Answer) => Promise<Answer>;

const EXAMPLE = new URL('../../examples/rocq/lists.v', import.meta.url);
const THEOREM = 'rev_snoc';

let folder: string;
let server: StartedQuod;
let url: string;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quod-walk-'));
  server = startQuod(['serve', '--port', '0', '--workspace', folder], folder);
  ({ url, token } = await accessTo(server));
});

afterAll(async () => {
  server.child.kill('SIGINT');
  await server.finished;
  expect(server.survivors()).toEqual([]);
  await rm(folder, { recursive: true });
});

async function overMcp(): Promise<{ readonly call: Call; readonly close: () => Promise<void> }> {
  const client = new Client({ name: 'walk', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  return {
    call: async (name, input) => {
      const { structuredContent, isError, content } = await client.callTool({ name, arguments: input });
      if (isError === true) throw new Error(JSON.stringify(content));
      return structuredContent as Answer;
    },
    close: () => client.close(),
  };
}

function overRest(): { readonly call: Call; readonly close: () => Promise<void> } {
  return {
    call: async (name, input) => {
      const [area = '', ...verb] = name.split('_');
      const response = await fetch(`${url}/api/${area}/${verb.join('-')}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'quod-client': 'walk',
        },
        body: JSON.stringify(input),
      });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return (await response.json()) as Answer;
    },
    close: () => Promise.resolve(),
  };
}

function overCli(): { readonly call: Call; readonly close: () => Promise<void> } {
  return {
    call: async (name, input) => {
      const { exitCode, stdout, stderr } = await runQuod(
        ['call', name, '--input', JSON.stringify(input), '--json'],
        folder,
      );
      // With 1 it answers that something does not hold.
      if (exitCode === null || exitCode > 1) throw new Error(stderr);
      return JSON.parse(stdout) as Answer;
    },
    close: () => Promise.resolve(),
  };
}

/** What may differ between two walks. */
function comparable(answer: Answer): Answer {
  const same = (key: string, value: unknown): unknown =>
    key === 'session_id' || key === 'elapsed_ms' ? undefined : value;
  return JSON.parse(JSON.stringify(answer, same)) as Answer;
}

async function walk(call: Call): Promise<Answer[]> {
  await copyFile(EXAMPLE, join(folder, 'lists.v'));
  const answers: Answer[] = [];
  const take = async (name: string, input: Answer): Promise<Answer> => {
    const answer = await call(name, input);
    answers.push(comparable(answer));
    return answer;
  };
  await take('rocq_outline', { file: 'lists.v' });
  const { session_id } = await take('rocq_open', { file: 'lists.v', theorem: THEOREM });
  await take('rocq_similar_proofs', { session_id, limit: 3 });
  await take('rocq_try', { session_id, alternatives: ['induction l.', 'nonsense.', 'destruct x.'] });
  await take('rocq_search', { session_id, pattern: 'rev', limit: 3 });
  const wrong = await take('rocq_check_proof', {
    session_id,
    proof: 'induction l as [| y l IH]; simpl.\n- reflexivity.\n- rewrite IHl.',
  });
  expect(wrong).toMatchObject({ outcome: 'failed', error: { line: 3, column: 10 } });
  const from = wrong['state'];
  const whole = await take('rocq_check_proof', {
    session_id,
    from,
    proof: 'rewrite IH. reflexivity.',
    final: true,
  });
  expect(whole).toMatchObject({ outcome: 'proved', gate: { verdict: 'accepted' } });
  const { file_hash } = (whole['rests_on'] ?? {}) as Answer;
  const filled = await take('rocq_fill', {
    file: 'lists.v',
    theorem: THEOREM,
    proof: whole['proof'],
    file_hash,
  });
  expect(filled).toMatchObject({ written: true, verdict: 'accepted' });
  await take('rocq_close', { session_id });
  answers.push({ file: await readFile(join(folder, 'lists.v'), 'utf8') });
  const coqc = findExecutable(['coqc']);
  if (coqc !== undefined) execFileSync(coqc, ['lists.v'], { cwd: folder, stdio: 'ignore' });
  return answers;
}

describe('a proof found over', () => {
  let first: Answer[] | undefined;

  it.each([
    ['MCP', overMcp],
    ['REST', () => Promise.resolve(overRest())],
    ['the command line', () => Promise.resolve(overCli())],
  ])('%s is written into the file, with the answers that every face gives', async (_, connect) => {
    const { call, close } = await connect();
    try {
      const answers = await walk(call);
      first ??= answers;
      expect(answers).toEqual(first);
    } finally {
      await close();
    }
  });
});
