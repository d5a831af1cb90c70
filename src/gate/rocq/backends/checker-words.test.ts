import { describe, expect, it } from 'vitest';
import { lastWords, readCheckerWord } from './checker-words.ts';

const LINKED =
  'Warning: /p/store was previously bound to M.sub; it is remapped to\n         M.store\n' +
  'Fatal Error: User error: Cannot load M.sub.L: no physical path bound to\n              M.sub.\n              \n';

describe('a word about a declaration is a refusal', () => {
  it.each([
    'Fatal Error: Type error: ActualType\n',
    '====== ill-typed term ====\nFatal Error: User error: as\nFatal Error: Type error: CantApplyBadType at argument 1\n',
    'Fatal Error: Error: Universe inconsistency.\n',
    'Fatal Error: Error related to inductive types\n',
    'Fatal Error: QuodJudged.Sub.tree: field mind_packets\n is incorrect.\n',
    'Fatal Error: QuodJudged.Sub.t has another body\n',
    'Fatal Error: P.Lib.t has another body\n',
    'Fatal Error: Anomaly "Uncaught exception Modops.ModuleTypingError(_)."\n Please report at http://coq.inria.fr/bugs/.\n',
  ])('%j', (said) => {
    expect(readCheckerWord(said)).toEqual({ kind: 'refusal' });
  });
});

describe('everything else is none', () => {
  it.each([
    [LINKED, 'library-missing', 'M.sub.L'],
    ['Fatal Error: User error: Cannot find library M.L in loadpath\n', 'library-missing', 'M.L'],
    ['Fatal Error: User error: The file /p/L.vo is still a .vio\n', 'library-missing', undefined],
    ['Fatal Error: User error: The file /p/L.vo contains\n unfinished tasks\n', 'library-missing', undefined],
    ['Fatal Error: Out of memory\n', 'memory-exceeded', undefined],
    ['Fatal error: out of memory\n', 'memory-exceeded', undefined],
    ['Fatal Error: Stack overflow\n', 'prover-crashed', undefined],
    ['Fatal Error: Unknown option -indices-matter\n', 'unsupported', undefined],
    ['Usage: coqchk <options> modules\n', 'unsupported', undefined],
    ['Fatal Error: Anomaly: Uncaught exception Not_found.\n', 'prover-crashed', undefined],
    ['Fatal Error: Anomaly "Uncaught exception Unix.Unix_error(_)."\n', 'prover-crashed', undefined],
    ['Fatal Error: Anomaly "Uncaught exception UGraph.AlreadyDeclared."\n', 'prover-crashed', undefined],
    ['Fatal Error: User error: Checksum mismatch\n', 'prover-crashed', undefined],
    [
      'Fatal Error: User error: The file L.vo contains library M.L and not library N.L\n',
      'prover-crashed',
      undefined,
    ],
    ['Fatal Error: Failure: vo structure validation failed\n', 'prover-crashed', undefined],
    ['Fatal Error: Error during initialization :User error: no\n', 'prover-crashed', undefined],
    // The file is the judge's own, and nothing is said of what is in it.
    [
      'Fatal Error: User error: Cannot load QuodJudged.Sub: no physical path bound to QuodJudged.\n',
      'library-missing',
      'QuodJudged.Sub',
    ],
    ['Type error: in a text of the submission\n', 'prover-crashed', undefined],
    ['', 'prover-crashed', undefined],
  ] as const)('%j', (said, reason, lacks) => {
    expect(readCheckerWord(said)).toEqual({ kind: 'could-not-look', reason, ...(lacks && { lacks }) });
  });
});

it('its last words are its error, without what was printed before it', () => {
  const printed = 'Coq.Init.Wf.3 <= Coq.Init.Wf.2\n'.repeat(9);
  const error =
    'Fatal Error: Anomaly "Uncaught exception Modops.ModuleTypingError(_)."\n   Please report at http://x.y/z/.\n';
  expect(lastWords(printed + error)).toBe('Anomaly "Uncaught exception Modops.ModuleTypingError(_)."');
  expect(lastWords(`Fatal Error: ${'very '.repeat(9999)}long`).length).toBeLessThan(2100);
  expect(lastWords('a\nFatal error: out of memory\n')).toBe('a Fatal error: out of memory');
});

it('of a library that is not compiled wholly it says what to do', () => {
  expect(lastWords('Fatal Error: User error: The file /p/L.vo is still a .vio\n')).toMatch(
    /L\.vo is still a \.vio\. .*compile it with `coqc` and neither option$/u,
  );
});
