import { expect, it } from 'vitest';
import { lazyByKey, lazyConstant } from './lazy-constant.ts';

it('makes a constant once, when it is asked for', () => {
  let made = 0;
  const constant = lazyConstant(() => (made += 1));
  expect(made).toBe(0);
  expect([constant(), constant()]).toEqual([1, 1]);
});

it('makes one for each key, also one that is nothing', () => {
  const asked: string[] = [];
  const byKey = lazyByKey((key: string) => {
    asked.push(key);
    return key === 'none' ? undefined : key.length;
  });
  expect([byKey('none'), byKey('two'), byKey('none'), byKey('two')]).toEqual([undefined, 3, undefined, 3]);
  expect(asked).toEqual(['none', 'two']);
});

it('asks again for what could not be made', () => {
  let tries = 0;
  const byKey = lazyByKey(() => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return tries;
  });
  expect(() => byKey('key')).toThrow('not yet');
  expect(byKey('key')).toBe(2);
});
