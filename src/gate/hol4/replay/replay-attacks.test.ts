/**
 * Attacks on the replay kernel, each with an innocent twin that differs in the one thing that makes it an attack. All of
 * them are theories on the recorded `bool`. An attack must be refused with its own code; a twin must be accepted.
 */
import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RefusalCode } from '../kernel/refusal.ts';
import { replayTrace, type ReplayPace } from './replay-trace.ts';
import { ReplayedTheories } from './replayed-theories.ts';
import {
  and,
  apply,
  bool,
  bound,
  constant,
  equal,
  exists,
  F,
  forall,
  free,
  fun,
  implies,
  ind,
  lambda,
  not,
  operator,
  or,
  T,
  TraceWriter,
  tyvar,
  type Term,
  type Theorem,
  type Type,
} from '../testing/trace-writer.ts';

const pace: ReplayPace = { tick: () => undefined, termLimit: 1_000_000 };
let boolTrace: Buffer;

beforeAll(() => {
  boolTrace = zstdDecompressSync(readFileSync(new URL('../testing/fixtures/bool.prf.zst', import.meta.url)));
});

let knownBool: ReplayedTheories | undefined;

function onBool(): ReplayedTheories {
  if (knownBool === undefined) {
    knownBool = new ReplayedTheories();
    const { theory, findings } = replayTrace(boolTrace, 'hash', knownBool, pace);
    expect(findings).toEqual([]);
    knownBool.add(theory);
  }
  return knownBool;
}

const codesOf = (bytes: Buffer, known = onBool()): RefusalCode[] =>
  replayTrace(bytes, 'hash', known, pace).findings.map(({ code }) => code);

interface Attack {
  readonly name: string;
  readonly code: RefusalCode;
  /** Writes the attack, or its twin when `isTwin`. */
  readonly write: (writer: TraceWriter, isTwin: boolean) => void;
}

const a = tyvar("'a");
const b = tyvar("'b");
const [p, q, r] = [free('p'), free('q'), free('r')];
const [x, y, z] = [free('x', a), free('y', a), free('z', a)];
const truthIntro = (w: TraceWriter): Theorem => w.step('DISK', 'bool', 'n', 'TRUTH', T);
const own = (name: string, type: Type): Term => constant(`mine$${name}`, type);
/** `⊢ ∃v. v = t`. */
const existence = (w: TraceWriter, v: Term, t: Term, type: Type = bool): Theorem =>
  w.step('EXISTS', exists(v, equal(v, t, type)), t, w.step('REFL', t));

