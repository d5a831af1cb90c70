/** What a remedy says of operations is said as the page does it; what is no operation stays what it is. */
import { expect, it } from 'vitest';
import { RUN_REMEDIES } from '../../../src/core/remedies/run-remedies.ts';
import { inPageWords, told, toldText } from './page-words.ts';

it.each([
  ['Compile it: `proof_build`.', 'Compile it: “Build”.'],
  ['`gate_history` lists them.', '“Gate” lists them.'],
  ['`rocq_locate` says which.', '“locate” says which.'],
  ['Write `Qed.` Or `Admitted. Qed.` behind it.', 'Write Qed. Or Admitted. Qed. behind it.'],
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

it.each([
  [
    `${RUN_REMEDIES.mendFirst} Nothing behind it can be reached. ${RUN_REMEDIES.askBefore}`,
    'Mend this first: “Check” lists all errors of the file. Nothing behind it can be reached. Whatever stands before it can be asked about in the file: put the cursor there.',
  ],
  [RUN_REMEDIES.moreTime, 'Ask for less, or ask again when the machine has less to do.'],
  ['Mend a.v first. Name it in `search_in`, or look in the project.', 'Mend a.v first.'],
  ['What it takes: `file`, `theorem`.', ''],
  ['Add "a" to the policy\'s list `axioms`.', 'Add "a" to the policy\'s list axioms.'],
])('what only who calls an operation can give is not asked for: %s', (text, said) => {
  expect(toldText(text)).toBe(said);
});

it('of a foreign text only what Quod itself says is said otherwise', () => {
  const said = 'It says: name a `line`, or `proof_check`.';
  expect(inPageWords(`${said} ${RUN_REMEDIES.mendFirst}`)).toBe(
    `${said} Mend this first: “Check” lists all errors of the file.`,
  );
  expect(inPageWords(`${said} ${RUN_REMEDIES.whatWasSent}`)).toBe(said);
});
