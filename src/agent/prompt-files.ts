/**
 * The prompts are files of the package (`prompts/agent`), and a folder of the user's may replace any of them. All
 * are read and checked before a run spends anything: each has exactly the variables that are filled in.
 */
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { leadsOut } from '../process/foreign-folder/leads-out.ts';
import { readRegularFileSync } from '../process/foreign-folder/regular-file.ts';
import { OWN_FOLDER as KEPT_BY_QUOD } from '../process/own-folder.ts';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orNothing } from '../core/entry.ts';
import { QuodError } from '../core/errors.ts';
import { editDistance } from '../core/names/nearest-names.ts';
import { CONVENTIONS } from './prover-conventions.ts';
import type { ProverName } from './prover-conventions.ts';

/** Each prompt with its variables. */
export const PROMPTS = {
  theorem: ['file', 'statement', 'goals', 'context'],
  plan: ['tools', 'said'],
  'plan-proposal': ['task', 'debate'],
  'plan-objection': ['task', 'debate'],
  'plan-judgement': ['task', 'debate'],
  'plan-judgement-again': ['fault'],
  score: ['plan'],
  execute: ['plan', 'failures', 'calls', 'said'],
  'nothing-called': [],
  criticise: ['failures', 'plan', 'history'],
  'explain-similar': ['goal', 'similar'],
  replan: ['plan', 'criticism', 'goal', 'explanation'],
  'new-plan': ['plan', 'criticism', 'explanation'],
  'summarise-failure': ['reason', 'plan', 'history'],
  'few-shot': ['examples', 'said'],
  'few-shot-again': ['error'],
  task: ['task', 'instructions', 'targets', 'theorem', 'statement', 'goals', 'context'],
  'task-status': ['status', 'open'],
  'hand-off': [],
  driver: ['task', 'instructions', 'open', 'findings', 'said'],
  'driver-again': ['open', 'findings', 'said'],
  'rocq-tool-use': [],
  'hol4-tool-use': [],
} as const satisfies Record<string, readonly string[]>;

export type PromptName = keyof typeof PROMPTS;
export type VariablesOf<Name extends PromptName> = Readonly<Record<(typeof PROMPTS)[Name][number], string>>;

/** What any prompt may say of the prover. */
const AMBIENT: ReadonlySet<string> = new Set(['prover', 'script', 'forbidden', 'check', 'tooluse']);

/** What says itself what it is: nothing stands in its place where it is empty. */
const WITHOUT_HEADING: ReadonlySet<string> = new Set(['said']);

// The same way from src/agent and from dist/agent.
const OWN_FOLDER = fileURLToPath(new URL('../../prompts/agent', import.meta.url));

export const PROMPT_NAMES = Object.keys(PROMPTS) as PromptName[];

const PROMPT_FILES: readonly string[] = PROMPT_NAMES.map((name) => `${name}.md`);

export class Prompts {
  readonly #texts: ReadonlyMap<PromptName, string>;

  readonly #ambient: Readonly<Record<string, string>>;

  private constructor(texts: ReadonlyMap<PromptName, string>, ambient: Readonly<Record<string, string>>) {
    this.#texts = texts;
    this.#ambient = ambient;
  }

