/**
 * Helper lemmas before a theorem of a Rocq file. What is tried with them is tried in a copy of the file, which has
 * the project's load path and its name; what is judged and written is the file itself with the lemmas that the
 * proof uses.
 */
import type { HelperLemma, HelperTarget, Helpers, Judgement, Target } from '../../agent/target.ts';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { misleadingCharacter, WITHOUT_MISLEADING } from '../../core/foreign-text.ts';
import { replaced } from '../../core/replacement.ts';
import { capitalised } from '../../core/sentence.ts';
import { eliminatorsOf } from '../../provers/rocq/eliminators.ts';
import { significantTokens } from '../../provers/rocq/syntax/lexer.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { copyOfFile } from './rocq-copy.ts';
import { insertion } from './rocq-lemma-places.ts';
import { namesUsed, type Unit } from './rocq-declarations.ts';
import type { RocqSources } from './rocq-sources.ts';

const KEYWORDS = new Set(['Lemma', 'Theorem', 'Fact', 'Remark', 'Corollary', 'Proposition']);

export interface HelpersOf {
  readonly original: Target;
  readonly path: string;
  readonly sources: () => Promise<RocqSources>;
  /** A theorem of another file, as a target. */
  readonly open: (file: string, theorem: string, signal: AbortSignal) => Promise<Target>;
  readonly judge: (proof: string, signal: AbortSignal, before: string) => Promise<Judgement>;
}

export function rocqHelpers(of: HelpersOf): Helpers {
  const { original, path, sources, open } = of;
  const copyWith = async (
    lemmas: readonly { readonly statement: string; readonly proof: string }[],
    theorem: string,
    signal: AbortSignal,
  ): Promise<HelperTarget> => {
    const { own } = await sources();
    const text = replaced(own.outline.text, [
      insertion(own.outline.text, original.theorem, lemmas.map(lemmaText)),
    ]);
    const { file, close } = await copyOfFile(path, text, 'lemmas');
    try {
      return { target: await open(file, theorem, signal), close };
    } catch (error) {
      await close();
      throw error;
    }
  };
  const namesTaken = async (known: readonly HelperLemma[]): Promise<ReadonlySet<string>> => {
    const { own, required } = await sources();
    return new Set([
      ...[own, ...required].flatMap(({ units }) => units.flatMap(({ names }) => names)),
      ...known.map(({ name }) => name),
      // Behind a lemma of such a name the file would speak of the lemma.
      ...namesUsed(own.outline.text),
      ...eliminatorsIn(own.units),
    ]);
  };
  return {
    freeName: async (wanted, known) => {
      const taken = await namesTaken(known);
      let name = wanted;
      for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
      return name;
    },
    state: async (statement, known, stop) => {
      const taken = await namesTaken(known);
      const name = nameOfStatement(statement, taken);
      return copyWith([...known, { statement: statement.trim(), proof: 'Proof.\nAdmitted.' }], name, stop);
    },
    with: async (known, stop) => {
      const { target, close } = await copyWith(known, original.theorem, stop);
      const judge = async (proof: string, signal: AbortSignal): Promise<Judgement> => {
        const used = usedLemmas(proof, known);
        if (used.length === 0) return original.judge(proof, signal);
        const before = used.map(lemmaText).join('\n\n');
        return { ...(await of.judge(proof, signal, before)), before };
      };
      return {
        target: {
          ...{ prover: original.prover, theorem: original.theorem, statement: original.statement },
          ...{ file: original.file, tools: original.tools, judge },
          openToolSession: (signal) => target.openToolSession(signal),
          context: (signal) => original.context(signal),
          similarProofs: (...wanted) => target.similarProofs(...wanted),
          search: (...limits) => target.search(...limits),
          write: (proof, signal) =>
            original.write(proof, signal, usedLemmas(proof, known).map(lemmaText).join('\n\n')),
        },
        close,
      };
    },
  };
}

/** Where something of a type is eliminated, in other files, too, Rocq takes what is called so; the gate refuses such a lemma. */
function eliminatorsIn(units: readonly Unit[]): readonly string[] {
  const types = units.flatMap(({ kind, names }) => (kind === 'definition' ? names : []));
  return types.flatMap(eliminatorsOf);
}

/** @throws QuodError `invalid-input` when it is no single statement of a new name, or shows as another one. */
function nameOfStatement(statement: string, taken: ReadonlySet<string>): string {
  const misleading = misleadingCharacter(statement);
  if (misleading !== undefined) {
    const { what } = misleading;
    throw new QuodError('invalid-input', `${capitalised(what)} stands in the statement.`, {
      remedy: WITHOUT_MISLEADING,
    });
  }
  const { statements, sentences, unterminated } = outlineOf(`${statement.trim()}\nProof.\nAdmitted.\n`);
  const [item] = statements;
  const isOne = statements.length === 1 && sentences.length === 3 && unterminated === undefined;
  const begins = orNothing(significantTokens(statement)[0]?.text);
  if (isOne && item !== undefined && KEYWORDS.has(item.keyword) && begins !== item.keyword)
    // An attribute might act on what follows.
    throw new QuodError('invalid-input', `Something stands before the word ${item.keyword}.`, {
      remedy: `Begin the statement with ${item.keyword}: a lemma has no attributes, and is local to the file.`,
    });
  if (
    item?.name === undefined ||
    !isOne ||
    item.sentence !== 0 ||
    !KEYWORDS.has(begins) ||
    item.otherNames.length > 0
  ) {
    throw new QuodError('invalid-input', 'That is not one statement.', {
      remedy: 'Write one sentence: Lemma name : forall …, …. Its proof goes into `proof`.',
    });
  }
  if (taken.has(item.name)) {
    throw new QuodError(
      'invalid-input',
      `The name ${item.name} is taken: the file uses it, or Rocq does for one of its types.`,
      {
        remedy: 'Take another name.',
      },
    );
  }
  return item.name;
}

/**
 * A lemma as it stands in the file. It is local: another file that imports this one would else speak of the lemma
 * where it has the same name for something else, of a library for instance.
 */
function lemmaText({ statement, proof }: Pick<HelperLemma, 'statement' | 'proof'>): string {
  const script = /^\s*Proof\b/u.test(proof) ? proof.trim() : `Proof.\n${proof.trim()}`;
  return `Local ${statement.trim()}\n${script}`;
}

/** Those that a proof names, and those that they name, in order. */
function usedLemmas(proof: string, known: readonly HelperLemma[]): readonly HelperLemma[] {
  const used = new Set<string>(namesUsed(proof));
  const kept: HelperLemma[] = [];
  for (const lemma of known.toReversed()) {
    if (!used.has(lemma.name)) continue;
    kept.unshift(lemma);
    for (const name of namesUsed(`${lemma.statement} ${lemma.proof}`)) used.add(name);
  }
  return kept;
}
