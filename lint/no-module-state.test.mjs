import { RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, it } from 'vitest';
import { noModuleState } from './no-module-state.mjs';

RuleTester.describe = describe;
RuleTester.it = it;
RuleTester.itOnly = it.only;

const tester = new RuleTester({ languageOptions: { parser: tseslint.parser } });

const reported = (code, ...names) => ({
  code,
  errors: names.map((name) => ({ messageId: 'state', data: { name } })),
});

tester.run('no-module-state', noModuleState, {
  valid: [
    "const WORDS = new Set(['a', 'b']); function has(word) { return WORDS.has(word); }",
    "export const WORDS: ReadonlySet<string> = new Set(['a']);",
    'const NONE: ReadonlySet<string> = new Set(); function none() { return NONE; }',
    'const NOTHING: readonly string[] = []; function nothing() { return NOTHING; }',
    'export const NOTHING = [] as const;',
    // A table that the module fills while it loads.
    'const TABLE = new Uint8Array(8); for (const code of [1, 2]) TABLE[code] = 1;',
    'const SHAPES = new Map(); for (const line of lines) SHAPES.set(line, 1);',
    // State of a call, or of an object.
    'function run() { let at = 0; const seen = new Set(); seen.add(at); at += 1; return seen; }',
    'class Cache { readonly #kept = new Map(); keep(key) { this.#kept.set(key, 1); } }',
    'class Reader { static readonly LIMIT = 12; static open() { return new Reader(); } }',
    // What the property of a thing is called with changes the property's value, not the thing.
    'const settings = { read }; function more() { settings.names.forEach(print); }',
    // Another one of the same name.
    'const seen = new Set([1]); function f() { const seen = new Set(); seen.add(1); return seen; }',
    'declare let global: string;',
    'const WORD = /\\w+/y; function at(text, place) { WORD.lastIndex = place; return WORD.test(text); }',
  ],
  invalid: [
    reported('let timer; function start() { timer ??= 1; }', 'timer'),
    reported('export let mode = 1;', 'mode'),
    reported('var a = 1, { b, c } = d;', 'a', 'b', 'c'),
    reported('const kept = new Map<string, number>(); function keep(k) { kept.set(k, 1); }', 'kept'),
    reported("const words = new Set(['a']); function add(word) { words.add(word); }", 'words'),
    reported('const waiting: string[] = []; const wait = (name) => waiting.push(name);', 'waiting'),
    // Empty, and handed to somebody who fills it.
    reported('const known = new WeakMap(); const of = (key) => remembered(known, key);', 'known'),
    reported('const counts = { all: 0 }; function count() { counts.all += 1; }', 'counts'),
    reported('const counts = { of: { all: 0 } }; function count() { counts.of.all++; }', 'counts'),
    reported('const flags = read() as Flags; function set(name) { flags[name] = true; }', 'flags'),
    reported('const table = { a: 1 }; function forget() { delete table.a; }', 'table'),
    reported('const bytes = new Uint8Array(8); function write() { bytes[0] = 1; }', 'bytes'),
    reported('const remember = () => 1; function run() { remember.last = 2; }', 'remember'),
    // Whoever imports it may change it.
    reported("export const WORDS = new Set(['a']);", 'WORDS'),
    reported("export const LIST = ['a'];", 'LIST'),
    reported('class Pool { static size = 0; }', 'size'),
    reported('class Pool { static readonly #all = new Map(); }', '#all'),
    // At load a function that is called later still changes it.
    reported('const at = new Map(); at.set(1, 1); function more() { at.clear(); }', 'at'),
  ],
});
