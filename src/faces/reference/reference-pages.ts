/**
 * What is written about the operations for people and for agents, made from the operations alone: the reference pages
 * and the skill file. A test compares the files with this; `npm run reference` writes them.
 */
import { orNothing } from '../../core/entry.ts';
import type { Annotations, AnyOperation } from '../../operations/definition/operation.ts';
import { verbOf } from '../host.ts';
import { typeText } from '../../operations/definition/operation-schema.ts';
import type { ObjectSchema, PropertySchema } from '../../operations/definition/operation-schema.ts';
import { hasGet, routePath } from '../rest/routes.ts';

const AREA_TITLES: Readonly<Record<string, string>> = {
  rocq: 'Rocq',
  lean: 'Lean 4',
  fstar: 'F\\*',
  hol: 'HOL4',
  proof: 'Files, projects and proof search',
  gate: 'The gate',
  data: 'Data of proofs',
  agent: 'Runs of the agent',
};

const GENERATED = '<!-- Made from the operations by `npm run reference`; do not edit. -->';

/** The text of each file, by its path from the root of the repository. */
export function referenceFiles(operations: readonly AnyOperation[]): ReadonlyMap<string, string> {
  const areas = [...new Set(operations.map(({ area }) => area))];
  const ofArea = (area: string): AnyOperation[] => operations.filter((operation) => operation.area === area);
  return new Map([
    ['docs/reference/README.md', indexPage(areas.map((area) => [area, ofArea(area)]))],
    ...areas.map((area) => [`docs/reference/${area}.md`, areaPage(area, ofArea(area))] as const),
    ['web/src/parts/input-names.ts', inputNames(operations)],
    ['skill/SKILL.md', skillFile(areas.map((area) => [area, ofArea(area)]))],
  ]);
}

/** The page gets no more of the operations than their types, and their inputs by name: it has fields of its own. */
function inputNames(operations: readonly AnyOperation[]): string {
  const names = new Set(operations.flatMap(({ input }) => Object.keys(input.shape)));
  return [
    '/** What the operations take, by name. Made by `npm run reference`, do not edit. */',
    'export const INPUT_NAMES: ReadonlySet<string> = new Set([',
    ...[...names, 'timeout'].sort().map((name) => `  '${name}',`),
    ']);',
    '',
  ].join('\n');
}

type Grouped = readonly (readonly [area: string, operations: readonly AnyOperation[]])[];

function indexPage(groups: Grouped): string {
  return page(
    '# Operations',
    GENERATED,
    'Each operation is an MCP tool, a REST route and a command, with the same input and the same answer. Every operation also takes `timeout`, in seconds. Positions are lines from 1 and columns from 0 in Unicode code points. What can go wrong: [reason codes](../prove/reason-codes.md).',
    ...groups.flatMap(([area, operations]) => [
      `## [${AREA_TITLES[area] ?? area}](${area}.md)`,
      table(
        ['tool', 'what it does'],
        operations.map(({ name, summary }) => [`[\`${name}\`](${area}.md#${name})`, summary]),
      ),
    ]),
  );
}

function areaPage(area: string, operations: readonly AnyOperation[]): string {
  return page(`# ${AREA_TITLES[area] ?? area}`, GENERATED, ...operations.flatMap(operationSection));
}

function operationSection(operation: AnyOperation): string[] {
  const { name, area, title, summary, details, annotations } = operation;
  const input = operation.inputSchema();
  // Every operation takes a time limit; it is told once, and here only the default.
  const properties = Object.fromEntries(
    Object.entries(input.properties).filter(([name]) => name !== 'timeout'),
  );
  const command = [
    'quod',
    area,
    verbOf(operation),
    ...operation.positional.map((word) => argumentOf(word, input)),
  ];
  return [
    `## ${name}`,
    `${title}. ${summary}`,
    ...(details === '' ? [] : [details]),
    `\`${command.join(' ')}\` · \`${hasGet(operation) ? 'GET or POST' : 'POST'} ${routePath(operation)}\` · ${annotationText(annotations)} · ${operation.defaultTimeout} s`,
    propertyTable('takes', { ...input, properties }, (property) =>
      input.required.includes(property) ? 'required' : '',
    ),
    propertyTable('answers', operation.outputSchema(), () => ''),
  ];
}

