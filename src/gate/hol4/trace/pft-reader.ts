/**
 * Reads PFT, the proof trace format that HOL4 specifies (version 1, ruleset `hol4`), in both encodings: binary, and
 * JSON with one command a line. One table describes every command; both readers follow it.
 */
import { isRecord, parsedJson } from '../../../core/json.ts';
import { MalformedTrace, readableText } from './trace-reader.ts';

/**
 * The sorts of arguments: `int` is the number of an object or a count, `ints` a counted list, `pairs` a counted list of
 * two numbers, `named` a counted list of a name and a number.
 */
type Sort = 'int' | 'name' | 'ints' | 'names' | 'pairs' | 'named';

export type PftValue =
  | number
  | string
  | readonly number[]
  | readonly string[]
  | readonly (readonly [number, number])[]
  | readonly (readonly [string, number])[];

export interface PftCommand {
  readonly name: string;
  readonly arguments: Readonly<Record<string, PftValue>>;
}

/** Name, opcode, arguments in binary order as `key:sort`; a bare key is an `int`. */
const TABLE = `
TYVAR 01 id name:name
TYOP 02 id name:name args:ints
VAR 03 id name:name ty
CONST 04 id name:name ty
COMB 05 id rator rand
ABS 06 id var body
NEW_CONST 07 name:name ty
NEW_TYPE 08 name:name arity
AXIOM 09 id tm name:name
SAVE 50 name:name th
LOAD 51 id name:name
REFL 10 id tm
ALPHA 11 id tm1 tm2
ASSUME 12 id tm
BETA_CONV 13 id tm
EQ_MP 14 id eq th
MP 15 id imp ant
SYM 16 id th
TRANS 17 id th1 th2
CONJ 18 id th1 th2
CONJUNCT1 19 id th
CONJUNCT2 1a id th
DISCH 1b id tm th
DISJ1 1c id th tm
DISJ2 1d id tm th
DISJ_CASES 1e id disj left right
NOT_ELIM 1f id th
NOT_INTRO 20 id th
CCONTR 21 id tm th
EXISTS 22 id tm1 tm2 th
CHOOSE 23 id var existence body
GEN 24 id tm th
SPEC 25 id tm th
Specialize 26 id tm th
GENL 27 id th tms:ints
ABSL 28 id th tms:ints
GEN_ABS 29 id th tm tms:ints
ABS_THM 30 id tm th
AP_TERM 31 id tm th
AP_THM 32 id th tm
MK_COMB 33 id th1 th2
Beta 34 id th
Mk_abs 35 id eq body
Mk_comb 36 id eq rator rand
EQ_IMP_RULE1 37 id th
EQ_IMP_RULE2 38 id th
INST 39 id th subst:pairs
INST_TYPE 3a id th subst:pairs
SUBST 3b id template th subst:pairs
deductAntisym 3c id th1 th2
DEF_TYOP 40 id th name:name
DEF_SPEC 41 id th names:names
DEF_SPEC_GEN 42 id th names:names
COMPUTE_INIT 43 id num_ty cval_ty char_eqns:named cval_terms:named
COMPUTE 44 id ci tm ths:ints
LIMITS ff n_ty n_tm n_th n_ci
`;

interface Shape {
  readonly name: string;
  readonly fields: readonly (readonly [string, Sort])[];
}

const SHAPES = new Map<string, Shape>();
const BY_OPCODE = new Map<number, Shape>();
for (const line of TABLE.trim().split('\n')) {
  const [name = '', opcode = '', ...fields] = line.split(' ');
  const shape: Shape = {
    name,
    fields: fields.map((field) => {
      const [key = '', sort = 'int'] = field.split(':');
      return [key, sort as Sort];
    }),
  };
  SHAPES.set(name, shape);
  BY_OPCODE.set(parseInt(opcode, 16), shape);
}

const SPACES = ['ty', 'tm', 'th', 'ci'] as const;
const MAGIC = Buffer.from('PFT\0', 'latin1');
const RULESET = 'hol4';

export function isBinaryPft(bytes: Buffer): boolean {
  return bytes.subarray(0, MAGIC.length).equals(MAGIC);
}

/** The commands up to LIMITS, without those that only free memory. `at` of each is a byte or line for people. */
export function* readPft(bytes: Buffer): Generator<{ readonly command: PftCommand; readonly at: number }> {
  let last = '';
  for (const entry of isBinaryPft(bytes) ? readBinary(bytes) : readLines(bytes)) {
    last = entry.command.name;
    if (last !== 'DEL') yield entry;
  }
  if (last !== 'LIMITS') throw new MalformedTrace('The trace does not end in LIMITS.');
}

