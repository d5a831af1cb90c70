/**
 * Why the replay kernel refuses. A refusal never says that a theorem is false, only that this step does not prove it.
 * The codes are a closed list; docs/judge/hol4-replay.md explains each with an example, and a test compares the two.
 */
export const REFUSALS = {
  'unproved-statement': 'A statement is asserted with no proof (cheat, mk_thm, an oracle, a new axiom).',
  'proof-missing': 'The proof of a theorem was deleted or replaced by a reference to another file.',
  'import-unknown': 'A theorem is imported that the replayed theory does not export.',
  'import-changed': 'An imported theorem states something else than the theorem that was replayed.',
  'wrong-inference':
    'A step does not follow by its rule: a side condition or the form of a premise is wrong.',
  'ill-typed': 'A term or type is not well formed.',
  undeclared:
    'A constant or type operator was not declared, or is used at a type that is no instance of its own.',
  'definition-not-fresh':
    'A constant or type operator is defined that exists already, or that a definition already uses.',
  'definition-foreign': "A constant or type operator is defined in another theory's name space.",
  'definition-malformed':
    'A definition breaks a condition of its principle (hypotheses, free variables, type variables, names).',
  'logic-redefined': 'A logical constant is not defined as the rules of the kernel need it.',
  'compute-equations':
    'The equations or the term of a COMPUTE step are not those that the evaluator implements.',
  'export-changed': 'An exported theorem states something else than its replayed proof.',
  'oracle-tag': 'An exported theorem carries the tag of an oracle.',
  missing: 'A theorem of the target is not exported.',
  'statement-changed': 'A theorem of the target states something else.',
  'definition-changed':
    'A constant or type that the statements of the target rest on was introduced in another way.',
  'duplicate-name': 'One name is exported or declared twice.',
  'not-an-ancestor': 'The theory uses another one that is not among its ancestors.',
  'parents-disagree': 'Two theories name different builds of one parent, or a theory is its own ancestor.',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** For the side conditions of rules. */
export function insist(condition: boolean, complaint: string): asserts condition {
  if (!condition) throw new Refusal('wrong-inference', `The rule does not apply: ${complaint}.`);
}

/** The proof is larger than the caller allows: nothing is said about it. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';
  readonly limit: 'time' | 'size';

  constructor(limit: 'time' | 'size', message: string) {
    super(message);
    this.limit = limit;
  }
}
