/** Arbitrary pieces of scripts: well-formed declarations, and heaps of tokens that need not make sense. */
import fc from 'fast-check';

/** Tokens that open, close, quote and end things, in any order. */
export const arbitraryHeap: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      ...[
        '(*',
        '*)',
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        '"',
        '\\',
        '\\"',
        '`',
        '``',
        '“',
        '”',
        '‘',
        '’',
        '^',
        '^(',
        '«',
        '»',
      ],
      ...[
        '‹',
        '›',
        '#"',
        "'",
        ';',
        ',',
        ':',
        '=',
        '.',
        '~1',
        '0x',
        ' ',
        '\n',
        '\t',
        '\r\n',
        'x',
        'f.y',
        '𝔸',
        'é',
        '\0',
      ],
      ...[
        '\nTheorem',
        '\nProof',
        '\nQED',
        '\nDefinition',
        '\nTermination',
        '\nEnd',
        '\nDatatype:',
        '\nInductive',
        '\nTheory',
      ],
      ...[
        '\nOverload',
        '\nQuote',
        '\nResume',
        '\nFinalise',
        'val',
        'fun',
        'let',
        'in',
        'end',
        'local',
        'struct',
        'open',
      ],
      ...['cheat', 'store_thm', 'prove', '>>', '>-', '\\\\', 'by', 'THENL', 'Ancestors', '\nLibs'],
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

const name = fc.stringMatching(/^[a-z][a-z0-9_']{0,8}$/).filter((text) => !RESERVED.has(text));

const RESERVED = new Set([
  ...[
    'val',
    'fun',
    'let',
    'in',
    'end',
    'local',
    'open',
    'if',
    'then',
    'else',
    'case',
    'of',
    'fn',
    'op',
    'type',
    'and',
  ],
  ...[
    'as',
    'do',
    'rec',
    'sig',
    'with',
    'while',
    'raise',
    'handle',
    'struct',
    'infix',
    'infixr',
    'nonfix',
    'andalso',
  ],
  ...[
    'orelse',
    'abstype',
    'datatype',
    'exception',
    'eqtype',
    'functor',
    'include',
    'sharing',
    'where',
    'withtype',
  ],
  ...['signature', 'structure', 'prove', 'cheat', 'o', 'before', 'by', 'via', 'using', 'div', 'mod'],
]);

const statement = fc.constantFrom(
  'p /\\ q ==> q',
  '!x. P x (* Proof *) ==> Q x',
  '“a” = ‘b’',
  '"QED\\"Proof" = s',
  '^(concl th) /\\ ^t',
  'x ^^ y = z',
  'f (* (* deep *) *) x = «s»',
);

/** Tactics that are written correctly. */
export const arbitraryTactic: fc.Arbitrary<string> = fc.letrec<{ tactic: string; atom: string }>((tie) => ({
  atom: fc.constantFrom(
    'simp[]',
    'rw[foo_def, "x"]',
    'Cases_on ‘x’',
    'metis_tac[fooTheory.bar]',
    '‘a = b’ by simp[]',
    '`c` suffices_by rw[]',
    'qexists_tac `f ^(mk_var ("x", ty))`',
    '(* comment with cheat *) ALL_TAC',
    'rename1 "cheat"',
    'let val x = 1 in K_TAC x end',
  ),
  tactic: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('atom'),
    fc
      .tuple(tie('tactic'), fc.constantFrom('>>', '\\\\', '>-', 'THEN'), tie('atom'))
      .map((parts) => parts.join(' ')),
    fc.tuple(tie('tactic'), tie('tactic')).map(([left, right]) => `${left} >- (${right})`),
    fc
      .tuple(tie('tactic'), fc.array(tie('atom'), { minLength: 1, maxLength: 3 }))
      .map(([left, list]) => `${left} >| [${list.join(', ')}]`),
  ),
})).tactic;

/** A declaration, and the theorem that it holds when it holds one whose proof can be replaced. */
const arbitraryDeclaration: fc.Arbitrary<{
  readonly text: string;
  readonly theorem: string | undefined;
}> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('Theorem', 'Triviality'),
      name,
      fc.constantFrom('', '[simp]', '[local,simp]', ' [simp, compute]'),
      statement,
      arbitraryTactic,
    )
    .map(([keyword, theorem, attributes, goal, tactic]) => ({
      text: `${keyword} ${theorem}${attributes}:\n  ${goal}\nProof\n  ${tactic}\nQED`,
      theorem,
    })),
  fc.tuple(name, statement, arbitraryTactic).map(([theorem, goal, tactic]) => ({
    text: `val ${theorem} = Q.store_thm("${theorem}", \`${goal.replaceAll('`', '')}\`, ${tactic});`,
    theorem,
  })),
  fc.tuple(name, arbitraryTactic).map(([theorem, tactic]) => ({
    text: `Definition ${theorem}:\n  f x = f (x - 1)\nTermination\n  ${tactic}\nEnd`,
    theorem,
  })),
  fc
    .constantFrom(
      'Definition d_def:\n  d x = x + 1\nEnd',
      'Datatype:\n  t = A | B num\nEnd',
      'Inductive r:\n[~one:]\n  r 0 /\\\n[~two:]\n  !n. r n ==> r (SUC n)\nEnd',
      'Overload foo = “bar”',
      'Type t[pp] = “:num list”',
      'Theorem simple[local] = CONJUNCT1 th',
      'open listTheory pairTheory;',
      'val x = "Theorem y:" ^ `q`;',
      'fun f x = (* QED *) let val y = x in y end',
      'local open x in val z = 3 end',
      'val _ = export_theory();',
    )
    .map((text) => ({ text, theorem: undefined })),
);

export const arbitraryScript = fc
  .array(arbitraryDeclaration, { minLength: 1, maxLength: 6 })
  .map((declarations) => ({
    text: `Theory t\nAncestors list\n\n${declarations.map(({ text }) => text).join('\n\n')}\n`,
    theorems: declarations.flatMap(({ theorem }) => theorem ?? []),
    items: declarations.length + 1,
  }));
