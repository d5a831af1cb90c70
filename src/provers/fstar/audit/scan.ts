/**
 * Finds in an F* text everything by which something false can pass a check, with its place. It looks at code only: what
 * stands in comments and strings is not code, what only looks like a comment (`// IN F*:`) is. It knows names, not what
 * they mean: a variable called `admit` is found too, a name that a dependency gives to `admit` is found there.
 */
import { codePointAt } from '../../../core/code-points.ts';
import { orNothing, orZero } from '../../../core/entry.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { shellWords } from '../project.ts';
import { type Declaration, parseDeclarations } from '../syntax/declarations.ts';
import { fstarTokenEnd } from '../syntax/token-runs.ts';
import { pragmaOptions, signatureOf } from '../syntax/declaration-parts.ts';
import { type Dialect, plainName, stringValue, type Token, fstarTokens } from '../syntax/lexer.ts';
import { ESCAPE_ATTRIBUTES, ESCAPE_NAMES, type Escape, type EscapeKind } from './escape.ts';
import { type OptionEscape, optionsSwitchedOff, unsafeOptions } from './unsafe-options.ts';

/** Characters that show another order or place of the text than F* reads. */
const DECEIVING = /[\u2028\u2029\u202A-\u202E\u2066-\u2069\u200B-\u200F\u2060]|\r(?!\n)/gu;

/**
 * Everything in one text. `vals` without definition are looked for by {@link undefinedVals}, which needs both
 * files.
 */
export function scanText(text: string): readonly Escape[] {
  const escapes = scanDialect(text, 'modern');
  const lexedOtherwise = fstarTokens(text).some(
    ({ kind, text: own, start }) =>
      (kind === 'comment' && own.startsWith('//') && isSymbol(text.charAt(start - 1))) || kind === 'blob',
  );
  if (!lexedOtherwise) return escapes;
  // What is a comment to F* of today may be code to F* of 2019.
  const known = new Set(escapes.map(keyOf));
  return [...escapes, ...scanDialect(text, '2019').filter((escape) => !known.has(keyOf(escape)))].sort(
    byPlace,
  );
}

function isSymbol(character: string): boolean {
  return character !== '' && '!~?|&=<>$@^+-*/%.:'.includes(character);
}

function keyOf({ kind, span, text }: Escape): string {
  return `${kind} ${span === null ? '' : span.start} ${text}`;
}

function byPlace(one: Escape, other: Escape): number {
  return orZero(one.span?.start) - orZero(other.span?.start);
}

function scanDialect(text: string, dialect: Dialect): Escape[] {
  const declarations = parseDeclarations(text, dialect);
  const escapes = declarations.flatMap((declaration) => scanDeclaration(declaration));
  appendAll(escapes, scanOptions(declarations));
  for (const { kind, text: comment, start } of fstarTokens(text, dialect)) {
    if (kind !== 'comment' || comment !== '// IN F*:') continue;
    escapes.push(
      found('hidden-code', 'suspicious', {
        text: comment,
        start,
        explanation: 'What follows on this line is code to F*, not a comment.',
      }),
    );
  }
  for (const match of text.matchAll(DECEIVING)) {
    const point = `U+${codePointAt(match[0], 0).toString(16).toUpperCase().padStart(4, '0')}`;
    const explanation =
      'The text is not read as it looks: a line end or a direction mark that few editors show.';
    escapes.push({
      ...found('hidden-code', 'suspicious', { text: match[0], start: match.index, explanation }),
      text: point,
    });
  }
  return escapes.sort(byPlace);
}

function found(
  kind: EscapeKind,
  severity: Escape['severity'],
  {
    text,
    start,
    explanation,
    declaration = null,
  }: {
    readonly text: string;
    readonly start: number;
    readonly explanation: string;
    readonly declaration?: string | null;
  },
): Escape {
  return {
    kind,
    severity,
    text,
    explanation,
    span: { start, end: start + text.length },
    declaration,
    affects: [],
  };
}

