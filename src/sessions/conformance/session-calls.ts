/** The calls of a session as the conformance suites make them: what is not answered as expected is thrown. */
import type { ProofState } from '../../core/proof-state.ts';
import type { ProverSession, StateId, StepOptions, StepResult } from '../../core/prover.ts';

type Done = Extract<StepResult, { status: 'done' }>;
type Failed = Extract<StepResult, { status: 'failed' }>;

/** @param current The session; suites open it before their tests run. */
export function sessionCalls(current: () => Pick<ProverSession, 'run' | 'goals' | 'query'>) {
  async function step(from: StateId, sentence: string, options?: StepOptions): Promise<Done> {
    const result = await current().run(from, { text: sentence }, options);
    if (result.status === 'done') return result;
    throw new Error(`${sentence} ${result.status === 'failed' ? result.error.message : result.message}`);
  }

  async function proof(at: StateId): Promise<ProofState> {
    const state = await current().goals(at);
    if (state === null) throw new Error('no proof is open');
    return state;
  }

  async function run(from: StateId, ...sentences: readonly string[]): Promise<StateId> {
    let state = from;
    for (const sentence of sentences) state = (await step(state, sentence)).state;
    return state;
  }

  async function fail(from: StateId, sentence: string): Promise<Failed> {
    const result = await current().run(from, { text: sentence });
    if (result.status !== 'failed') throw new Error(`${sentence} ${result.status}`);
    return result;
  }

  async function ask(at: StateId, command: string): Promise<string> {
    const result = await current().query(at, { text: command });
    if (result.status !== 'done') throw new Error(`${command} ${result.status}`);
    return result.messages.map(({ message }) => message.replace(/\s+/g, ' ')).join('\n');
  }

  async function conclusions(at: StateId): Promise<readonly string[]> {
    return (await proof(at)).goals.map(({ conclusion }) => conclusion);
  }

  return { step, run, fail, ask, proof, conclusions };
}
