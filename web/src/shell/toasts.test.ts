/** What is said of a save goes when the next one has worked. */
import { expect, it } from 'vitest';
import { toast, toastSaved, toasts } from './toasts.ts';

const texts = () => toasts.value.map(({ text }) => text);

it('a save that worked takes away what was said of an earlier one of the file, and nothing else', async () => {
  toastSaved('a.v', Promise.reject(new Error('a.v was changed by somebody else.')));
  toastSaved('b.v', Promise.reject(new Error('There is no space left.')));
  toast('The text is copied.');
  await expect.poll(texts).toHaveLength(3);
  toastSaved('a.v', Promise.resolve());
  const left = ['The text is copied.', 'There is no space left.', 'a.v is saved.'];
  await expect.poll(texts).toEqual(left);
});
