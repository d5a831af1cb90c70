/**
 * The judge's prover when Rocq is installed: `coqc` compiles in a scratch directory of its own, and a second `coqc`,
 * started in another directory that holds nothing but the compiled result, is asked what it rests on.
 *
 * The second process never sees a line of the submission. It requires the result without importing it, sets every
 * printing option itself, and each answer goes to a file of its own, so nothing in the result can stand in for an answer.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { QuodError } from '../../core/errors.ts';
import { LineIndex } from '../../core/position.ts';
import { GuardedChild } from '../../process/guarded-child.ts';
import { PRINTING } from './printing.ts';
import { parseAssumptions, parseLocated, type PrintedAssumptions } from './assumptions.ts';
import { coqArguments, type RocqProject } from '../../provers/rocq/project.ts';
import type {
  Assumptions,
  AssumptionsAnswer,
  CompiledUnit,
  CompileRequest,
  CompileResult,
  JudgeBackend,
  Limits,
  Unknown,
} from './judge-backend.ts';

/** The library's name is this and the module's name. Drawn anew for each run of Quod: no file can be waiting under it. */
const PREFIX = `QuodJudged${randomBytes(8).toString('hex')}`;
/** 512-byte blocks: no file above 1 GiB. */
const LARGEST_FILE = 2 * 1024 * 1024;

export class NativeJudge implements JudgeBackend {
  readonly name = 'coqc';
  readonly #coqc: string;
  #about: Promise<{ readonly version: string; readonly library: string }> | undefined;

  constructor(coqc: string) {
    this.#coqc = coqc;
  }

  async version(): Promise<string> {
    return (await this.#installation()).version;
  }

  async compile(request: CompileRequest): Promise<CompileResult> {
    const folder = await mkdtemp(join(tmpdir(), 'quod-gate-'));
    try {
      const file = join(folder, `${request.moduleName}.v`);
      await writeFile(file, request.text);
      const run = await this.#run(folder, request.project, [file], request.limits);
      if (run.status === 'unknown') return run;
      if (run.code !== 0)
        return {
          status: 'failed',
          error: parseError(run.errorOutput.replaceAll(`${PREFIX}.`, ''), request.text),
        };
      const bytes = await readFile(join(folder, `${request.moduleName}.vo`));
      const { library } = await this.#installation();
      return { status: 'compiled', unit: this.#unit(request, bytes, library) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #unit(request: CompileRequest, bytes: Uint8Array, library: string): CompiledUnit {
    return {
      bytes,
      installedLibrary: (name) => {
        const parts = name.split('.');
        return parts[0] === 'Coq'
          ? `${join(library, 'theories', ...parts.slice(1))}.vo`
          : `${join(library, 'user-contrib', ...parts)}.vo`;
      },
      assumptions: (names, limits) => this.#assumptions(request, bytes, names, limits),
      dispose: () => Promise.resolve(),
    };
  }

  async #assumptions(
    request: CompileRequest,
    bytes: Uint8Array,
    names: readonly string[],
    limits: Limits,
  ): Promise<AssumptionsAnswer> {
    const library = `${PREFIX}.${request.moduleName}`;
    const asked = await this.#ask(
      request,
      bytes,
      names.map((name) => `Print Assumptions ${library}.${name}.`),
      limits,
    );
    if (asked.status === 'unknown') return asked;
    const printed = new Map<string, PrintedAssumptions>();
    for (const [index, name] of names.entries()) {
      const parsed = parseAssumptions(asked.answers[index] ?? '');
      if (parsed === undefined) {
        return unknown(
          'protocol-error',
          `The assumptions of ${name} were printed in a form that is not known.`,
        );
      }
      printed.set(name, parsed);
    }
    const short = [...new Set([...printed.values()].flatMap(({ axioms }) => axioms))];
    const full = new Map<string, string>();
    if (short.length > 0) {
      const located = await this.#ask(
        request,
        bytes,
        short.map((name) => `Locate Term ${name}.`),
        limits,
      );
      if (located.status === 'unknown') return located;
      for (const [index, name] of short.entries()) {
        const found = parseLocated(located.answers[index] ?? '');
        if (found === undefined) return unknown('protocol-error', `The axiom ${name} cannot be located.`);
        full.set(name, found);
      }
    }
    const of = new Map<string, Assumptions>();
    for (const [name, { axioms, disabledChecks }] of printed) {
      of.set(name, {
        axioms: axioms.map((axiom) => {
          const found = full.get(axiom) ?? axiom;
          const local = found.startsWith(`${library}.`);
          return { name: local ? found.slice(library.length + 1) : found, local };
        }),
        disabledChecks,
      });
    }
    return { status: 'done', of };
  }