const attacks: readonly Attack[] = [
  {
    name: 'ABS over a variable of a hypothesis',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('ABS', isTwin ? q : p, w.step('ASSUME', equal(p, T))),
  },
  {
    name: 'GEN over a variable of a hypothesis',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('GEN', isTwin ? q : p, w.step('ASSUME', p)),
  },
  {
    name: 'GEN over a variable that another name hides: same name, other type',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('GEN', free('p', isTwin ? ind : bool), w.step('ASSUME', p)),
  },
  {
    name: 'GENL whose last variable is in a hypothesis',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('GENL', w.step('ASSUME', p), q, isTwin ? r : p),
  },
  {
    name: 'GEN_ABS over a variable of a hypothesis',
    code: 'wrong-inference',
    write: (w, isTwin) =>
      void w.step(
        'GEN_ABS',
        w.step('ASSUME', equal(p, T)),
        constant('bool$!', fun(fun(a, bool), bool)),
        isTwin ? q : p,
      ),
  },
  {
    name: 'Mk_abs over a variable of a hypothesis',
    code: 'wrong-inference',
    write: (w, isTwin) => {
      const whole = w.step('REFL', lambda(p, p));
      const body = isTwin ? w.step('REFL', p) : w.step('ASSUME', equal(p, T));
      w.step('Mk_abs', p, whole, body);
    },
  },
  {
    name: 'CHOOSE of a variable that is free in the conclusion',
    code: 'wrong-inference',
    write: (w, isTwin) => {
      const given = w.step('ASSUME', exists(p, p));
      w.step('CHOOSE', p, given, isTwin ? truthIntro(w) : w.step('ASSUME', p));
    },
  },
  {
    name: 'CHOOSE of a variable that is free in another hypothesis',
    code: 'wrong-inference',
    write: (w, isTwin) => {
      const given = w.step('ASSUME', exists(p, p));
      const chosen = w.step('CONJ', w.step('ASSUME', p), w.step('ASSUME', not(isTwin ? q : p)));
      const conclusion = w.step('CONJ', truthIntro(w), chosen);
      w.step('CHOOSE', p, given, w.step('CONJUNCT1', conclusion));
    },
  },
  {
    name: 'CHOOSE of a variable that is free in the existential statement',
    code: 'wrong-inference',
    write: (w, isTwin) => {
      const given = w.step('ASSUME', exists(p, equal(p, isTwin ? r : q)));
      w.step('CHOOSE', q, given, truthIntro(w));
    },
  },
  {
    name: 'INST at another type',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('INST', w.step('REFL', p), p, isTwin ? T : free('t', ind)),
  },
  {
    name: 'INST of a constant',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('INST', w.step('REFL', p), isTwin ? p : T, F),
  },
  {
    name: 'INST that spares the hypotheses',
    code: 'export-changed',
    write: (w, isTwin) => void w.export('th', w.step('INST', w.step('ASSUME', p), p, F), F, [isTwin ? F : p]),
  },
  {
    name: 'INST_TYPE of what is no type variable',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('INST_TYPE', w.step('REFL', x), isTwin ? a : bool, ind),
  },
  {
    name: 'INST_TYPE that spares the hypotheses',
    code: 'export-changed',
    write: (w, isTwin) => {
      const th = w.step('INST_TYPE', w.step('ASSUME', equal(x, y, a)), a, bool);
      const instance = equal(free('x'), free('y'));
      w.export('th', th, instance, [isTwin ? instance : equal(x, y, a)]);
    },
  },
  {
    name: 'INST_TYPE makes two variables one, and GEN captures only one of them',
    code: 'export-changed',
    write: (w, isTwin) => {
      const th = w.step('INST_TYPE', w.step('REFL', equal(free('x', a), free('x', a), a)), a, bool);
      const same = equal(free('x'), free('x'));
      w.export(
        'th',
        w.step('GEN', free('x'), th),
        forall(free('x'), equal(same, isTwin ? same : equal(free('x'), p))),
      );
    },
  },
  {
    name: 'SUBST whose template is not the theorem',
    code: 'wrong-inference',
    write: (w, isTwin) => {
      const equation = w.step('ASSUME', equal(p, q));
      w.step('SUBST', isTwin ? r : not(r), w.step('ASSUME', p), r, equation);
    },
  },
  {
    name: 'SUBST that loses the hypotheses of the equation',
    code: 'export-changed',
    write: (w, isTwin) => {
      const th = w.step('SUBST', r, w.step('ASSUME', p), r, w.step('ASSUME', equal(p, q)));
      w.export('th', th, q, isTwin ? [p, equal(p, q)] : [p]);
    },
  },
  {
    name: 'MP with another antecedent',
    code: 'wrong-inference',
    write: (w, isTwin) =>
      void w.step('MP', w.step('ASSUME', implies(p, q)), w.step('ASSUME', isTwin ? p : r)),
  },
  {
    name: 'EQ_MP backwards',
    code: 'wrong-inference',
    write: (w, isTwin) =>
      void w.step('EQ_MP', w.step('ASSUME', equal(p, q)), w.step('ASSUME', isTwin ? p : q)),
  },
  {
    name: 'TRANS with another middle',
    code: 'wrong-inference',
    write: (w, isTwin) =>
      void w.step('TRANS', w.step('ASSUME', equal(p, q)), w.step('ASSUME', equal(isTwin ? q : p, r))),
  },
  {
    name: 'DISCH that forgets a hypothesis that it did not discharge',
    code: 'export-changed',
    write: (w, isTwin) => {
      const th = w.step('DISCH', q, w.step('ASSUME', p));
      w.export('th', th, implies(q, p), isTwin ? [p] : []);
    },
  },
  {
    name: 'ASSUME of what is no proposition',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('ASSUME', isTwin ? p : x),
  },
  {
    name: 'EXISTS with another witness',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('EXISTS', exists(p, p), isTwin ? T : F, truthIntro(w)),
  },
  {
    name: 'SPEC of an existential statement',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('SPEC', F, w.step('ASSUME', (isTwin ? forall : exists)(p, p))),
  },
  {
    name: 'SPEC at another type',
    code: 'ill-typed',
    write: (w, isTwin) => void w.step('SPEC', isTwin ? y : p, w.step('ASSUME', forall(x, equal(x, z, a)))),
  },
  {
    name: 'CCONTR without falsity',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('CCONTR', p, isTwin ? w.step('ASSUME', F) : truthIntro(w)),
  },
  {
    name: 'CCONTR that discharges the statement instead of its negation',
    code: 'export-changed',
    write: (w, isTwin) => {
      const contradiction = w.step('MP', w.step('ASSUME', not(p)), w.step('ASSUME', p));
      w.export('th', w.step('CCONTR', p, contradiction), p, isTwin ? [p] : []);
    },
  },
  {
    name: 'NOT_INTRO of an implication of something else',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('NOT_INTRO', w.step('ASSUME', implies(p, isTwin ? F : T))),
  },
  {
    name: 'DISJ_CASES with two conclusions',
    code: 'wrong-inference',
    write: (w, isTwin) => {
      const cases = w.step('ASSUME', or(p, q));
      w.step('DISJ_CASES', cases, w.step('ASSUME', r), w.step('ASSUME', isTwin ? r : p));
    },
  },
  {
    name: 'CONJUNCT1 of a disjunction',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('CONJUNCT1', w.step('ASSUME', (isTwin ? and : or)(p, q))),
  },
  {
    name: 'ALPHA of terms that differ',
    code: 'wrong-inference',
    write: (w, isTwin) => void w.step('ALPHA', lambda(p, p), lambda(q, isTwin ? q : p)),
  },
  {
    name: 'BETA_CONV of what is no redex',
    code: 'wrong-inference',
    write: (w, isTwin) =>
      void w.step('BETA_CONV', apply(isTwin ? lambda(p, p) : free('f', fun(bool, bool)), q)),
  },
  {
    name: 'Mk_comb with another function',
    code: 'wrong-inference',
    write: (w, isTwin) => {
      const whole = w.step('REFL', not(p));
      const negation = constant('bool$~', fun(bool, bool));
      w.step('Mk_comb', whole, w.step('REFL', isTwin ? negation : lambda(p, p)), w.step('REFL', p));
    },
  },
  {
    name: 'a function applied to an argument of another type',
    code: 'ill-typed',
    write: (w, isTwin) => void w.step('REFL', apply(constant('bool$~', fun(bool, bool)), isTwin ? p : x)),
  },
  {
    name: 'one body under binders of two types, ill typed under one of them',
    code: 'ill-typed',
    write: (w, isTwin) => {
      const body = not(bound(0));
      w.step('REFL', lambda(p, body));
      w.step('REFL', lambda(free('i', isTwin ? bool : ind), body));
    },
  },
  {
    name: 'a bound variable without a binder',
    code: 'ill-typed',
    write: (w, isTwin) => void w.step('REFL', isTwin ? lambda(p, bound(0)) : bound(0)),
  },
  {
    name: 'a constant at a type that is no instance',
    code: 'undeclared',
    write: (w, isTwin) => void w.step('REFL', constant('bool$~', isTwin ? fun(bool, bool) : fun(ind, bool))),
  },
  {
    name: 'equality between two types',
    code: 'undeclared',
    write: (w, isTwin) => void w.step('REFL', constant('min$=', fun(bool, isTwin ? bool : ind, bool))),
  },
  {
    name: 'a constant that nobody declared',
    code: 'undeclared',
    write: (w, isTwin) => void w.step('REFL', constant(isTwin ? 'bool$ARB' : 'bool$NONE', bool)),
  },
  {
    name: 'a type operator with too many arguments',
    code: 'undeclared',
    write: (w, isTwin) => void w.step('REFL', free('u', isTwin ? bool : operator('min$bool', ind))),
  },
  {
    name: 'a constant declared twice',
    code: 'duplicate-name',
    write: (w, isTwin) => {
      w.declareConstant('c', bool).declareConstant(isTwin ? 'd' : 'c', ind);
    },
  },
  {
    name: 'c = ¬c',
    code: 'definition-not-fresh',
    write: (w, isTwin) => {
      w.declareConstant('c', bool);
      w.step('DEF_CONST', not(isTwin ? F : own('c', bool)), 'mine$c');
    },
  },
  {
    name: 'c = d and then d = ¬c',
    code: 'definition-not-fresh',
    write: (w, isTwin) => {
      w.declareConstant('c', bool).declareConstant('d', bool);
      if (isTwin) w.step('DEF_CONST', F, 'mine$d');
      w.step('DEF_CONST', own('d', bool), 'mine$c');
      if (!isTwin) w.step('DEF_CONST', not(own('c', bool)), 'mine$d');
    },
  },
  {
    name: 'a circle through a specification whose premise mentions the second constant',
    code: 'definition-not-fresh',
    write: (w, isTwin) => {
      w.declareConstant('c', bool).declareConstant('d', bool);
      w.step('DEF_SPEC', existence(w, p, not(isTwin ? F : own('d', bool))), 'mine$c');
      w.step('DEF_CONST', own('c', bool), 'mine$d');
    },
  },
  {
    name: 'a constant defined twice',
    code: 'definition-not-fresh',
    write: (w, isTwin) => {
      w.declareConstant('c', bool).declareConstant('d', bool);
      w.step('DEF_CONST', T, 'mine$c');
      w.step('DEF_CONST', F, isTwin ? 'mine$d' : 'mine$c');
    },
  },
  {
    name: "a constant defined in another theory's name space",
    code: 'definition-foreign',
    write: (w, isTwin) => void w.step('DEF_CONST', T, isTwin ? 'mine$c' : 'bool$c'),
  },
  {
    name: 'a logical constant defined once more elsewhere',
    code: 'definition-foreign',
    write: (w, isTwin) => void w.step('DEF_CONST', T, isTwin ? 'mine$F' : 'bool$F'),
  },
  {
    name: 'a constant defined by a free variable',
    code: 'definition-malformed',
    write: (w, isTwin) => void w.step('DEF_CONST', isTwin ? T : p, 'mine$c'),
  },
  {
    name: 'a constant whose type misses a type variable: c = (∀x y:α. x = y)',
    code: 'definition-malformed',
    write: (w, isTwin) => {
      const single = forall(x, forall(y, equal(x, y, a)));
      w.step('DEF_CONST', isTwin ? lambda(z, single) : single, 'mine$c');
    },
  },
  {
    name: 'a constant declared with one type and defined with another',
    code: 'definition-malformed',
    write: (w, isTwin) => {
      w.declareConstant('c', isTwin ? bool : ind);
      w.step('DEF_CONST', T, 'mine$c');
    },
  },
  {
    name: 'DEF_SPEC from a premise with hypotheses',
    code: 'definition-malformed',
    write: (w, isTwin) =>
      void w.step(
        'DEF_SPEC',
        isTwin ? existence(w, p, T) : w.step('ASSUME', exists(p, and(p, not(p)))),
        'mine$c',
      ),
  },
  {
    name: 'DEF_SPEC from a premise with free variables',
    code: 'definition-malformed',
    write: (w, isTwin) => void w.step('DEF_SPEC', existence(w, p, isTwin ? T : q), 'mine$c'),
  },
  {
    name: 'DEF_SPEC whose constant misses a type variable',
    code: 'definition-malformed',
    write: (w, isTwin) => {
      const single = forall(x, forall(y, equal(x, y, a)));
      const predicate = lambda(z, single);
      const premise = isTwin
        ? existence(w, free('g', fun(a, bool)), predicate, fun(a, bool))
        : existence(w, p, single);
      w.step('DEF_SPEC', premise, 'mine$c');
    },
  },
  {
    name: 'DEF_SPEC with more names than the premise has variables',
    code: 'definition-malformed',
    write: (w, isTwin) =>
      void w.step('DEF_SPEC', existence(w, p, T), 'mine$c', ...(isTwin ? [] : ['mine$d'])),
  },
  {
    name: 'DEF_SPEC with one name twice',
    code: 'definition-malformed',
    write: (w, isTwin) => {
      const inner = existence(w, q, T);
      const both = w.step('EXISTS', exists(p, exists(q, equal(q, T))), F, inner);
      w.step('DEF_SPEC', both, 'mine$c', isTwin ? 'mine$d' : 'mine$c');
    },
  },
  {
    name: 'DEF_CONST_LIST with a hypothesis that equates no variable',
    code: 'definition-malformed',
    write: (w, isTwin) =>
      void w.step('DEF_CONST_LIST', w.step('ASSUME', equal(isTwin ? free('c') : T, F)), 'mine$c'),
  },
  {
    name: 'DEF_CONST_LIST with a right side that is not closed',
    code: 'definition-malformed',
    write: (w, isTwin) =>
      void w.step('DEF_CONST_LIST', w.step('ASSUME', equal(free('c'), isTwin ? T : p)), 'mine$c'),
  },
  {
    name: 'DEF_CONST_LIST with a further free variable in the conclusion',
    code: 'definition-malformed',
    write: (w, isTwin) => {
      const given = w.step('ASSUME', equal(free('c'), T));
      const wide = w.step('DISJ1', isTwin ? F : p, given);
      w.step('DEF_CONST_LIST', wide, 'mine$c');
    },
  },
  {
    name: 'DEF_CONST_LIST under another name than the variable has',
    code: 'definition-malformed',
    write: (w, isTwin) =>
      void w.step('DEF_CONST_LIST', w.step('ASSUME', equal(free('c'), T)), isTwin ? 'mine$c' : 'mine$d'),
  },
  {
    name: 'DEF_CONST_LIST with a hypothesis for which there is no name',
    code: 'definition-malformed',
    write: (w, isTwin) => {
      const [c, d] = [w.step('ASSUME', equal(free('c'), T)), w.step('ASSUME', equal(free('d'), F))];
      w.step('DEF_CONST_LIST', w.step('CONJ', c, d), 'mine$c', ...(isTwin ? ['mine$d'] : []));
    },
  },
  ...typeAttacks(),
  {
    name: 'an import that the ancestor does not export',
    code: 'import-unknown',
    write: (w, isTwin) => void w.step('DISK', 'bool', 'n', isTwin ? 'TRUTH' : 'UNTRUTH', T),
  },
  {
    name: 'an import that states something else',
    code: 'import-changed',
    write: (w, isTwin) => void w.step('DISK', 'bool', 'n', 'TRUTH', isTwin ? T : F),
  },
  {
    name: 'an import with a hypothesis less',
    code: 'import-changed',
    write: (w, isTwin) => void w.step('DISK', 'bool', 'n', 'TRUTH', T, ...(isTwin ? [] : [F])),
  },
  {
    name: 'an axiom of its own',
    code: 'unproved-statement',
    write: (w, isTwin) => {
      if (isTwin) truthIntro(w);
      else w.step('AXIOM', F);
    },
  },
  {
    name: 'an axiom of `bool` asserted again elsewhere',
    code: 'unproved-statement',
    write: (w, isTwin) => {
      const cases = forall(free('t'), or(equal(free('t'), T), equal(free('t'), F)));
      if (isTwin) w.step('DISK', 'bool', 'n', 'BOOL_CASES_AX', cases);
      else w.step('AXIOM', cases);
    },
  },
  {
    name: 'a deleted proof',
    code: 'proof-missing',
    write: (w, isTwin) => {
      if (isTwin) truthIntro(w);
      else w.step('DELETED', T);
    },
  },
  {
    name: 'a proof in another file',
    code: 'proof-missing',
    write: (w, isTwin) => {
      if (isTwin) truthIntro(w);
      else w.step('EXPORTED', T);
    },
  },
  {
    name: 'an export that states something else',
    code: 'export-changed',
    write: (w, isTwin) => void w.export('th', truthIntro(w), isTwin ? T : F),
  },
  {
    name: 'an export that differs in one type only',
    code: 'export-changed',
    write: (w, isTwin) => {
      const i = free('x', isTwin ? a : ind);
      w.export('th', w.step('REFL', x), equal(i, i, isTwin ? a : ind));
    },
  },
  {
    name: 'an export without a name that states something else',
    code: 'export-changed',
    write: (w, isTwin) => void w.line(`anon ${truthIntro(w).number} ${w.term(isTwin ? T : F)}`),
  },
  {
    name: 'an export with the tag of an oracle',
    code: 'oracle-tag',
    write: (w, isTwin) =>
      void w.export('th', truthIntro(w), T, [], isTwin ? '[DISK_THM] []' : '[DISK_THM,cheat] []'),
  },
  {
    name: 'one name exported twice',
    code: 'duplicate-name',
    write: (w, isTwin) => {
      const th = truthIntro(w);
      w.export('th', th, T).export(isTwin ? 'again' : 'th', th, T);
    },
  },
];

