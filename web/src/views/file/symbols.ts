/** Symbols by their names: `\forall` and a blank become ∀ and a blank, and a backslash offers what there is. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { EditorView } from '@codemirror/view';
import type { Extension } from '@codemirror/state';

const NAMED =
  'forall ∀ exists ∃ to → rightarrow → leftarrow ← leftrightarrow ↔ iff ↔ Rightarrow ⇒ Leftrightarrow ⇔ mapsto ↦ and ∧ wedge ∧ or ∨ vee ∨ not ¬ neg ¬ ' +
  'neq ≠ ne ≠ leq ≤ le ≤ geq ≥ ge ≥ equiv ≡ approx ≈ sim ∼ cong ≅ in ∈ notin ∉ subset ⊂ subseteq ⊆ supseteq ⊇ cup ∪ cap ∩ emptyset ∅ times × cdot · circ ∘ ' +
  'lambda λ Lambda Λ alpha α beta β gamma γ Gamma Γ delta δ Delta Δ epsilon ε eta η theta θ Theta Θ iota ι kappa κ mu μ nu ν xi ξ pi π Pi Π rho ρ sigma σ Sigma Σ ' +
  'tau τ phi φ Phi Φ chi χ psi ψ Psi Ψ omega ω Omega Ω zeta ζ nat ℕ int ℤ rat ℚ real ℝ top ⊤ bot ⊥ vdash ⊢ models ⊨ langle ⟨ rangle ⟩ ell ℓ infty ∞ sum ∑ prod ∏ ' +
  'oplus ⊕ otimes ⊗ sqsubseteq ⊑ sqcup ⊔ sqcap ⊓ star ⋆ ast ∗ bullet • dots … _0 ₀ _1 ₁ _2 ₂ _3 ₃ _n ₙ ^0 ⁰ ^1 ¹ ^2 ² ^n ⁿ inv ⁻¹ prime ′';

const PAIRS = NAMED.split(' ');

export const SYMBOLS: ReadonlyMap<string, string> = new Map(
  PAIRS.flatMap((name, index) => {
    const symbol = PAIRS[index + 1];
    return index % 2 === 0 && symbol !== undefined ? [[name, symbol] as const] : [];
  }),
);

const OPTIONS: readonly Completion[] = [...SYMBOLS].map(([name, symbol]) => ({
  label: `\\${name}`,
  detail: symbol,
  apply: symbol,
}));

/** What is offered behind a backslash. */
export function symbolsOffered(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/\\[\w^]*$/);
  return typed === null ? null : { from: typed.from, options: OPTIONS, validFor: /^\\[\w^]*$/ };
}

/** A blank behind the full name of a symbol puts the symbol there. */
export const symbolInput: Extension = EditorView.inputHandler.of((view, from, to, text) => {
  if (text !== ' ' || from !== to) return false;
  const before = view.state.sliceDoc(Math.max(0, from - 20), from);
  const name = /\\([\w^]+)$/.exec(before)?.[1];
  const symbol = name === undefined ? undefined : SYMBOLS.get(name);
  if (name === undefined || symbol === undefined) return false;
  const start = from - name.length - 1;
  view.dispatch({
    changes: { from: start, to: from, insert: `${symbol} ` },
    selection: { anchor: start + symbol.length + 1 },
    userEvent: 'input.type',
  });
  return true;
});
