/**
 * What a judge allows. A policy is written in TOML or JSON; `policySchema` is all there is to say about its form, and
 * docs/judge/gate.md has an example of each entry. An entry that is not known is an error: a misspelt restriction
 * would allow what its author meant to forbid.
 */
import { parse as parseToml, TomlError } from 'smol-toml';
import { z } from 'zod';
import { entryAt } from '../core/entry.ts';
import { QuodError, errorText } from '../core/errors.ts';
import { installedPage } from '../core/installed-package.ts';
import { hasKeyTwice } from '../core/json.ts';
import { clause } from '../core/sentence.ts';
import { unreadableFile } from '../process/foreign-folder/unreadable-file.ts';
import { readRegularFileSync } from '../process/foreign-folder/regular-file.ts';
import { AXIOM_SETS, axiomMatches, axiomsOfSet, isOfStandardLibrary, whyFalse } from './axiom-sets.ts';
import { leanPolicySchema } from './lean/judge/lean-policy-schema.ts';

/** Checks of the kernel that a submission may do without, and extensions of the kernel that it may use. */
export const KERNEL_FLAGS = {
  'type-in-type': 'universe checking is off for the whole file (-type-in-type)',
  'unchecked-universes': 'a declaration without the universe check',
  'unchecked-guard': 'a fixpoint without the guard check',
  'unchecked-positivity': 'an inductive type without the positivity check',
  'impredicative-set': 'Set is impredicative (-impredicative-set)',
  'definitional-uip': 'proofs of equality in SProp are definitionally equal',
  'rewrite-rules': 'rewrite rules extend conversion (Rocq 9)',
  'unconfirmed-recursion': 'a recursive function that only the guard checker of Rocq takes for right',
  'unconfirmed-type': 'an inductive type that the kernel compares in ways that have been wrong',
  'vm-compute': 'a proof is checked by the virtual machine',
  'native-compute': 'a proof is checked by compiled native code',
} as const;

export type KernelFlag = keyof typeof KERNEL_FLAGS;

const names = z.array(z.string().min(1));
const axiomNames = z.array(
  z
    .string()
    .regex(/^[^*]+(?:\.\*)?$/u, 'must be a full name, or the beginning of names with `.*` behind it')
    .refine(
      (name) => name !== 'target',
      'those of the target are allowed by axioms = "target", without a list',
    ),
);

const size = z
  .union([z.int().positive(), z.string()])
  .transform(
    (value, context) => quantityOf(value, BYTES) ?? notA(context, 'a size such as "512MiB" or "8GiB"'),
  );
const time = z
  .union([z.number().positive(), z.string()])
  .transform(
    (value, context) => quantityOf(value, MILLISECONDS) ?? notA(context, 'a time such as "90s" or "10m"'),
  );

const limitsSchema = z.strictObject({
  time: time.optional().describe('On the clock, for each prover process: "90s", "10m"; a number is seconds.'),
  idle: time
    .optional()
    .describe('In which no process may run: all of them wait, or were stopped. Default: 60 s.'),
  processorTime: time
    .optional()
    .describe('Of the processor, for each process. Default: the time on the clock.'),
  memory: size.optional().describe('Of all processes of a compilation together: "8GiB"; a number is bytes.'),
  processes: z.int().positive().optional().describe('How many may run at one time.'),
  disk: size.optional().describe('What may be written.'),
  output: size.optional().describe('What may be printed.'),
});

/** An entry of this name would be dropped without a word. */
function withoutPrototype(value: unknown, context: z.RefinementCtx): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__'))
    context.addIssue('an entry called __proto__ cannot be kept; pin the library under a longer name');
  return value;
}

