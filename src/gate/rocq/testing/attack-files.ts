/**
 * Attacks on the Rocq judge, and honest submissions of unusual shapes, as files that anybody can read and add to
 * (`attacks/README.md` says how). The folder is the class, the file's name is the case's.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { REASON_CODES } from '../../../core/reason.ts';
import { type GatePolicy, policySchema } from '../../policy.ts';
import { FINDING_KINDS } from '../../verdict.ts';
import { parseSectioned } from '../../testing/sectioned-file.ts';

/** What a machine can have or lack: a release of Rocq or a later one, libraries, its compiler to native code, something to confine with. */
export const NEEDS = [
  'elpi',
  'equations',
  'ssreflect',
  'stdpp',
  'ext-lib',
  'mtac2',
  'native compiler',
  'sandbox',
  'coqchk',
  'Rocq 9.2',
] as const;

export type Need = (typeof NEEDS)[number];

/** Where a case is tried besides `coqc`: with the Rocq inside Node, in every run of the tests or only when asked. */
const EMBEDDED = ['always', 'on demand', 'never'] as const;

const commaSeparated = z.string().transform((text) => text.split(/,\s*/));

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON on one line' });
    return z.NEVER;
  }
});

const answer = z.enum([...Object.keys(FINDING_KINDS), ...Object.keys(REASON_CODES)] as [string, ...string[]]);

const caseSchema = z.strictObject({
  /** A finding, or the reason why nothing may be concluded; several where releases of Rocq differ. */
  expectation: commaSeparated.pipe(z.array(answer)).optional(),
  policy: json.pipe(policySchema).default({}),
  /** Under which only the cheat is judged: on a busy machine an honest proof can take long, too. */
  limits: json.pipe(policySchema.shape.limits).optional(),
  needs: commaSeparated.pipe(z.array(z.enum(NEEDS))).default([]),
  embedded: z.enum(EMBEDDED).default('on demand'),
  /** Other judges, or earlier ones of Quod, that accept the cheat. */
  passes: commaSeparated.default([]),
  /** Why the cheat is accepted today, where it is: a hole that is known. */
  open: z.string().optional(),
  /** Why an innocent is refused, where it is. */
  refused: z.string().optional(),
  target: z.string(),
  cheat: z.string().optional(),
  innocent: z.string(),
  /** What the innocent is judged against, where it cannot be the target. */
  'innocent target': z.string().optional(),
  /** A library of the project, `P.Lib`. */
  library: z.string().optional(),
  /** What it is for the innocent. */
  'innocent library': z.string().optional(),
});

export interface GateCase extends Omit<z.output<typeof caseSchema>, 'policy' | 'expectation'> {
  readonly name: string;
  readonly expectation?: readonly string[] | undefined;
  /** The folder. */
  readonly group: string;
  readonly policy: GatePolicy;
}

export interface Attack extends GateCase {
  readonly expectation: readonly string[];
  readonly cheat: string;
}

/** @throws Error that names the file, when it is not in the form that `attacks/README.md` describes. */
function readCase(path: string, root: string): GateCase {
  const text = readFileSync(path, 'utf8');
  try {
    const { head, sections } = parseSectioned(text);
    const content = caseSchema.parse({ ...Object.fromEntries(head), ...Object.fromEntries(sections) });
    const name = basename(path).replace(/\.[a-z]+$/, '');
    return { name, group: relative(root, dirname(path)), ...content };
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

export function readAttacks(): Attack[] {
  return casesIn(join(import.meta.dirname, 'attacks'), '.attack').map((read) => {
    const { expectation, cheat } = read;
    if (expectation === undefined || cheat === undefined)
      throw new Error(`${read.group}/${read.name}: an attack needs an expectation and a section \`cheat\`.`);
    return { ...read, expectation, cheat };
  });
}

export function readInnocents(): GateCase[] {
  return casesIn(join(import.meta.dirname, 'innocents'), '.innocent');
}

function casesIn(root: string, extension: string): GateCase[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension))
    .toSorted()
    .map((path) => readCase(join(root, path), root));
}
