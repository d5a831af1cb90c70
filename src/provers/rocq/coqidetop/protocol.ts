/**
 * coqidetop's calls and answers as values (Coq's `dev/doc/xml-protocol.md` and `xmlprotocol.ml`). Every call is
 * answered by exactly one `value`, in order; `feedback` comes in between. Offsets here are Coq's: bytes of UTF-8.
 */
import type { Severity } from '../../../core/diagnostic.ts';
import { orNothing } from '../../../core/entry.ts';
import type { AllGoals, Goal } from '../../../core/proof-state.ts';
import { printLayout, readHypotheses } from './layout.ts';
import { withBlankedComments } from '../syntax/blanked-comments.ts';
import { type XmlElement, XmlSyntaxError, elementsOf, escapeXml, xmlText } from './xml.ts';

export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

export interface CoqMessage {
  readonly severity: Severity;
  readonly text: string;
  readonly place: ByteSpan | undefined;
}

export type CoqValue =
  | { readonly kind: 'good'; readonly content: XmlElement | undefined }
  | {
      readonly kind: 'fail';
      readonly text: string;
      readonly place: ByteSpan | undefined;
      /** The last state that is good; 0 when it failed before anything was executed, by parsing for instance. */
      readonly good: number;
    };

export type CoqOutput =
  | { readonly kind: 'value'; readonly value: CoqValue }
  | { readonly kind: 'message'; readonly message: CoqMessage };

const string = (text: string): string => `<string>${escapeXml(text)}</string>`;
const stateId = (id: number): string => `<state_id val="${id}"/>`;
const pair = (first: string, second: string): string => `<pair>${first}${second}</pair>`;
const bool = (value: boolean): string => `<bool val="${value}"/>`;
const call = (name: string, argument: string): string => `<call val="${name}">${argument}</call>`;

const UNIT = '<unit/>';
const ZERO = '<int>0</int>';

export const INIT = call('Init', '<option val="none"/>');
export const ABOUT = call('About', UNIT);
/** Evaluates the document up to its tip and prints all goals. */
export const GOAL = call('Goal', UNIT);

/** Switches `Printing All` without leaving a trace in the document. */
export function setPrintingAll(on: boolean): string {
  const name = `<list>${string('Printing')}${string('All')}</list>`;
  return call(
    'SetOptions',
    `<list>${pair(name, `<option_value val="boolvalue">${bool(on)}</option_value>`)}</list>`,
  );
}

/** Which goals `Subgoals` answers; `short` leaves hypotheses out. */
export interface GoalFlags {
  readonly mode: 'full' | 'short';
  readonly focused: boolean;
  readonly background: boolean;
}

/** Evaluates the document up to its tip, as {@link GOAL} does, and prints what is asked for. */
export function subgoals({ mode, focused, background }: GoalFlags): string {
  const flags = [bool(focused), bool(background), bool(background), bool(background)].join('');
  return call('Subgoals', `<goal_flags>${string(mode)}${flags}</goal_flags>`);
}

/** Parses the first sentence of `sentence` and puts it on the tip, which must be `tip`. Executes it only if it must. */
export function add(sentence: string, tip: number): string {
  // Since 8.16 a sentence carries its place in the buffer (offset, line, beginning of line); from zero, so that the
  // places of errors count from the sentence.
  const phrase = pair(pair(string(withBlankedComments(sentence)), ZERO), pair(stateId(tip), bool(false)));
  return call('Add', pair(pair(phrase, ZERO), pair(ZERO, ZERO)));
}

export function editAt(id: number): string {
  return call('Edit_at', stateId(id));
}

export function query(command: string, at: number): string {
  return call('Query', pair('<route_id val="0"/>', pair(string(withBlankedComments(command)), stateId(at))));
}

/** One top-level element of the output; undefined for feedback that carries no message. */
export function readOutput(element: XmlElement): CoqOutput | undefined {
  switch (element.name) {
    case 'value':
      return { kind: 'value', value: readValue(element) };
    case 'feedback':
      return readFeedback(element);
    case 'message':
      return { kind: 'message', message: readMessage(element) };
    default:
      throw new XmlSyntaxError(`an element <${element.name}> that the protocol does not have`);
  }
}

