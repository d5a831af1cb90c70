import tseslint from 'typescript-eslint';
import { noInventedDefault } from './lint/no-invented-default.mjs';
import { noModuleState } from './lint/no-module-state.mjs';
import { noSecondDot } from './lint/no-second-dot.mjs';
import { noSpreadOfMany } from './lint/no-spread-of-many.mjs';

const TESTS = ['**/*.test.ts', '**/testing/**', '**/conformance/**'];

/** State that is the process's own: facts of the machine, programs that are loaded once, and answers of pure functions. */
const KEEP_STATE = [
  // Which sandbox works here, and what installed programs say of their version: each is tried once.
  'src/process/sandbox-backends.ts',
  'src/provers/fstar/program-version.ts',
  // Programs of many megabytes, which Node loads into a process once.
  'src/retrieval/model/runtime.ts',
  'src/provers/rocq/embedded/thread.ts',
  // The whole program of a thread, which serves one document.
  'src/provers/rocq/embedded/worker.ts',
  // What stands in a text is the same whoever asks: the class of a character, the outline of a file, the tree of a
  // printed type, and what a source requires as long as it is not changed.
  'src/provers/rocq/syntax/lexer.ts',
  'src/provers/rocq/syntax/outline.ts',
  'src/provers/rocq/goals/goal-view.ts',
  'src/provers/rocq/build/project-sources.ts',
];

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'bench/results/**'] },
  // The few files that must run without TypeScript (bin, configuration): what can be said without types.
  ...tseslint.configs.strict.map((config) => ({ ...config, files: ['**/*.mjs'] })),
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts', '**/*.tsx'] })),
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/max-params': ['error', { max: 4 }],
      // Output belongs to the terminal face: a library that prints corrupts the MCP and --json streams.
      'no-console': 'error',
    },
  },
  { files: ['src/faces/cli/**', 'bench/**'], rules: { 'no-console': 'off' } },
  {
    // What is drawn on a terminal is made inert in one place.
    files: ['src/**/*.ts'],
    ignores: ['src/faces/cli/terminal/live-lines.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { name: 'log-update', message: 'Draw with src/faces/cli/terminal/live-lines.ts.' },
      ],
    },
  },
  {
    // Called for each node of a term of Lean: an object for each call would be as much garbage as the terms themselves.
    files: ['src/gate/lean/{term-store,interning/*,olean/object-graph}.ts'],
    rules: { '@typescript-eslint/max-params': 'off' },
  },
  {
    files: ['**/*.ts'],
    // The file that gives the absences that are meant their names.
    ignores: [...TESTS, 'src/core/entry.ts'],
    plugins: { quod: { rules: { 'no-invented-default': noInventedDefault } } },
    rules: { 'quod/no-invented-default': 'error' },
  },
  {
    files: ['src/**/*.ts', 'web/**/*.{ts,tsx}'],
    ignores: TESTS,
    plugins: { words: { rules: { 'no-second-dot': noSecondDot } } },
    rules: { 'words/no-second-dot': 'error' },
  },
  {
    files: ['src/**/*.ts', 'web/**/*.{ts,tsx}'],
    ignores: TESTS,
    plugins: { many: { rules: { 'no-spread-of-many': noSpreadOfMany } } },
    rules: { 'many/no-spread-of-many': 'error' },
  },
  {
    // What the page draws is drawn through one place, which shows what acts in the text of others.
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: ['web/src/parts/drawn-text.ts', 'web/src/parts/when.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          'AssignmentExpression[left.property.name=/^(textContent|innerText|innerHTML|outerHTML|nodeValue)$/]',
          'CallExpression[callee.property.name=/^(createTextNode|fillText|strokeText|insertAdjacent(Text|HTML))$/]',
          "JSXAttribute[name.name='dangerouslySetInnerHTML']",
        ].map((selector) => ({
          selector,
          message: 'Draw text with Preact, or with drawnElement of web/src/parts/drawn-text.ts.',
        })),
        ...[
          "CallExpression[callee.object.type='NewExpression'][callee.property.name=/^toLocale/]",
          'CallExpression[callee.property.name=/^toLocale(Date|Time)String$/]',
          "MemberExpression[object.name='Intl'][property.name='DateTimeFormat']",
        ].map((selector) => ({
          selector,
          message: 'Write times with whenText of web/src/parts/when.ts: the page has one style of them.',
        })),
      ],
    },
  },
  {
    // bench/ is programs that run once; a page of web/ is one, and its signals are of the module by their design.
    files: ['src/**/*.ts'],
    ignores: [...TESTS, ...KEEP_STATE],
    plugins: { state: { rules: { 'no-module-state': noModuleState } } },
    rules: { 'state/no-module-state': 'error' },
  },
  {
    // Only the gate accepts. Whoever hands its word on takes it from a `Verdict` (`verdict: verdict.kind`).
    files: ['src/**/*.ts'],
    ignores: ['src/gate/**', '**/*.test.ts', 'src/**/testing/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          "Property[key.name=/^(kind|verdict|status|outcome)$/] > Literal[value='accepted']",
          "Property[key.name=/^(kind|verdict|status|outcome)$/] > TSAsExpression > Literal[value='accepted']",
          "Property[key.name=/^(kind|verdict|status|outcome)$/] > ConditionalExpression > Literal[value='accepted']",
        ].map((selector) => ({
          selector,
          message: 'Only the gate accepts: take the word from its verdict (`kind: verdict.kind`).',
        })),
      ],
    },
  },
);
