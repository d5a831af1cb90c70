/**
 * What Quod says to do, in words of the page: it has a button where others call an operation, whose name stands in backticks
 * (`proof_build`). Where the page does what the operation does is said here and nowhere else.
 */
import type { OperationName } from '../../../src/operations/catalogue.ts';
import { INPUT_NAMES } from './input-names.ts';
import type { Area } from '../../../src/operations/definition/operation.ts';
import { RUN_REMEDIES, sayRemedies } from '../../../src/core/remedies/run-remedies.ts';

const IN_PAGE: ReadonlyMap<string, string> = new Map([
  [RUN_REMEDIES.buildFirst, 'Build the project first.'],
  [RUN_REMEDIES.buildWithDune, 'Build the project first.'],
  [RUN_REMEDIES.goOn, 'Go on with the run.'],
  [RUN_REMEDIES.askBefore, 'Whatever stands before it can be asked about in the file: put the cursor there.'],
  [RUN_REMEDIES.moreTime, 'Ask for less, or ask again when the machine has less to do.'],
]);

/** A text with foreign parts, of which only the remedies are said otherwise. */
export function inPageWords(text: string): string {
  return sayRemedies(text, toldText).trimEnd();
}

/** Inputs for which the page has a field of that name: the policy of the gate. */
const FIELDS: ReadonlySet<string> = new Set(['theorems', 'axioms']);

/**
 * What of a remedy can be done in the page. A sentence that names an input of an operation (`line`, `search_in`) is for those who call
 * it: the page has fields of its own.
 */
function inPage(text: string): string {
  const names = (sentence: string): boolean =>
    [...sentence.matchAll(/`([^`]+)`/gu)].some(([, code = '']) => INPUT_NAMES.has(code) && !FIELDS.has(code));
  return sentencesOf(sayRemedies(text, (words) => IN_PAGE.get(words) ?? words))
    .filter((sentence) => !names(sentence))
    .join(' ');
}

function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  let open = '';
  for (const part of text.split(/(?<=[.!?])\s+(?=[\p{Lu}`])/u)) {
    open = open === '' ? part : `${open} ${part}`;
    // A dot in something that is to be typed ends nothing.
    if (open.split('`').length % 2 === 0) continue;
    sentences.push(open);
    open = '';
  }
  return open === '' ? sentences : [...sentences, open];
}

/** The buttons of operations that have one; what the others do is said by their names. */
const BUTTONS: Readonly<Partial<Record<OperationName, string>>> = {
  ...{ proof_build: 'Build', proof_check: 'Check', proof_search: 'Prove', proof_export: 'Export page' },
  proof_refute: 'Counterexample',
  ...{ rocq_try: 'Try', rocq_similar_proofs: 'Similar', rocq_about: 'Name', rocq_assumptions: 'Ask Rocq' },
  ...{ agent_start: 'Start a run', agent_resume: 'Go on', agent_stop: 'Stop', agent_runs: 'Runs' },
  ...{ gate_submit: 'Judge', gate_verify: 'Judge', gate_history: 'Gate' },
};

const VIEWS: Readonly<Record<Area, string>> = {
  ...{ rocq: 'file', lean: 'file', fstar: 'file', hol: 'file' },
  ...{ proof: 'project', gate: 'gate', data: 'bench', agent: 'agent' },
};

/** A piece of what Quod itself says: words, what is to be typed as it stands, or what the page has a place for. */
export type Told =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'place'; readonly text: string; readonly view: string };

/** @param text Quod's own words: no foreign text, in which backticks may mean anything. */
export function told(text: string): readonly Told[] {
  return inPage(text)
    .split(/`([^`]+)`/u)
    .map((part, index): Told => {
      if (index % 2 === 0) return { kind: 'words', text: part };
      const [, area, verb] = /^([a-z0-9]+)_([a-z0-9_]+)$/u.exec(part) ?? [];
      if (!isArea(area) || verb === undefined) return { kind: 'code', text: part };
      const button = Object.hasOwn(BUTTONS, part) ? BUTTONS[part as OperationName] : undefined;
      return { kind: 'place', text: button ?? verb.replaceAll('_', ' '), view: VIEWS[area] };
    })
    .filter(({ text: piece }) => piece !== '');
}

/** The same where there is only room for words. */
export function toldText(text: string): string {
  return told(text)
    .map((part) => (part.kind === 'place' ? `“${part.text}”` : part.text))
    .join('');
}

function isArea(word: string | undefined): word is Area {
  return word !== undefined && Object.hasOwn(VIEWS, word);
}
