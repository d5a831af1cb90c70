/**
 * Stands in the place of `pet`, lets the real one answer, and keeps what was said; what to do is in the environment:
 * RECORDED_PET is the real program, RECORDING the file that is added to when the conversation ends.
 *
 *     cat >pet <<'END'
 *     #!/bin/sh
 *     [ "$1" = --version ] && exec "$RECORDED_PET" --version
 *     exec node src/provers/rocq/petanque/testing/record.ts "$@"
 *     END
 *     chmod +x pet
 *     RECORDED_PET=… RECORDING=new.jsonl QUOD_PET=$PWD/pet npx vitest run src/sessions/conformance/petanque
 */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { HEADER_FRAMING } from '../../../../process/message-framing.ts';
import { type RecordedStep, Recording } from './recording.ts';

interface Message {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly st: number; readonly tac: string };
  readonly result: (Record<string, unknown> & { readonly st: number }) | null;
  readonly error: RecordedStep['error'];
}

const { RECORDED_PET: program = '', RECORDING: file = '' } = process.env;
const words = ['-c', `trap '' ALRM; exec "$@"`, 'sh', program, ...process.argv.slice(2)];
// In a session of its own: after an interrupt Quod kills what the server has forked.
const child = spawn('/bin/sh', words, { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
child.once('exit', () => process.exit());
process.stdin.once('end', () => child.kill('SIGKILL'));
/** The request that waits for its answer: Quod makes one at a time. */
let running: Message | undefined;
/** The lines of the recording at which this process' states are. */
const lines = new Map<number, number>();

process.on('SIGALRM', () => child.kill('SIGALRM'));
const [sent, received] = [HEADER_FRAMING.reader(), HEADER_FRAMING.reader()];
process.stdin.on('data', (bytes: Buffer) => {
  for (const text of sent.push(bytes)) running = JSON.parse(text) as Message;
  child.stdin.write(bytes);
});
child.stdout.on('data', (bytes: Buffer) => {
  for (const text of received.push(bytes)) {
    const message = JSON.parse(text) as Message;
    if (running?.id === message.id) keep(running, message);
  }
  process.stdout.write(bytes);
});

/** At once, since the conversation may end at any time. */
function keep({ method, params }: Message, { result, error }: Message): void {
  const recording = existsSync(file) ? Recording.read(file) : new Recording();
  const from = method === 'petanque/run' ? { after: lines.get(params.st) ?? 0, sentence: params.tac } : {};
  if (method === 'petanque/goals') {
    const step = recording.step(lines.get(params.st) ?? 0);
    if (step !== undefined) step.goals = result;
  } else if (error !== undefined) {
    recording.add({ ...from, ...(error.message === 'Coq: Timeout!' ? { interrupted: error } : { error }) });
  } else if (result) {
    const { st, ...rest } = result;
    lines.set(st, recording.add({ ...from, result: rest }));
  }
  writeFileSync(file, recording.text);
}
