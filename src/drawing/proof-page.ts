/**
 * Proofs as one HTML page to send: the trees, and every sentence with the goals behind it. The page runs nothing
 * and loads nothing, and its own policy forbids both, so that names in a proof cannot; it is read without Quod, and
 * without a script.
 */
import { counted } from '../core/counted.ts';
import { aboutProof, type ExportedProof } from './about-proof.ts';
import {
  changedHypotheses,
  goalAt,
  type DrawnProof,
  type DrawnSentence,
  type ProofOutcome,
} from './drawn-proof.ts';
import { markup, proofPicture } from './proof-picture.ts';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE = `
:root{color-scheme:light dark;--paper:#fbfbfa;--ink:#1b1f27;--soft:#5b6472;--line:#d8dce3;--new:#e3f1e6;--aim:#fff3d6}
@media (prefers-color-scheme:dark){:root{--paper:#14171d;--ink:#e6e9ef;--soft:#9aa5b5;--line:#343b48;--new:#1d3a29;--aim:#3d3315}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:1800px;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.3rem;margin:0 0 .25rem}h2{font-size:1.05rem;margin:1.5rem 0 .5rem}
pre,code,.goal{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:0}
.about{color:var(--soft);margin:.25rem 0 .75rem}.error{border-left:3px solid #a4262c;padding:.25rem .75rem}
.tree{overflow:auto;max-height:80vh;border:1px solid var(--line);border-radius:8px;padding:.5rem}
ol{list-style:none;padding:0;margin:0}li{border-bottom:1px solid var(--line)}
summary{cursor:pointer;padding:.35rem .5rem;display:flex;gap:.75rem;align-items:baseline}summary:hover{background:color-mix(in srgb,var(--line) 40%,transparent)}
summary .where{color:var(--soft);font-size:.8rem;min-width:3rem;text-align:right}summary .left{color:var(--soft);font-size:.8rem;margin-left:auto;white-space:nowrap}
:target>summary{background:var(--aim)}.goal{padding:.4rem .75rem .6rem 4.25rem}.goal mark{background:var(--new);color:inherit}
.rule{border:0;border-top:1px solid var(--soft);width:12rem;margin:.25rem 0}
.beside{display:grid;gap:2rem}@media (min-width:1000px){.beside{grid-template-columns:1fr 1fr}}.beside>article{min-width:0}
@media print{.tree{overflow:visible;max-height:none}details>*{display:block}}
`.trim();

export function proofPage(proofs: readonly ExportedProof[], { whole }: { readonly whole: boolean }): string {
  const title = proofs.map(({ drawn }) => drawn.theorem).join(' and ');
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${markup(title)}</title><style>${STYLE}</style></head><body>`,
    `<main class="${proofs.length > 1 ? 'beside' : 'alone'}">`,
    ...proofs.map((proof, index) => articleOf(proof, `p${index}`, whole)),
    '</main></body></html>',
    '',
  ].join('\n');
}

function articleOf(exported: ExportedProof, prefix: string, whole: boolean): string {
  const { drawn: proof } = exported;
  const { file, theorem, statement, sentences, outcome, error } = proof;
  const linkOf = (sentence: number): string => `#${prefix}-${sentence}`;
  return [
    `<article><h1>${markup(theorem)}</h1>`,
    `<p class="about">${markup(file)} · ${outcomeText(outcome)} · ${counted(sentences.length, 'sentence')}</p>`,
    ...aboutProof(exported).map((sentence) => `<p class="about">${markup(sentence)}</p>`),
    `<pre>${markup(statement)}</pre>`,
    ...(error === null ? [] : [`<p class="error"><code>${markup(error)}</code></p>`]),
    '<h2>Tree of goals</h2>',
    `<div class="tree" tabindex="0">${proofPicture(proof, { whole, linkOf })}</div>`,
    '<h2>Sentence by sentence</h2>',
    '<ol>',
    ...sentences.map((sentence, place) => sentenceItem(proof, sentence, place, prefix)),
    '</ol></article>',
  ].join('\n');
}

function sentenceItem(proof: DrawnProof, sentence: DrawnSentence, place: number, prefix: string): string {
  const before = proof.sentences[place - 1]?.goals[0] ?? null;
  const goals = sentence.goals.map((goal) => goalBlock(proof, goal, before));
  return [
    `<li><details id="${prefix}-${place}"><summary><span class="where">${sentence.line}</span><code>${markup(sentence.text)}</code><span class="left">${markup(leftText(sentence))}</span></summary>`,
    ...goals,
    '</details></li>',
  ].join('');
}

function goalBlock(proof: DrawnProof, place: number, before: number | null): string {
  const goal = goalAt(proof, place);
  if (goal === undefined) return '';
  const changed = changedHypotheses(proof, before, place);
  const lines = (proof.goals[place]?.hypotheses ?? []).flatMap((at) => {
    const one = proof.hypotheses[at];
    if (one === undefined) return [];
    const text = markup(`${one.name}${one.body === null ? '' : ` := ${one.body}`} : ${one.type}`);
    return [changed.has(at) ? `<mark>${text}</mark>` : text];
  });
  return `<div class="goal">${lines.join('\n')}<hr class="rule">${markup(goal.conclusion)}</div>`;
}

/** How many goals are left behind a sentence, in words. */
export function leftText({ goals, elsewhere, shelved, given_up }: DrawnSentence): string {
  const more = [
    elsewhere > 0 ? `${elsewhere} elsewhere` : '',
    shelved > 0 ? `${shelved} shelved` : '',
    given_up > 0 ? `${given_up} given up` : '',
  ].filter((part) => part !== '');
  const here =
    goals.length === 0 ? (more.length === 0 ? 'no goal left' : 'none here') : counted(goals.length, 'goal');
  return [here, ...more].join(', ');
}

export function outcomeText(outcome: ProofOutcome): string {
  switch (outcome) {
    case 'finished':
      return 'closed';
    case 'admitted':
      return 'admitted, not proved';
    case 'unfinished':
      return 'not finished';
    case 'refused':
      return 'stops at an error';
  }
}
