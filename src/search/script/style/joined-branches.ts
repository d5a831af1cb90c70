/**
 * Branches of a case analysis, or of a rewrite and its premises, in fewer sentences. Each is a guess by the text alone.
 */
import { countOf } from '../../../core/entry.ts';
import type { ScriptTree } from '../../../provers/rocq/syntax/script-tree.ts';
import { splitTopLevel } from '../../candidates/authored-tactic.ts';
import type { ProofStyle, WantedStyle } from './file-style.ts';
import { joinedPair } from './joined-sentences.ts';
import { REWRITE } from './plainer-sentences.ts';

/** A script of which the last sentence leaves at least two branches. */
interface Branching {
  readonly last: string;
  readonly before: readonly string[];
  readonly children: readonly ScriptTree[];
}

export function* joinedBranches(
  { sentences, children }: ScriptTree,
  wantedStyle: WantedStyle,
): Generator<ScriptTree> {
  const last = sentences.at(-1);
  if (last === undefined || children.length < 2) return;
  const branching = { last, before: sentences.slice(0, -1), children };
  yield* alikeEndings(branching, wantedStyle);
  yield* nestedBranches(branching, wantedStyle);
  yield* closedPremises(branching, wantedStyle);
  if (wantedStyle.style === 'terse') yield* alikeBranches(branching);
}

/** To be asked about behind what makes the branches themselves plainer. */
export function* sharedBeginnings(
  { sentences, children }: ScriptTree,
  { style }: WantedStyle,
): Generator<ScriptTree> {
  const last = sentences.at(-1);
  if (last === undefined || children.length < 2) return;
  if (CONNECTIVE.test(last)) yield { sentences: sentences.with(-1, 'split'), children };
  yield* alikeBeginnings({ last, before: sentences.slice(0, -1), children }, style);
}

/** What leaves branches in a proof of a conjunction or an equivalence, where it is one. */
const CONNECTIVE = /^e?constructor$/u;

/** `a. - c. - c.` is `a; c`; and where most branches end alike, `a; try c` leaves the others. */
function* alikeEndings(
  { last, before, children }: Branching,
  { style, file }: WantedStyle,
): Generator<ScriptTree> {
  const endings = children.map(onlySentence);
  const known = endings.filter((ending) => ending !== undefined);
  const closer = mostFrequent(known);
  if (closer === undefined) return;
  if (known.length === endings.length) {
    if (file.finisher !== undefined && known.every((ending) => ENDINGS.has(ending)) && canBeFinished(last))
      yield { sentences: [...before, `${file.finisher} ${last}`], children: [] };
    const common = known.every((ending) => EASY.test(ending)) ? ['auto', 'eauto'] : [];
    const [head] = splitTopLevel(closer, ';');
    const isOfAll = head !== undefined && known.every((ending) => ending.startsWith(`${head}; `));
    const isOne = known.every((ending) => ending === closer);
    const joined = [closer, ...known, ...common].filter(
      (one) => isPlain(one) || (isOne && isPlain(unfinished(one))) || (isOfAll && isShort(one)),
    );
    for (const one of new Set(joined)) {
      const whole = `${last}; ${one}`;
      if (isPlain(unfinished(one)) || isShort(whole)) yield { sentences: [...before, whole], children: [] };
    }
    return;
  }
  const left = children.filter((_, index) => endings[index] !== closer);
  if (style !== 'terse' || !isPlain(closer) || children.length - left.length < 2) return;
  yield joinedOnly([...before, `${last}; try ${closer}`], left);
}

/** `rewrite a. - rewrite b; c. - c.` is `rewrite a, b; c`, and cases in cases are those of both. */
function* nestedBranches(
  { last, before, children }: Branching,
  wantedStyle: WantedStyle,
): Generator<ScriptTree> {
  const texts = children.map(onlySentence).filter((text) => text !== undefined);
  if (texts.length < children.length) return;
  const branches = texts.map((text) => splitTopLevel(unfinished(text), ';'));
  const joined = new Set(
    branches.flatMap(([head]) => (head === undefined ? [] : [...joinedPair(last, head, wantedStyle)])),
  );
  if (joined.size !== 1) return;
  const ends = new Set(
    branches.map(([head, ...rest]) =>
      head !== undefined && [...joinedPair(last, head, wantedStyle)].length > 0
        ? rest.join('; ')
        : String(head),
    ),
  );
  ends.delete('');
  if (wantedStyle.style !== 'terse' && ends.size > 1) return;
  const { finisher } = wantedStyle.file;
  for (const one of joined) {
    if (finisher !== undefined) yield { sentences: [...before, `${finisher} ${one}`], children: [] };
    for (const end of ends)
      if (isPlain(end)) yield { sentences: [...before, `${one}; ${end}`], children: [] };
  }
}

