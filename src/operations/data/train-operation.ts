/**
 * A ranker for one's own project, from data sets. The work is done by the Python package in `training/`; here its
 * environment is found or asked for, and it is run so that it ends with Quod.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isInside } from '../../core/inside.ts';
import { z } from 'zod';
import { QuodError, errorText } from '../../core/errors.ts';
import { permissionsHere } from '../../agent/configuration/permissions.ts';
import { requirePermission } from '../../agent/configuration/reach.ts';
import { findExecutable } from '../../process/executable.ts';
import { GuardedChild } from '../../process/guarded-child.ts';
import { environmentWith } from '../../process/rights/child-environment.ts';
import { rankerModelFolder } from '../../retrieval/model/model-format.ts';
import { stoppedBy, stoppedSchema } from '../definition/cut-off.ts';
import { defineOperation } from '../definition/operation.ts';
import type { Workspace } from '../definition/workspace.ts';
import { installedPage } from '../../core/installed-package.ts';

const TRAINING_FOLDER = fileURLToPath(new URL('../../../training', import.meta.url));
const LEAST_PYTHON = '3.11';
/**
 * A folder of the project in which the packages are looked for before the machine's own Python is. Whoever wrote the
 * project may have put a program there, so that a person has to allow it first.
 */
const PROJECT_ENVIRONMENT = join('.quod', 'python');
const A_WEEK = 7 * 24 * 3600;

/** No program can be given a null character. */
const argument = z.string().refine((text) => !/\p{Cc}/u.test(text), 'must have no control character');