export const policySchema = z.strictObject({
  theorems: names
    .min(1, 'must name a statement; without this entry all holes are to be proved')
    .optional()
    .describe('The statements to be proved. Default: all holes of the target.'),
  axioms: z
    .union([z.literal('target'), axiomNames])
    .optional()
    .describe(
      'Which axioms a proof may rest on: "target", those of the target and of the libraries that it requires (the default), or a list of full names; `Library.*` stands for all names that begin with `Library.`.',
    ),
  logic: z
    .array(z.enum(AXIOM_SETS))
    .optional()
    .describe('Sets of well-known axioms that are allowed besides.'),
  flags: z
    .array(z.enum(Object.keys(KERNEL_FLAGS) as [KernelFlag, ...KernelFlag[]]))
    .optional()
    .describe('Kernel checks that may be off, kernel extensions that may be used. Default: ["vm-compute"].'),
  plugins: names
    .optional()
    .describe('Plugins that a submission may load besides those of the target. They run machine code.'),
  commands: names
    .optional()
    .describe(
      'First words of commands, and names of options (without `Set`, `Unset`), that a submission may use besides those that the gate allows.',
    ),
  definitionsMayChange: names
    .optional()
    .describe('Definitions of the target whose value the submission chooses; their types stay.'),
  helperLemmas: z
    .boolean()
    .optional()
    .describe('Whether a submission may declare anything that the target does not. Default: true.'),
  dependencies: z
    .preprocess(
      withoutPrototype,
      z.record(z.string(), z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hex digits')),
    )
    .optional()
    .describe(
      'SHA-256 of compiled libraries by their full names. No other library may be used then but installed ones.',
    ),
  limits: limitsSchema.optional(),
  requireSandbox: z.boolean().optional().describe('Judge nothing where there is no sandbox. Default: false.'),
  recheck: z
    .enum(['never', 'if-possible', 'always'])
    .optional()
    .describe(
      'Whether the prover\'s separate checker (coqchk) checks the compiled file, and once each library of the project. With "always" nothing is accepted that it did not finish. Default: the file always, where the prover has one.',
    ),
  lean: leanPolicySchema.optional().describe('What concerns Lean alone.'),
  settleFor: z
    .array(z.enum(['holmake']))
    .optional()
    .describe(
      'Whose word is enough where no kernel of its own can judge: "holmake", where there is no HOL4 that exports its proofs. The verdict carries a warning then. Default: nobody\'s.',
    ),
});

export type GatePolicy = Readonly<z.output<typeof policySchema>>;

/** The policy in force when nobody gives one. */
export const DEFAULT_LIMITS = {
  time: 600_000,
  idle: 60_000,
  memory: 8 * 1024 ** 3,
  processes: 64,
  disk: 1024 ** 3,
  output: 16 * 1024 ** 2,
} as const;

/** A policy with the bytes that it was read from, for the report. */
export interface PolicyFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly policy: GatePolicy;
}

/** @throws QuodError as `readPolicyFile`. */
export function readPolicy(path: string): GatePolicy {
  return readPolicyFile(path).policy;
}

/** @throws QuodError `not-found`, `file-unreadable`, `invalid-input` with every entry that is wrong. */
export function readPolicyFile(path: string): PolicyFile {
  let bytes: Buffer;
  try {
    bytes = readRegularFileSync(path);
  } catch (error) {
    throw unreadableFile(path, error, { what: 'The policy' });
  }
  return { path, bytes, policy: parsePolicy(bytes.toString('utf8'), path) };
}

