/**
 * Changes of a judged file. Some keep its meaning, whatever they do to its text; others change what is stated, by as
 * little as one symbol. Pure: texts in, texts out.
 */
import { entryAt } from '../../src/core/entry.ts';
import type { FileOutline, TheoremItem } from '../../src/provers/rocq/syntax/outline.ts';
import { cutAt, originalScript, taskText, withProof } from '../search/cut.ts';

export interface Change {
  readonly name: string;
  readonly target: string;
  readonly submission: string;
}

/** The same theorem proved in other words, with other things around it: to be accepted. */
export function changesThatKeep(outline: FileOutline, item: TheoremItem): Change[] {
  const cut = cutAt(outline, item);
  const target = taskText(cut);
  const script = originalScript(outline, item);
  const keyword = entryAt(outline.sentences, item.sentence, 'sentence').span.start;
  const before = outline.text.slice(0, keyword);
  const statement = cut.before.slice(keyword);
  const change = (name: string, submission: string): Change => ({ name, target, submission });
  const preceded = (name: string, text: string): Change =>
    change(name, `${before}${text}\n${statement}\n${script}\n${cut.endings}`);
  const closing = /Qed\s*\.\s*$/;
  return [
    change('the original', withProof(cut, script)),
    change('another beginning of the proof', withProof(cut, script.replace(/^(Proof[^.]*\.)/, '$1\nidtac.'))),
    change(
      'a comment and blanks everywhere',
      withProof(cut, script.replace(/\.\s/g, '. (* and then *)\n\n   ')),
    ),
    change(
      'a helper asserted',
      withProof(
        cut,
        script.replace(/^(Proof[^.]*\.)/, '$1\nassert (quod_helper : True) by exact I. clear quod_helper.'),
      ),
    ),
    preceded('a helper lemma', 'Lemma quod_helper : True. Proof. exact I. Qed.'),
    preceded('a helper definition', 'Definition quod_helper (quod_x : bool) : bool := quod_x.'),
    change(
      'a helper at the end',
      `${withProof(cut, script)}\nLemma quod_helper : True. Proof. exact I. Qed.\n`,
    ),
    preceded('a notation', `Local Notation "'quod_notation'" := True (only parsing).`),
    preceded('a tactic', 'Ltac quod_tactic := idtac.'),
    preceded('a tactic notation', 'Tactic Notation "quod_idle" := idtac.'),
    preceded('a hint in a base of its own', 'Create HintDb quod_hints.\nLocal Hint Resolve I : quod_hints.'),
    preceded('questions', 'Check True.\nAbout True.'),
    preceded('printing options', 'Set Printing Universes.\nSet Printing Implicit.'),
    preceded(
      'a section of its own',
      'Section Quod. Variable quod_x : bool. Definition quod_y := quod_x. End Quod.',
    ),
    preceded('an inductive type', 'Inductive quod_type := quod_one | quod_two.'),
    preceded('a record', 'Record quod_record := { quod_field : bool }.'),
    change('a measured end', withProof(cut, script.replace(closing, 'Time Qed.'))),
    change('queries after the proof', `${withProof(cut, script)}\nCheck True.\n`),
    change(
      'a library that is installed',
      `${before}\nRequire Coq.Logic.Decidable.\n${statement}\n${script}\n${cut.endings}`,
    ),
  ];
}

/** Pairs of symbols of which one is put in the place of the other. */
const SYMBOLS: readonly (readonly [string, string])[] = [
  ['=', '<>'],
  ['<>', '='],
  ['<=', '<'],
  ['<', '<='],
  ['>=', '>'],
  ['+', '*'],
  ['*', '+'],
  ['/\\', '\\/'],
  ['\\/', '/\\'],
  ['<->', '->'],
  ['0', '1'],
  ['1', '0'],
  ['true', 'false'],
  ['false', 'true'],
  ['True', 'False'],
  ['Type', 'Set'],
  ['forall', 'exists'],
  ['exists', 'forall'],
  ['&&', '||'],
  ['||', '&&'],
  ['==', '!='],
];

