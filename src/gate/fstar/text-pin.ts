/**
 * Holds a submission to the text of its target, token by token: every declaration of the target is there, in order
 * and as it stands, but for the bodies of those that are open. Between them helpers may be declared, under names
 * that the target does not use, so that nothing in a statement can come to mean something else. F*'s own reading of
 * names plays no part.
 */
import { LineIndex } from '../../core/position.ts';
import { scanText } from '../../provers/fstar/audit/scan.ts';
import { type Declaration, parseDeclarations } from '../../provers/fstar/syntax/declarations.ts';
import { signatureOf } from '../../provers/fstar/syntax/declaration-parts.ts';
import { type Dialect, plainName } from '../../provers/fstar/syntax/lexer.ts';
import { type Finding, type FindingKind, naming, type SourceText } from '../verdict.ts';

export interface PinnedStatement {
  readonly name: string;
  /** On one line. */
  readonly statement: string;
}

export interface TextPin {
  /** What the target leaves open. */
  readonly open: readonly PinnedStatement[];
  readonly findings: readonly Finding[];
}

export interface PinSettings {
  readonly dialect: Dialect;
  /** Instead of what the target leaves open. */
  readonly theorems?: readonly string[] | undefined;
  readonly definitionsMayChange: readonly string[];
  readonly helperLemmas: boolean;
}

/** Escapes by which a target says that something is to be proved. */
const HOLES = new Set(['admit', 'assume', 'magic', 'admitting-tactic']);

/** What a target in an implementation leaves open: definitions with an `admit`, `assume` or `magic` in them. */
function openDeclarations(text: string, { dialect, theorems }: PinSettings): readonly Declaration[] {
  const holes = scanText(text).filter(({ kind, span }) => HOLES.has(kind) && span !== null);
  return parseDeclarations(text, dialect).filter(
    ({ kind, start, end, names }) =>
      kind === 'let' &&
      (theorems === undefined
        ? holes.some(({ span }) => span !== null && span.start >= start && span.end <= end)
        : names.some((name) => theorems.includes(name))),
  );
}

export function pinText(target: SourceText, submission: SourceText, settings: PinSettings): TextPin {
  const { dialect, definitionsMayChange } = settings;
  const wanted = code(target.text, dialect);
  const given = code(submission.text, dialect);
  const open = new Set(openDeclarations(target.text, settings).map(({ start }) => start));
  const isFree = ({ start, names, kind }: Declaration): boolean =>
    open.has(start) || (kind === 'let' && names.some((name) => definitionsMayChange.includes(name)));
  const lines = new LineIndex(submission.text);
  const findings: Finding[] = [];
  const report = (
    kind: FindingKind,
    subject: string,
    {
      message,
      remedy,
      at,
    }: { readonly message: string; readonly remedy: string; readonly at?: Declaration | undefined },
  ): void => {
    findings.push({
      kind,
      file: submission.path,
      ...(at !== undefined && { position: lines.printedAt(at.start) }),
      subject,
      message: naming(subject, message),
      remedy,
    });
  };
  const used = wordsOf(wanted);
  let next = 0;
  for (const declaration of given) {
    const expected = wanted[next];
    if (expected !== undefined && same(expected, declaration, isFree(expected))) {
      next += 1;
      continue;
    }
    const clash = wanted.find(
      ({ names, kind }) => kind !== 'other' && names.some((name) => declaration.names.includes(name)),
    );
    if (clash !== undefined) {
      const kind = open.has(clash.start) || clash.kind === 'val' ? 'statement-changed' : 'definition-changed';
      const name = clash.names.join(', ');
      report(kind, name, {
        message: `The target has ${signatureOf(clash)}, the submission ${signatureOf(declaration)}.`,
        remedy: KEEP,
        at: declaration,
      });
      // What follows is compared with what follows there.
      const index = wanted.indexOf(clash);
      if (index >= next) next = index + 1;
      continue;
    }
    const refusal = helperRefusal(declaration, used, settings);
    if (refusal !== undefined)
      report(refusal.kind, nameOf(declaration), {
        message: refusal.message,
        remedy: refusal.remedy,
        at: declaration,
      });
  }
  for (const { names, kind, tokens } of wanted.slice(next)) {
    const name =
      names.join(', ') ||
      tokens
        .slice(0, 4)
        .map(({ text }) => text)
        .join(' ');
    report('missing', name, {
      message: `The submission does not have this ${kind} where the target has it.`,
      remedy: KEEP,
    });
  }
  return {
    open: wanted
      .filter(({ start }) => open.has(start))
      .map((declaration) => ({ name: declaration.names.join(', '), statement: signatureOf(declaration) })),
    findings,
  };
}