  /** Asks commands of a fresh process that has only required the compiled bytes. */
  async #ask(
    request: CompileRequest,
    bytes: Uint8Array,
    commands: readonly string[],
    limits: Limits,
  ): Promise<{ readonly status: 'asked'; readonly answers: readonly string[] } | Unknown> {
    const folder = await mkdtemp(join(tmpdir(), 'quod-gate-'));
    try {
      const judged = join(folder, 'judged');
      await mkdir(judged);
      await writeFile(join(judged, `${request.moduleName}.vo`), bytes);
      const file = join(folder, 'quod_questions.v');
      const questions = commands.map((command, index) => `Redirect "answer${index}" ${command}`);
      const lines = [`Require ${PREFIX}.${request.moduleName}.`, ...PRINTING, ...questions];
      await writeFile(file, `${lines.join('\n')}\n`);
      const run = await this.#run(folder, request.project, ['-Q', judged, PREFIX, file], limits, false);
      if (run.status === 'unknown') return run;
      if (run.code !== 0) {
        return unknown(
          'protocol-error',
          `The compiled result could not be questioned: ${run.errorOutput.trim()}`,
        );
      }
      const answers: string[] = [];
      for (const index of commands.keys())
        answers.push(await readFile(join(folder, `answer${index}.out`), 'utf8'));
      return { status: 'asked', answers };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #run(
    folder: string,
    project: RocqProject,
    rest: readonly string[],
    limits: Limits,
    judged = true,
  ): Promise<
    { readonly status: 'ended'; readonly code: number | null; readonly errorOutput: string } | Unknown
  > {
    const own = judged ? ['-Q', folder, PREFIX] : [];
    const processorSeconds = Math.ceil(limits.timeoutMs / 1000) + 1;
    const child = await GuardedChild.start(
      '/bin/sh',
      [
        '-c',
        `ulimit -t ${processorSeconds}; ulimit -f ${LARGEST_FILE}; ulimit -c 0; exec "$@"`,
        'sh',
        this.#coqc,
        '-q',
        ...coqArguments(project),
        ...own,
        ...rest,
      ],
      { folder, memoryLimit: limits.memoryLimit },
    );
    child.input.end();
    child.output.resume();
    let stopped: 'timeout' | 'interrupted' | undefined;
    const stop = (reason: 'timeout' | 'interrupted') => {
      stopped ??= reason;
      void child.kill();
    };
    const timer = setTimeout(() => stop('timeout'), limits.timeoutMs);
    const onAbort = () => stop('interrupted');
    limits.signal?.addEventListener('abort', onAbort, { once: true });
    if (limits.signal?.aborted === true) onAbort();
    const exit = await child.exited;
    clearTimeout(timer);
    limits.signal?.removeEventListener('abort', onAbort);
    if (stopped === 'timeout') {
      return unknown('timeout', `The prover did not finish within ${Math.round(limits.timeoutMs / 1000)} s.`);
    }
    if (stopped === 'interrupted') return unknown('interrupted', 'The judgement was cancelled.');
    if (exit.memoryExceeded)
      return unknown('memory-exceeded', 'The prover used more memory than the policy allows.');
    if (exit.code === null || exit.code > 128) {
      return unknown('prover-crashed', `The prover died (${exit.signal ?? `exit code ${exit.code}`}).`);
    }
    return { status: 'ended', code: exit.code, errorOutput: exit.errorOutput };
  }

  #installation(): Promise<{ readonly version: string; readonly library: string }> {
    this.#about ??= this.#readInstallation();
    return this.#about;
  }

  async #readInstallation(): Promise<{ readonly version: string; readonly library: string }> {
    const version = /version ([\d.+a-z~]+)/i.exec(await this.#printed('--version'))?.[1];
    const library = (await this.#printed('-where')).trim();
    if (version === undefined || !(await isFolder(library))) {
      throw new QuodError('prover-missing', `${this.#coqc} does not answer like a Rocq compiler.`);
    }
    return { version, library };
  }

  async #printed(option: string): Promise<string> {
    const child = await GuardedChild.start(this.#coqc, [option]);
    child.input.end();
    let text = '';
    child.output.setEncoding('utf8').on('data', (part: string) => (text += part));
    await child.exited;
    return text;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

function unknown(reason: Unknown['reason'], message: string): Unknown {
  return { status: 'unknown', reason, message };
}

/** The last error that `coqc` printed. Its characters are counted in bytes from the start of the line. */
export function parseError(errorOutput: string, text: string): Diagnostic {
  const headers = [
    ...errorOutput.matchAll(/^File "[^"\n]*", line (\d+), characters (\d+)-(\d+):\nError:\s*/gm),
  ];
  const header = headers.at(-1);
  if (header === undefined) {
    const plain = /^Error:\s*([\s\S]*)/m.exec(errorOutput)?.[1];
    return { severity: 'error', message: (plain ?? errorOutput).trim() };
  }
  const message = errorOutput.slice(header.index + header[0].length).trim();
  const lineStart =
    new LineIndex(text).offsetAt({ line: Number(header[1]) - 1, character: 0 }) ?? text.length;
  const [from, to] = [Number(header[2]), Number(header[3])].map((bytes) =>
    byteOffset(text, lineStart, bytes),
  );
  return {
    severity: 'error',
    message,
    span: { start: from ?? lineStart, end: Math.max(from ?? lineStart, to ?? lineStart) },
  };
}

function byteOffset(text: string, start: number, bytes: number): number {
  let offset = start;
  for (let left = bytes; left > 0 && offset < text.length;) {
    const point = text.codePointAt(offset) ?? 0;
    left -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    offset += point > 0xffff ? 2 : 1;
  }
  return offset;
}
