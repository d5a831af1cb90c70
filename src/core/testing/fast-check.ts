/**
 * What tests get as `fast-check` (vitest.config.ts): properties are drawn from one seed, so that a commit that passed
 * passes again. `npm run test:soak` draws anew and more often, which is how what is rare is found.
 *
 * QUOD_TEST_SEED: a seed, or `random`. QUOD_TEST_RUNS: how many times as many runs a property gets as it asks for.
 */
import fc from 'fast-check';

const { QUOD_TEST_SEED: seed = '20260701', QUOD_TEST_RUNS: runs = '1' } = process.env;
/** What fast-check does where nothing is asked for. */
const USUAL_RUNS = 100;

if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

function assert<Ts>(property: fc.IAsyncProperty<Ts>, asked?: fc.Parameters<Ts>): Promise<void>;
function assert<Ts>(property: fc.IProperty<Ts>, asked?: fc.Parameters<Ts>): void;
function assert<Ts>(property: fc.IRawProperty<Ts>, asked: fc.Parameters<Ts> = {}): Promise<void> | void {
  return fc.assert(property, { ...asked, numRuns: (asked.numRuns ?? USUAL_RUNS) * Number(runs) });
}

export * from 'fast-check';
export { assert };
export default { ...fc, assert };
