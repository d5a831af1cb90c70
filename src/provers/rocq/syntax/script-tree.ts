/**
 * A proof script as a tree: sentences that follow one another on one goal, then a branch for each goal that they leave.
 * It is written as the author of a file would (bullets, one sentence a line), or listed in the order of execution.
 */
import { lastOf } from '../../../core/entry.ts';
import { appendAll } from '../../../core/lists/many.ts';

/** Sentences without their final dots. */
export interface ScriptTree {
  readonly sentences: readonly string[];
  readonly children: readonly ScriptTree[];
}

export interface ScriptStyle {
  /** What one level of nesting adds. */
  readonly indent: string;
  /** The line end of the file. */
  readonly newline: '\n' | '\r\n';
  /** The bullets of each depth, outermost first; deeper branches are in braces. */
  readonly bullets: readonly string[];
}

export const BULLETS: readonly string[] = [
  '-',
  '+',
  '*',
  '--',
  '++',
  '**',
  '---',
  '+++',
  '***',
  '----',
  '++++',
  '****',
];

/** The lines of the proof body, without `Proof` and the closing word, each starting with `margin`. */
export function scriptText(tree: ScriptTree, style: ScriptStyle, margin: string): string {
  return scriptLines(tree, style, 0)
    .map((line) => margin + line)
    .join(style.newline);
}

function scriptLines(tree: ScriptTree, style: ScriptStyle, depth: number): string[] {
  const lines = tree.sentences.map((sentence) => `${sentence}.`);
  const only = tree.children.length === 1 ? tree.children[0] : undefined;
  if (only !== undefined) return [...lines, ...scriptLines(only, style, depth)];
  const bullet = style.bullets[depth];
  for (const child of tree.children) {
    const inner = scriptLines(child, style, depth + 1);
    if (bullet === undefined) {
      appendAll(
        lines,
        inner.map((line, index) => (index === 0 ? `{ ${line}` : `  ${line}`)),
      );
      lines[lines.length - 1] = `${lastOf(lines, 'line')} }`;
    } else {
      const hanging = ' '.repeat(Math.max(bullet.length + 1, style.indent.length));
      appendAll(
        lines,
        inner.map((line, index) =>
          index === 0 ? `${bullet}${hanging.slice(bullet.length)}${line}` : hanging + line,
        ),
      );
    }
  }
  return lines;
}

/** Bullets of each depth: those that are asked for, then others, without those that are in use around. */
export function bulletsBesides(used: ReadonlySet<string>, asked: readonly string[] = []): string[] {
  return [...asked, ...BULLETS.filter((bullet) => !asked.includes(bullet))].filter(
    (bullet) => !used.has(bullet),
  );
}

/** The sentences of the proof in the order in which Rocq runs them, focusing with braces. */
export function scriptSentences(tree: ScriptTree): string[] {
  const sentences = tree.sentences.map((sentence) => `${sentence}.`);
  const only = tree.children.length === 1 ? tree.children[0] : undefined;
  if (only !== undefined) return [...sentences, ...scriptSentences(only)];
  for (const child of tree.children) appendAll(sentences, ['{', ...scriptSentences(child), '}']);
  return sentences;
}

export function sentenceCount(tree: ScriptTree): number {
  return tree.children.reduce((sum, child) => sum + sentenceCount(child), tree.sentences.length);
}