export const dataTrain = defineOperation({
  name: 'data_train',
  area: 'data',
  title: 'Make a ranker for your own project',
  summary: 'Trains the ranker of similar proofs on data sets, from the shipped model on.',
  details: 'Needs Python and its packages.',
  input: z.object({
    datasets: z.array(z.string()).min(1).describe('What `data_mine` wrote.'),
    output: z.string().describe('Where the model goes; QUOD_RANKER_MODEL then names it.'),
    held_out: z.array(argument).default([]).describe('Libraries to measure on and never to train on.'),
    start_from: z.string().optional().describe('Go on from this model instead of the shipped one.'),
    from_scratch: z.boolean().default(false).describe('Start from chance, with a vocabulary of its own.'),
    set: z
      .array(argument)
      .default([])
      .describe('Settings of the training: steps=5000, minutes=30, threads=8.'),
    python: z
      .string()
      .optional()
      .describe(
        'The Python to use; default .quod/python/bin/python, which has to be allowed (quod run allow), else python3. ' +
          'Of a server any other has to be allowed, too.',
      ),
  }),
  output: z.object({ output: z.string().describe('What the training printed.'), stopped: stoppedSchema }),
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  defaultTimeout: A_WEEK,
  longestTimeout: A_WEEK,
  positional: ['datasets'],
  render: ({ output }) => output,
  holds: ({ stopped }) => (stopped === null ? true : undefined),
  run: async (input, { workspace, signal, progress }) => {
    const datasets = await Promise.all(input.datasets.map((folder) => datasetFolder(folder, workspace)));
    const start = input.from_scratch ? undefined : await startingModel(input.start_from, workspace);
    const settings = input.set.map((setting) => pythonOption(setting, workspace));
    const python = await findPython(input.python, workspace);
    const child = await GuardedChild.start(
      python,
      [
        ...['-m', 'quod_training', 'train', '--output', await workspace.resolve(input.output)],
        ...datasets.flatMap((folder) => ['--mined', folder]),
        ...(start === undefined ? [] : ['--start-from', start]),
        ...input.held_out.map((name) => `--held-out=${name}`),
        ...settings,
      ],
      { environment: pythonEnvironment(), folder: workspace.root },
    );
    child.input.end();
    const lines: string[] = [];
    createInterface({ input: child.output }).on('line', (line) => {
      lines.push(line);
      progress({ message: line });
    });
    const stop = (): void => child.interrupt('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    const exit = await child.exited;
    signal.removeEventListener('abort', stop);
    if (signal.aborted || exit.code === 0) return { output: lines.join('\n'), stopped: stoppedBy(signal) };
    // 2 is the Python package's word for data or a model that it cannot use, and for a setting that it does not take.
    throw new QuodError(
      exit.code === 2 ? 'invalid-input' : 'internal',
      refusedSetting(exit.errorOutput) ?? `The training stopped: ${lastLines(exit.errorOutput)}`,
      {
        remedy: `${installedPage('data/training.md')} says what a training needs; \`data_check\` finds faults of a data set.`,
      },
    );
  },
});

async function datasetFolder(folder: string, workspace: Workspace): Promise<string> {
  const path = await workspace.resolve(folder);
  if (existsSync(join(path, 'dataset.json'))) return path;
  throw new QuodError('not-found', `${folder} is not a data set.`, {
    place: { file: path },
    remedy: 'Make one of your sources first: `data_mine` with `output`.',
  });
}

async function startingModel(chosen: string | undefined, workspace: Workspace): Promise<string> {
  const folder = chosen === undefined ? rankerModelFolder() : await workspace.resolve(chosen);
  if (existsSync(join(folder, 'card.json'))) return folder;
  throw new QuodError('not-found', 'There is no model to go on from.', {
    place: { file: folder },
    remedy: 'Name one with `start_from`, or start from chance with `from_scratch`.',
  });
}

/** Numbers, and the model's name: with anything else an option of the Python program could name files. */
const HARMLESS_SETTING = /^(?:name=[\p{L}\p{N}_-]+|[a-z0-9_-]+=[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)$/iu;

function pythonOption(setting: string, { isConfined }: Workspace): string {
  const match = /^([a-z][a-z0-9_-]*)=(.+)$/u.exec(setting);
  if (match?.[1] !== undefined && match[2] !== undefined) {
    if (isConfined && !HARMLESS_SETTING.test(setting))
      throw new QuodError('invalid-input', `The setting "${setting}" has no number as its value.`, {
        remedy: `${installedPage('data/training.md')} lists the settings. What names files has a parameter of its own.`,
      });
    return `--${match[1].replaceAll('_', '-')}=${match[2]}`;
  }
  throw new QuodError('invalid-input', `The setting "${setting}" is no name with a value.`, {
    remedy: `Write \`set\` as name=value: ${installedPage('data/training.md')} lists the names.`,
  });
}

/** What Python, PyTorch and what runs below it look at. */
const FOR_TRAINING =
  /^(?:VIRTUAL_ENV|(?:CONDA|PYTHON|PYTORCH|TORCH|CUDA|NVIDIA|NCCL|CUBLAS|HIP|ROCR|OMP|MKL|KMP)\w*)$/u;

/**
 * The package is run where it lies; its byte code is not written there, which may be read-only. No module comes from
 * the folder that Python is started in: a `torch.py` of the project is no program of the user's.
 */
function pythonEnvironment(): NodeJS.ProcessEnv {
  return {
    ...environmentWith(FOR_TRAINING, process.env),
    PYTHONPATH: TRAINING_FOLDER,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONSAFEPATH: '1',
  };
}

/** @throws QuodError `unsupported` without a Python that has the packages; it says how to get them. */
async function findPython(chosen: string | undefined, workspace: Workspace): Promise<string> {
  const machines = ['python3', 'python'];
  const own = [join(PROJECT_ENVIRONMENT, 'bin', 'python'), ...machines];
  if (chosen?.includes('/') === true) await workspace.resolve(chosen);
  const program = findExecutable(
    (chosen === undefined ? own : [chosen]).map((name) =>
      // Not by its real path: a Python knows its packages by the path that it is started with.
      name.includes('/') ? resolve(workspace.root, name) : name,
    ),
  );
  const remedy = [
    `python3 -m venv ${PROJECT_ENVIRONMENT} &&`,
    `${join(PROJECT_ENVIRONMENT, 'bin', 'pip')} install -r ${join(TRAINING_FOLDER, 'requirements.lock')}`,
  ].join(' ');
  if (program === undefined)
    throw new QuodError(
      'unsupported',
      chosen === undefined ? 'Training needs Python.' : `${chosen} cannot be run.`,
      { remedy: `Install Python ${LEAST_PYTHON} or newer, then: ${remedy}` },
    );
  // What somebody typed they mean; what lies in a project or what a client names is run once a person allowed it.
  const isTyped = chosen !== undefined && !workspace.isConfined;
  const isDefault = machines.some((name) => findExecutable([name]) === program);
  if (!isTyped && (!isDefault || isInside(workspace.root, program)))
    requirePermission(
      { kind: 'program', program },
      permissionsHere({ folder: workspace.root, environment: process.env }),
    );
  const check = `import sys; assert sys.version_info[:2] >= (${LEAST_PYTHON.replace('.', ', ')}), "it is Python " + sys.version.split()[0]; import numpy, onnx, onnxruntime, rapidfuzz, torch`;
  try {
    await promisify(execFile)(program, ['-c', check], { env: pythonEnvironment() });
    return program;
  } catch (cause) {
    const output = (cause as { stderr?: unknown }).stderr;
    const why = typeof output === 'string' && output !== '' ? lastLines(output, 1) : errorText(cause);
    throw new QuodError('unsupported', `${program} lacks what training needs: ${why}`, {
      remedy: `Training needs Python ${LEAST_PYTHON} or newer and its packages: ${remedy}`,
      cause,
    });
  }
}

/** What Python's reader of command lines says of a setting, as it is named here: `steps`, not `--steps`. */
function refusedSetting(errorOutput: string): string | undefined {
  const [, name, fault] = /: error: argument --([\w-]+): (.+)\s*$/u.exec(errorOutput) ?? [];
  if (name !== undefined && fault !== undefined)
    return `The training does not take the setting "${name.replaceAll('-', '_')}": ${fault}`;
  const [, unknown] = /: error: unrecognized arguments: --(.+)\s*$/u.exec(errorOutput) ?? [];
  return unknown === undefined
    ? undefined
    : `The training has no such setting: ${unknown.replaceAll(' --', ' ')}`;
}

function lastLines(text: string, count = 3): string {
  return text.trim().split('\n').slice(-count).join('\n');
}
