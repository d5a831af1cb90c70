/** What the prover says a proof rests on, with what compiled files say besides, and without what they say is not so. */
import { lazyByKey } from '../../core/lazy-constant.ts';
import type { CompiledFile } from './compiled/compiled-file.ts';
import { insideOf, libraryOf } from './compiled/module-paths.ts';
import { GroundsReached, type ReachedGrounds } from './compiled/reached-grounds.ts';
import { type Unchecked, uncheckedDeclarations } from './compiled/unchecked.ts';
import { asOfTarget } from './backends/compiled-questions.ts';
import type { Assumptions } from './backends/judge-backend.ts';
import type { RequiredLibraries } from './libraries/required-libraries.ts';

/** As the prover says it. */
const SAID: Readonly<Record<Unchecked, string>> = {
  guarded: 'is assumed to be guarded',
  positive: 'is assumed to be positive',
  universes: 'relies on an unsafe hierarchy',
  set: 'relies on an impredicative Set',
  uip: 'relies on definitional UIP',
};

/** With whether all that the kernel did not check is of the file itself, or of libraries of the target. */
export type Reached = Assumptions & { readonly checksAreTargets: boolean };

export class ReachedAssumptions {
  readonly #grounds: GroundsReached;
  readonly #ofTarget: ReadonlySet<string>;
  /** Of a library; undefined for one that is not found. */
  readonly #unchecked: (library: string) => Promise<ReturnType<typeof uncheckedDeclarations> | undefined>;

  /**
   * @param ofTarget libraries that the target has as well.
   * @throws MalformedValue when the file does not have the known layout.
   */
  constructor(
    file: CompiledFile,
    { find, findForeign, all }: Pick<RequiredLibraries, 'find' | 'findForeign' | 'all'>,
    ofTarget: ReadonlySet<string>,
  ) {
    this.#grounds = new GroundsReached(file, findForeign, all);
    this.#ofTarget = new Set([...ofTarget, this.#grounds.own]);
    this.#unchecked = lazyByKey(async (library: string) => {
      const found = library === this.#grounds.own ? file : await find(library);
      return found && uncheckedDeclarations(found);
    });
  }

  /**
   * @param name of a constant of the file, qualified by the modules inside it.
   * @param said what the prover says of it.
   */
  async of(name: string, said: Assumptions): Promise<Reached> {
    const { open, unchecked, mentioned } = await this.#grounds.of(name);
    const known = Map.groupBy(said.axioms, (axiom) => axiom.name);
    const more = open
      .map((full) => {
        const local = libraryOf(full) === this.#grounds.own;
        return { name: local ? insideOf(full) : full.replace('#', '.'), type: '', local };
      })
      .filter((axiom) => known.get(axiom.name)?.some(({ local }) => local === axiom.local) !== true);
    const disabledChecks: string[] = [];
    for (const line of said.disabledChecks)
      if (!(await this.#isWronglySaid(line, mentioned))) disabledChecks.push(inFull(line, unchecked));
    // Of libraries in which it is so, and not in the theory that it is asked in, the prover says nothing.
    const isTheory = disabledChecks.some(isOfTheory);
    for (const one of unchecked)
      if (!(isTheory && one.check === 'set') && !disabledChecks.some((line) => isAbout(line, one)))
        disabledChecks.push(asPrinted(one));
    const ofTarget = unchecked.filter(({ name }) => this.#ofTarget.has(libraryOf(name)));
    const checksAreTargets =
      ofTarget.length === unchecked.length &&
      disabledChecks.every((line) => isOfTheory(line) || ofTarget.some((one) => isAbout(line, one)));
    return { ...said, axioms: [...said.axioms, ...more], disabledChecks, checksAreTargets };
  }

  /** Rocq 8.16 says of every type of the shape for which it would matter that proofs of equality are equal by themselves. */
  async #isWronglySaid(line: string, mentioned: ReachedGrounds['mentioned']): Promise<boolean> {
    if (!line.includes(SAID.uip)) return false;
    const meant = [...mentioned].filter((name) => isOf(line, name));
    if (meant.length === 0) return false;
    for (const name of meant)
      if ((await this.#unchecked(libraryOf(name)))?.get(insideOf(name))?.includes('uip') !== false)
        return false;
    return true;
  }
}

/** Only an option of the project can have it so. */
export function isOfTheory(line: string): boolean {
  return line.startsWith('Set is impredicative');
}

export function isAbout(line: string, one: ReachedGrounds['unchecked'][number]): boolean {
  if (one.check === 'set') return line === asPrinted(one);
  return line.includes(SAID[one.check]) && isOf(line, one.name);
}

function asPrinted({ name, check }: ReachedGrounds['unchecked'][number]): string {
  return asOfTarget(`${check === 'set' ? libraryOf(name) : name.replace('#', '.')} ${SAID[check]}.`);
}

/** The prover says the shortest name, which several libraries can have. */
function inFull(line: string, unchecked: ReachedGrounds['unchecked']): string {
  const [one, ...others] = unchecked.filter((each) => isAbout(line, each));
  return one === undefined || others.length > 0 ? line : asPrinted(one);
}

/** Whether a line is about a declaration: it begins with the end of its full name. */
function isOf(line: string, name: string): boolean {
  return `.${name.replace('#', '.')}`.endsWith(`.${line.slice(0, line.indexOf(' '))}`);
}
