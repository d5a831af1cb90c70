/**
 * The thread in which jsCoq runs. It gives jsCoq's unmodified script the surroundings of a web worker (messages,
 * `fetch`, `WebAssembly`) and serves it the libraries, out of their packages, at the moment Coq opens them. Quod's
 * side of the conversation is in thread-protocol.ts.
 *
 * All of Coq lives in one WebAssembly memory. At rest, with nothing on its stack, a copy of that memory put into
 * another thread that started the same way is the same Coq in the same state: that is how a second start skips
 * loading the libraries.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import vm from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
// By name of the module: before Node 22.15 it has no zstd, and images are not packed then.
import * as zlib from 'node:zlib';
import { present } from '../../../core/entry.ts';
import { errorText } from '../../../core/errors.ts';
import type { Answer } from './answers.ts';
import { resourceFile, shippedLibraries } from './installation.ts';
import { readArchived } from './package-archive.ts';
import { nativeWebAssembly as native, type Imports, type Memory, type Table } from './web-assembly.ts';
import type {
  Command,
  PackedImage,
  Step,
  ThreadMessage,
  ThreadOptions,
  ThreadReply,
  ThreadRequest,
} from './thread-protocol.ts';

type Anything = (...parameters: readonly unknown[]) => unknown;

const { root, script, shared, modules } = workerData as ThreadOptions;
const libraries = shippedLibraries(root);
const PAGE = 65_536;
const UNPACKED_PIECE = 1 << 20;

if (parentPort === null) throw new Error('worker.ts runs only as a worker thread');
const port = parentPort;
const say = (message: ThreadMessage, transfer: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, [...transfer]);

// What jsCoq listens to and says.
const listeners: ((event: { readonly data: unknown }) => void)[] = [];
let answers: Answer[] = [];
let booted: () => void = () => undefined;
const boot = new Promise<void>((resolve) => (booted = resolve));

function tell(command: Command): void {
  // The commands that jsCoq's script keeps for itself carry bytes; the others go to Coq as JSON.
  const own = ['Put', 'Get', 'InterruptSetup'].includes(String(command[0]));
  for (const listener of listeners) listener({ data: own ? command : JSON.stringify(command) });
}

// Coq's memory and function table, caught when its main module is instantiated.
let memory: Memory | undefined;
let table: Table | undefined;

// Library files: present as empty files from the start, filled while Coq has them open.
const openFiles = new Map<number, string>();

function fill(name: string): void {
  const file = libraries.get(name);
  if (file) tell(['Put', `/lib/${name}`, readArchived(file)]);
}

function release(descriptor: number): void {
  const name = openFiles.get(descriptor);
  openFiles.delete(descriptor);
  if (name !== undefined && ![...openFiles.values()].includes(name))
    tell(['Put', `/lib/${name}`, new Uint8Array()]);
}

/** Wraps the two system calls through which Coq opens and closes files. */
function serveLibraries(calls: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const open = calls['path_open'] as Anything;
  const close = calls['fd_close'] as Anything;
  return {
    ...calls,
    path_open: (...parameters: readonly unknown[]) => {
      const [, , address, length, , , , , descriptorAddress] = parameters as readonly number[];
      if (!memory) return open(...parameters);
      const bytes = new Uint8Array(memory.buffer, address, length);
      const path = posix.normalize(`/${Buffer.from(bytes).toString('utf8')}`);
      const name = path.startsWith('/lib/') ? path.slice('/lib/'.length) : undefined;
      if (name === undefined || !libraries.has(name)) return open(...parameters);
      fill(name);
      const result = open(...parameters);
      if (result === 0)
        openFiles.set(
          new DataView(memory.buffer).getUint32(
            present(descriptorAddress, 'address of the descriptor'),
            true,
          ),
          name,
        );
      return result;
    },
    fd_close: (...parameters: readonly unknown[]) => {
      const result = close(...parameters);
      release(Number(parameters[0]));
      return result;
    },
  };
}

