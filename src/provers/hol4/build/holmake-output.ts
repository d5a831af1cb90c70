/** What Holmake prints, line by line, as events. Colours are taken out; what is not known is output. */
import { present } from '../../../core/entry.ts';

export type HolmakeEvent =
  | { readonly kind: 'total'; readonly theories: number }
  | { readonly kind: 'started'; readonly target: string }
  | {
      readonly kind: 'finished';
      readonly target: string;
      readonly seconds: number;
      readonly result: 'ok' | 'cheated' | 'failed';
    }
  | { readonly kind: 'aborted'; readonly message: string }
  | { readonly kind: 'output'; readonly text: string };

const COLOURS = /\u001b\[[0-9;]*m/g;

export function readHolmakeLine(line: string): HolmakeEvent {
  const text = line.replace(COLOURS, '').replace(/\r$/, '');
  const total = /^(?:Holmake: )?Building (\d+) theory files?$/.exec(text);
  if (total !== null) return { kind: 'total', theories: Number(total[1]) };
  const started = /^(?:Holmake: )?Starting work on (\S+)$/.exec(text);
  if (started?.[1] !== undefined) return { kind: 'started', target: started[1] };
  const finished =
    /^(\S+)\s+\(\s*([\d.]+)s\)\s*(?:\[\d+\/\d+\]\s*)?(OK|CHEATED|FAIL<\S*>|M-FAIL\S*)\s*$/.exec(text);
  if (finished !== null) {
    const [, target = '', seconds, word = ''] = finished;
    const result = word === 'OK' ? 'ok' : word === 'CHEATED' ? 'cheated' : 'failed';
    return { kind: 'finished', target, seconds: Number(seconds), result };
  }
  const aborted = /^\*\*\* (.*)$/.exec(text);
  if (aborted?.[1] !== undefined) return { kind: 'aborted', message: aborted[1] };
  return { kind: 'output', text };
}

/** Cuts what a program prints into lines, wherever the pieces were cut. */
export class LineCutter {
  #rest = '';
  readonly #decoder = new TextDecoder();

  push(bytes: Uint8Array): readonly string[] {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = present(lines.pop(), 'line').slice(-LONGEST_LINE);
    return lines;
  }

  end(): readonly string[] {
    const rest = this.#rest + this.#decoder.decode();
    this.#rest = '';
    return rest === '' ? [] : [rest];
  }
}

const LONGEST_LINE = 1 << 20;
