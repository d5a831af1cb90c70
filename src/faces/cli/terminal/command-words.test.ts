import { expect, test } from 'vitest';
import { operations } from '../../../operations/catalogue.ts';
import { inCommandWords } from './command-words.ts';
import { errorLine } from './print-error.ts';
import { QuodError } from '../../../core/errors.ts';

test.each([
  ['Call `hol_start`.', 'Call `quod hol start`.'],
  ['`proof_check` lists all errors.', '`quod check` lists all errors.'],
  ['`gate_verify` judges them.', '`quod verify` judges them.'],
  ['Build it with `holmake`.', 'Build it with `quod hol holmake`.'],
  ['`data_index_proofs` makes one.', '`quod dataset index` makes one.'],
  ['`agent_show` with `context` shows it.', '`quod show` with `--context` shows it.'],
  ['`lake build` with `file`, a `state` with `goals`.', undefined],
  ['`lake build`, `Proof`, `module_name` and `gates_open` are no operations.', undefined],
  ['Did you mean proof_irrelevance?', undefined],
  ['settleFor = ["holmake"]', undefined],
])('%s', (text, spoken = text) => {
  expect(inCommandWords(text)).toBe(spoken);
});

test('what an operation takes becomes its arguments and options', () => {
  expect(inCommandWords('In `session_id`, from `from`, with `script`; `other`.', operations.rocq_step)).toBe(
    'In <session-id>, from `--from`, with <script>; `other`.',
  );
});

test('what a prover said is passed on as it is; what to do is said in commands', () => {
  const error = new QuodError('does-not-compile', 'No such thing as `hol_start`, `file` or `line`.', {
    remedy: '`rocq_compile` lists all errors; give it a larger `timeout`.',
  });
  expect(errorLine(error, operations.rocq_compile)).toBe(
    'quod: No such thing as `hol_start`, `file` or `line`. `quod rocq compile` lists all errors; give it a larger `--timeout`. [does-not-compile]',
  );
});

test.each(['constructor', 'toString', 'apply', 'length', 'prototype'])(
  '`%s` is a word, no parameter of an operation',
  (word) => expect(inCommandWords(`\`${word}\``, operations.rocq_step)).toBe(`\`${word}\``),
);
