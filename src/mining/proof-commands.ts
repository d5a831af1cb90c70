/**
 * Which sentences of a proof are commands and no tactics. Tactics may begin with a capital too: `Z.order.`,
 * `Step_final x.`
 */

const QUESTIONS =
  'Show|Check|Print|Search\\w*|About|Locate|Eval|Compute|Guarded|Fail|Succeed|Redirect|Optimize|Inspect';
const GOAL_COMMANDS = 'Focus|Unfocus|Unfocused|Proof|Unshelve|Grab|Existential';
const SETTINGS =
  'Set|Unset|Test|Open|Close|Local|Global|Opaque|Transparent|Strategy|Import|Export|Require|From|Arguments|Implicit|' +
  'Notation|Infix|Reserved|Hint|Remove|Create|Existing|Canonical|Coercion|Instance|Let|Ltac|Ltac2|Tactic|Declare|Bind|' +
  'Delimit|Definition|Undo|Restart|Abort|Typeclasses|Generalizable|Elpi|Add|Module|Section|Variable|Context';

const COMMAND = new RegExp(`^(?:#|(?:${QUESTIONS}|${GOAL_COMMANDS}|${SETTINGS})\\b(?!\\.\\w))`, 'u');
const HARMLESS = new RegExp(`^(?:${QUESTIONS}|${GOAL_COMMANDS})\\b`, 'u');

export function isCommand(sentence: string): boolean {
  return COMMAND.test(sentence);
}

/** True of commands that what stands behind them does not depend on, but by the goals. */
export function changesNothing(command: string): boolean {
  return HARMLESS.test(command);
}

/** A sentence without what only measures it. */
export function withoutTiming(sentence: string): string {
  return sentence.replace(/^(?:(?:Time|Instructions)\s+|Timeout\s+\d+\s+)+/u, '');
}