function* readBinary(bytes: Buffer): Generator<{ readonly command: PftCommand; readonly at: number }> {
  let at = MAGIC.length;
  const integer = (): number => {
    let value = 0;
    for (let factor = 1; factor < 2 ** 35; factor *= 128) {
      const byte = bytes[at];
      if (byte === undefined) break;
      at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new MalformedTrace('A number is cut off or too large.');
  };
  const text = (): string => {
    const length = integer();
    if (at + length > bytes.length) throw new MalformedTrace('A name is cut off.');
    at += length;
    return readableText(bytes.toString('utf8', at - length, at));
  };
  const list = <A>(read: () => A): A[] => {
    const count = integer();
    if (count > bytes.length - at) throw new MalformedTrace('A list is longer than the file.');
    return Array.from({ length: count }, read);
  };
  const read: Readonly<Record<Sort, () => PftValue>> = {
    int: integer,
    name: text,
    ints: () => list(integer),
    names: () => list(text),
    pairs: () => list((): [number, number] => [integer(), integer()]),
    named: () => list((): [string, number] => [text(), integer()]),
  };
  checkHeader(integer(), text());
  while (at < bytes.length) {
    const start = at;
    const opcode = bytes.readUInt8(at);
    at += 1;
    const freed = (opcode & 0xec) === 0xe0 && opcode < 0xf4 ? opcode : undefined;
    if (freed !== undefined) {
      integer();
      if (freed >= 0xf0) integer();
      yield { command: { name: 'DEL', arguments: {} }, at: start };
      continue;
    }
    const shape = BY_OPCODE.get(opcode);
    if (shape === undefined) throw new MalformedTrace(`There is no command with the code ${opcode}.`);
    const entries = shape.fields.map(([key, sort]) => [key, read[sort]()] as const);
    yield { command: { name: shape.name, arguments: Object.fromEntries(entries) }, at: start };
    if (shape.name !== 'LIMITS') continue;
    if (at + 2 !== bytes.length || bytes.readUInt16LE(at) !== at - start) {
      throw new MalformedTrace('The footer is not the end of the file.');
    }
    return;
  }
}

function* readLines(bytes: Buffer): Generator<{ readonly command: PftCommand; readonly at: number }> {
  let line = 0;
  let isStarted = false;
  let isOver = false;
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    const text = bytes.toString('utf8', start, end).trim();
    start = end + 1;
    line += 1;
    if (text === '') continue;
    if (isOver) throw new MalformedTrace('There are commands after LIMITS.');
    const value = parseObject(text);
    const name = value['cmd'];
    if (!isStarted) {
      if (name !== 'PFT') throw new MalformedTrace('The first line is not the header.');
      checkHeader(value['version'], value['ruleset']);
      isStarted = true;
      continue;
    }
    if (name === 'DEL') {
      if (!SPACES.some((space) => space === value['ns'])) throw new MalformedTrace('DEL names no space.');
      yield { command: { name, arguments: {} }, at: line };
      continue;
    }
    const shape = typeof name === 'string' ? SHAPES.get(name) : undefined;
    if (shape === undefined) throw new MalformedTrace(`There is no command ${JSON.stringify(name)}.`);
    const entries = shape.fields.map(([key, sort]) => {
      const mayBeUnnamed = name === 'AXIOM' && key === 'name' && value[key] == null;
      return [key, jsonValue(sort, mayBeUnnamed ? '' : value[key])] as const;
    });
    isOver = shape.name === 'LIMITS';
    yield { command: { name: shape.name, arguments: Object.fromEntries(entries) }, at: line };
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const value = parsedJson(text);
  if (value === undefined) throw new MalformedTrace('A line is not JSON.');
  if (!isRecord(value)) throw new MalformedTrace('A line is no JSON object.');
  return value;
}

function jsonValue(sort: Sort, value: unknown): PftValue {
  switch (sort) {
    case 'int':
      return natural(value);
    case 'name':
      return text(value);
    case 'ints':
      return array(value).map(natural);
    case 'names':
      return array(value).map(text);
    case 'pairs':
      return array(value).map((pair): [number, number] => {
        if (!isRecord(pair)) throw new MalformedTrace('A substitution has no pairs.');
        return [natural(pair['redex']), natural(pair['residue'])];
      });
    case 'named':
      if (!isRecord(value)) throw new MalformedTrace('An object with names is missing.');
      return Object.entries(value).map(([name, number]): [string, number] => [text(name), natural(number)]);
  }
}

function natural(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new MalformedTrace('A number is missing.');
}

function text(value: unknown): string {
  if (typeof value === 'string' && value.isWellFormed()) return readableText(value);
  throw new MalformedTrace('A name is missing.');
}

function array(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new MalformedTrace('A list is missing.');
}

function checkHeader(version: unknown, ruleset: unknown): void {
  if (version === 1 && ruleset === RULESET) return;
  throw new MalformedTrace(`Only version 1 with the ruleset ${RULESET} can be read.`);
}
