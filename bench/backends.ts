/**
 * What the calls of the prover port cost over each Rocq backend, beside coqidetop of the same Rocq in the same run:
 *
 *     npx node bench/backends.ts [--rounds N] [--coqidetop PATH] [--petanque PATH]… [--embedded]
 *
 * Without paths, what Quod finds on the machine. Rounds of the backends take turns, so that other work on the machine
 * hits all alike; a figure is the median of its rounds in milliseconds, and in brackets its ratio to coqidetop's.
 */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { Prover, ProverSession, StateId, StepResult } from '../src/core/prover.ts';
import { residentBytes } from '../src/process/process-table.ts';
import { createCoqidetop } from '../src/provers/rocq/coqidetop/adapter.ts';
import { createEmbeddedRocq } from '../src/provers/rocq/embedded/adapter.ts';
import { createPetanque, findPetanque } from '../src/provers/rocq/petanque/adapter.ts';
import { replayedProver } from '../src/sessions/replayed-prover.ts';

const FILE = '/nowhere/bench.v';
const LONG_DOCUMENT = 2000;
const STATES_FOR_MEMORY = 2000;
const ENDLESS = 'do 1000000000 idtac.';
const STOP_AFTER_MS = 50;

/** Twenty things to try at one goal, of which about half fail. */
const ALTERNATIVES = [
  ...[
    'reflexivity.',
    'exact I.',
    'assumption.',
    'symmetry.',
    'split.',
    'exact (eq_refl 0).',
    'left.',
    'discriminate.',
  ],
  ...['intros n.', 'intros.', 'auto.', 'trivial.', 'easy.', 'simpl.', 'unfold Nat.add.', 'idtac.'],
  ...['intro m.', 'induction n.', 'destruct n.', 'intros n; induction n.'],
];

class Contender {
  readonly name: string;
  readonly prover: Prover;
  readonly session: ProverSession;
  readonly times = new Map<string, number[]>();
  /** A goal near the beginning, one behind many sentences, and one behind a proof of some length. */
  near: StateId;
  far: StateId;
  after: StateId;

  private constructor(name: string, prover: Prover, session: ProverSession) {
    this.name = name;
    this.prover = prover;
    this.session = session;
    this.near = this.far = this.after = session.root;
  }

  static async open(name: string, prover: Prover): Promise<Contender> {
    const contender = new Contender(name, prover, await prover.openSession({ file: FILE }));
    await contender.prepare();
    return contender;
  }

  async prepare(): Promise<void> {
    const goal = 'Goal forall n : nat, n + 0 = n.';
    this.near = await this.run(this.session.root, goal);
    const closed = await this.run(
      this.near,
      ...Array.from({ length: 50 }, () => 'idtac.'),
      'now induction n.',
      'Qed.',
    );
    this.after = await this.run(closed, goal);
    const definitions = Array.from(
      { length: LONG_DOCUMENT },
      (_, index) => `Definition d${index} := ${index}.`,
    );
    this.far = await this.run(closed, ...definitions, goal);
  }

  async run(from: StateId, ...sentences: readonly string[]): Promise<StateId> {
    let state = from;
    for (const sentence of sentences) {
      const result = await this.session.run(state, { text: sentence });
      if (result.status !== 'done') throw new Error(`${this.name}: ${sentence} ${JSON.stringify(result)}`);
      state = result.state;
    }
    return state;
  }

  async tryAll(from: StateId): Promise<void> {
    for (const tactic of ALTERNATIVES) await this.session.run(from, { text: tactic }, { withGoals: true });
  }

  async time(what: string, work: () => Promise<unknown>): Promise<void> {
    const started = performance.now();
    await work();
    const times = this.times.get(what) ?? [];
    this.times.set(what, times);
    times.push(performance.now() - started);
  }

  median(what: string): number {
    const times = (this.times.get(what) ?? []).toSorted((one, other) => one - other);
    return times[times.length >> 1] ?? NaN;
  }
}

