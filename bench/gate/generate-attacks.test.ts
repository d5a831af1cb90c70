/** A small sample of the generated attacks: whatever the gate accepts of it, an independent look agrees with. */
import { afterAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../src/process/executable.ts';
import { verify } from '../../src/gate/verify.ts';
import { generatedAttack, GENERATED_POLICY } from './generated-attacks.ts';
import { IndependentLook } from '../../src/gate/rocq/testing/independent-look.ts';

const SAMPLE = 16;
const project = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };
const hasRocq = findExecutable(['coqc']) !== undefined && findExecutable(['coqchk']) !== undefined;

describe('generated attacks', () => {
  const look = new IndependentLook();
  afterAll(() => {
    look.close();
  });

  it('are the same for the same seed and number, and others for others', () => {
    const texts = Array.from({ length: 50 }, (_, number) => generatedAttack('sample', number).text);
    expect(generatedAttack('sample', 7).text).toBe(texts[7]);
    expect(new Set(texts).size).toBeGreaterThan(40);
  });

  it.skipIf(!hasRocq).each(Array.from({ length: SAMPLE }, (_, number) => number))(
    'number %i is refused, or rightly accepted',
    async (number) => {
      const { target, targetText, text } = generatedAttack('sample', number);
      const verdict = await verify(
        { path: 'Target.v', text: targetText },
        { path: 'Target.v', text },
        { project, policy: GENERATED_POLICY },
      );
      const objection = verdict.kind === 'accepted' ? look.at(target, targetText, text) : undefined;
      expect(objection).toBeUndefined();
      expect(verdict.kind === 'unknown' ? verdict.message : undefined).toBeUndefined();
    },
  );

  it.skipIf(!hasRocq)('the look objects to what proves something else', () => {
    const { target, targetText } = generatedAttack('sample', 0);
    const text = `${target.before}${target.statement.replace(/ : [^]*$/, ' : True.')}\nProof. exact I. Qed.\n${target.after}`;
    expect(look.at(target, targetText, text)).toMatch(/^it is printed as/);
  });
});