/**
 * The target states something else than what the submission, the original, proves. It need not be provable or even
 * true: its proof is left out. Some are no statements at all; the caller finds out by compiling.
 */
export function changesThatMatter(outline: FileOutline, item: TheoremItem): Change[] {
  const cut = cutAt(outline, item);
  const submission = withProof(cut, originalScript(outline, item));
  const start = entryAt(outline.sentences, item.sentence, 'sentence').span.start;
  const statement = cut.before.slice(start);
  const colon = colonAt(statement);
  const changed = (name: string, text: string): Change => ({
    name,
    target: taskText({ ...cut, before: outline.text.slice(0, start) + text }),
    submission,
  });
  const changes: Change[] = [];
  for (const [from, to] of SYMBOLS) {
    const places = occurrences(statement, from, colon);
    // The first and the last: the middle of a statement is no different.
    for (const at of new Set([places[0], places.at(-1)]))
      if (at !== undefined)
        changes.push(
          changed(`symbol ${from} to ${to}`, statement.slice(0, at) + to + statement.slice(at + from.length)),
        );
  }
  if (colon > 0) {
    const [head, claim] = [statement.slice(0, colon + 1), statement.slice(colon + 1).replace(/\.\s*$/, '')];
    changes.push(
      changed('hypothesis added', `${head} True -> (${claim}).`),
      changed('conclusion weakened', `${head} (${claim}) \\/ False.`),
      changed('conclusion strengthened', `${head} (${claim}) /\\ True.`),
      changed('universe added', `${head} forall quod_type : Type, (${claim}).`),
    );
    const arrow = claim.search(/\s->\s/);
    if (arrow >= 0) {
      const premise = claim.slice(0, arrow);
      const from = Math.max(premise.lastIndexOf(','), -1) + 1;
      changes.push(changed('hypothesis removed', `${head}${claim.slice(0, from)}${claim.slice(arrow + 3)}.`));
    }
  }
  return [...changes, ...changedDefinitions(outline, item, submission)];
}

/** An earlier definition of the file with one symbol changed, under the same statement. */
function changedDefinitions(outline: FileOutline, item: TheoremItem, submission: string): Change[] {
  const cut = cutAt(outline, item);
  const text = taskText(cut);
  return outline.sentences.slice(0, item.sentence).flatMap((sentence) => {
    if (!/^(?:Definition|Fixpoint)\s/.test(sentence.text) || !sentence.text.includes(':=')) return [];
    const body = sentence.text.indexOf(':=');
    for (const [from, to] of SYMBOLS) {
      const at = occurrences(sentence.text, from, body + 2)[0];
      if (at === undefined) continue;
      const place = sentence.span.start + at;
      const target = text.slice(0, place) + to + text.slice(place + from.length);
      return [{ name: `definition: ${from} to ${to}`, target, submission }];
    }
    return [];
  });
}

/** The colon between name and claim, outside all parentheses. */
function colonAt(statement: string): number {
  let depth = 0;
  for (let at = 0; at < statement.length; at += 1) {
    const character = statement.charAt(at);
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === ':' && depth === 0 && statement[at + 1] !== '=') return at;
  }
  return -1;
}

/** Where a symbol stands by itself, from an offset on. */
function occurrences(text: string, symbol: string, from: number): number[] {
  const isWord = /^\w/.test(symbol);
  const joins = isWord ? /[\w.'@%]/ : /[-+*/\\<>=&|:!~^@]/;
  const places: number[] = [];
  for (let at = text.indexOf(symbol, Math.max(0, from)); at >= 0; at = text.indexOf(symbol, at + 1)) {
    const [left = ' ', right = ' '] = [text[at - 1], text[at + symbol.length]];
    if (!joins.test(left) && !joins.test(right)) places.push(at);
  }
  return places;
}
