/** Writes the files of an attack and judges them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LeanJudgement, judgePair } from '../judge.ts';
import type { Attack, Build } from './attack.ts';
import { ModuleBuilder } from './module-builder.ts';
import { declareLibrary, smallLibrary } from './small-library.ts';

let library: ModuleBuilder | undefined;

/** The library is made once: nothing that is built on it changes it. */
function init(): ModuleBuilder {
  return (library ??= smallLibrary());
}

export function runAttack(attack: Attack): { readonly good: LeanJudgement; readonly bad: LeanJudgement } {
  const root = mkdtempSync(join(tmpdir(), 'quod-attack-'));
  try {
    mkdirSync(join(root, 'lib'));
    writeFileSync(join(root, 'lib', 'Init.olean'), init().bytes());
    const { withoutInit, beside = {} } = attack;
    const isBare = withoutInit !== undefined;
    const folder = (
      name: string,
      build: Build,
      others: Readonly<Record<string, Build>> = {},
      own: Build = () => {},
    ) => {
      mkdirSync(join(root, name));
      const imports = Object.keys(others);
      const module = isBare ? bareModule(own) : new ModuleBuilder(['Init', ...imports], [init()]);
      build(module);
      for (const [other, buildOther] of Object.entries(others)) {
        const extra = new ModuleBuilder(['Init'], [init()]);
        buildOther(extra);
        writeFileSync(join(root, name, `${other}.olean`), extra.bytes());
      }
      const path = join(root, name, 'Main.olean');
      const bytes = module.bytes();
      writeFileSync(path, name === 'bad' && attack.spoil ? attack.spoil(bytes) : bytes);
      return path;
    };
    const target = folder('target', attack.target, beside.target);
    const good = folder('good', attack.good, beside.good);
    const bad = folder('bad', attack.bad, beside.bad, withoutInit?.bad);
    const policy = { searchPath: [join(root, 'lib')], environment: {}, ...attack.policy };
    return {
      good: judgePair({ target, submission: good }, policy),
      bad: judgePair({ target, submission: bad }, policy),
    };
  } finally {
    rmSync(root, { recursive: true });
  }
}

function bareModule(change: Build): ModuleBuilder {
  const module = new ModuleBuilder();
  declareLibrary(module);
  change(module);
  return module;
}