function scanDeclaration(declaration: Declaration): Escape[] {
  const { kind, tokens, names, qualifiers, start } = declaration;
  const name = names[0] ?? null;
  const escapes: Escape[] = [];
  const add = (
    escape: EscapeKind,
    severity: Escape['severity'],
    {
      token,
      explanation,
      text = token.text,
    }: { readonly token: Token; readonly explanation: string; readonly text?: string },
  ): void => {
    escapes.push({
      ...found(escape, severity, { text: token.text, start: token.start, explanation, declaration: name }),
      text,
    });
  };
  for (const [index, token] of tokens.entries()) {
    switch (token.kind) {
      case 'identifier': {
        const plain = plainName(token);
        const known = ESCAPE_NAMES.get(plain);
        if (known !== undefined) add(known.kind, 'unsound', { token, explanation: known.explanation });
        const attribute = ESCAPE_ATTRIBUTES.get(plain);
        if (attribute !== undefined && isInAttribute(tokens, index)) {
          const severity = attribute.kind === 'unchecked-recursion' ? 'unsound' : 'suspicious';
          add(attribute.kind, severity, { token, explanation: attribute.explanation });
        }
        if (plain === 'assume' && !isDecoration(declaration, token)) {
          add('assume', 'unsound', { token, explanation: 'The formula is assumed.' });
        }
        if (plain === 'requires' && isFalse(tokens, index + 1)) {
          add('vacuous-precondition', 'suspicious', {
            token,
            explanation: 'It is only claimed where `False` holds.',
            text: 'requires False',
          });
        }
        break;
      }
      case 'string':
        if (kind !== 'pragma' && ESCAPE_NAMES.has(stringValue(token))) {
          add('name-in-text', 'unknown', { token, explanation: 'A tactic may make a name of this text.' });
        }
        break;
      case 'blob':
        add('generated-code', 'unknown', {
          token,
          explanation: 'Another language, which Quod does not read.',
          text: token.text.slice(0, 40),
        });
        break;
      case 'operator':
        if (token.text.startsWith('%splice')) {
          add('generated-code', 'unknown', {
            token,
            explanation: 'A tactic writes these declarations; they are in no text.',
          });
        }
        break;
      default:
        break;
    }
  }
  if (qualifiers.includes('assume')) {
    const what = names.join(', ');
    const explanation = 'It is declared without being defined or proved.';
    escapes.push(
      found('assumed-declaration', 'unsound', {
        text: `assume ${kind === 'assume' ? '' : `${kind} `}${what}`,
        start,
        explanation,
        declaration: name,
      }),
    );
  }
  if (kind === 'let' || kind === 'val') {
    const signature = signatureOf(declaration);
    if (/\b(?:Dv|Div|ML|ALL)\b/.test(signature) && /\b(?:squash|Lemma)\b/.test(signature)) {
      const token = tokens.find(({ text }) => /^(?:Dv|Div|ML|ALL)$/.test(text));
      if (token !== undefined) {
        add('divergent-proof', 'suspicious', {
          token,
          explanation: 'It may run for ever instead of proving what it states.',
        });
      }
    }
  }
  return escapes;
}

function isInAttribute(tokens: readonly Token[], index: number): boolean {
  for (let at = index; at >= 0; at -= 1) {
    const token = tokens[at];
    if (token?.text === ']') return false;
    if (token?.kind === 'operator' && /^@+$/.test(token.text) && tokens[at - 1]?.text === '[') return true;
  }
  return false;
}

/** Whether an `assume` is that of `assume val`, not the one in a term. */
function isDecoration({ qualifiers, keyword, kind, tokens }: Declaration, token: Token): boolean {
  if (!qualifiers.includes('assume')) return false;
  if (kind === 'assume') return token.start === keyword;
  return token.start < keyword && tokens.includes(token);
}

