/** What is shown of a file that is opened, and what is known of its text while it is checked. */
import { effect } from '@preact/signals';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OpenDocument } from './open-document.ts';
import { UnsavedDrafts } from './unsaved-drafts.ts';

const SOURCE = { file: 'a.v', language: 'rocq' as const, text: 'Lemma a : True.', hash: '' };

/** What a document needs of a browser. */
beforeEach(() => {
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('navigator', { locks: { query: () => Promise.resolve({ held: [] }) } });
  vi.stubGlobal('document', { visibilityState: 'hidden' });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it('of what is told of a check only the sentence that runs is kept, and that no longer than the check', async () => {
  const told: [event: string, value: object][] = [
    // So much is told of a call that has nothing to tell.
    ['progress', { message: 'Running.', elapsed_ms: 1 }],
    ['progress', { message: 'Rocq runs the sentence of line 3', done: 2, total: 6, elapsed_ms: 2 }],
    ['error', { status: 500, reason: 'prover-crashed', detail: 'Rocq ended.' }],
  ];
  const events = told.map(([event, value]) => `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(events.join(''))));
  const open = new OpenDocument(SOURCE, new UnsavedDrafts(new Map(), 'window'), new Set());
  const seen: (string | undefined)[] = [];
  const stop = effect(() => {
    seen.push(open.slow.value?.message);
  });
  open.show();
  await vi.waitFor(() => expect(open.checking.value.state).toBe('failed'), { timeout: 10_000 });
  stop();
  expect(seen).toEqual([undefined, 'Rocq runs the sentence of line 3', undefined]);
});

it('a text that was saved behind the back of its window is not unsaved, and what another left is taken up', () => {
  const storage = new Map<string, string>();
  const draft = { language: 'rocq', base: undefined, hash: 'before' };
  new UnsavedDrafts(storage, 'this').write(SOURCE.file, { ...draft, text: SOURCE.text });
  new UnsavedDrafts(storage, 'gone').write(SOURCE.file, { ...draft, text: 'Lemma b : True.' });
  const open = new OpenDocument(SOURCE, new UnsavedDrafts(storage, 'this'), new Set());
  expect(open.text.value.toString()).toBe('Lemma b : True.');
  expect(open.changed.value).toBe(true);
});

it('shows what stands before a sentence that takes long while it runs', async () => {
  const sentence = {
    line: 1,
    column: 0,
    end_line: 1,
    end_column: 5,
    status: 'ran',
    elapsed_ms: 1,
    error: null,
    messages: [],
  };
  const answer = {
    version: 'one',
    session_id: 's',
    sentences_total: 2,
    rests_on: { stale: [] },
    checked: 1,
    complete: false,
  };
  let end: (() => void) | undefined;
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    const { seconds } = JSON.parse(body) as { seconds: number };
    const events = new ReadableStream({
      start: (stream) => {
        const tell = (event: string, value: object): void =>
          stream.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`));
        if (seconds === 0) {
          tell('result', { ...answer, sentences: [sentence] });
          stream.close();
          return;
        }
        tell('progress', { message: 'Rocq runs the sentence of line 2', done: 1, total: 2, elapsed_ms: 2 });
        end = () => {
          tell('result', { ...answer, sentences: [sentence, sentence], complete: true });
          stream.close();
        };
      },
    });
    return Promise.resolve(new Response(events));
  });
  const open = new OpenDocument(SOURCE, new UnsavedDrafts(new Map(), 'window'), new Set());
  open.show();
  await vi.waitFor(() => expect(open.checking.value.sentences.length).toBe(1), { timeout: 10_000 });
  expect(open.checking.value.state).toBe('running');
  expect(open.slow.value?.done).toBe(1);
  end?.();
  await vi.waitFor(() => expect(open.checking.value.state).toBe('complete'), { timeout: 10_000 });
  expect(open.checking.value.sentences.length).toBe(2);
});
