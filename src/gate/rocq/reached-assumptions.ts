/** What the prover says a proof rests on, with what compiled files say besides, and without what they say is not so. */
import { lastPart } from '../../core/qualified-name.ts';
import type { FindLibrary } from './compiled/closed-proofs.ts';
import { mentionsIn, type Unchecked } from './compiled/mentions.ts';
import { insideOf, libraryOf } from './compiled/module-paths.ts';
import type { ReachedGrounds } from './compiled/reached-grounds.ts';
import type { Assumptions } from './provers/judge-backend.ts';

/** As the prover says it. */
const SAID: Readonly<Record<Unchecked, string>> = {
  guarded: 'is assumed to be guarded',
  positive: 'is assumed to be positive',
  universes: 'relies on an unsafe hierarchy',
  uip: 'relies on definitional UIP',
};

/** @param own the library that is judged. @param find all libraries that it requires. */
export async function withReached(
  said: Assumptions,
  { open, unchecked, mentioned }: ReachedGrounds,
  { own, find }: { readonly own: string; readonly find: FindLibrary },
): Promise<Assumptions> {
  const nameOf = (name: string): string =>
    libraryOf(name) === own ? insideOf(name) : name.replace('#', '.');
  const known = new Set(said.axioms.map(({ name }) => name));
  const more = open
    .filter((name) => !known.has(nameOf(name)))
    .map((name) => ({ name: nameOf(name), type: '', local: libraryOf(name) === own }));
  const disabledChecks: string[] = [];
  for (const check of said.disabledChecks)
    if (!(await isWronglySaid(check, mentioned, find, unchecked))) disabledChecks.push(check);
  for (const { name, check } of unchecked)
    if (!disabledChecks.some((line) => line.includes(SAID[check]) && isOf(line, name)))
      // As the prover prints it: by the last part of the library.
      disabledChecks.push(`${lastPart(libraryOf(name))}.${insideOf(name)} ${SAID[check]}.`);
  return { ...said, axioms: [...said.axioms, ...more], disabledChecks };
}

/** Whether a line is about a declaration: it begins with the end of its full name. */
function isOf(line: string, name: string): boolean {
  return `.${name.replace('#', '.')}`.endsWith(`.${line.slice(0, line.indexOf(' '))}`);
}

/** Rocq 8.16 says of every type of the shape for which it would matter that proofs of equality are equal by themselves. */
async function isWronglySaid(
  line: string,
  mentioned: ReachedGrounds['mentioned'],
  find: FindLibrary,
  unchecked: ReachedGrounds['unchecked'],
): Promise<boolean> {
  if (!line.includes(SAID.uip)) return false;
  const meant = [...mentioned].filter((name) => isOf(line, name));
  if (meant.length === 0) return false;
  for (const name of meant) {
    if (unchecked.some((one) => one.name === name && one.check === 'uip')) return false;
    const file = await find(libraryOf(name));
    const declared = file && mentionsIn(file, () => false).declared.get(insideOf(name));
    if (file !== undefined && declared?.unchecked.includes('uip') !== false) return false;
  }
  return true;
}