/** Coq asks whether it was interrupted all the time; that is when it can be seen how it fares. */
function reportingProgress(poll: Anything): Anything {
  return (unit) => {
    if (memory) Atomics.store(shared, 1, memory.buffer.byteLength / PAGE);
    Atomics.add(shared, 2, 1);
    return poll(unit);
  };
}

const compiled = new Map(modules);
const addresses = new WeakMap<ArrayBufferLike, string>();

const compilations: Promise<object>[] = [];

async function compile(bytes: Uint8Array<ArrayBuffer>): Promise<object> {
  const address = addresses.get(bytes.buffer);
  const known = address === undefined ? undefined : compiled.get(address);
  if (known) return known;
  const module = await native.compile(bytes);
  if (address !== undefined) compiled.set(address, module);
  return module;
}

function DedicatedWorkerGlobalScope(): void {}

const surroundings = {
  self: globalThis,
  // By these two jsCoq tells that it is in a web worker.
  DedicatedWorkerGlobalScope,
  constructor: DedicatedWorkerGlobalScope,
  addEventListener: (kind: string, listener: (event: { readonly data: unknown }) => void) => {
    if (kind === 'message') listeners.push(listener);
  },
  postMessage: (answer: Answer) => {
    if (answer[0] === 'Boot') booted();
    else answers.push(answer);
  },
  fetch: (address: string) => {
    const bytes = compiled.has(address) ? Buffer.alloc(0) : readFileSync(resourceFile(root, address));
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    addresses.set(buffer, address);
    return Promise.resolve({ arrayBuffer: () => Promise.resolve(buffer) });
  },
  WebAssembly: {
    ...Object.fromEntries(
      Object.getOwnPropertyNames(native).map((name): [string, unknown] => [name, Reflect.get(native, name)]),
    ),
    Instance: function instance(module: object, imports: Imports) {
      const delegate = imports['env']?.['delegate'];
      if (typeof delegate === 'function' && delegate.name === 'interrupt_pending')
        return new native.Instance(module, { env: { delegate: reportingProgress(delegate as Anything) } });
      return new native.Instance(module, imports);
    },
    compile: (bytes: Uint8Array<ArrayBuffer>) => {
      const compiling = compile(bytes);
      compilations.push(compiling);
      return compiling;
    },
    instantiate: async (module: object, imports: Imports) => {
      // jsCoq does not wait for its dynamic libraries to be compiled before its main module needs them.
      await Promise.all(compilations);
      await nextTurn();
      const calls = imports['wasi_snapshot_preview1'];
      const served = calls ? { ...imports, wasi_snapshot_preview1: serveLibraries(calls) } : imports;
      const instance = await native.instantiate(module, served);
      if (instance.exports['memory'] instanceof native.Memory) memory = instance.exports['memory'];
      const functions = imports['env']?.['__indirect_function_table'];
      if (functions instanceof native.Table) table = functions;
      return instance;
    },
  },
};

function fingerprint(): string {
  return `${String(memory?.buffer.byteLength)}:${String(table?.length)}`;
}

/** Fixed once everything has started, before Coq has done anything. */
let startFingerprint = '';

function readPacked({ file, start, packedBytes }: PackedImage): Uint8Array {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = new Uint8Array(packedBytes);
    readSync(descriptor, bytes, 0, packedBytes, start);
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

/** Unpacks piece by piece into Coq's memory, so that there is never a second copy of it. */
async function restore(image: PackedImage): Promise<ThreadReply> {
  if (!memory || image.fingerprint !== startFingerprint) return { status: 'unfit' };
  let packed: Uint8Array;
  try {
    packed = readPacked(image);
    if (zlib.crc32(packed) !== image.crc) return { status: 'unfit' };
  } catch {
    return { status: 'unfit' };
  }
  const missing = image.imageBytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(missing / PAGE);
  const target = new Uint8Array(memory.buffer);
  let at = 0;
  const source = Readable.from([packed]);
  const pieces =
    image.packing === 'none' ? source : source.pipe(zlib.createZstdDecompress({ chunkSize: UNPACKED_PIECE }));
  for await (const piece of pieces as AsyncIterable<Uint8Array>) {
    target.set(piece, at);
    at += piece.length;
  }
  target.fill(0, at);
  return at === image.imageBytes
    ? { status: 'answered', answers: [] }
    : { status: 'crashed', message: 'A memory image was not whole.' };
}

function countFailures(): number {
  return answers.filter((answer) => answer[0] === 'CoqExn').length;
}

function failed(): boolean {
  return countFailures() > 0;
}

/**
 * The last sentence of the document; NaN when Coq does not say. Asked as the mode of state 0, which jsCoq takes for
 * the tip and names in the answer. An interrupt may end the question, once.
 */
function currentTip(): number {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const before = answers.length;
    tell(['Query', 0, 0, ['Mode']]);
    const answer = answers.slice(before).find(([name]) => name === 'ModeInfo');
    if (answer) return Number(answer[1]);
  }
  return NaN;
}

