/** What a remedy says of operations is said as the page does it; what is no operation stays what it is. */
import { expect, it } from 'vitest';
import { told, toldText } from './page-words.ts';

it.each([
  ['Compile it: `proof_build`.', 'Compile it: “Build”.'],
  ['`gate_history` lists them.', '“Gate” lists them.'],
  ['`rocq_locate` says which.', '“locate” says which.'],
  ['Name it in `search_in`, or write `Qed.`', 'Name it in search_in, or write Qed.'],
  ['Go on with `agent_resume`.', 'Go on with the run.'],
  ['Go on with `agent_resume` and a larger budget.', 'Go on with “Go on” and a larger budget.'],
  ['A lone ` stays.', 'A lone ` stays.'],
])('%s', (text, said) => {
  expect(toldText(text)).toBe(said);
});

it('an operation leads to the view that has it', () => {
  expect(told('Run `proof_build`, look at `x`.')).toEqual([
    { kind: 'words', text: 'Run ' },
    { kind: 'place', text: 'Build', view: 'project' },
    { kind: 'words', text: ', look at ' },
    { kind: 'code', text: 'x' },
    { kind: 'words', text: '.' },
  ]);
});
