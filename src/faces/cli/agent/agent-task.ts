/** The task file of `quod agent --task`: read at the start, its handoff section written by the run. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { orNothing } from '../../../core/entry.ts';
import type { RunRecord } from '../../../agent/runs/events.ts';
import type { Task } from '../../../agent/runs/task-schema.ts';
import type { McpLaunch } from '../../../agent/other-agents/driver-command.ts';
import { readInstructions } from '../../../agent/task/instructions.ts';
import { changedFiles } from '../../../agent/task/changed-files.ts';
import { QuodError } from '../../../core/errors.ts';
import type { TaskTarget } from '../../../agent/task/listed-targets.ts';
import { taskTargets, withoutHandoff, withoutKnownHandoff } from '../../../agent/task/task-file.ts';
import type { TaskFiles } from '../../../agent/task/task-files.ts';
import { LARGEST_SOURCE_BYTES } from '../../../process/foreign-folder/regular-file.ts';
import { replaceFile } from '../../../operations/files/replace-file.ts';
import { encode, readSourceFile, readUnlinkedSource } from '../../../operations/files/source-file.ts';
import { TARGET_FILE } from '../../../agent-targets/open-targets.ts';
import { foreignName } from '../../../core/foreign-text.ts';
import type { TargetChoice } from '../../../agent-targets/target-choice.ts';
import { requireOfDocumentsFolder } from './files-of-folder.ts';

export interface TaskOptions {
  readonly prompt?: string;
  readonly instructions?: string;
  readonly claudeMd?: string;
  /** The task may name files outside of the folder. */
  readonly outside?: boolean;
}

/** @throws QuodError `file-unreadable`, `not-found`, `invalid-input` when it names nothing to prove. */
export async function readTask(
  fileName: string,
  { prompt, claudeMd, instructions = claudeMd, outside: isOutsideMeant = false }: TaskOptions,
): Promise<{ readonly task: Task; readonly choices: readonly TargetChoice[] }> {
  const { text, hash: fileHash } = await readSourceFile(fileName);
  const file = resolve(fileName);
  const folder = dirname(file);
  const targets = taskTargets(
    text,
    fileName,
    (name) => TARGET_FILE.test(name) && existsSync(resolve(folder, name)),
  );
  const listed = await Promise.all(
    targets.map(async ({ file: named, theorems }) => {
      const path = resolve(folder, named);
      return { file: path, theorems, real: await realpath(path).catch(() => path) };
    }),
  );
  if (!isOutsideMeant)
    await requireOfDocumentsFolder(
      file,
      listed.map((one) => one.file),
      {
        message: 'The task leads to a file that is not of this folder.',
        remedy: 'If you mean that file: quod agent --task FILE --outside.',
      },
    );
  const choices = choicesOf(listed, fileName);
  const told = readInstructions(folder, instructions);
  if (told.notFollowed !== undefined) {
    console.error(
      `${foreignName(told.notFollowed)} is a link out of the folder: not read (-c ${foreignName(told.notFollowed)} reads it).`,
    );
  }
  // What is written and committed is the file that a link leads to.
  const realTask = await realpath(file).catch(() => file);
  const changed = await changedFiles([...new Set([...listed.map(({ real }) => real), realTask])]);
  const task = {
    ...{ file, text, fileHash },
    instructions: told.text,
    prompt: orNothing(prompt),
    usersOwn: [...changed.keys()],
    ...(changed.size > 0 && { usersOwnWhy: Object.fromEntries(changed) }),
  };
  return { task, choices };
}

interface ListedTarget extends TaskTarget {
  /** The file itself, where `file` is a link to it. */
  readonly real: string;
}

/** Each file once, with all that is named of it, however often, by whatever way and by whatever link it is listed. */
function choicesOf(targets: readonly ListedTarget[], task: string): readonly TargetChoice[] {
  const named = new Map<string, Pick<TaskTarget, 'file' | 'theorems'>>();
  for (const { file, theorems, real } of targets) {
    const known = named.get(real);
    const before = known?.theorems;
    if (known !== undefined && (before === undefined) !== (theorems === undefined))
      throw new QuodError(
        'invalid-input',
        `The task lists ${foreignName(relative(dirname(resolve(task)), file))} with names and without.`,
        { place: { file: task }, remedy: 'List it once: with names, or without them for every hole.' },
      );
    named.set(real, {
      file: known === undefined ? file : known.file,
      theorems: theorems && [...new Set([...(before === undefined ? [] : before), ...theorems])],
    });
  }
  return [...named.values()].map(({ file, theorems }) => ({
    file,
    ...(theorems !== undefined && { theorems }),
    // A task is called again when something of it is done: what is finished is its author's, and paid.
    leavesFinished: true,
  }));
}

/**
 * How another agent starts Quod's tools: this very program, on the folder of the task. Runs of its own would be paid beside
 * the limits of this one, and write what the task does not name.
 */
export function mcpLaunch({ file }: Task): McpLaunch {
  const [, program] = process.argv;
  const args = [orNothing(program), 'mcp', '--without', 'agent', '--workspace', dirname(file)];
  return { command: process.execPath, args };
}

/**
 * The file that the task is in now, and no other that somebody puts in its place while the run works.
 * @param past Of a run that is resumed: what it wrote then is its own.
 */
export async function taskFiles(
  { file, text: begun }: Task,
  past: readonly RunRecord[] = [],
): Promise<TaskFiles> {
  const path = await realpath(file).catch(() => file);
  let known = past.reduce((text, { event }) => (event.kind === 'handed-off' ? event.task : text), begun);
  const others = withoutHandoff(begun).trimEnd();
  let isShared = past.some(
    ({ event }) => event.kind === 'handed-off' && withoutHandoff(event.task).trimEnd() !== others,
  );
  let written: Uint8Array | undefined;
  return {
    written: () => (written === undefined ? undefined : { file: path, bytes: written, isShared }),
    updateTask: async (change) => {
      const source = await readUnlinkedSource(path);
      const text = change(source.text, known);
      if (text === source.text) return text;
      // An earlier part of the run may have taken its section out, when all was proved.
      isShared ||= ![known, withoutKnownHandoff(known, { known, begun })].includes(source.text);
      const bytes = encode(source, text);
      // The task could never be begun again. What the next context is told has the note all the same.
      if (bytes.length > LARGEST_SOURCE_BYTES) return text;
      await replaceFile(source, bytes);
      written = bytes;
      known = text;
      return text;
    },
  };
}