/** `rewrite a. - b. - c.` is `rewrite a by c. b.` */
function* closedPremises(
  { last, before, children }: Branching,
  { file }: WantedStyle,
): Generator<ScriptTree> {
  const [main, ...premises] = children;
  const closers = premises.map(onlySentence).filter((closer) => closer !== undefined);
  const rewriting = REWRITE.exec(last)?.groups;
  if (main === undefined || closers.length < premises.length || rewriting === undefined) return;
  if (rewriting['closed'] !== undefined) return;
  if (file.ssreflect) yield joinedOnly([...before, `${last} //`], [main]);
  for (const closer of new Set(closers.filter(isPlain)))
    yield joinedOnly([...before, `${last} by ${closer}`], [main]);
}

/** `a. - c. - b. c.` is `a; b; c`, where the branch with most to do does for the others. */
function* alikeBranches({ last, before, children }: Branching): Generator<ScriptTree> {
  if (children.some((child) => child.children.length > 0)) return;
  const longest = children.reduce((one, other) =>
    other.sentences.length > one.sentences.length ? other : one,
  ).sentences;
  for (const steps of [longest.slice(-1), longest]) {
    const whole = [last, ...steps].join('; ');
    if (steps.length <= MOST_ALIKE && steps.every(isPlain) && whole.length <= WIDEST_ALIKE)
      yield { sentences: [...before, whole], children: [] };
  }
}

/** `a. - b. c. - b. d.` is `a; b. - c. - d.`, and a step that harms no branch may be made in all. */
function* alikeBeginnings({ last, before, children }: Branching, style: ProofStyle): Generator<ScriptTree> {
  const firsts = children.map(({ sentences }) => sentences[0]).filter((first) => first !== undefined);
  for (const first of new Set(firsts)) {
    const isShared = firsts.length === children.length && firsts.every((one) => one === first);
    const isHarmless = style === 'terse' && HARMLESS.test(first) && ANALYSIS.test(last);
    const whole = `${last}; ${first}`;
    if (!(isShared || isHarmless) || !isPlain(first)) continue;
    const left = children.map((child) =>
      child.sentences[0] === first ? { ...child, sentences: child.sentences.slice(1) } : child,
    );
    if (isShared && left.every((child) => child.sentences.length > 0 || child.children.length > 0))
      yield { sentences: [...before, first, last], children: left };
    if (!isShort(whole)) continue;
    yield joinedOnly(
      [...before, whole],
      left.filter((child) => child.sentences.length > 0 || child.children.length > 0),
    );
  }
}

const HARMLESS = /^(?:simpl|cbn)(?: in \*)?$/u;
const ANALYSIS = /(?:^|; )(?:induction|destruct|elim|case)\b/u;

/** Steps and characters that people put behind semicolons. */
const MOST_ALIKE = 3;
const WIDEST_ALIKE = 60;

function isShort(sentence: string): boolean {
  const pieces = splitTopLevel(sentence, ';');
  return sentence.length <= WIDEST_ALIKE && pieces.length <= MOST_ALIKE && pieces.every(isPlain);
}

/** What is left when there is one branch is no branch. */
function joinedOnly(sentences: readonly string[], left: readonly ScriptTree[]): ScriptTree {
  const [only] = left;
  return left.length === 1 && only !== undefined
    ? { sentences: [...sentences, ...only.sentences], children: only.children }
    : { sentences, children: left };
}

function onlySentence({ sentences, children }: ScriptTree): string | undefined {
  return children.length === 0 && sentences.length === 1 ? sentences[0] : undefined;
}

/** `a. easy.` is `now a`, where the file says so. */
export function* finishedAtOnce(
  { sentences, children }: ScriptTree,
  { file }: WantedStyle,
): Generator<ScriptTree> {
  const { finisher } = file;
  if (children.length > 0 || finisher === undefined) return;
  const pieces = splitTopLevel(String(sentences.at(-1)), ';');
  const [piece, closer] = pieces.slice(-2);
  // `a; b; easy` is `a; now b`.
  if (piece !== undefined && ENDINGS.has(String(closer)) && canBeFinished(piece))
    yield {
      sentences: sentences.with(-1, [...pieces.slice(0, -2), `${finisher} ${piece}`].join('; ')),
      children,
    };
  const [step, end] = sentences.slice(-2);
  if (step === undefined || end === undefined) return;
  if (!ENDINGS.has(end) || !canBeFinished(step)) return;
  yield { sentences: [...sentences.slice(0, -2), `${finisher} ${step}`], children };
}

const ENDINGS = new Set([
  'easy',
  'done',
  'auto',
  'trivial',
  'reflexivity',
  'assumption',
  'congruence',
  'discriminate',
]);

function canBeFinished(step: string): boolean {
  return !/;|^\[|^(?:now|by|try|solve|first|do|repeat)\b/u.test(step);
}

/** `a` of `now a`. */
function unfinished(sentence: string): string {
  return sentence.replace(/^(?:now|by) /u, '');
}

/** What the automation does as well. */
const EASY = /^(?:e?auto|e?assumption|easy|trivial|reflexivity|e?constructor)$/u;

function isPlain(closer: string): boolean {
  return !/[;[|]|^(?:try|by|now|do|repeat)\b/u.test(closer);
}

function mostFrequent(words: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, countOf(counts, word) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0];
}
