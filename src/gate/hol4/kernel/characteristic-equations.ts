/**
 * What COMPUTE takes for granted of HOL's constants, as equations that must have been proved: they say that these
 * constants are the operations that the evaluator runs.
 */
import { noSuch } from './tables.ts';

/**
 * Each characteristic equation in prefix form. m and n are numbers; p, q, r and s are values; a, b and x have type
 * 'a, and f has type 'a → 'b. All other words are operators.
 */
export const CHARACTERISTIC_EQUATIONS: Readonly<Record<string, string>> = {
  alt_zero: '(= alt_zero zero)',
  cond_T: '(= (cond truth a b) a)',
  cond_F: '(= (cond false a b) b)',
  numeral: '(= (numeral n) n)',
  bit1: '(= (bit1 n) (add n (add n (suc zero))))',
  bit2: '(= (bit2 n) (add n (add n (suc (suc zero)))))',
  add1: '(= (add zero n) n)',
  add2: '(= (add (suc m) n) (suc (add m n)))',
  sub1: '(= (sub zero m) zero)',
  sub2: '(= (sub (suc m) n) (cond (lt m n) zero (suc (sub m n))))',
  mul1: '(= (mul zero n) zero)',
  mul2: '(= (mul (suc m) n) (add (mul m n) n))',
  div: '(= (div m n) (cond (= n zero) zero (cond (lt m n) zero (suc (div (sub m n) n)))))',
  mod: '(= (mod m n) (cond (= n zero) m (cond (lt m n) m (mod (sub m n) n))))',
  lt1: '(= (lt m zero) false)',
  lt2: '(= (lt m (suc n)) (cond (= m n) truth (lt m n)))',
  suc1: '(= (= (suc m) zero) false)',
  suc2: '(= (= (suc m) (suc n)) (= m n))',
  cval1: '(= (= (cv_pair p q) (cv_pair r s)) (cond (= p r) (= q s) false))',
  cval2: '(= (= (cv_pair p q) (cv_num n)) false)',
  cval3: '(= (= (cv_num m) (cv_num n)) (= m n))',
  ...arithmetic('add', 'm', 'n'),
  ...arithmetic('sub', 'm', 'zero'),
  ...arithmetic('mul', 'zero', 'zero'),
  ...arithmetic('div', 'zero', 'zero'),
  ...arithmetic('mod', 'm', 'zero'),
  cv_lt1: '(= (cv_lt (cv_num m) (cv_num n)) (cv_num (cond (lt m n) (suc zero) zero)))',
  cv_lt2: '(= (cv_lt (cv_num m) (cv_pair p q)) (cv_num zero))',
  cv_lt3: '(= (cv_lt (cv_pair p q) (cv_num n)) (cv_num zero))',
  cv_lt4: '(= (cv_lt (cv_pair p q) (cv_pair r s)) (cv_num zero))',
  cv_if1: '(= (cv_if (cv_num (suc m)) p q) p)',
  cv_if2: '(= (cv_if (cv_num zero) p q) q)',
  cv_if3: '(= (cv_if (cv_pair r s) p q) q)',
  cv_fst1: '(= (cv_fst (cv_pair p q)) p)',
  cv_fst2: '(= (cv_fst (cv_num m)) (cv_num zero))',
  cv_snd1: '(= (cv_snd (cv_pair p q)) q)',
  cv_snd2: '(= (cv_snd (cv_num m)) (cv_num zero))',
  cv_ispair1: '(= (cv_ispair (cv_pair p q)) (cv_num (suc zero)))',
  cv_ispair2: '(= (cv_ispair (cv_num m)) (cv_num zero))',
  cv_eq: '(= (cv_eq p q) (cv_num (cond (= p q) (suc zero) zero)))',
  let: '(= (let f x) (f x))',
};

/** `cv_op` on two numbers, a number and a pair, a pair and a number, two pairs. */
function arithmetic(op: string, numberAndPair: string, pairAndNumber: string): Record<string, string> {
  return {
    [`cv_${op}1`]: `(= (cv_${op} (cv_num m) (cv_num n)) (cv_num (${op} m n)))`,
    [`cv_${op}2`]: `(= (cv_${op} (cv_num m) (cv_pair p q)) (cv_num ${numberAndPair}))`,
    [`cv_${op}3`]: `(= (cv_${op} (cv_pair p q) (cv_num n)) (cv_num ${pairAndNumber}))`,
    [`cv_${op}4`]: `(= (cv_${op} (cv_pair p q) (cv_pair r s)) (cv_num zero))`,
  };
}

/** The constants that HOL4's library gives to the operators; a trace in the PFT format names its own. */
export const STANDARD_OPERATORS: ReadonlyMap<string, string> = new Map([
  named('bool', 'T', 'truth'),
  named('bool', 'F', 'false'),
  named('bool', 'COND', 'cond'),
  named('bool', 'LET', 'let'),
  named('arithmetic', 'ZERO', 'alt_zero'),
  named('arithmetic', 'NUMERAL', 'numeral'),
  named('arithmetic', 'BIT1', 'bit1'),
  named('arithmetic', 'BIT2', 'bit2'),
  named('arithmetic', '+', 'add'),
  named('arithmetic', '-', 'sub'),
  named('arithmetic', '*', 'mul'),
  named('arithmetic', 'DIV', 'div'),
  named('arithmetic', 'MOD', 'mod'),
  named('num', '0', 'zero'),
  named('num', 'SUC', 'suc'),
  named('prim_rec', '<', 'lt'),
  named('cv', 'Pair', 'cv_pair'),
  named('cv', 'Num', 'cv_num'),
  ...['fst', 'snd', 'ispair', 'add', 'sub', 'mul', 'div', 'mod', 'lt', 'if', 'eq'].map((op) =>
    named('cv', `cv_${op}`, `cv_${op}`),
  ),
]);

function named(theory: string, constant: string, operator: string): [string, string] {
  return [operator, `${theory}$${constant}`];
}

export type Pattern = string | readonly Pattern[];

/** An equation as a tree of words. */
export function parsePattern(text: string): Pattern {
  const words = text.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const next = (): Pattern => {
    const word = words[at];
    if (word === undefined) throw noSuch('word of a characteristic equation', at);
    at += 1;
    if (word !== '(') return word;
    const parts: Pattern[] = [];
    while (words[at] !== ')') parts.push(next());
    at += 1;
    return parts;
  };
  return next();
}