function isFalse(tokens: readonly Token[], index: number): boolean {
  let at = index;
  while (tokens[at]?.text === '(') at += 1;
  return /^(?:False|l_False|⊥)$/u.test(orNothing(tokens[at]?.text));
}

/** Unsafe options of pragmas, with the declarations between them and what ends them. */
function scanOptions(declarations: readonly Declaration[]): Escape[] {
  const escapes: { escape: Escape; name: string; affects: string[] }[] = [];
  /** The ones in force, a level for each `#push-options`. */
  const levels: { escape: Escape; name: string; affects: string[] }[][] = [[]];
  for (const declaration of declarations) {
    const { kind, tokens, names } = declaration;
    if (kind !== 'pragma') {
      for (const active of levels.flat())
        if (!active.affects.includes(names.join(', '))) active.affects.push(names.join(', '));
      continue;
    }
    const pragma = tokens[0]?.text;
    if (pragma === '#push-options') levels.push([...(levels.at(-1) ?? [])]);
    if (pragma === '#pop-options' && levels.length > 1) levels.pop();
    if (pragma === '#reset-options') levels[levels.length - 1] = [];
    const options = pragmaOptions(declaration);
    const argument = tokens[1];
    if (options === undefined || argument === undefined) continue;
    const off = optionsSwitchedOff(options);
    if (off.length > 0) {
      levels[levels.length - 1] = (levels.at(-1) ?? []).filter(({ name }) => !off.includes(name));
    }
    for (const unsafe of unsafeOptions(shellWords(options))) {
      const begun = { escape: optionEscape(unsafe, argument), name: unsafe.name, affects: [] };
      escapes.push(begun);
      levels.at(-1)?.push(begun);
    }
  }
  return escapes.map(({ escape, affects }) => ({
    ...escape,
    affects: affects.filter((name) => name !== ''),
  }));
}

function optionEscape({ kind, option, severity, explanation }: OptionEscape, { start, text }: Token): Escape {
  return {
    kind,
    severity,
    text: option,
    explanation,
    span: { start, end: start + text.length },
    declaration: null,
    affects: [],
  };
}

/** Unsafe options with which F* is started. */
export function scanCommandLine(words: readonly string[]): readonly Escape[] {
  return unsafeOptions(words).map(({ kind, option, severity, explanation }) => ({
    kind,
    severity,
    text: option,
    explanation: `${explanation} It stands in the options with which F* is started.`,
    span: null,
    declaration: null,
    affects: [],
  }));
}

/**
 * The `val`s that nothing defines: those of an implementation, or, with the implementation's text, those of its
 * interface. F* says this only as a warning (240), and not at all when it is asked for single declarations.
 */
export function undefinedVals(text: string, implementation: string | null = null): readonly Escape[] {
  const own = parseDeclarations(text);
  const definers = implementation === null ? own : [...own, ...parseDeclarations(implementation)];
  const defined = new Set(definers.filter(({ kind }) => kind !== 'val').flatMap(({ names }) => names));
  return own
    .filter(({ kind, qualifiers }) => kind === 'val' && !qualifiers.includes('assume'))
    .flatMap(({ names, tokens, start, end }) => {
      const [name] = names;
      // `op_Plus` may be defined as `( + )` and the other way round: not told apart by name, so not claimed.
      if (
        name === undefined ||
        defined.has(name) ||
        !/^[\p{L}_][\p{L}0-9'_]*$/u.test(name) ||
        name.startsWith('op_')
      ) {
        return [];
      }
      const last = tokens.at(-1);
      return [
        {
          kind: 'val-without-definition' as const,
          severity: 'unsound' as const,
          text: `val ${name}`,
          explanation: 'It is stated and never proved; later proofs use it all the same.',
          span: { start, end: last === undefined ? end : fstarTokenEnd(last) },
          declaration: name,
          affects: [],
        },
      ];
    });
}
