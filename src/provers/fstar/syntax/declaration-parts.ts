/** What a declaration says by its parts: the options that it sets, its signature, its body, the modules it names. */
import type { Declaration } from './declarations.ts';
import { stringValue } from './lexer.ts';
import { depthChange, joined, pathAt } from './token-runs.ts';

/** The options that a pragma sets; undefined for a declaration that sets none. */
export function pragmaOptions({ kind, tokens }: Declaration): string | undefined {
  const argument = tokens[1];
  return kind === 'pragma' && argument?.kind === 'string' ? stringValue(argument) : undefined;
}

/** What a declaration states: all of a `val`, of a `let` or `type` what stands before its first `=`. On one line. */
export function signatureOf(declaration: Declaration): string {
  const { kind, tokens } = declaration;
  const end = equalsSign(declaration);
  const cut = (kind === 'let' || kind === 'type' || kind === 'class' || kind === 'instance') && end > 0;
  return joined(cut ? tokens.slice(0, end) : tokens);
}

/** Where the body of a definition begins, behind its `=`; undefined when it has none. */
export function bodyOf(declaration: Declaration): number | undefined {
  const equals = declaration.tokens[equalsSign(declaration)];
  return equals && equals.start + equals.text.length;
}

function equalsSign({ tokens }: Declaration): number {
  let depth = 0;
  return tokens.findIndex((token, index) => {
    depth += depthChange(token);
    return depth === 0 && index > 0 && token.text === '=';
  });
}

/** The modules that a text names: what F* loads before it checks it. Short names of abbreviations are among them. */
export function modulesMentioned(declarations: readonly Declaration[]): ReadonlySet<string> {
  const modules = new Set<string>();
  for (const { kind, tokens } of declarations) {
    for (const [index, token] of tokens.entries()) {
      if (token.kind !== 'constructor' || tokens[index - 1]?.text === '.') continue;
      const path = pathAt(tokens, index);
      const opened =
        kind === 'open' || kind === 'include' || kind === 'friend' || kind === 'module-abbreviation';
      const previous = tokens[index - 1]?.text;
      if (opened || previous === 'open' || previous === 'include') modules.add(path);
      else if (path.includes('.')) modules.add(path.slice(0, path.lastIndexOf('.')));
    }
  }
  return modules;
}