function typeAttacks(): readonly Attack[] {
  const full = (type: Type): Term => lambda(free('v', type), T);
  /** `⊢ ∃v. P v`. */
  const inhabited = (w: TraceWriter, predicate: Term, type: Type, witness: Term): Theorem => {
    const v = free('v', type);
    const beta = w.step('BETA_CONV', apply(predicate, witness));
    const holds = w.step('EQ_MP', w.step('SYM', beta), truthIntro(w));
    return w.step('EXISTS', exists(v, apply(predicate, v)), witness, holds);
  };
  const ofAlpha = (w: TraceWriter): Theorem => inhabited(w, full(a), a, x);
  return [
    {
      name: 'DEF_TYOP without its premise: an empty type',
      code: 'definition-malformed',
      write: (w, isTwin) => {
        const nothing = exists(p, apply(lambda(p, F), p));
        w.step('DEF_TYOP', isTwin ? inhabited(w, full(bool), bool, T) : w.step('ASSUME', nothing), 'mine$t');
      },
    },
    {
      name: 'DEF_TYOP from a statement of another form',
      code: 'definition-malformed',
      write: (w, isTwin) =>
        void w.step('DEF_TYOP', isTwin ? inhabited(w, full(bool), bool, T) : existence(w, p, T), 'mine$t'),
    },
    {
      name: 'DEF_TYOP whose predicate has a free variable',
      code: 'definition-malformed',
      write: (w, isTwin) => {
        const predicate = lambda(p, equal(isTwin ? T : q, isTwin ? T : q));
        const beta = w.step('BETA_CONV', apply(predicate, T));
        const same = w.step('REFL', isTwin ? T : q);
        const holds = w.step('EQ_MP', w.step('SYM', beta), same);
        const v = free('v');
        w.step('DEF_TYOP', w.step('EXISTS', exists(v, apply(predicate, v)), T, holds), 'mine$t');
      },
    },
    {
      name: 'DEF_TYOP that leaves out a type variable',
      code: 'definition-malformed',
      write: (w, isTwin) => void w.step('DEF_TYOP', ofAlpha(w), 'mine$t', ...(isTwin ? [a] : [])),
    },
    {
      name: 'DEF_TYOP with a parameter that is none',
      code: 'definition-malformed',
      write: (w, isTwin) => void w.step('DEF_TYOP', ofAlpha(w), 'mine$t', isTwin ? a : b),
    },
    {
      name: 'DEF_TYOP with a parameter twice',
      code: 'definition-malformed',
      write: (w, isTwin) => void w.step('DEF_TYOP', ofAlpha(w), 'mine$t', a, ...(isTwin ? [] : [a])),
    },
    {
      name: 'DEF_TYOP of a type that its predicate mentions',
      code: 'definition-not-fresh',
      write: (w, isTwin) => {
        w.declareType('t', 0).declareType('u', 0);
        const type = operator(isTwin ? 'mine$u' : 'mine$t');
        w.step('DEF_TYOP', inhabited(w, full(type), type, free('e', type)), 'mine$t');
      },
    },
    {
      name: 'DEF_TYOP twice',
      code: 'definition-not-fresh',
      write: (w, isTwin) => {
        const premise = inhabited(w, full(bool), bool, T);
        w.step('DEF_TYOP', premise, 'mine$t');
        w.step('DEF_TYOP', premise, isTwin ? 'mine$u' : 'mine$t');
      },
    },
    {
      name: "DEF_TYOP in another theory's name space",
      code: 'definition-foreign',
      write: (w, isTwin) => void w.step('DEF_TYOP', ofAlpha(w), isTwin ? 'mine$t' : 'bool$t', a),
    },
    {
      name: 'DEF_TYOP of a type declared with another arity',
      code: 'definition-malformed',
      write: (w, isTwin) => {
        w.declareType('t', isTwin ? 1 : 0);
        w.step('DEF_TYOP', ofAlpha(w), 'mine$t', a);
      },
    },
  ];
}

