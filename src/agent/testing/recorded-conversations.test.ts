import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openModel, requestAnswer } from '../models/language-model.ts';
import { parseModelName } from '../models/providers.ts';
import { mergeSettings } from '../settings.ts';
import { recordConversations, replayConversations } from './recorded-conversations.ts';
import { startModelServer } from './scripted-model-server.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-recorded-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function ask(url: string, text: string, stream: boolean): Promise<string> {
  const settings = mergeSettings({ providers: { real: { url, free: true } } });
  const model = await openModel(parseModelName('real/x', settings), 'sk-secret');
  const answer = await requestAnswer(model, {
    messages: [{ role: 'user', text }],
    tools: [],
    ...{ maxOutputTokens: null, temperature: null, reasoning: 'provider-default', stream },
    signal: new AbortController().signal,
  });
  return answer.text;
}

test('what was recorded is answered again without the server, elsewhere, in order; nothing else is, and no key is kept', async () => {
  const file = join(folder, 'talk.jsonl');
  const real = await startModelServer((_request, number) => ({ text: `answer ${number}` }));
  const recorder = await recordConversations(real.url, file, '/here');
  const asked = [
    ['about /here/a.v', false],
    ['about /here/a.v', false],
    ['streamed', true],
  ] as const;
  const first: string[] = [];
  for (const [text, stream] of asked) first.push(await ask(recorder.url, text, stream));
  await recorder.close();
  await real.close();
  expect(first).toEqual(['answer 0', 'answer 1', 'answer 2']);
  expect(real.requests[0]?.authorization).toBe('Bearer sk-secret');
  expect(readFileSync(file, 'utf8')).not.toMatch(/sk-secret|\/here/u);
  const replayer = await replayConversations(file, '/there');
  const again: string[] = [];
  for (const [text, stream] of asked)
    again.push(await ask(replayer.url, text.replace('/here', '/there'), stream));
  expect(again).toEqual(first);
  await expect(ask(replayer.url, 'never asked', false)).rejects.toThrow();
  await replayer.close();
});
