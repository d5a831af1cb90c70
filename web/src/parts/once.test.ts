/** What is under way is not begun again; when it has ended, well or not, it can be. */
import { expect, test } from 'vitest';
import { isUnderWay, once } from './once.ts';

test('of several clicks one begins the work, and others are begun beside it', async () => {
  let begun = 0;
  const answer = Promise.withResolvers<string>();
  const click = (what: string) =>
    once(what, () => {
      begun += 1;
      return answer.promise;
    });
  const clicks = [click('prove a'), click('prove a'), click('prove b')];
  expect(begun).toBe(2);
  expect([isUnderWay('prove a'), isUnderWay('prove c')]).toEqual([true, false]);
  answer.resolve('there');
  expect(await Promise.all(clicks)).toEqual(['there', undefined, 'there']);
  expect(isUnderWay('prove a')).toBe(false);
  await click('prove a');
  expect(begun).toBe(3);
});

test('what failed can be begun again', async () => {
  const failing = () => once('build', () => Promise.reject(new Error('gone')));
  await expect(failing()).rejects.toThrow('gone');
  await expect(failing()).rejects.toThrow('gone');
});
