/**
 * Every attack on the gate and on filling, and its innocent twin, sent through every face that says of a proof that
 * it counts: operations over MCP and REST, the agent with a model and with a driver, `prove`. Counts by face and class.
 *
 *   npx node bench/gate/faces.ts [--only TEXT] [--face TEXT] [--out FILE]
 *
 * Each answer is a line of FILE; what is there already is not done again. Ends with 1 when an attack was accepted
 * that is no proof of the statement by an independent look, or a twin was not.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { orZero } from '../../src/core/entry.ts';
import {
  AttackedFaces,
  FILE_FACES,
  PROOF_FACES,
  type FileFace,
  type ProofFace,
} from '../../src/faces/testing/attacked-faces.ts';
import { type Attack, readAttacks } from '../../src/gate/rocq/testing/attack-files.ts';
import { IndependentLook } from '../../src/gate/rocq/testing/independent-look.ts';
import { lackingFor } from '../../src/gate/rocq/testing/judged-case.ts';
import { lookedAt, smuggledProofs } from '../../src/gate/rocq/testing/smuggled-proof.ts';
import {
  fileText,
  readProofAttacks,
  type ProofAttack,
} from '../../src/operations/rocq/testing/proof-attacks.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    face: { type: 'string', default: '' },
    out: { type: 'string', default: 'bench/records/gate-faces.jsonl' },
  },
});

const rowSchema = z.object({
  face: z.string(),
  group: z.string(),
  name: z.string(),
  side: z.enum(['attack', 'smuggled', 'twin']),
  answer: z.enum(['refused', 'accepted', 'a proof of the statement', 'proved but for what is open', 'wrong']),
  said: z.string(),
});
type Row = z.infer<typeof rowSchema>;
type Key = Pick<Row, 'face' | 'group' | 'name' | 'side'>;

const keyOf = ({ face, group, name, side }: Key): string => [face, group, name, side].join(' / ');
const rows = new Map<string, Row>();
if (existsSync(values.out))
  for (const line of readFileSync(values.out, 'utf8').split('\n').filter(Boolean)) {
    const row = rowSchema.parse(JSON.parse(line));
    rows.set(keyOf(row), row);
  }

const faces = await AttackedFaces.open();
const look = new IndependentLook();
const isChosen = (group: string, name: string): boolean => `${group}/${name}`.includes(values.only);
const fileFaces = FILE_FACES.filter((face) => face.includes(values.face));
const proofFaces = PROOF_FACES.filter((face) => face.includes(values.face));

for (const attack of readAttacks()) {
  // A face is sent a file, and no library beside it.
  if (attack.open !== undefined || attack.library !== undefined || lackingFor(attack).length > 0) continue;
  if (!isChosen(attack.group, attack.name)) continue;
  for (const face of fileFaces) await sendFile(face, attack);
  for (const face of proofFaces) await smuggle(face, attack);
}
for (const attack of readProofAttacks()) {
  if (!isChosen(attack.class, attack.name)) continue;
  for (const face of proofFaces) await sendProof(face, attack);
}
look.close();
await faces.close();

const counts: Record<string, Record<string, number>> = {};
for (const { face, side, answer } of rows.values()) {
  const count = (counts[`${face}: ${side}`] ??= {});
  count[answer] = orZero(count[answer]) + 1;
}
console.table(counts);
const wrong = [...rows.values()].filter(({ answer }) => answer === 'wrong');
for (const row of wrong) console.log(`${keyOf(row)}: ${row.said}`);
process.exitCode = wrong.length === 0 ? 0 : 1;

async function noted(key: Key, ask: () => Promise<Pick<Row, 'answer' | 'said'>>): Promise<void> {
  if (rows.has(keyOf(key))) return;
  const row: Row = { ...key, ...(await ask()) };
  rows.set(keyOf(row), row);
  appendFileSync(values.out, `${JSON.stringify(row)}\n`);
}

async function sendFile(face: FileFace, attack: Attack): Promise<void> {
  const { group, name, target, cheat, innocent } = attack;
  const policy = {
    recheck: 'never' as const,
    ...attack.policy,
    ...(attack.limits && { limits: attack.limits }),
  };
  await noted({ face, group, name, side: 'attack' }, async () => {
    const { accepted, said, text } = await faces.sendFile(face, { target, submission: cheat, policy });
    if (!accepted) return { answer: 'refused', said };
    // Of a driver's file single proofs count, in the target.
    return face === 'agent with a driver' ? looked(target, text) : { answer: 'wrong', said };
  });
  // A driver's file is judged under the default policy, which is not every twin's.
  if (face === 'agent with a driver') return;
  await noted({ face, group, name, side: 'twin' }, async () => {
    const honest = {
      target: attack['innocent target'] ?? target,
      submission: innocent,
      policy: { ...policy, limits: {} },
    };
    const { accepted, said } = await faces.sendFile(face, honest);
    return { answer: accepted ? 'accepted' : 'wrong', said };
  });
}

async function smuggle(face: ProofFace, { group, name, target, cheat }: Attack): Promise<void> {
  const smuggled = smuggledProofs(target, cheat);
  if (smuggled === undefined) return;
  for (const [index, proof] of smuggled.proofs.entries())
    await noted({ face, group, name: `${name} ${index}`, side: 'smuggled' }, async () => {
      const { accepted, said, text } = await faces.sendProof(face, {
        target,
        theorem: smuggled.theorem,
        proof,
      });
      if (!accepted) return { answer: 'refused', said };
      return face.startsWith('rocq_check_proof') ? { answer: 'accepted', said } : looked(target, text);
    });
}

async function sendProof(
  face: ProofFace,
  { theorem, name, attack, twin, class: group }: ProofAttack,
): Promise<void> {
  await noted({ face, group, name, side: 'attack' }, async () => {
    const sent = { target: fileText(attack), theorem, proof: attack.proof };
    const { accepted, restsOnOpen, said, text } = await faces.sendProof(face, sent);
    if (!accepted) return { answer: 'refused', said };
    if (attack.expect === 'proved-but')
      return { answer: restsOnOpen.length > 0 ? 'proved but for what is open' : 'wrong', said };
    return attack.gate === 'sound' ? looked(sent.target, text) : { answer: 'wrong', said };
  });
  await noted({ face, group, name, side: 'twin' }, async () => {
    const sent = { target: fileText(twin), theorem, proof: twin.proof };
    const { accepted, restsOnOpen, said } = await faces.sendProof(face, sent);
    return { answer: accepted && restsOnOpen.length === 0 ? 'accepted' : 'wrong', said };
  });
}

function looked(target: string, text: string): Pick<Row, 'answer' | 'said'> {
  const theorem = smuggledProofs(target, text)?.theorem;
  const objection =
    theorem === undefined
      ? 'nothing was asked for'
      : look.at(lookedAt(target, target, theorem), target, text);
  return objection === undefined
    ? { answer: 'a proof of the statement', said: '' }
    : { answer: 'wrong', said: objection };
}