function readValue(element: XmlElement): CoqValue {
  const parts = elementsOf(element);
  if (element.attributes['val'] === 'good') return { kind: 'good', content: parts[0] };
  if (element.attributes['val'] !== 'fail') throw new XmlSyntaxError('a value that is neither good nor fail');
  const text = parts.at(-1);
  // Until 8.17 the place is in attributes, later in an element between state and text.
  const place = parts.length > 2 ? readOptionalPlace(parts[1]) : placeOf(element, 'loc_s', 'loc_e');
  // The state that is good, or 0 when none was touched.
  const state = parts[0]?.attributes['val'];
  const good = state === undefined ? 0 : Number(state);
  return { kind: 'fail', text: text === undefined ? '' : readText(text), place, good };
}

function readFeedback(element: XmlElement): CoqOutput | undefined {
  const content = elementsOf(element)[1];
  if (content?.attributes['val'] !== 'message') return undefined;
  const message = elementsOf(content)[0];
  return message && { kind: 'message', message: readMessage(message) };
}

const SEVERITIES: Readonly<Record<string, Severity>> = {
  debug: 'debug',
  info: 'info',
  notice: 'notice',
  warning: 'warning',
  error: 'error',
};

function readMessage(element: XmlElement): CoqMessage {
  const [level, place, text] = elementsOf(element);
  return {
    severity: SEVERITIES[orNothing(level?.attributes['val'])] ?? 'notice',
    text: text === undefined ? '' : readText(text),
    place: readOptionalPlace(place),
  };
}

function readOptionalPlace(option: XmlElement | undefined): ByteSpan | undefined {
  const location = option && elementsOf(option)[0];
  if (location === undefined) return undefined;
  return placeOf(location, 'start', 'stop') ?? placeOf(location, 'bp', 'ep');
}

function placeOf(element: XmlElement, start: string, end: string): ByteSpan | undefined {
  const place = { start: Number(element.attributes[start]), end: Number(element.attributes[end]) };
  return Number.isInteger(place.start) && Number.isInteger(place.end) ? place : undefined;
}

const readText = (element: XmlElement): string => printLayout(element).trim();

/** The id in the answers of `Init` and `Add`. */
export function readStateId(content: XmlElement | undefined): number {
  const element = content?.name === 'pair' ? elementsOf(content)[0] : content;
  const id = Number(element?.attributes['val']);
  if (element?.name !== 'state_id' || !Number.isInteger(id))
    throw new XmlSyntaxError('an answer without state id');
  return id;
}

/** The tip after `Add`: another one than the sentence's own id when it closed a proof in the middle of the document. */
export function readUnfocusedTip(content: XmlElement | undefined): number | undefined {
  const union = content && elementsOf(content)[1];
  return union?.attributes['val'] === 'in_r' ? readStateId(elementsOf(union)[0]) : undefined;
}

/** True when `Edit_at` did not go back but opened a closed proof in the middle of the document. */
export function opensMiddle(content: XmlElement | undefined): boolean {
  return content?.attributes['val'] === 'in_r';
}

export function readVersion(content: XmlElement | undefined): string {
  const version = content && elementsOf(content)[0];
  if (version === undefined) throw new XmlSyntaxError('an answer without version');
  return xmlText(version);
}

/** What `Goal` and `Subgoals` answer; null when no proof is open. */
export function readGoals(content: XmlElement | undefined): AllGoals | null {
  const goals = content && elementsOf(content)[0];
  if (goals === undefined) return null;
  const [focused, stack, shelved, givenUp] = elementsOf(goals);
  return {
    focused: readGoalList(focused),
    // Each level holds the goals before the focus, nearest first, and those after it.
    unfocused: (stack === undefined ? [] : elementsOf(stack)).map((level) => {
      const [before, after] = elementsOf(level);
      return [...readGoalList(before).toReversed(), ...readGoalList(after)];
    }),
    shelved: readGoalList(shelved),
    givenUp: readGoalList(givenUp),
  };
}

function readGoalList(list: XmlElement | undefined): readonly Goal[] {
  return list === undefined ? [] : elementsOf(list).map(readGoal);
}

function readGoal(goal: XmlElement): Goal {
  const [id, hypotheses, conclusion] = elementsOf(goal);
  if (id === undefined || hypotheses === undefined || conclusion === undefined) {
    throw new XmlSyntaxError('a goal without id, hypotheses or conclusion');
  }
  return {
    id: xmlText(id),
    hypotheses: elementsOf(hypotheses).flatMap(readHypotheses),
    conclusion: readText(conclusion),
  };
}
