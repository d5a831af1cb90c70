/** The exports that tests of the Lean kernel work on; README.md says where they come from. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Declaration } from '../declaration.ts';
import { declarationName } from '../declaration.ts';
import { Environment } from '../environment.ts';
import { readExport } from '../export/read-export.ts';
import type { KernelAnswer } from '../kernel/answer.ts';
import type { KernelLimits } from '../kernel/kernel.ts';
import { Kernel } from '../kernel/kernel.ts';
import { TermStore } from '../term-store.ts';

export interface RecordedExport {
  readonly name: string;
  /** Whether the official kernel accepts it. */
  readonly good: boolean;
  readonly text: string;
}

export function smallExports(): readonly RecordedExport[] {
  return JSON.parse(unpacked('small-exports.json.gz')) as readonly RecordedExport[];
}

export function smallExport(name: string): RecordedExport {
  const found = smallExports().find((recorded) => recorded.name === name);
  if (found === undefined) throw new Error(`No recorded export is called ${name}`);
  return found;
}

export function initPrelude(): string {
  return unpacked('init-prelude.ndjson.gz');
}

function unpacked(file: string): string {
  return gunzipSync(readFileSync(new URL(file, import.meta.url))).toString('utf8');
}

export function declarationsOf(text: string, store: TermStore): readonly Declaration[] {
  return [...readExport(text.trimEnd().split('\n'), store)];
}

/** A kernel that has checked the declarations of an export, up to the first that it does not accept. */
export class CheckedExport {
  readonly store = new TermStore();
  readonly environment = new Environment();
  readonly kernel: Kernel;
  /** For each declaration in order, what the kernel answered. */
  readonly answers: readonly KernelAnswer[];
  readonly declarations: readonly Declaration[];

  constructor(text: string, limits?: KernelLimits) {
    this.kernel = new Kernel(this.store, this.environment, limits);
    this.declarations = declarationsOf(text, this.store);
    const answers: KernelAnswer[] = [];
    for (const declaration of this.declarations) {
      answers.push(this.kernel.add(declaration));
      if (answers.at(-1)?.kind !== 'accepted') break;
    }
    this.answers = answers;
  }

  /** The answer for the whole: that for the first declaration that was not accepted. */
  get answer(): KernelAnswer {
    return this.answers.find(({ kind }) => kind !== 'accepted') ?? { kind: 'accepted' };
  }

  declaration(name: string): Declaration {
    const found = this.declarations.find((one) => declarationName(one)?.toString() === name);
    if (found === undefined) throw new Error(`The export has no ${name}`);
    return found;
  }
}
