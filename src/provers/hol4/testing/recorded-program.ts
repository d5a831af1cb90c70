/**
 * Stands for `hol` or `Holmake`: passes everything on to a real one and writes down what it did, or answers as was
 * written down. Started as `node recorded-program.ts SOURCE RUNS PROGRAM ARGUMENT…`: SOURCE is the folder of a real
 * HOL4, or a recording; RUNS a folder in which the runs are counted. What differs from run to run (the secret of
 * Quod's marks, the folder, the numbers of commands, saved heaps) is named in a recording, not written; whatever
 * else differs is an error, so that no test passes by accident.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

interface RecordedRun {
  readonly program: string;
  /** Among the runs of that program, from 0. */
  readonly number: number;
  /** Of HOL: what it was sent, and its greeting followed by its answers. */
  readonly commands: readonly string[];
  readonly answers: readonly string[];
  /** Of Holmake. */
  readonly scripts?: string;
  readonly code?: number;
  readonly files?: Readonly<Record<string, string>>;
}

const [source = '', runs = '', program = '', ...programArguments] = process.argv.slice(2);
const number = countRun();
let secret = '\0';

function countRun(): number {
  for (let index = 0; ; index += 1) {
    try {
      mkdirSync(join(runs, `${program}-${index}`));
      return index;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function recordedRun(): RecordedRun {
  const all = JSON.parse(gunzipSync(readFileSync(source)).toString('utf8')) as RecordedRun[];
  const own = all.find((run) => run.program === program && run.number === number);
  return own ?? fail(`There is no run ${number} of ${program} in the recording.`);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(3);
}

function save(run: Omit<RecordedRun, 'program' | 'number'>): void {
  const path = join(runs, `${program}-${number}.json`);
  writeFileSync(path, JSON.stringify({ program, number, ...run } satisfies RecordedRun));
}

/** What is the same in every run. */
function general(text: string): string {
  return text
    .replaceAll(secret, '@secret@')
    .replaceAll(process.cwd(), '@folder@')
    .replaceAll(source, '/opt/hol4')
    .replaceAll(/:(reached|finished):\d+@/g, ':$1:#@');
}

/** @param command The one that is answered: its number stands in the answer. */
function particular(text: string, command: string): string {
  const [, commandNumber = '0'] = /:(?:reached|finished):(\d+)@/.exec(command) ?? [];
  return text
    .replaceAll('@secret@', secret)
    .replaceAll('@folder@', process.cwd())
    .replaceAll(/:(reached|finished):#@/g, `:$1:${commandNumber}@`);
}

function learnSecret(command: string): void {
  secret = /val secret = "(\w+)"/.exec(command)?.[1] ?? secret;
}

/** Calls back for each text that ends in a null byte. */
function cutAtNulls(take: (text: string) => void): (bytes: Buffer) => void {
  let pending = '';
  return (bytes) => {
    const parts = (pending + bytes.toString('latin1')).split('\0');
    pending = parts.pop() ?? '';
    parts.forEach(take);
  };
}

async function recordHol(): Promise<void> {
  const commands: string[] = [];
  const answers: string[] = [];
  const child = spawn(join(source, 'bin', 'hol'), programArguments, { stdio: ['pipe', 'pipe', 'inherit'] });
  const note = cutAtNulls((command) => {
    learnSecret(command);
    commands.push(general(command));
  });
  process.stdin.on('data', (bytes: Buffer) => {
    note(bytes);
    child.stdin.write(bytes);
  });
  process.stdin.on('end', () => child.stdin.end());
  const noteAnswer = cutAtNulls((answer) => {
    answers.push(general(answer));
    // At once: whoever started this may kill it.
    save({ commands, answers });
  });
  child.stdout.on('data', (bytes: Buffer) => {
    noteAnswer(bytes);
    process.stdout.write(bytes);
  });
  process.on('SIGINT', () => child.kill('SIGINT'));
  process.exitCode = await new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}

async function playHol({ commands, answers }: RecordedRun): Promise<void> {
  const write = (answer: string, command: string): void =>
    void process.stdout.write(Buffer.from(`${particular(answer, command)}\0`, 'latin1'));
  let at = 0;
  write(answers[0] ?? '', '');
  const take = cutAtNulls((command) => {
    learnSecret(command);
    const wanted = general(command);
    const isPrelude = wanted.includes('structure Quod_Port');
    // A recorded HOL that was slow may have been told to save its heap.
    const skipped = commands
      .slice(at)
      .findIndex((known) => known === wanted || (isPrelude && known.includes('structure Quod_Port')));
    if (skipped < 0) fail(`The recorded HOL was not sent ${JSON.stringify(wanted)}.`);
    at += skipped + 1;
    write(answers[at] ?? '', command);
  });
  process.stdin.on('data', take);
  await new Promise((resolve) => process.stdin.on('end', resolve));
}

function scriptsOf(folder: string): string {
  const scripts = readdirSync(folder)
    .filter((name) => name.endsWith('Script.sml'))
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  return createHash('sha256')
    .update(JSON.stringify([scripts, programArguments]))
    .digest('hex');
}

const RESULTS = /^(?:objs\/\w+Theory\.(?:dat|sml|sig)|logs\/\w+)$/;

async function recordHolmake(): Promise<void> {
  const scripts = scriptsOf('.');
  const output: Buffer[] = [];
  const child = spawn(join(source, 'bin', 'Holmake'), programArguments, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.on('data', (bytes: Buffer) => {
    output.push(bytes);
    process.stdout.write(bytes);
  });
  const code = await new Promise<number>((resolve) => child.on('close', (ended) => resolve(ended ?? 1)));
  const written = existsSync('.hol') ? readdirSync('.hol', { recursive: true, encoding: 'utf8' }) : [];
  const files = Object.fromEntries(
    written
      .filter((path) => RESULTS.test(path))
      .map((path) => [path, readFileSync(join('.hol', path), 'base64')]),
  );
  save({ commands: [], answers: [general(Buffer.concat(output).toString('latin1'))], scripts, code, files });
  process.exitCode = code;
}

async function playHolmake({ scripts, code = 0, files = {}, answers }: RecordedRun): Promise<void> {
  if (scriptsOf('.') !== scripts) fail('The recorded Holmake was given other scripts.');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join('.hol', dirname(path)), { recursive: true });
    writeFileSync(join('.hol', path), content, 'base64');
  }
  await new Promise((resolve) => process.stdout.write(Buffer.from(answers[0] ?? '', 'latin1'), resolve));
  process.exitCode = code;
}

const isReal = statSync(source).isDirectory();
if (program === 'hol') await (isReal ? recordHol() : playHol(recordedRun()));
else await (isReal ? recordHolmake() : playHolmake(recordedRun()));
