/** Messages of a user to a run, one JSON object a line, as the server that started the run hands them on. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { foreignText } from '../../../core/foreign-text.ts';
import { parsedJson } from '../../../core/json.ts';

const messageSchema = z.object({ say: z.string().min(1) });

const MOST_SHOWN = 80;

function shown(line: string): string {
  return foreignText(line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line);
}

export interface Messages {
  /** From now on each message goes there; those that came before are told at once. */
  readonly tell: (said: (text: string) => void) => void;
  readonly close: () => void;
}

/** Lines that are no message are passed over, and that is told: what writes them may be another version of Quod. */
export function readMessages(input: Readable): Messages {
  const waiting: string[] = [];
  let listener: ((text: string) => void) | undefined;
  const lines = createInterface({ input });
  lines.on('line', (line) => {
    const message = messageSchema.safeParse(parsedJson(line));
    if (!message.success) {
      console.error(`A line of the input is no message to the model ({"say": "…"}): ${shown(line)}`);
      return;
    }
    if (listener === undefined) waiting.push(message.data.say);
    else listener(message.data.say);
  });
  return {
    tell: (said) => {
      listener = said;
      for (const text of waiting.splice(0)) said(text);
    },
    close: () => {
      listener = undefined;
      lines.close();
      input.destroy();
    },
  };
}