describe.each(attacks)('$name', ({ code, write }) => {
  const bytes = (isTwin: boolean): Buffer => {
    const writer = new TraceWriter('mine');
    write(writer, isTwin);
    return writer.bytes();
  };
  test('is refused', () => {
    expect(codesOf(bytes(false))).toEqual([code]);
  });
  test('its twin is accepted', () => {
    expect(codesOf(bytes(true))).toEqual([]);
  });
});

describe('attacks on `bool` itself', () => {
  const changed = (from: string | RegExp, to: string): Buffer => {
    const text = boolTrace.toString('utf8');
    const result = text.replace(from, to);
    expect(result).not.toBe(text);
    return Buffer.from(result);
  };

  test('F defined as T', () => {
    const text = boolTrace.toString('utf8');
    const truth = /^t DEF_CONST (\d+) bool\$T$/m.exec(text)?.[1] ?? '';
    expect(
      codesOf(changed(/^t DEF_CONST \d+ bool\$F$/m, `t DEF_CONST ${truth} bool$F`), new ReplayedTheories()),
    ).toEqual(['logic-redefined']);
  });

  test('a fifth axiom', () => {
    const text = boolTrace.toString('utf8');
    const [, number = '', sequent = ''] = /^named TRUTH T (\d+) \S+ \S+ (.*)$/m.exec(text) ?? [];
    const line = text.split('\n').filter((entry) => entry.startsWith('t '))[Number(number)] ?? '';
    const codes = codesOf(changed(`\n${line}\n`, `\nt AXIOM ${sequent}\n`), new ReplayedTheories());
    expect(codes).toEqual(['unproved-statement']);
  });

  test('its own innocent self is accepted', () => {
    expect(codesOf(boolTrace, new ReplayedTheories())).toEqual([]);
  });
});

describe('parents', () => {
  const using = (theory: string): TraceWriter => {
    const writer = new TraceWriter(theory, { parents: [] });
    writer.export('th', writer.step('DISK', 'bool', 'n', 'TRUTH', T), T);
    return writer;
  };

  test('what is no ancestor cannot be used', () => {
    expect(codesOf(using('mine').bytes())).toEqual(['not-an-ancestor']);
  });

  test('a theory is not its own ancestor', () => {
    expect(codesOf(new TraceWriter('mine', { parents: [['mine', '']] }).bytes())).toEqual([
      'parents-disagree',
    ]);
  });

  test('two builds of one parent do not mix', () => {
    const known = new ReplayedTheories();
    known.add(replayTrace(boolTrace, 'hash', known, pace).theory);
    known.add(replayTrace(new TraceWriter('first').bytes(), 'hash', known, pace).theory);
    expect(codesOf(new TraceWriter('second').bytes(), known)).toEqual([]);
    const other = new TraceWriter('third', { parents: [['bool', 'another hash']] });
    expect(codesOf(other.bytes(), known)).toEqual(['parents-disagree']);
  });
});
