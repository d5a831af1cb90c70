/**
 * A petanque server that answers from a recording of a real one: over its standard input and output as `pet`, with
 * `-D` as `coq-lsp`, with `--port` over a socket as `pet-server`. What was not recorded it refuses, so that a test
 * that asks for something new fails and says so.
 *
 *     node scripted-server.ts RECORDING [options of the real program]
 */
import { createServer } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { type Framing, HEADER_FRAMING, LINE_FRAMING } from '../../../../process/message-framing.ts';
import { Recording } from './recording.ts';

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params: { readonly st: number; readonly tac: string };
}

const [, , file = '', ...options] = process.argv;
const recording = Recording.read(file);
/** The line of the recording that each state stands for. */
const states: number[] = [];
/** How the step that does not end is answered when it is interrupted. */
let interrupt: (() => void) | undefined;

process.on('SIGALRM', () => {
  interrupt?.();
  interrupt = undefined;
});

const port = options
  .map((option) => /^--port=(\d+)$/.exec(option)?.[1])
  .find((number) => number !== undefined);
if (port === undefined) serve(process.stdin, process.stdout, HEADER_FRAMING);
else createServer((socket) => serve(socket, socket, LINE_FRAMING)).listen(Number(port), '127.0.0.1');

function serve(input: Readable, output: Writable, framing: Framing): void {
  const reader = framing.reader();
  const reply = (id: number, answer: object): void => {
    // The length of coq-lsp counts a line end after the message.
    const text = JSON.stringify({ jsonrpc: '2.0', id, ...answer });
    output.write(framing.frame(framing === HEADER_FRAMING ? `${text}\n` : text));
  };
  input.on('data', (bytes: Buffer) => {
    for (const text of reader.push(bytes)) {
      const request = JSON.parse(text) as Request;
      if (request.id !== undefined) answer(request, (given) => reply(request.id ?? 0, given));
    }
  });
  input.on('end', () => process.exit(0));
}

function answer({ method, params }: Request, reply: (answer: object) => void): void {
  switch (method) {
    case 'initialize':
      reply({ result: { capabilities: {} } });
      return;
    case 'petanque/get_root_state':
      run(recording.find(undefined, undefined), reply);
      return;
    case 'petanque/run':
      run(recording.find(states[params.st], params.tac), reply, params.tac);
      return;
    case 'petanque/goals': {
      const goals = recording.step(states[params.st] ?? 0)?.goals;
      reply(goals === undefined ? refusal('the goals of this state') : { result: goals });
      return;
    }
    default:
      reply({ error: { code: -32601, message: `method ${method} not found` } });
  }
}

function run(line: number | undefined, reply: (answer: object) => void, sentence = ''): void {
  const step = line === undefined ? undefined : recording.step(line);
  if (line === undefined || step === undefined) reply(refusal(JSON.stringify(sentence)));
  else if (step.error !== undefined) reply({ error: step.error });
  else if (step.interrupted !== undefined) interrupt = (): void => reply({ error: step.interrupted });
  else reply({ result: { st: states.push(line) - 1, ...step.result } });
}

function refusal(what: string): object {
  return { error: { code: -32700, message: `the recording does not have ${what}` } };
}
