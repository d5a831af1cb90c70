/**
 * What `quod bench run` measures: theorems, methods, repeats. Theorems are listed one by one or, as CoqPilot's
 * benchmark does, by file; a method is a name with settings of the agent, so that whatever can be set can be compared.
 */
import { z } from 'zod';
import { entryAt } from '../../core/entry.ts';
import { foreignName } from '../../core/foreign-text.ts';
import { QuodError, errorText } from '../../core/errors.ts';
import { clause } from '../../core/sentence.ts';
import { settingsWritten, writtenSettingsSchema } from '../settings.ts';
import type { Layer, Settings } from '../settings.ts';
import { installedPage } from '../../core/installed-package.ts';

/** Every cell is a run: far above what anybody waits for. */
const MOST_REPEATS = 1000;

/** Parts of the agent that can be left out. */
const PARTS = [
  ...(['context', 'lemmas', 'search', 'repair', 'refutation'] as const),
  ...(['critic', 'debate', 'retrieval'] as const),
] as const;

type Part = (typeof PARTS)[number];

const theorem = z.strictObject({
  file: z.string().describe('Relative to the specification.'),
  theorem: z.string(),
});

/** Settings that somebody wrote: those that were not keep what `.quod/agent.json` says, and have no defaults here. */
const someSettings = z
  .record(z.string(), z.unknown())
  .default({})
  .transform((spelled, context): Partial<Settings> => {
    let written: Layer;
    try {
      written = settingsWritten(spelled);
    } catch (error) {
      context.addIssue({ code: 'custom', message: clause(errorText(error)) });
      return z.NEVER;
    }
    const parsed = writtenSettingsSchema.partial().safeParse(written);
    if (parsed.success)
      return Object.fromEntries(Object.entries(parsed.data).filter(([name]) => name in written));
    for (const { message, path } of parsed.error.issues)
      context.addIssue({ code: 'custom', message, path: [...path] });
    return z.NEVER;
  });

/** What a load path may have, and how many words follow it. */
const TAKEN: ReadonlyMap<string, number> = new Map([
  ['-Q', 2],
  ['-R', 2],
  ['-I', 1],
  ['-arg', 1],
]);

/** Anything else would be left out in silence, and another thing measured than was meant. */
function requireTaken(words: readonly string[], context: z.RefinementCtx): void {
  let at = 0;
  while (at < words.length) {
    const word = entryAt(words, at, 'word');
    const following = TAKEN.get(word);
    if (following === undefined || at + following >= words.length) {
      const problem =
        following === undefined
          ? 'is not taken: a load path has `-Q`, `-R`, `-I` and `-arg`'
          : `lacks ${following === 1 ? 'the word' : 'one of the two words'} behind it`;
      context.addIssue({ code: 'custom', message: `${foreignName(JSON.stringify(word))} ${problem}` });
      return;
    }
    at += 1 + following;
  }
}

export const specSchema = z.strictObject({
  name: z.string().min(1),
  theorems: z
    .union([z.array(theorem), z.record(z.string(), z.array(z.string()))])
    .describe('`[{file, theorem}]`, or the names by file: `{"a.v": ["one", "two"]}`.'),
  loadPath: z
    .record(z.string(), z.array(z.string()).superRefine(requireTaken))
    .default({})
    .describe(
      'Arguments of Rocq for files below a folder that has no _CoqProject, as that file has them (`-Q`, `-R`, `-I`, `-arg`): `{"lib": ["-R", "lib", "X"]}`.',
    ),
  groups: z
    .array(z.tuple([z.int().min(1), z.int().min(1)]))
    .min(1)
    .default([
      [1, 4],
      [5, 8],
      [9, 20],
    ])
    .describe('Lengths of the author’s proof, in sentences, from and to.'),
  hideNames: z.boolean().default(false).describe('Call every theorem and its file the same.'),
  after: z
    .int()
    .min(0)
    .default(0)
    .describe('Ask for the state after so many sentences of the author’s proof.'),
  settings: someSettings.describe('Of every method; its own go before them.'),
  methods: z.array(z.strictObject({ name: z.string().min(1), settings: someSettings })).min(1),
  without: z
    .array(z.enum(PARTS))
    .default([])
    .describe('Parts of the agent: each method is measured once more without each of them.'),
  repeats: z.int().min(1).max(MOST_REPEATS).default(1),
  seed: z.int().nonnegative().default(0).describe('Of the first repeat; each further one has the next.'),
});

/** What takes a part of the agent away, and leaves all else as it is. */
const WITHOUT: Readonly<Record<Part, Partial<Settings>>> = {
  context: { fileTokens: 0 },
  lemmas: { lemmas: 0 },
  search: { searchFirst: false },
  repair: { repairSeconds: 0 },
  refutation: { refuteSeconds: 0 },
  critic: { failuresBeforeCritic: null },
  debate: { planning: 'direct' },
  retrieval: { similarProofs: 0, examples: 0 },
};

export type BenchSpec = z.output<typeof specSchema>;

export interface Method {
  readonly name: string;
  readonly settings: Partial<Settings>;
}

/** Every method that is measured: those of the specification, and each without each part that is to be left out. */
export function methodsOf({ methods, settings: common, without }: BenchSpec): readonly Method[] {
  return methods.flatMap(({ name, settings }) => [
    { name, settings: { ...common, ...settings } },
    ...without.map((part) => ({
      name: `${name} without ${part}`,
      settings: { ...common, ...settings, ...WITHOUT[part] },
    })),
  ]);
}

/** @throws QuodError `invalid-input` that names what is wrong. */
export function parseSpec(value: unknown, file: string): BenchSpec {
  const parsed = specSchema.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'the specification'}: ${message}`,
    );
    throw new QuodError('invalid-input', `The specification is wrong: ${clause(faults.join('; '))}.`, {
      place: { file },
      remedy: `${installedPage('agents/bench.md')} says what belongs into it.`,
    });
  }
  const names = methodsOf(parsed.data).map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new QuodError('invalid-input', `Two methods are called ${twice}.`, { place: { file } });
  if (listedTheorems(parsed.data).length === 0)
    throw new QuodError('invalid-input', 'The specification names no theorem.', {
      place: { file },
      remedy: 'Name some: "theorems": {"FILE.v": ["NAME"]}.',
    });
  const { settings: common, methods, without } = parsed.data;
  const direct = methods.find(({ settings }) => ({ ...common, ...settings }).planning !== 'debate');
  if (without.includes('debate') && direct !== undefined)
    throw new QuodError('invalid-input', `The method ${direct.name} has no debate that could be left out.`, {
      place: { file },
      remedy: 'Set `"planning": "debate"` in its settings, or leave `debate` out of `without`.',
    });
  return parsed.data;
}

/** Every theorem, in the order of the specification. */
export function listedTheorems({
  theorems,
}: BenchSpec): readonly { readonly file: string; readonly theorem: string }[] {
  return Array.isArray(theorems)
    ? theorems
    : Object.entries(theorems).flatMap(([file, names]) => names.map((name) => ({ file, theorem: name })));
}

/** The group of a proof's length; undefined beyond all groups. */
export function groupOf(length: number, { groups }: Pick<BenchSpec, 'groups'>): string | undefined {
  const found = groups.find(([from, to]) => length >= from && length <= to);
  return found === undefined ? undefined : groupName(found);
}

export function groupName([from, to]: BenchSpec['groups'][number]): string {
  return from <= 1 ? `≤ ${to}` : `${from}–${to}`;
}