function argumentOf(name: string, { required, properties }: ObjectSchema): string {
  const word = name.replaceAll('_', '-').toUpperCase() + (properties[name]?.type === 'array' ? '…' : '');
  return required.includes(name) ? word : `[${word}]`;
}

function annotationText({ readOnly, destructive, idempotent, openWorld }: Annotations): string {
  // What the code of others does besides, Quod does not know.
  const nothing = openWorld ? 'changes nothing itself' : 'changes nothing';
  return [
    readOnly ? nothing : destructive ? 'may overwrite' : 'adds, overwrites nothing',
    ...(idempotent && !readOnly ? ['twice is the same as once'] : []),
    ...(openWorld ? ['runs code of others'] : []),
  ].join(', ');
}

function propertyTable(
  heading: string,
  { properties }: ObjectSchema,
  note: (property: string) => string,
): string {
  const rows = propertyRows(properties, '').map(([name, schema]) => [
    `\`${name}\``,
    typeText(schema),
    [orNothing(schema.description), defaultText(schema), note(name)].filter((part) => part !== '').join(' '),
  ]);
  return rows.length === 0 ? `It ${heading} nothing.` : table([heading, '', ''], rows);
}

/** The properties of an object and of the objects in its lists, with the way to them: `goals[].conclusion`. */
function propertyRows(
  properties: Readonly<Record<string, PropertySchema>>,
  path: string,
): (readonly [string, PropertySchema])[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const way = `${path}${name}`;
    const inner = [schema, ...(schema.anyOf ?? [])].flatMap((choice) => [
      ...(choice.properties === undefined ? [] : propertyRows(choice.properties, `${way}.`)),
      ...(choice.items?.properties === undefined ? [] : propertyRows(choice.items.properties, `${way}[].`)),
    ]);
    return [[way, schema] as const, ...inner];
  });
}

function defaultText(schema: PropertySchema): string {
  return schema.default === undefined ? '' : `Default \`${JSON.stringify(schema.default)}\`.`;
}

function skillFile(groups: Grouped): string {
  return page(
    `---
name: quod
description: Use when working on proofs in Rocq (Coq), Lean 4, F* or HOL4: writing or repairing proofs, looking at goals, searching for lemmas, checking that a file compiles, judging that a proof proves what it should.
---`,
    '# Quod: proofs with a prover at hand',
    GENERATED,
    'Never guess what a prover would say: ask it. Quod holds live sessions; its tools are the same over MCP and on the command line (`rocq_check_proof` is `quod rocq check-proof … --json`).',
    `## How to prove a theorem

1. Look before you write: the statement, what stands before it, similar proofs, the goals.
2. Try many things from one state. A state id stays valid; pass it as \`from\`. Nothing is "current", so nothing is lost.
3. When a proof fails, keep its valid prefix and go on from the state that the answer names.
4. Only \`proved\` means proved: it says that the closing command (\`Qed\` or its equivalent) went through. \`incomplete\` and \`branch-closed\` have goals left; \`forbidden\` means that you used something that is not allowed.
5. Write the proof into the file with the tool for it, and check the whole file afterwards. Do not change statements, and do not add axioms.
6. Stuck? Search for lemmas, read similar proofs, run the proof search, or test whether the statement is false.`,
    `## When a call fails

The text ends with a reason in brackets, and the sentence before it says what to do. \`timeout\` costs the call only; the session goes on. \`stale-state\`: open the session again. \`does-not-compile\`: an earlier place of the file is broken; mend that first. \`prover-missing\`: tell the person what to install. An empty list means that there is nothing, never that Quod could not look.`,
    '## Which tool',
    ...groups.flatMap(([area, operations]) => [
      `### ${AREA_TITLES[area] ?? area}`,
      table(
        ['to', 'use'],
        operations.map(({ name, summary }) => [summary, `\`${name}\``]),
      ),
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function page(...parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}
