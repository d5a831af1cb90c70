/**
 * The judge's prover when all there is is a session of the prover port: the Rocq inside Node, which has no files.
 *
 * The session is a fresh one that ran nothing but the judged text, yet it did run it. That is sound only for texts that
 * are pinned (text-pin.ts): outside the target's own sentences they consist of tactics and plain declarations, which
 * cannot redefine a command. Without a compiled file the judges accept no other texts.
 */
import { QuodError } from '../../core/errors.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Prover, ProverSession, StateId } from '../../core/prover.ts';
import type { Isolation } from '../../process/sandbox.ts';
import { splitSentences } from '../../provers/rocq/syntax/sentences.ts';
import { CLOSED, parseAssumptions, parseLocated } from './assumptions.ts';
import type {
  Assumptions,
  AssumptionsAnswer,
  CompileRequest,
  CompileResult,
  JudgeBackend,
  Limits,
  Unknown,
} from './judge-backend.ts';
import { PRINTING } from './printing.ts';

export class SessionJudge implements JudgeBackend {
  readonly name: string;
  readonly #prover: Prover;

  constructor(prover: Prover) {
    this.#prover = prover;
    this.name = prover.identity.backend;
  }

  version(): Promise<string> {
    return Promise.resolve(this.#prover.identity.version);
  }

  /** Who judges by a session of the embedded prover lets it reach nothing; of another, that it was not fenced in. */
  isolation(): Promise<Isolation | undefined> {
    return Promise.resolve(this.name === 'embedded' ? undefined : 'none');
  }

  async compile(request: CompileRequest): Promise<CompileResult> {
    let session: ProverSession;
    try {
      session = await this.#prover.openSession({
        file: request.path,
        memoryLimit: request.limits.memoryLimit,
        ...(request.limits.signal && { signal: request.limits.signal }),
      });
    } catch (error) {
      if (error instanceof QuodError)
        return { status: 'unknown', reason: error.reason, message: error.message };
      throw error;
    }
    try {
      const run = await runAll(session, request);
      if ('status' in run) {
        await session.close();
        return run;
      }
      return {
        status: 'compiled',
        unit: {
          assumptions: (names, limits) => assumptionsOf(session, run.state, names, limits),
          dispose: () => session.close(),
        },
      };
    } catch (error) {
      await session.close();
      throw error;
    }
  }
}

async function runAll(
  session: ProverSession,
  { text, limits }: CompileRequest,
): Promise<Exclude<CompileResult, { status: 'compiled' }> | { readonly state: StateId }> {
  const end = performance.now() + limits.timeoutMs;
  let state = session.root;
  for (const sentence of [...splitSentences(text).sentences, ...PRINTING]) {
    const [source, start] =
      typeof sentence === 'string' ? [sentence, text.length] : [sentence.text, sentence.span.start];
    const result = await session.run(state, source, {
      timeoutMs: Math.max(1, end - performance.now()),
      ...(limits.signal && { signal: limits.signal }),
    });
    if (result.status === 'unknown') return result;
    if (result.status === 'failed')
      return { status: 'failed', error: moved(result.error, start, source.length) };
    state = result.state;
  }
  if ((await session.goals(state)) !== null) {
    return {
      status: 'failed',
      error: {
        severity: 'error',
        message: 'There are pending proofs.',
        span: { start: text.length, end: text.length },
      },
    };
  }
  return { state };
}

function moved(error: Diagnostic, start: number, length: number): Diagnostic {
  const span = error.span ?? { start: 0, end: length };
  return { ...error, span: { start: start + span.start, end: start + span.end } };
}

async function assumptionsOf(
  session: ProverSession,
  state: StateId,
  names: readonly string[],
  limits: Limits,
): Promise<AssumptionsAnswer> {
  const of = new Map<string, Assumptions>();
  const ask = async (command: string, at: StateId = state): Promise<string | Unknown> => {
    const result = await session.query(at, command, {
      timeoutMs: limits.timeoutMs,
      ...(limits.signal && { signal: limits.signal }),
    });
    switch (result.status) {
      case 'done':
        // An answer is a notice; what the prover says about its work (files that it reads) is not.
        return result.messages
          .filter(({ severity }) => severity === 'notice')
          .map(({ message }) => message)
          .join('\n');
      case 'failed':
        return unreadable(`${command} failed: ${result.error.message}`);
      case 'unknown':
        return result;
    }
  };
  const locate = async (name: string): Promise<string | Unknown> => {
    const answer = await ask(`Locate Term ${name}.`);
    if (typeof answer !== 'string') return answer;
    return parseLocated(answer) ?? unreadable(`${name} cannot be located.`);
  };
  const allClosed = names.length > 1 && (await areAllClosed(session, state, names, ask, limits));
  for (const name of names) {
    const answer = allClosed ? CLOSED : await ask(`Print Assumptions ${name}.`);
    if (typeof answer !== 'string') return answer;
    const full = await locate(name);
    if (typeof full !== 'string') return full;
    const printed = parseAssumptions(answer);
    if (printed === undefined || !full.endsWith(`.${name}`)) {
      return unreadable(`The assumptions of ${name} were printed in a form that is not known.`);
    }
    const file = full.slice(0, -name.length);
    const axioms = [];
    for (const axiom of printed.axioms) {
      const found = await locate(axiom);
      if (typeof found !== 'string') return found;
      const local = found.startsWith(file);
      axioms.push({ name: local ? found.slice(file.length) : found, local });
    }
    of.set(name, { axioms, disabledChecks: printed.disabledChecks });
  }
  return { status: 'done', of };
}

/**
 * One question for all of them: the walk through what the proofs rest on is the same again and again, and takes longer
 * than all else here. What they rest on, where it is something, is asked of each.
 */
async function areAllClosed(
  session: ProverSession,
  state: StateId,
  names: readonly string[],
  ask: (command: string, at: StateId) => Promise<string | Unknown>,
  limits: Limits,
): Promise<boolean> {
  const all = 'quod_all_that_is_judged';
  const defined = await session.run(
    state,
    // Not a tuple: its notation is the file's to change. `let` is the language's own.
    `Definition ${all} := ${names
      .slice(1)
      .map((name) => `let _ := @${name} in `)
      .join('')}@${names[0] ?? ''}.`,
    {
      timeoutMs: limits.timeoutMs,
      ...(limits.signal && { signal: limits.signal }),
    },
  );
  return defined.status === 'done' && (await ask(`Print Assumptions ${all}.`, defined.state)) === CLOSED;
}

function unreadable(message: string): Unknown {
  return { status: 'unknown', reason: 'protocol-error', message };
}
