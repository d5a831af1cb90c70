import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let stored: Map<string, string>;
let room: number;
beforeEach(() => {
  stored = new Map();
  room = Infinity;
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new Error('There is no room.');
      stored.set(key, value);
    },
  });
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** The page as it is after a reload. */
async function reloaded() {
  vi.resetModules();
  const { isText, keptSignal } = await import('./kept-signal.ts');
  return (key: string) => keptSignal(key, 'initial', isText);
}

it('what was typed is there when one comes back, and after a reload; other things have their own', async () => {
  const before = await reloaded();
  before('one').value = 'typed';
  expect(before('one').value).toBe('typed');
  expect(before('other').value).toBe('initial');
  const after = await reloaded();
  expect([after('one').value, after('other').value]).toEqual(['typed', 'initial']);
  after('one').value = 'initial';
  expect(stored.size).toBe(0);
});

it('what is too large to be kept is there until the reload, and nothing older after it', async () => {
  const before = await reloaded();
  before('one').value = 'short';
  room = 10;
  before('one').value = 'much too long';
  expect(before('one').value).toBe('much too long');
  expect((await reloaded())('one').value).toBe('initial');
});

it('what another version of the page kept is passed over', async () => {
  stored.set('quod.typed.one', '{"text":1}');
  expect((await reloaded())('one').value).toBe('initial');
  stored.set('quod.typed.one', 'no JSON');
  expect((await reloaded())('one').value).toBe('initial');
});