const KEEP = "Keep the target's text, and replace the bodies that it leaves open.";

/** Pragmas are judged by themselves (options.ts). */
function code(text: string, dialect: Dialect): Declaration[] {
  return parseDeclarations(text, dialect).filter(({ kind }) => kind !== 'pragma');
}

function same(expected: Declaration, given: Declaration, free: boolean): boolean {
  if (!free) return textOf(expected) === textOf(given);
  // A proof by induction may need `rec`, which changes no statement: a statement does not mention its own name.
  return (
    given.kind === 'let' && head(expected) === head(given) && given.names.join() === expected.names.join()
  );
}

function textOf({ tokens }: Declaration): string {
  return tokens.map(({ text }) => text).join(' ');
}

function head(declaration: Declaration): string {
  return signatureOf(declaration).replace(/\blet rec\b/u, 'let');
}

function nameOf(declaration: Declaration): string {
  return declaration.names.join(', ') || signatureOf(declaration).slice(0, 60);
}

function wordsOf(declarations: readonly Declaration[]): ReadonlySet<string> {
  return new Set(
    declarations.flatMap(({ tokens }) =>
      tokens.filter(({ kind }) => kind === 'identifier' || kind === 'constructor').map(plainName),
    ),
  );
}

const HELPERS = new Set(['let', 'val', 'type']);
const QUALIFIERS = new Set([
  'noeq',
  'unopteq',
  'rec',
  'private',
  'irreducible',
  'noextract',
  'inline_for_extraction',
  'unfold',
  'total',
]);

function helperRefusal(
  declaration: Declaration,
  used: ReadonlySet<string>,
  { helperLemmas }: PinSettings,
): { readonly kind: FindingKind; readonly message: string; readonly remedy: string } | undefined {
  const { kind, names, qualifiers, attributes, tokens } = declaration;
  if (!HELPERS.has(kind)) {
    const message = `A submission declares lemmas, functions and types; this ${kind} could change what statements mean.`;
    return { kind: 'forbidden-command', message, remedy: 'Do without it.' };
  }
  if (!helperLemmas)
    return {
      kind: 'helper-not-allowed',
      message: 'The target does not have it.',
      remedy: 'Keep to what the target declares.',
    };
  const qualifier = qualifiers.find((word) => !QUALIFIERS.has(word));
  if (attributes.length > 0 || qualifier !== undefined) {
    const message = `A helper with ${qualifier ?? attributes.join(' ')} could change what statements mean.`;
    return { kind: 'forbidden-attribute', message, remedy: 'Leave it out.' };
  }
  const isAnonymous = names.length === 0 && tokens.some(({ text }) => text === '_');
  const declared = [...names, ...(kind === 'type' ? definedIn(tokens) : [])];
  const strange = declared.find((name) => !/^[\p{L}_][\p{L}0-9'_]*$/u.test(name) || name.startsWith('op_'));
  if (strange !== undefined || (names.length === 0 && !isAnonymous)) {
    const message = `A helper that declares ${strange ?? 'no plain name'} could change what statements mean.`;
    return { kind: 'name-taken', message, remedy: 'Give it a plain name.' };
  }
  const taken = declared.find((name) => used.has(name));
  if (taken === undefined) return undefined;
  return {
    kind: 'name-taken',
    message: `The target uses the name ${taken}.`,
    remedy: 'Give it another name.',
  };
}

/** Constructors and fields of a type. */
function definedIn(tokens: Declaration['tokens']): string[] {
  return tokens.flatMap(({ kind, text }, index) => {
    const [before, after] = [tokens[index - 1]?.text, tokens[index + 1]?.text];
    if (kind === 'constructor' && (before === '|' || before === '=')) return [text];
    return kind === 'identifier' && after === ':' && (before === '{' || before === ';') ? [text] : [];
  });
}
