/**
 * A second opinion on an accepted submission, which shares no code with the gate: `coqc` compiles target and submission
 * under the same name in two folders; processes that load only a compiled file print what it declares, with everything
 * written out; the statement, stated again in full names by the target's author, has to be the type of the theorem; it
 * has to be closed under the global context; `coqchk` has to accept the file.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What is looked at of a target. */
export interface LookedAt {
  readonly id: string;
  readonly theorem: string;
  /** Own declarations that the meaning rests on. */
  readonly own: readonly string[];
  /** The statement in full names, where the compiled target is `T.Target`; without it only what is printed is compared. */
  readonly restated?: string;
}

/** What it is that disagrees; undefined when nothing does. */
export type Objection = string | undefined;

const PRINTED =
  'Set Printing All.\nSet Printing Width 1000000.\nSet Printing Depth 1000000.\nUnset Printing Universes.\n';

export class IndependentLook {
  readonly #folder = mkdtempSync(join(tmpdir(), 'quod-look-'));
  readonly #printedTargets = new Map<string, string>();

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** @throws Error when the target itself cannot be looked at. */
  at(target: LookedAt, targetText: string, submission: string): Objection {
    const expected = this.#printedTarget(target, targetText);
    const folder = this.#compiled('submission', submission);
    if (folder === undefined) return 'coqc does not compile it';
    const stated =
      (target.restated === undefined
        ? ''
        : `Definition quod_stated : Type := ${target.restated}.\n` +
          `Definition quod_proved : quod_stated := @T.Target.${target.theorem}.\n`) +
      `Print Assumptions T.Target.${target.theorem}.\n`;
    const { printed, rest } = this.#printed(folder, target, stated);
    if (printed !== expected) return `it is printed as ${printed}, the target as ${expected}`;
    if (rest === undefined) return 'its type is not the statement written again';
    if (!rest.includes('Closed under the global context')) return `it rests on ${rest.trim()}`;
    const checked = spawnSync('coqchk', ['-silent', '-norec', 'T.Target', '-Q', folder, 'T'], {
      encoding: 'utf8',
    });
    return checked.status === 0
      ? undefined
      : `coqchk: ${(checked.stdout + checked.stderr).trim().slice(-300)}`;
  }

  #printedTarget(target: LookedAt, text: string): string {
    let printed = this.#printedTargets.get(target.id);
    if (printed === undefined) {
      const folder = this.#compiled('target', text);
      printed = folder === undefined ? undefined : this.#printed(folder, target, '').printed;
      if (printed === undefined) throw new Error(`The target ${target.id} cannot be looked at.`);
      this.#printedTargets.set(target.id, printed);
    }
    return printed;
  }

  #compiled(name: string, text: string): string | undefined {
    const folder = join(this.#folder, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writeFileSync(join(folder, 'Target.v'), text);
    return run('coqc', ['-q', '-Q', folder, 'T', join(folder, 'Target.v')]).ended ? folder : undefined;
  }

  /** What the declarations are, and what `last` prints behind them; `rest` is undefined when Rocq refuses that. */
  #printed(
    folder: string,
    target: LookedAt,
    last: string,
  ): { readonly printed: string; readonly rest: string | undefined } {
    const commands = [
      `Check @T.Target.${target.theorem}.`,
      ...target.own.map((name) => `Print T.Target.${name}.`),
    ];
    const path = join(this.#folder, 'ask.v');
    writeFileSync(
      path,
      `Require T.Target.\n${PRINTED}${commands.join('\n')}\nDefinition quod_marker := tt.\nPrint quod_marker.\n${last}`,
    );
    const { output, ended } = run('coqc', ['-q', '-w', 'none', '-Q', folder, 'T', path]);
    const [before = '', rest] = output.split(/^quod_marker = .*$/m);
    // Which arguments are implicit says nothing about what a term is; with them go the signs that there are such.
    const printed = before
      .replaceAll(/^Arguments .*$/gm, '')
      .replaceAll('@', '')
      .replaceAll(/\s+/g, ' ');
    return { printed, rest: ended ? rest : undefined };
  }
}

function run(
  program: string,
  options: readonly string[],
): { readonly output: string; readonly ended: boolean } {
  const { stdout, status } = spawnSync(program, options, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 60_000,
  });
  return { output: stdout, ended: status === 0 };
}
