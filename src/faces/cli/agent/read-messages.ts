/** Messages of a user to a run, one JSON object a line, as the server that started the run hands them on. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { aborted } from '../../../core/concurrency/aborted.ts';
import { QuodError } from '../../../core/errors.ts';
import { foreignText } from '../../../core/foreign-text.ts';
import { parsedJson } from '../../../core/json.ts';

const messageSchema = z.union([z.object({ say: z.string().min(1) }), z.object({ begin: z.literal(true) })]);

const MOST_SHOWN = 80;

function shown(line: string): string {
  return foreignText(line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line);
}

export interface Messages {
  /** From now on each message goes there; those that came before are told at once. */
  readonly tell: (said: (text: string) => void) => void;
  /** Settles when it is said that the run may begin. @throws QuodError `interrupted`: the input ended without, or the run is stopped. */
  readonly begun: (signal: AbortSignal) => Promise<void>;
  readonly close: () => void;
}

/** Lines that are no message are passed over, and that is told: what writes them may be another version of Quod. */
export function readMessages(input: Readable): Messages {
  const waiting: string[] = [];
  let listener: ((text: string) => void) | undefined;
  const begin = Promise.withResolvers<boolean>();
  const lines = createInterface({ input });
  lines.on('close', () => begin.resolve(false));
  lines.on('line', (line) => {
    const message = messageSchema.safeParse(parsedJson(line));
    if (!message.success) {
      console.error(`A line of the input is no message to the model ({"say": "…"}): ${shown(line)}`);
      return;
    }
    if ('begin' in message.data) begin.resolve(true);
    else if (listener === undefined) waiting.push(message.data.say);
    else listener(message.data.say);
  });
  return {
    tell: (said) => {
      listener = said;
      for (const text of waiting.splice(0)) said(text);
    },
    begun: async (signal) => {
      if ((await Promise.race([begin.promise, aborted(signal).then(() => false)])) && !signal.aborted) return;
      throw new QuodError('interrupted', 'The run was stopped before it began anything.');
    },
    close: () => {
      listener = undefined;
      lines.close();
      input.destroy();
    },
  };
}