/** `path` tells the format by its ending, and is named in errors. */
export function parsePolicy(text: string, path: string): GatePolicy {
  const parsed = policySchema.safeParse(valueOf(text, path));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'policy'}: ${faultOf(issue)}`);
  throw new QuodError('invalid-input', `The policy is wrong: ${clause(faults.join('; '))}.`, {
    place: { file: path },
    remedy: `${installedPage('judge/gate.md')} lists the entries of a policy with examples.`,
  });
}

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message;
  const here = issue.path[0] === 'limits' ? limitsSchema.shape : policySchema.shape;
  return `there is no entry ${issue.keys.join(', ')} here; known are ${Object.keys(here).join(', ')}`;
}

function valueOf(text: string, path: string): unknown {
  const wrong = (message: string, cause?: unknown, position?: { line: number; column: number }) =>
    new QuodError('invalid-input', message, { place: { file: path, ...(position && { position }) }, cause });
  if (path.endsWith('.json')) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch (error) {
      throw wrong(`The policy is not JSON: ${clause(errorText(error))}.`, error);
    }
    if (hasKeyTwice(text, parsed))
      throw wrong('The policy has an entry twice: which of the two holds is not to be guessed. Keep one.');
    return parsed;
  }
  if (path.endsWith('.toml')) {
    try {
      return parseToml(text);
    } catch (error) {
      const position =
        error instanceof TomlError ? { line: error.line, column: error.column - 1 } : undefined;
      throw wrong(
        `The policy is not TOML: ${entryAt(errorText(error).split('\n'), 0, 'line')}.`,
        error,
        position,
      );
    }
  }
  throw new QuodError('invalid-input', 'A policy is a file that ends in .toml or .json.', {
    place: { file: path },
  });
}

/** What is said beside an axiom of the submission's own. */
export const OWN_AXIOM =
  'No policy allows an axiom that the submission declares itself: `axioms` names those of the target and of libraries.';

/** @param isOwn The submission declares it itself. */
export function axiomRemedy(axiom: string, isOwn: boolean, { axioms }: GatePolicy): string {
  if (isOwn) return `Prove it without the axiom. ${OWN_AXIOM}`;
  const falsity = whyFalse(axiom);
  if (falsity !== undefined)
    return `Prove it without the axiom, which is false: ${falsity}. A policy allows it by its name in the list \`axioms\` alone.`;
  if (axioms === undefined || axioms === 'target')
    return `Prove it without the axiom, have the target require the library that declares it, or allow it with a policy: \`axioms = ["${axiom}"]\`, or a set of axioms in \`logic\`.`;
  if (axioms.includes(axiom)) return 'Prove it without the axiom: what the policy names so is another one.';
  if (axioms.some((allowed) => axiomMatches(allowed, axiom)))
    return `Prove it without the axiom, or add "${axiom}" to the policy's list \`axioms\`: a name that ends in \`.*\` stands for axioms of libraries alone.`;
  const list = axioms.length === 0 ? 'is empty: it allows none' : 'allows those that it names and no others';
  return `Prove it without the axiom, or change the policy. Its list \`axioms\` ${list}, whatever the target requires. Add "${axiom}" to it, or leave the list out (or say \`axioms = "target"\`) to allow what the target and the libraries that it requires declare.`;
}

/**
 * Whether axioms beyond the target's are allowed by name or set: one that is known to be false by its own name alone.
 * @param isInstalled Its library is installed with the prover: one of a project can be called like it, and no set means that.
 */
export function allowsAxiom(policy: GatePolicy, axiom: string, isInstalled = true): boolean {
  const listed = policy.axioms === undefined || policy.axioms === 'target' ? [] : policy.axioms;
  if (whyFalse(axiom) !== undefined) return listed.includes(axiom);
  const inSets = isInstalled ? (policy.logic ?? []).flatMap(axiomsOfSet) : [];
  const means = isInstalled ? listed : listed.filter((name) => !isOfStandardLibrary(name));
  return [...means, ...inSets].some((allowed) => axiomMatches(allowed, axiom));
}

/** Whether the axioms of the target are allowed as they are. */
export function allowsAxiomsOfTarget(policy: GatePolicy): boolean {
  return policy.axioms === undefined || policy.axioms === 'target';
}

export function allowsFlag(policy: GatePolicy, flag: KernelFlag): boolean {
  return (policy.flags ?? ['vm-compute']).includes(flag);
}

const MILLISECONDS = { '': 1000, ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const BYTES = {
  '': 1,
  B: 1,
  kB: 1000,
  KiB: 1024,
  MB: 1000 ** 2,
  MiB: 1024 ** 2,
  GB: 1000 ** 3,
  GiB: 1024 ** 3,
} as const;

function quantityOf(value: number | string, units: Readonly<Record<string, number>>): number | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*(\p{L}*)$/u.exec(String(value).trim()) ?? [];
  const factor = unit === undefined ? undefined : Object.hasOwn(units, unit) ? units[unit] : undefined;
  const quantity = factor === undefined ? Number.NaN : Math.round(Number(digits) * factor);
  return Number.isSafeInteger(quantity) && quantity > 0 ? quantity : undefined;
}

function notA(context: z.RefinementCtx, what: string): never {
  context.addIssue({ code: 'custom', message: `must be ${what}` });
  return z.NEVER;
}
