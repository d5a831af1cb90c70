/**
 * The operations as a task of a benchmark has them: what would bring in the file that the task was cut from is
 * refused. A compiled project holds the author's proof and all that stands after it, and so may an index of proofs. The
 * gate refuses a proof with any of these commands anyway, so no proof is lost by it.
 */
import { QuodError } from '../core/errors.ts';
import { withoutComments } from '../provers/rocq/syntax/lexer.ts';
import type { TargetHost } from './target-host.ts';

/** Of the commands by which Rocq reads further files, whatever stands before them, such as `Time`. */
const READS_FILES = /(?<![\w.'])(?:Require|Load|LoadPath|Declare\s+ML)(?![\w'])/u;

/** What the agent fills in; all else may be a model's text. */
const NAMES = new Set(['file', 'theorem', 'theorems']);

export function benchHost({ workspace, calls }: TargetHost): TargetHost {
  return {
    workspace,
    calls: {
      // A refusal is a promise that is rejected, as with the host's own calls.
      answer: async (operation, input, caller) => {
        requireOfTask(input);
        return await calls.answer(operation, input, caller);
      },
      call: async (operation, input, caller) => {
        requireOfTask(input);
        return await calls.call(operation, input, caller);
      },
    },
  };
}

/** @throws QuodError `invalid-input` where a call asks for more than the task and what its file requires. */
function requireOfTask(input: unknown): void {
  if (typeof input !== 'object' || input === null) return;
  if ('scope' in input && input.scope === 'index')
    throw new QuodError(
      'invalid-input',
      'In a benchmark no index of proofs is searched: it may hold the answer.',
      { remedy: 'Leave `scope` out: the file of the task is searched.' },
    );
  const said = Object.entries(input).filter(([name]) => !NAMES.has(name));
  for (const text of said.flatMap(([, value]) => textsIn(value))) {
    const [found] = READS_FILES.exec(withoutComments(text)) ?? [];
    if (found === undefined) continue;
    throw new QuodError(
      'invalid-input',
      `In a benchmark no further file is loaded (\`${found}\`): it may hold the answer.`,
      { remedy: 'Prove it with what the file requires.' },
    );
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