  /**
   * @param border What neither the folder nor a link in it may lead out of.
   * @throws QuodError `not-found`, `outside-workspace`, `invalid-input` when a file lacks a variable or has one that is
   *   not known, when its name is nearly that of a prompt, and when no file has such a name.
   */
  static read(ownFolder: string | null, border?: string): Prompts {
    if (ownFolder !== null && statSync(ownFolder, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new QuodError('not-found', 'The setting `prompts` names no folder.', {
        place: { file: ownFolder },
        remedy: 'Name a folder with prompts of yours, or take the setting out.',
      });
    }
    if (ownFolder !== null && border !== undefined) requirePromptsInside(ownFolder, border);
    if (ownFolder !== null) requirePromptNames(ownFolder);
    return new Prompts(
      new Map(
        PROMPT_NAMES.map((name) => {
          const own = ownFolder === null ? undefined : join(ownFolder, `${name}.md`);
          const path = own !== undefined && existsSync(own) ? own : join(OWN_FOLDER, `${name}.md`);
          const text = readRegularFileSync(path).toString('utf8').trim();
          requireVariables(name, path, text);
          return [name, text];
        }),
      ),
      {},
    ).in('rocq');
  }

  /** The same prompts with what is said of a prover in all of them. */
  in(prover: ProverName): Prompts {
    const { name, toolUsePrompt, script, forbidden, checkTool } = CONVENTIONS[prover];
    const tooluse = orNothing(this.#texts.get(toolUsePrompt));
    return new Prompts(this.#texts, { prover: name, script, forbidden, check: checkTool, tooluse });
  }

  fill<Name extends PromptName>(name: Name, variables: VariablesOf<Name>): string {
    const values = new Map(Object.entries<string>({ ...this.#ambient, ...variables }));
    // What is filled in is not looked at again: a goal may well have braces in it.
    return orNothing(this.#texts.get(name))
      .replace(/\{\{([a-z]+)\}\}/gu, (_all, variable: string) => {
        const value = orNothing(values.get(variable));
        return value.trim() === '' && !WITHOUT_HEADING.has(variable) ? '(none)' : value;
      })
      .trimEnd();
  }
}

/**
 * Prompts are sent to a model: who writes a project's settings does not choose which of the user's files are sent, nor
 * which of those that Quod keeps in the project, its key among them.
 */
function requirePromptsInside(folder: string, border: string): void {
  const kept = join(border, KEPT_BY_QUOD);
  for (const path of [folder, ...PROMPT_NAMES.map((name) => join(folder, `${name}.md`))]) {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (!isLink && path !== folder) continue;
    if (!leadsOut(path, border) && (!isLink || leadsOut(path, kept))) continue;
    throw new QuodError('outside-workspace', 'The prompts that the settings here name lead elsewhere.', {
      place: { file: path },
      remedy: 'If you mean them, name the folder yourself: --set prompts=FOLDER, or in your own settings.',
    });
  }
}

/** Letters by which a misspelt name differs at most: more of them, and the file may be a note of the user's. */
const MISSPELT = 2;

/** What replaces nothing would be passed over in silence. */
function requirePromptNames(folder: string): void {
  const files = readdirSync(folder);
  for (const file of files) {
    // Editors keep others beside them.
    if (PROMPT_FILES.includes(file) || !/\.md$/iu.test(file)) continue;
    const near = PROMPT_FILES.find((name) => editDistance(file, name) <= MISSPELT);
    if (near === undefined) continue;
    throw new QuodError('invalid-input', 'The file has the name of no prompt.', {
      place: { file: join(folder, file) },
      remedy: `Did you mean ${near}? A file that is no prompt needs a name that is less like one.`,
    });
  }
  if (PROMPT_FILES.some((name) => files.includes(name))) return;
  throw new QuodError('invalid-input', 'The folder that the setting `prompts` names replaces no prompt.', {
    place: { file: folder },
    remedy: `A file that does has one of these names: ${PROMPT_FILES.join(', ')}.`,
  });
}

function requireVariables(name: PromptName, file: string, text: string): void {
  const used = new Set([...text.matchAll(/\{\{([^}]*)\}\}/gu)].map((match) => orNothing(match[1])));
  const known: readonly string[] = PROMPTS[name];
  const wrong = [
    ...known.filter((one) => !used.has(one)),
    ...[...used].filter((one) => !known.includes(one) && !AMBIENT.has(one)),
  ];
  if (wrong.length === 0) return;
  throw new QuodError(
    'invalid-input',
    `The prompt ${name} has other variables than it should: ${wrong.join(', ')}.`,
    {
      place: { file },
      remedy: `It has to have ${known.map((one) => `{{${one}}}`).join(', ') || 'none'}.`,
    },
  );
}
