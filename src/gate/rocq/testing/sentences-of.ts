/** The sentences that state theorems, by names as the kernel has them. */
import { Script } from '../text/script.ts';

export function sentencesOf(text: string, names: readonly string[]): number[] {
  const { statements } = new Script({ path: 'File.v', text });
  return statements
    .filter((one) => names.some((name) => one.names.includes(name)))
    .map(({ item }) => item.sentence);
}