/** What is measured: a name, and what one round does. Preparation that is not measured goes before `time`. */
const MEASUREMENTS: Readonly<Record<string, (contender: Contender, round: number) => Promise<void>>> = {
  'open a session': async (contender) => {
    let session: ProverSession | undefined;
    await contender.time('open a session', async () => {
      session = await contender.prover.openSession({ file: FILE });
    });
    await session?.close();
  },
  'step with goals': async (contender, round) => {
    const state = await contender.run(contender.near, `intros n${round}.`);
    await contender.time('step with goals', () =>
      contender.session.run(state, { text: 'simpl.' }, { withGoals: true }),
    );
  },
  'step that fails': async (contender) => {
    await contender.run(contender.near, 'idtac.');
    await contender.time('step that fails', () =>
      contender.session.run(contender.near, { text: 'exact missing.' }),
    );
  },
  query: async (contender) => {
    await contender.time('query', () => contender.session.query(contender.near, { text: 'Check Nat.add.' }));
  },
  '20 alternatives': async (contender) => {
    await contender.run(contender.near, 'idtac.');
    await contender.time('20 alternatives', () => contender.tryAll(contender.near));
  },
  [`20 alternatives behind ${LONG_DOCUMENT} sentences`]: async (contender) => {
    await contender.run(contender.far, 'idtac.');
    const name = `20 alternatives behind ${LONG_DOCUMENT} sentences`;
    await contender.time(name, () => contender.tryAll(contender.far));
  },
  'two places in turn, a proof of 52 sentences apart': async (contender) => {
    await contender.run(contender.near, 'idtac.');
    await contender.time('two places in turn, a proof of 52 sentences apart', async () => {
      await contender.run(contender.after, 'intros n.');
      await contender.run(contender.near, 'intros n.');
    });
  },
  [`answer after a limit of ${STOP_AFTER_MS} ms`]: async (contender) => {
    await contender.run(contender.near, 'idtac.');
    await contender.time(`answer after a limit of ${STOP_AFTER_MS} ms`, async () => {
      const result: StepResult = await contender.session.run(
        contender.near,
        { text: ENDLESS },
        {
          timeoutMs: STOP_AFTER_MS,
        },
      );
      if (result.status !== 'unknown') throw new Error(`${contender.name}: the endless step ended`);
    });
  },
  'Require Import Arith': async (contender) => {
    const session = await contender.prover.openSession({ file: FILE });
    await contender.time('Require Import Arith', () =>
      session.run(session.root, { text: 'Require Import Arith.' }),
    );
    await session.close();
  },
};

async function measureMemory(contender: Contender): Promise<{ fresh: number; full: number }> {
  const session = await contender.prover.openSession({ file: FILE });
  const held = (): number => (residentBytes(process.pid) - process.memoryUsage().rss) / 1e6;
  const fresh = held();
  const stated = await session.run(session.root, { text: 'Goal forall n m : nat, n + m = m + n.' });
  for (let index = 0; stated.status === 'done' && index < STATES_FOR_MEMORY; index += 1) {
    await session.run(stated.state, { text: `intros n${index}; induction n${index}; simpl; intros.` });
  }
  const full = held();
  await session.close();
  return { fresh, full };
}

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    coqidetop: { type: 'string' },
    petanque: { type: 'string', multiple: true },
    embedded: { type: 'boolean', default: false },
  },
});
const found = findPetanque();
const petanques = options.petanque ?? (found === undefined ? [] : [found]);
const coqidetop = await createCoqidetop(
  options.coqidetop === undefined ? {} : { executable: options.coqidetop },
);
const provers: [string, Prover][] = [['coqidetop', replayedProver(coqidetop)]];
for (const executable of petanques)
  provers.push([basename(executable), replayedProver(await createPetanque({ executable }))]);
if (options.embedded) provers.push(['embedded', replayedProver(await createEmbeddedRocq())]);

const contenders: Contender[] = [];
for (const [name, prover] of provers) contenders.push(await Contender.open(name, prover));
for (const measure of Object.values(MEASUREMENTS)) {
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const contender of contenders) await measure(contender, round);
  }
}
for (const contender of contenders) await contender.session.close();

const [reference] = contenders;
if (reference === undefined) throw new Error('There is no coqidetop.');
const cell = (value: number, against: number): string =>
  `${value.toFixed(value < 10 ? 2 : 0)} (${(value / against).toFixed(2)})`;
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
console.log(
  row(['median of', ...contenders.map(({ name, prover }) => `${name}, Rocq ${prover.identity.version}`)]),
);
console.log(row(['---', ...contenders.map(() => '---:')]));
for (const what of Object.keys(MEASUREMENTS)) {
  const cells = contenders.map((contender) => cell(contender.median(what), reference.median(what)));
  console.log(row([`${what}, ms`, ...cells]));
}
const memory: { fresh: number; full: number }[] = [];
for (const contender of contenders) memory.push(await measureMemory(contender));
const [least] = memory;
for (const [what, of] of [
  ['resident when opened, MB', 'fresh'],
  [`resident after ${STATES_FOR_MEMORY} states, MB`, 'full'],
] as const) {
  console.log(row([what, ...memory.map((held) => cell(held[of], least?.[of] ?? NaN))]));
}
