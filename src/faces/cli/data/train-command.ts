/**
 * `quod train`: a ranker for one's own project, from a data set of `quod mine`. The work is done by the Python package in
 * `training/`; here its environment is found or asked for, and it is run so that it ends with Quod.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { QuodError, errorText } from '../../../core/errors.ts';
import { findExecutable } from '../../../process/executable.ts';
import { GuardedChild } from '../../../process/guarded-child.ts';
import { rankerModelFolder } from '../../../retrieval/model/model-format.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';

export interface TrainOptions {
  readonly output: string;
  readonly python?: string;
  readonly startFrom?: string;
  readonly fromScratch?: boolean;
  readonly heldOut?: readonly string[];
  /** `name=value`, as `python -m quod_training train --help` lists them. */
  readonly set?: readonly string[];
}

const TRAINING_FOLDER = fileURLToPath(new URL('../../../../training', import.meta.url));
const LEAST_PYTHON = '3.11';
/** A folder of the project in which the packages are looked for before the machine's own Python is. */
const PROJECT_ENVIRONMENT = join('.quod', 'python');

export async function trainCommand(datasets: readonly string[], options: TrainOptions): Promise<ExitCode> {
  for (const folder of datasets) requireDataset(folder);
  const start = options.fromScratch === true ? undefined : startingModel(options.startFrom);
  const python = await findPython(options.python);
  const child = await GuardedChild.start(
    python,
    [
      ...['-m', 'quod_training', 'train', '--output', resolve(options.output)],
      ...datasets.flatMap((folder) => ['--mined', resolve(folder)]),
      ...(start === undefined ? [] : ['--start-from', start]),
      ...(options.heldOut ?? []).flatMap((name) => ['--held-out', name]),
      ...(options.set ?? []).map(pythonOption),
    ],
    { environment: pythonEnvironment() },
  );
  child.input.end();
  createInterface({ input: child.output }).on('line', (line) => {
    console.log(line);
  });
  const interrupt = listenForInterrupt();
  const stop = (): void => child.interrupt('SIGTERM');
  interrupt.signal.addEventListener('abort', stop);
  const exit = await child.exited;
  interrupt.stop();
  if (interrupt.signal.aborted) return 130;
  if (exit.code === 0) return 0;
  // 2 is the Python package's word for data or a model that it cannot use.
  throw new QuodError(
    exit.code === 2 ? 'invalid-input' : 'internal',
    `The training stopped: ${lastLines(exit.errorOutput)}`,
    {
      remedy:
        'docs/data/training.md says what a training needs; `quod dataset check` finds faults of a data set.',
    },
  );
}

function requireDataset(folder: string): void {
  if (existsSync(join(folder, 'dataset.json'))) return;
  throw new QuodError('not-found', `${folder} is not a data set.`, {
    place: { file: resolve(folder) },
    remedy: `Make one of your sources first: quod mine PATH -o ${folder}`,
  });
}

function startingModel(chosen: string | undefined): string {
  const folder = chosen === undefined ? rankerModelFolder() : resolve(chosen);
  if (existsSync(join(folder, 'card.json'))) return folder;
  throw new QuodError('not-found', 'There is no model to go on from.', {
    place: { file: folder },
    remedy: 'Name one with --start-from, or start from chance with --from-scratch.',
  });
}

function pythonOption(setting: string): string {
  const match = /^([a-z][a-z0-9_-]*)=(.+)$/u.exec(setting);
  if (match?.[1] !== undefined && match[2] !== undefined)
    return `--${match[1].replaceAll('_', '-')}=${match[2]}`;
  throw new QuodError('invalid-input', `--set takes name=value, not "${setting}".`, {
    remedy: 'docs/data/training.md lists the names.',
  });
}

/** The package is run where it lies; its byte code is not written there, which may be read-only. */
function pythonEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONPATH: TRAINING_FOLDER, PYTHONDONTWRITEBYTECODE: '1' };
}

/** @throws QuodError `unsupported` without a Python that has the packages; it says how to get them. */
async function findPython(chosen: string | undefined): Promise<string> {
  const candidates = [join(PROJECT_ENVIRONMENT, 'bin', 'python'), 'python3', 'python'].map((name) =>
    name.includes('/') ? resolve(name) : name,
  );
  const program = findExecutable(chosen === undefined ? candidates : [chosen]);
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
  const check = `import sys; assert sys.version_info[:2] >= (${LEAST_PYTHON.replace('.', ', ')}), "it is Python " + sys.version.split()[0]; import numpy, onnx, onnxruntime, rapidfuzz, torch`;
  try {
    await promisify(execFile)(program, ['-c', check]);
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

function lastLines(text: string, count = 3): string {
  return text.trim().split('\n').slice(-count).join('\n');
}
