/**
 * The attacks on the gate and on filling, sent through every face that says of a proof that it counts: one of each
 * class here, all of them in `bench/gate/faces.ts`. A face may be reached in many ways; what it says rests on one
 * judge.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAttacks } from '../gate/rocq/testing/attack-files.ts';
import { coqc } from '../gate/rocq/testing/installed-rocq.ts';
import { lackingFor } from '../gate/rocq/testing/judged-case.ts';
import { IndependentLook } from '../gate/rocq/testing/independent-look.ts';
import { lookedAt, smuggledProofs } from '../gate/rocq/testing/smuggled-proof.ts';
import { fileText, readProofAttacks } from '../operations/rocq/testing/proof-attacks.ts';
import { AttackedFaces, FILE_FACES, type ProofFace } from './testing/attacked-faces.ts';

const LONG = 600_000;
/** Each operation over one of the two protocols; over both in the bench. */
const PROOF_FACES: readonly ProofFace[] = [
  ...(['rocq_fill over MCP', 'rocq_check_proof over REST'] as const),
  ...(['agent with a model', 'prove'] as const),
];
let faces: AttackedFaces;
beforeAll(async () => {
  faces = await AttackedFaces.open();
}, LONG);
afterAll(() => faces.close());
const look = new IndependentLook();
afterAll(() => look.close());

/** What was accepted of an attack has to be a proof of the statement as the target means it. */
function expectHonest(target: string, text: string): void {
  const theorem = smuggledProofs(target, text)?.theorem;
  if (theorem === undefined) throw new Error('Nothing was asked for.');
  expect(look.at(lookedAt(target, target, theorem), target, text)).toBeUndefined();
}

const runnable = readAttacks().filter(
  (attack) =>
    [attack.open, attack.limits, attack.library].every((one) => one === undefined) &&
    lackingFor(attack).length === 0,
);
const files = [...Map.groupBy(runnable, ({ group }) => group).values()].flatMap(([first]) => first ?? []);
const proofs = [...Map.groupBy(readProofAttacks(), (attack) => attack.class).values()].flatMap(
  ([first]) => first ?? [],
);

describe.skipIf(coqc === undefined)('a whole file', () => {
  it.each(files.map((attack) => [attack.group, attack.name, attack] as const))(
    '%s: %s is accepted at no face, its twin at each',
    async (_group, _name, { target, cheat, innocent, policy, 'innocent target': honestTarget }) => {
      for (const face of FILE_FACES) {
        const sent = { target, submission: cheat, policy: { recheck: 'never' as const, ...policy } };
        const { accepted, text } = await faces.sendFile(face, sent);
        // Of a file that cheats otherwise a driver's proof may count, in the target, where it is one.
        if (accepted && face === 'agent with a driver') expectHonest(target, text);
        else expect(accepted, face).toBe(false);
      }
      const honest = {
        target: honestTarget ?? target,
        submission: innocent,
        policy: { recheck: 'never' as const, ...policy },
      };
      expect(await faces.sendFile('gate_verify over REST', honest)).toMatchObject({ accepted: true });
    },
    LONG,
  );

  it.each(files.map((attack) => [attack.group, attack.name, attack] as const))(
    '%s: %s sent as a proof writes nothing, or a proof of the statement',
    async (_group, _name, { target, cheat }) => {
      const smuggled = smuggledProofs(target, cheat);
      if (smuggled === undefined) return;
      const { theorem } = smuggled;
      for (const proof of smuggled.proofs) {
        const sent = { target, theorem, proof };
        const { accepted, text } = await faces.sendProof('rocq_fill over MCP', sent);
        if (accepted) expectHonest(target, text);
        else expect(text).toBe(target);
      }
    },
    LONG,
  );
});

describe.skipIf(coqc === undefined)('a proof', () => {
  it.each(proofs.map((attack) => [attack.class, attack.name, attack] as const))(
    '%s: %s is accepted at no face, its twin at each',
    async (_class, _name, { theorem, attack, twin }) => {
      for (const face of PROOF_FACES) {
        const target = fileText(attack);
        const answer = await faces.sendProof(face, { target, theorem, proof: attack.proof });
        if (attack.expect === 'proved-but') expect(answer.restsOnOpen, face).toEqual(attack.restsOnOpen);
        else if (face !== 'prove' || attack.gate === 'refused')
          expect(answer, face).toMatchObject({ accepted: false });
        const honest = await faces.sendProof(face, { target: fileText(twin), theorem, proof: twin.proof });
        expect(honest, face).toMatchObject({ accepted: true, restsOnOpen: [] });
      }
    },
    LONG,
  );
});
