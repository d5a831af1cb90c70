/** Whether a changed export is accepted as one with the theorem of the unchanged one, and whether that is right. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkExportHere } from '../check-export.ts';
import type { KernelCheck } from '../kernel-check.ts';
import { STANDARD_AXIOMS } from '../standard-axioms.ts';
import { lookAt, lookedUpName } from './independent-look.ts';

export interface JudgedText {
  readonly kind: KernelCheck['kind'];
  /** Why it should not have been accepted. */
  readonly wrong: string | undefined;
}

/** Judges changes of one export, whose last theorem is what is asked for. */
export class TextJudge {
  readonly theorem: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'quod-mutations-'));
  readonly #target: string;
  readonly #meaning: string | undefined;
  readonly #components: string;

  constructor(original: string) {
    this.#target = join(this.#folder, 'target');
    writeFileSync(this.#target, original);
    const statement = checkExportHere({ path: this.#target, axioms: 'any' }).statements.at(-1);
    if (statement === undefined) throw new Error('The export has no theorem.');
    this.theorem = statement.name;
    this.#components = lookedUpName(statement.name.split('.'));
    this.#meaning = lookAt(original, this.#components).meaning;
    if (this.#meaning === undefined) throw new Error(`${statement.name} is not found by looking.`);
  }

  /**
   * To be asked of the unchanged text first: it is accepted, or nothing is learned from what becomes of changed
   * ones.
   */
  judge(changed: string): JudgedText {
    const path = join(this.#folder, 'changed');
    writeFileSync(path, changed);
    const { kind } = checkExportHere({
      path,
      target: this.#target,
      theorems: [this.theorem],
      steps: 2_000_000,
    });
    return { kind, wrong: kind === 'accepted' ? this.#fault(changed) : undefined };
  }

  #fault(changed: string): string | undefined {
    if (!changed.endsWith('\n')) return 'it was cut';
    const look = lookAt(changed, this.#components);
    if (look.meaning !== this.#meaning) return 'the statement means something else';
    const standard = new Set(STANDARD_AXIOMS.map((name) => lookedUpName(name.split('.'))));
    const forbidden = [...look.axioms].filter((axiom) => !standard.has(axiom));
    return forbidden.length > 0 ? `it rests on ${forbidden.join(', ')}` : undefined;
  }

  end(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
