/** The log that Holmake keeps of one theory: what was saved, and why the script failed. */

export interface SavedTheorem {
  readonly name: string;
  readonly kind: 'theorem' | 'definition' | 'cheat';
}

export interface TheoryFailure {
  /** What HOL says, on a few lines. */
  readonly message: string;
  /** The theorem whose proof failed. */
  readonly theorem?: string;
  /** The statement that was to be proved, and the first goal that was left. */
  readonly statement?: string;
  readonly goal?: string;
  /** From 1; for errors of the compiler and of HOL's reader. */
  readonly line?: number;
  readonly column?: number;
  /** The saved heap with which HOL goes on at the failed goal. */
  readonly heap?: string;
}

export interface TheoryLog {
  readonly saved: readonly SavedTheorem[];
  readonly seconds: number | undefined;
  readonly failure: TheoryFailure | undefined;
}

export function readTheoryLog(text: string): TheoryLog {
  const saved = [...text.matchAll(/^Saved (theorem|definition|CHEAT)\s*_*\s*"([^"]*)"/gm)].map(
    ([, word = '', name = '']): SavedTheorem => ({
      name,
      kind: word === 'CHEAT' ? 'cheat' : word === 'definition' ? 'definition' : 'theorem',
    }),
  );
  const took = /^Theory "[^"]*" took ([\d.]+)s to build/m.exec(text)?.[1];
  return { saved, seconds: took === undefined ? undefined : Number(took), failure: readFailure(text) };
}

function readFailure(text: string): TheoryFailure | undefined {
  const tactic = /Tactic failure proving "([^"]*)"; heap saved to (\S+?)\.?\s*$/m.exec(text);
  const failedProof =
    /(?:^|\n)Proof of \n\s*\n([\s\S]*?)\n\s*\nfailed\.\n(?:First unsolved sub-goal is\n\s*\n([\s\S]*?)\n\s*\n)?/.exec(
      text,
    );
  const named = /Failed to prove theorem "?([^":\s]+)"?/.exec(text)?.[1];
  const compiler =
    /^(\S+\.sml):(\d+): error: ([\s\S]*?)(?=^\S+\.sml:\d+:|^Uncaught|^ ?error in|$(?![\s\S]))/m.exec(text);
  const reader = /^(\S+\.sml):(\d+):(\d+)(?:-[\d:]+)?: parse error: (.*)$/m.exec(text);
  if (tactic !== null || failedProof !== null) {
    const theorem = tactic?.[1] ?? named;
    const [, , heap] = tactic ?? [];
    const goal = failedProof?.[2]?.trim();
    const statement = failedProof?.[1]?.trim();
    return {
      message: theorem === undefined ? 'A proof failed.' : `The proof of ${theorem} failed.`,
      ...(theorem !== undefined && { theorem }),
      ...(statement !== undefined && { statement }),
      ...(goal !== undefined && { goal }),
      ...(heap !== undefined && { heap }),
    };
  }
  if (reader !== null) {
    const [, , line, column, message = ''] = reader;
    return { message, line: Number(line), column: Number(column) };
  }
  if (compiler !== null) {
    const [, , line, message = ''] = compiler;
    return { message: message.trim(), line: Number(line) };
  }
  const uncaught = /^(?:Uncaught exception[^\n]*|Exception[^\n]*raised[^\n]*|error in [^\n]*)$/m.exec(text);
  if (uncaught !== null) {
    return { message: uncaught[0].trim(), ...(named !== undefined && { theorem: named }) };
  }
  return undefined;
}
