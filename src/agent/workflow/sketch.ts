/**
 * A proof with holes is a plan that the prover has checked all but the holes of. The goal of each hole goes to
 * automation and the offline search where it stands; then it is a lemma of its own, which is looked at for a
 * counterexample and proved as lemmas are, once for all attempts and theorems: all without a model first. A hole
 * whose goal is false ends the work on the rest.
 */
import { present } from '../../core/entry.ts';
import type { EventOf } from '../runs/events.ts';
import type { HelperLemma } from '../target.ts';
import type { RecordedToolSession } from './recorded-tool-session.ts';
import type { RunContextWithModels } from './run-context.ts';
import type { Lemmas } from './lemmas.ts';

/** What became of a sketch. */
export type SketchEnd =
  /** Every hole is filled; whether that is a proof is still to be checked. */
  | { readonly kind: 'filled'; readonly proof: string; readonly lemmas: readonly HelperLemma[] }
  | { readonly kind: 'open'; readonly text: string; readonly lemmas: readonly HelperLemma[] }
  | {
      readonly kind: 'refused';
      readonly text: string;
      readonly goal: string | null;
      readonly state: string | null;
    };

type Hole = EventOf<'sketched'>['holes'][number];

/** What fills a hole, or why it stands open. */
type Filling = { readonly script: string } | { readonly why: string };

export interface Sketching {
  readonly session: RecordedToolSession;
  readonly lemmas: Lemmas;
  readonly key: string;
  readonly script: string;
}

/** Undefined where a proof with holes is no plan. @throws what ends a run. */
export async function fillSketch(
  run: RunContextWithModels,
  { session, lemmas, key, script }: Sketching,
): Promise<SketchEnd | undefined> {
  const sketched = await session.sketch(key, script);
  if (sketched === undefined) return undefined;
  const { texts, holes, text, goal, state } = sketched;
  if (texts.length === 0) return { kind: 'refused', text, goal, state };
  const fillings: Filling[] = [];
  // What costs nothing comes first, for all of them.
  for (const [index, hole] of holes.entries())
    fillings.push(await searched(run, session, `${key}/hole-${index + 1}`, hole));
  const stated: HelperLemma[] = [];
  // Those that need no model come first: what is false, or was tried before in vain, is known before a model is paid.
  for (const isOffline of [true, false]) {
    const isFalse = await lemmasFor(holes, fillings, { lemmas, key, isOffline, stated });
    if (isFalse) break;
  }
  const open = fillings.flatMap((filling, index) =>
    'why' in filling
      ? [`Hole ${index + 1} is open. ${filling.why}\n${present(holes[index], 'hole').goal}`]
      : [],
  );
  const filled = texts
    .flatMap((part, index) => {
      const filling = fillings[index];
      if (filling === undefined) return [part];
      return [part, 'why' in filling ? 'admit.' : `{ ${filling.script} }`];
    })
    .filter((part) => part !== '')
    .join('\n');
  if (open.length === 0) return { kind: 'filled', proof: `Proof.\n${filled}\nQed.`, lemmas: stated };
  const said = [
    `The sketch is accepted but for its holes; ${holes.length - open.length} of ${holes.length} are filled:`,
    filled,
    ...open,
    'Prove what is open, or sketch it finer: what is filled is not done again.',
  ];
  return { kind: 'open', text: said.join('\n\n'), lemmas: stated };
}

interface Filled {
  readonly lemmas: Lemmas;
  readonly key: string;
  readonly isOffline: boolean;
  readonly stated: HelperLemma[];
}

/** Fills what is open by lemmas. @returns whether one of them is false: then the rest is not worth anything. */
async function lemmasFor(
  holes: readonly Hole[],
  fillings: Filling[],
  { lemmas, key, isOffline, stated }: Filled,
): Promise<boolean> {
  for (const [index, hole] of holes.entries()) {
    if (!lemmas.areOffered || hole.lemma === null || !('why' in present(fillings[index], 'filling')))
      continue;
    const place = `${key}/lemma-${index + 1}${isOffline ? '/offline' : ''}`;
    const { lemma, text, isFalse } = await lemmas.close(place, hole.lemma.statement, isOffline);
    if (lemma !== undefined) stated.push(lemma);
    fillings[index] = lemma === undefined ? { why: text } : { script: use(lemma, hole.lemma.given) };
    if (isFalse) return true;
  }
  return false;
}

async function searched(
  { settings }: RunContextWithModels,
  session: RecordedToolSession,
  key: string,
  hole: Hole,
): Promise<Filling> {
  if (settings.repairSeconds === 0) return { why: '' };
  const repair = await session.repair(key, hole.state, hole.goal);
  return repair?.closing == null ? { why: '' } : { script: repair.closing };
}

function use({ name }: HelperLemma, given: readonly string[]): string {
  return `exact (${[`@${name}`, ...given].join(' ')}).`;
}
