/**
 * Judges the attacks: scripts by the judge of HOL4 with what a tracing HOL4 made of them, traces by the replay on
 * `bool`.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatePolicy } from '../../policy.ts';
import type { Verdict } from '../../verdict.ts';
import { Hol4Judge } from '../judge/hol4-judge.ts';
import { replayFiles } from '../replay/replay-files.ts';
import type { ReplayVerdict } from '../replay/replay-verdict.ts';
import type { ScriptAttack, TraceAttack } from './attack-files.ts';
import { tracingHolUnderTest } from './hol-under-test.ts';
import { fixturePath } from './recorded-traces.ts';
import { traceOf } from './trace-notation.ts';

/** What makes the scan of the text blind to the attacks, so that the layers behind it are seen to hold. */
export const ALLOWED_FOR_THE_SCAN: readonly string[] = [
  ...['mk_thm', 'mk_oracle_thm', 'disk_thm', 'set_prover', 'delete_proof', 'unsafeCast', 'RunCall', 'PolyML'],
  ...['new_axiom', 'OS', 'exit', 'Process', 'openOut', 'openAppend', 'load', 'use', 'compile'],
];

/** A folder with the target, and the HOL4 that builds. Whoever makes one removes the folder. */
export class ScriptJudging {
  readonly folder = mkdtempSync(join(tmpdir(), 'quod-scripts-hol4-'));
  readonly #hol = tracingHolUnderTest();

  async judge(
    target: string,
    submission: string,
    policy: GatePolicy,
    { replays } = { replays: true },
  ): Promise<Verdict> {
    const path = join(this.folder, 'mineScript.sml');
    writeFileSync(path, target);
    const judge = new Hol4Judge({
      hols: replays
        ? { ordinary: undefined, tracing: this.#hol }
        : { ordinary: this.#hol, tracing: undefined },
      replayCache: this.folder,
    });
    const prepared = await judge.prepare({ path, text: target }, { policy });
    return prepared.judge({ path: join(this.folder, 'submission', 'mineScript.sml'), text: submission });
  }

  /** The cheat, with a scan that sees nothing. */
  judgeCheat({ target, cheat, policy }: ScriptAttack): Promise<Verdict> {
    return this.judge(target, cheat, blinding(policy));
  }

  /** The cheat, where only Holmake and its data speak. */
  judgeWithoutReplay({ target, cheat, policy }: ScriptAttack): Promise<Verdict> {
    return this.judge(target, cheat, blinding(policy), { replays: false });
  }

  judgeInnocent({ target, innocent, policy }: ScriptAttack): Promise<Verdict> {
    return this.judge(target, innocent, policy);
  }
}

export class TraceJudging {
  readonly folder = mkdtempSync(join(tmpdir(), 'quod-traces-hol4-'));
  #written = 0;

  judgeCheat(attack: TraceAttack): Promise<ReplayVerdict> {
    return this.#judge(attack, attack.cheat, attack.below);
  }

  judgeInnocent(attack: TraceAttack): Promise<ReplayVerdict> {
    return this.#judge(attack, attack.innocent, attack['innocent below'] ?? attack.below);
  }

  async #judge(
    { target, policy }: TraceAttack,
    submission: string,
    below: string | undefined,
  ): Promise<ReplayVerdict> {
    const { wanted, allowsTargetAxioms } = policy;
    const files = [...(below === undefined ? [] : [below]), submission].map((text) => this.#write(text));
    // A trace of `bool` itself stands alone.
    const isBool = submission.startsWith('recorded bool\n');
    const { verdict } = await replayFiles([...(isBool ? [] : [fixturePath('bool')]), ...files], {
      cacheDirectory: this.folder,
      maximumTerms: 1_000_000,
      allowsTargetAxioms,
      ...(target !== undefined && { target: this.#write(target) }),
      ...(wanted !== undefined && { wanted }),
    });
    return verdict;
  }

  #write(notation: string): string {
    this.#written += 1;
    const path = join(this.folder, `${this.#written}.prf`);
    writeFileSync(path, traceOf(notation));
    return path;
  }
}

function blinding(policy: GatePolicy): GatePolicy {
  return { ...policy, commands: [...ALLOWED_FOR_THE_SCAN, ...(policy.commands ?? [])] };
}
