/**
 * A proof that names a lemma as its own theorem is named means one that was there before: behind the theorem the short name is
 * the theorem's. Such a name is written with as much in front as tells the two apart.
 */
import { lastPart } from '../../core/qualified-name.ts';
import type { ProverSession, StateId } from '../../core/prover.ts';
import { significantTokens, tokenEnd } from '../../provers/rocq/syntax/lexer.ts';
import type { TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';
import type { ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';

export interface NamedTheorem {
  readonly theorem: Pick<TheoremItem, 'name' | 'otherNames'>;
  /** Names of hypotheses: those are no lemmas. */
  readonly locals: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** @param passes Whether a script proves the theorem: a name that a tactic brings in is none of a lemma. */
export async function withoutOwnNames(
  script: ScriptTree,
  { session, root }: { readonly session: ProverSession; readonly root: StateId },
  { theorem, locals, signal }: NamedTheorem,
  passes: (script: ScriptTree) => Promise<boolean>,
): Promise<ScriptTree> {
  const meant = async (name: string): Promise<string | undefined> => {
    const located = await session.run(root, asSentence(`Locate ${name}.`), { signal });
    if (located.status !== 'done') return undefined;
    return /^Constant\s+(\S+)/mu.exec(located.messages.map(({ message }) => message).join('\n'))?.[1];
  };
  let written = script;
  for (const name of [theorem.name, ...theorem.otherNames]) {
    if (name === undefined || locals.has(name) || !namesIn(script).has(name)) continue;
    const whole = await meant(name);
    if (whole === undefined || lastPart(whole) !== name) continue;
    const parts = whole.split('.');
    for (let from = parts.length - 2; from >= 0; from -= 1) {
      const qualified = parts.slice(from).join('.');
      if ((await meant(qualified)) !== whole) continue;
      const renamed = withName(written, name, qualified);
      if (await passes(renamed)) written = renamed;
      break;
    }
  }
  return written;
}

function namesIn({ sentences, children }: ScriptTree): ReadonlySet<string> {
  const names = new Set(sentences.flatMap((text) => significantTokens(text).map((token) => token.text)));
  for (const child of children) for (const name of namesIn(child)) names.add(name);
  return names;
}

function withName({ sentences, children }: ScriptTree, name: string, other: string): ScriptTree {
  return {
    sentences: sentences.map((text) =>
      significantTokens(text)
        .filter((token) => token.text === name)
        .reduceRight((now, token) => now.slice(0, token.start) + other + now.slice(tokenEnd(token)), text),
    ),
    children: children.map((child) => withName(child, name, other)),
  };
}
