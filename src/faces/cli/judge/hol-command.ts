/** `quod hol replay`: checks exported HOL4 proofs with Quod's own kernel. */
import { counted } from '../../../core/counted.ts';
import type { FileFinding, ReplayedFile, ReplayVerdict } from '../../../gate/hol4/replay/replay-files.ts';
import { formatDuration } from '../terminal/duration.ts';
import { exitCodeOf, type ExitCode } from '../terminal/exit-codes.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';

export interface HolReplayOptions {
  readonly target?: string;
  readonly cache?: string;
  readonly timeout: number;
  readonly maxBytes?: number;
  readonly json?: boolean;
}

export async function holReplayCommand(
  files: readonly string[],
  options: HolReplayOptions,
): Promise<ExitCode> {
  const { replayFiles } = await import('../../../gate/hol4/replay/replay-files.ts');
  const interrupt = listenForInterrupt();
  const progress = openProgress(process.stderr);
  try {
    const { verdict } = await replayFiles(files, {
      timeoutMs: options.timeout,
      signal: interrupt.signal,
      onProgress: progress.show,
      ...(options.target !== undefined && { target: options.target }),
      ...(options.cache !== undefined && { cacheDirectory: options.cache }),
      ...(options.maxBytes !== undefined && { maximumBytes: options.maxBytes }),
    });
    progress.clear();
    console.log(options.json === true ? JSON.stringify(verdict) : verdictText(verdict));
    return exitCode(verdict);
  } finally {
    progress.clear();
    interrupt.stop();
  }
}

function exitCode(verdict: ReplayVerdict): ExitCode {
  switch (verdict.kind) {
    case 'accepted':
      return 0;
    case 'rejected':
      return 1;
    case 'unknown':
      return verdict.reason === 'interrupted' ? exitCodeOf('interrupted') : 2;
  }
}

function verdictText(verdict: ReplayVerdict): string {
  const steps = verdict.files.reduce((sum, file) => sum + file.steps, 0);
  const lines = [...verdict.files.map(fileLine)];
  const total = `${counted(steps, 'step')} in ${formatDuration(verdict.elapsedMs)}`;
  switch (verdict.kind) {
    case 'accepted':
      return [...lines, `accepted: ${total}; nothing is believed but the axioms above`].join('\n');
    case 'rejected':
      return [...lines, ...verdict.findings.map(findingLine), `rejected: ${total}`].join('\n');
    case 'unknown':
      return [...lines, `unknown: ${verdict.message} [${verdict.reason}]`].join('\n');
  }
}

function fileLine({ theory, file, steps, statements, axioms, fromCache, elapsedMs }: ReplayedFile): string {
  const rests = axioms.length === 0 ? '' : `, axioms ${axioms.join(', ')}`;
  const how = fromCache ? 'from the cache' : formatDuration(elapsedMs);
  return `${theory ?? file}: ${counted(steps, 'step')}, ${counted(statements, 'theorem')}${rests} (${how})`;
}

function findingLine({ file, line, theory, step, rule, subject, code, message }: FileFinding): string {
  const place = line === undefined ? file : `${file}:${line}`;
  const concerned = [
    step === undefined ? undefined : `step ${step}`,
    rule,
    subject === undefined ? undefined : `${theory === '' ? '' : `${theory}: `}${subject}`,
  ].filter((part) => part !== undefined);
  return `${place}: ${concerned.length === 0 ? '' : `${concerned.join(', ')}: `}${message} [${code}]`;
}

/** One line that is redrawn, on a terminal only. */
function openProgress(stream: NodeJS.WriteStream): {
  readonly show: (progress: { readonly file: string; readonly steps: number; readonly part: number }) => void;
  readonly clear: () => void;
} {
  let last = 0;
  return {
    show: ({ file, steps, part }) => {
      if (!stream.isTTY || performance.now() - last < 200) return;
      last = performance.now();
      stream.write(`\r\u001b[K${file}: ${Math.round(part * 100)} %, ${counted(steps, 'step')}`);
    },
    clear: () => {
      if (stream.isTTY && last > 0) stream.write('\r\u001b[K');
      last = 0;
    },
  };
}
