/**
 * What a terminal is shown can hold anything: names of files, statements, proofs, the words of models and provers. The
 * rule that none of it acts on the terminal holds at the streams themselves, so no printer has to think of it. Who draws
 * on the terminal asks for `drawingStream`, and makes inert what it draws.
 */
import { inert } from '../../../core/foreign-text.ts';

/** From now on text that is written to the stream is shown, and nothing of it is done. */
export function guardStream(stream: NodeJS.WriteStream): void {
  const write = Reflect.get(stream, 'write') as (chunk: string, ...rest: unknown[]) => boolean;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) =>
    write.call(stream, shown(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()), ...rest);
}

/** Ends of lines of other systems are ends of lines. */
export function shown(text: string): string {
  return inert(text);
}

/** The stream as it was before it was guarded, for sequences that move the cursor. */
export function drawingStream(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  const unguarded: unknown = Reflect.get(Object.getPrototypeOf(stream) as object, 'write');
  return new Proxy(stream, {
    get: (target, key) => {
      const value: unknown = key === 'write' ? unguarded : Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