/** Throws away `first` and what stands behind it. The tip then; `onTop` unless Coq took `first` for another place. */
function goBack(first: number, onTop: number): number {
  const failures = countFailures();
  tell(['Cancel', first]);
  const tip = currentTip();
  if (tip === onTop || countFailures() === failures) return tip;
  // Interrupted, which happens once.
  tell(['Cancel', first]);
  return currentTip();
}

/**
 * A command with side effects inside a proof gets a number of Coq's own choice instead of ours, which jsCoq does not
 * tell: hence the question for the tip after `Add`. Coq numbers by counting up from 2; where such a number stands among
 * ours, which are larger, `Cancel` throws away too little or too much: hence the question after each. Interrupts
 * arrive at any moment, also between these.
 */
function step({ cancel, onTop, id, text, withGoals }: Step): ThreadReply {
  if (cancel !== undefined) {
    const tip = goBack(cancel, onTop);
    if (tip !== onTop) return { status: 'displaced', tip, answers: [] };
  }
  if (!failed()) tell(['Add', onTop, id, text, true]);
  let tip = currentTip();
  if (!failed()) tell(['Exec', tip]);
  if (withGoals && !failed()) tell(['Query', tip, 0, ['Goals']]);
  if (failed() && tip !== onTop) tip = goBack(tip, onTop);
  return { status: 'stepped', tip, answers: answers.filter(isWanted) };
}

async function perform(request: ThreadRequest): Promise<ThreadReply> {
  switch (request.kind) {
    case 'commands':
      answers = [];
      for (const command of request.commands) {
        tell(command);
        if (failed()) break;
      }
      return { status: 'answered', answers: answers.filter(isWanted) };
    case 'step':
      answers = [];
      return step(request);
    case 'put':
      for (const { name, bytes } of request.files) tell(['Put', name, bytes]);
      return { status: 'answered', answers: [] };
    case 'image':
      return memory
        ? { status: 'image', image: new Uint8Array(memory.buffer).slice() }
        : { status: 'crashed', message: 'Coq has no memory.' };
    case 'restore':
      return restore(request.image);
  }
}

function isWanted(answer: Answer): boolean {
  if (answer[0] !== 'Feedback') return answer[0] !== 'Cancelled';
  const contents = (answer[1] as { readonly contents?: readonly unknown[] }).contents;
  return contents?.[0] === 'Message' || contents?.[0] === 'Incomplete';
}

port.on('message', ({ id, request }: { readonly id: number; readonly request: ThreadRequest }) => {
  void perform(request)
    .finally(() => {
      if (memory) Atomics.store(shared, 1, memory.buffer.byteLength / PAGE);
    })
    .catch((error: unknown): ThreadReply => ({ status: 'crashed', message: errorText(error) }))
    .then((reply) =>
      say({ kind: 'reply', to: id, reply }, reply.status === 'image' ? [reply.image.buffer] : []),
    );
});

for (const [name, value] of Object.entries(surroundings))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
vm.runInThisContext(readFileSync(script, 'utf8'), { filename: script });
await boot;
for (const name of libraries.keys()) tell(['Put', `/lib/${name}`, new Uint8Array()]);
tell(['InterruptSetup', shared]);
startFingerprint = fingerprint();
say({ kind: 'booted', fingerprint: startFingerprint, modules: compiled });
