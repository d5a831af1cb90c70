/**
 * QuickChick on one statement: what it is given stands in this folder, for every library and for each. It tests a
 * statement for which it finds generators and decision procedures; of others it says so.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onOneLine } from '../../../src/core/sentence.ts';
import { orNothing } from '../../../src/core/entry.ts';
import { compile } from '../../search/coqc.ts';
import { runCommand } from '../../search/command.ts';
import type { Library } from '../libraries.ts';

export type QuickChickOutcome = 'refuted' | 'passed' | 'gave-up' | 'too-slow' | 'not-applicable';

export interface QuickChickAnswer {
  readonly outcome: QuickChickOutcome;
  /** The values, or what stands in the way. */
  readonly message: string;
  /** Of extraction, compilation and tests, without the header; null where it came to no end. */
  readonly seconds: number | null;
}

/** Ten times what QuickChick does by itself. */
const TESTS = 100_000;
/** Of Rocq for the header and the search for instances. */
const START_SECONDS = 45;
const INSTANCE_SECONDS = 20;
const SHOWN = 300;

const own = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

/** What QuickChick is given, compiled: as long as it is open. */
export class QuickChick {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<QuickChick> {
    const folder = mkdtempSync(join(tmpdir(), 'quod-quickchick-'));
    writeFileSync(join(folder, 'Given.v'), own('given.v'));
    const options = { folder, timeoutSeconds: 300 };
    const { exitCode, errorOutput } = await runCommand('coqc', ['-w', 'none', 'Given.v'], options);
    if (exitCode !== 0) throw new Error(`given.v is not accepted: ${errorOutput}`);
    return new QuickChick(folder);
  }

  async ask(library: Library, statement: string, budgetSeconds: number): Promise<QuickChickAnswer> {
    const { output, errorOutput, timedOut } = await compile(textOf(library, statement), {
      source: 'asked.v',
      loadPath: ['-R', this.#folder, ''],
      timeoutSeconds: START_SECONDS + budgetSeconds,
    });
    return answerOf(output, errorOutput, timedOut);
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** QuickChick's names come first, so that the statement means what it means behind the header alone. */
function textOf({ name, header }: Library, statement: string): string {
  return [
    'From QuickChick Require Import QuickChick.',
    'Require Import Given.',
    header,
    own(`${name}.v`),
    `Timeout ${INSTANCE_SECONDS} Definition instance : Checkable (${statement}) := _.`,
    `Conjecture asked : ${statement}.`,
    `Extract Constant defNumTests => "${TESTS}".`,
    'Time QuickChick asked.',
    '',
  ].join('\n');
}

export function answerOf(output: string, errorOutput: string, timedOut: boolean): QuickChickAnswer {
  const [, tested] = output.split(/^QuickChecking asked$/mu);
  const short = (text: string): string => onOneLine(text).slice(0, SHOWN);
  if (tested === undefined)
    return {
      outcome: timedOut ? 'too-slow' : 'not-applicable',
      message: short(errorOutput.replace(/^File .*$/gmu, '')),
      seconds: null,
    };
  const seconds = /^Finished transaction in ([\d.]+) secs/mu.exec(tested)?.[1];
  const found = /^(?:\*\*\*|\+\+\+) (Failed|Passed|Gave up)/mu.exec(tested);
  const common = {
    message: short(tested.slice(0, found?.index)),
    seconds: seconds === undefined ? null : Number(seconds),
  };
  switch (orNothing(found?.[1])) {
    case 'Failed':
      return { outcome: 'refuted', ...common };
    case 'Passed':
      return { outcome: 'passed', ...common };
    case 'Gave up':
      return { outcome: 'gave-up', ...common };
    default:
      // A program that extraction cannot make is none that can be tested.
      return timedOut
        ? { outcome: 'too-slow', ...common }
        : { outcome: 'not-applicable', ...common, message: short(errorOutput.replace(/^File .*$/gmu, '')) };
  }
}
