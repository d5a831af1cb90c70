/** What a node process holds, asked over its inspector: the process is run without it, and told to open it. */
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { z } from 'zod';
import { present } from '../../src/core/entry.ts';

const answerSchema = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  result: z.unknown(),
  params: z.object({ chunk: z.string().optional() }).optional(),
});

const evaluatedSchema = z.object({ result: z.object({ value: z.number() }) });

export class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #calls = 0;
  #take: (chunk: string) => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, method, result, params } = answerSchema.parse(JSON.parse(String(data)));
      if (method === 'HeapProfiler.addHeapSnapshotChunk') this.#take(present(params?.chunk, 'a chunk'));
      if (id === undefined) return;
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  /** @param child A node process whose stderr is piped. */
  static async of(child: ChildProcess): Promise<Inspector> {
    const address = await new Promise<string>((resolve) => {
      child.stderr?.on('data', (chunk: Buffer | string) => {
        const found = /ws:\S+/u.exec(chunk.toString())?.[0];
        if (found !== undefined) resolve(found);
      });
      child.kill('SIGUSR1');
    });
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', reject, { once: true });
    });
    return new Inspector(socket);
  }

  /** Of the heap and of buffers, after a collection of garbage. */
  async bytesHeld(): Promise<number> {
    await this.#call('HeapProfiler.collectGarbage');
    const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
    return evaluatedSchema.parse(await this.#call('Runtime.evaluate', { expression })).result.value;
  }

  async writeSnapshot(path: string): Promise<void> {
    const file = createWriteStream(path);
    this.#take = (chunk) => file.write(chunk);
    await this.#call('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    file.end();
    await finished(file);
  }

  close(): void {
    this.#socket.close();
  }

  #call(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    this.#calls += 1;
    const id = this.#calls;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }
}
