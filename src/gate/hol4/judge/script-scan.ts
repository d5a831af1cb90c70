/**
 * Finds in an HOL4 script what gets around the kernel: theorems without proof, code that reaches into the heap,
 * runs other programs, writes files or ends the process. Only code counts, not comments, strings or terms; what
 * stands after `^` inside a term is code. Headers are read as HOL's own lexer does, and what it would not take for
 * a header is code here too, so that nothing can be hidden in what merely looks like a term. A few names that no
 * term contains are reported in terms as well.
 *
 * A scan finds names, not effects: it is one layer. The word with adversarial strength is the replay's.
 */
import { LineIndex, type Span } from '../../../core/position.ts';
import { readQuoteBody, readToken } from '../../../provers/hol4/syntax/lexer.ts';
import type { Finding, FindingKind, SourceText } from '../../verdict.ts';

interface Ban {
  readonly kind: FindingKind;
  readonly why: string;
  /** No term has a reason to contain the name. */
  readonly evenInTerms: boolean;
}

const ban = (kind: FindingKind, evenInTerms: boolean, why: string, ...names: string[]): [string, Ban][] =>
  names.map((name) => [name, { kind, why, evenInTerms }]);

/** By any component of a qualified name: `Thm.mk_thm`, `open OS`, `structure P = PolyML`. */
const BANNED: ReadonlyMap<string, Ban> = new Map([
  ...ban('admitted', false, 'leaves a statement unproved', 'cheat', 'CHEAT_TAC', 'CHEAT'),
  ...ban('new-axiom', false, 'asserts an axiom', 'new_axiom', 'mk_axiom_thm'),
  ...ban(
    'forbidden-command',
    true,
    'makes a theorem without proof or changes how it was made',
    ...['mk_thm', 'mk_oracle_thm', 'mk_proof_thm', 'mk_proof_oracle_thm', 'disk_thm', 'add_tag', 'save_dep'],
    ...['delete_proof', 'set_exported', 'set_prover', 'set_definition_callback'],
  ),
  ...ban(
    'forbidden-command',
    true,
    'reaches around the type system of ML',
    ...['unsafeCast', 'RunCall', 'Unsafe', 'CInterface', 'Foreign', 'exportSmall', 'SaveState'],
  ),
  ...ban(
    'forbidden-command',
    false,
    'controls the ML system itself',
    ...['PolyML', 'MLton', 'Meta', 'use', 'useFile', 'quse', 'load', 'loadPath', 'compile'],
  ),
  ...ban(
    'forbidden-command',
    false,
    'ends the process, runs programs or writes files',
    ...['OS', 'Process', 'Posix', 'Unix', 'Windows', 'CommandLine', 'exit', 'terminate', 'atExit', 'system'],
    ...['openOut', 'openAppend', 'openVector', 'HOLFileSys', 'Socket', 'INetSock', 'UnixSock', 'NetHostDB'],
  ),
]);

export function scanScript({ path, text }: SourceText): readonly Finding[] {
  const lines = new LineIndex(text);
  const findings = new Map<number, Finding>();
  const report = (offset: number, name: string, { kind, why }: Ban): void => {
    findings.set(offset, {
      kind,
      file: path,
      position: lines.printedAt(offset),
      subject: name,
      message: `\`${name}\` ${why}.`,
      remedy: 'Prove it with tactics and rules, without this name; rename it if it is your own.',
    });
  };
  scanCode(text, { start: 0, end: text.length }, report);
  return [...findings].sort(([one], [other]) => one - other).map(([, finding]) => finding);
}

type Report = (offset: number, name: string, ban: Ban) => void;

const NAME = String.raw`[A-Za-z][\w']*`;
const ATTRIBUTES = String.raw`(?:[ \t]*\[[\w'.,=\s!%&$+/<>?@~|#*\\^-]*\])?`;
/** Headers of HOL whose text up to the closing keyword is a term. `anywhere` where HOL does not ask for column zero. */
const HEADERS: readonly { readonly word: string; readonly anywhere: boolean; readonly form: RegExp }[] = [
  ...['Theorem', 'Triviality'].map((word) => ({
    word,
    anywhere: true,
    form: new RegExp(`${word}[ \\t]+${NAME}${ATTRIBUTES}[ \\t]*:`, 'y'),
  })),
  {
    word: 'Definition',
    anywhere: false,
    form: new RegExp(`Definition[ \\t]+${NAME}${ATTRIBUTES}[ \\t]*:`, 'y'),
  },
  { word: 'Datatype', anywhere: false, form: /Datatype[ \t]*:/y },
  ...['Inductive', 'CoInductive'].map((word) => ({
    word,
    anywhere: false,
    form: new RegExp(`${word}[ \\t]+${NAME}[ \\t]*:`, 'y'),
  })),
  {
    word: 'Quote',
    anywhere: false,
    form: new RegExp(`Quote[ \\t]+(?:${NAME}[ \\t]*=[ \\t]*)?${NAME}(?:\\.${NAME})*[ \\t]*:`, 'y'),
  },
];

function scanCode(text: string, { start, end }: Span, report: Report): void {
  for (let at = start; at < end;) {
    const token = readToken(text, at, end);
    const next = token.span.end;
    const word = text.slice(at, next);
    const header = token.kind === 'word' ? headerAt(text, at, word) : undefined;
    if (header !== undefined) {
      const body = readQuoteBody(text, header, end, []);
      scanTerm(text, { start: header, end: body.end }, body.antiquotations, report);
      at = body.end;
      continue;
    }
    if (token.kind === 'word') {
      for (const [name, found] of bansIn(word)) report(at, name, found);
    } else if (token.kind === 'quotation') scanTerm(text, token.span, token.antiquotations ?? [], report);
    at = next;
  }
}

function scanTerm(text: string, { start, end }: Span, antiquotations: readonly Span[], report: Report): void {
  for (const inner of antiquotations) scanCode(text, inner, report);
  for (const found of text.slice(start, end).matchAll(/[A-Za-z][\w'.]*/g)) {
    for (const [name, banned] of bansIn(found[0])) {
      if (banned.evenInTerms) report(start + found.index, name, banned);
    }
  }
}

/** Where the term begins, when a header stands here. */
function headerAt(text: string, at: number, word: string): number | undefined {
  const header = HEADERS.find((entry) => entry.word === word);
  if (header === undefined || !(header.anywhere || at === 0 || text.charAt(at - 1) === '\n'))
    return undefined;
  header.form.lastIndex = at;
  return header.form.test(text) ? header.form.lastIndex : undefined;
}

function bansIn(qualified: string): readonly (readonly [string, Ban])[] {
  return qualified.split('.').flatMap((part) => {
    const found = BANNED.get(part);
    return found === undefined ? [] : [[qualified, found] as const];
  });
}
