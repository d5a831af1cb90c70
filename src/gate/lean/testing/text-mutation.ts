/** Changes the text of an export as a text: bytes, lines, pieces of lines, cuts, and things written behind. */
import { type Mutation, mutate } from './mutation.ts';

type Random = (bound: number) => number;

const CHARACTERS = '0123456789{}[]":,-. \n\ttrufalsednlcmxpj\0é';

export function mutateText(text: string, random: Random): Mutation {
  const lines = text.split('\n');
  const line = 1 + random(Math.max(lines.length - 2, 1));
  const other = 1 + random(Math.max(lines.length - 2, 1));
  const place = random(text.length);
  const told = (what: string, changed: string): Mutation => ({ text: changed, what });
  switch (random(22)) {
    case 0:
      return told(`cut at byte ${place}`, text.slice(0, place));
    case 1:
      return told(
        `cut at line ${line}`,
        lines
          .slice(0, line)
          .map((one) => `${one}\n`)
          .join(''),
      );
    case 2:
      return told(`the line ${line} left out`, lines.toSpliced(line, 1).join('\n'));
    case 3:
      return told(
        `the line ${line} repeated as ${other}`,
        lines.toSpliced(other, 0, lines[line] ?? '').join('\n'),
      );
    case 4: {
      const swapped = lines.with(line, lines[other] ?? '').with(other, lines[line] ?? '');
      return told(`lines ${line} and ${other} swapped`, swapped.join('\n'));
    }
    case 5:
      return told(
        `the line ${line} joined with the next`,
        lines.toSpliced(line, 2, `${lines[line] ?? ''}${lines[line + 1] ?? ''}`).join('\n'),
      );
    case 6: {
      const character = CHARACTERS[random(CHARACTERS.length)] ?? ' ';
      return told(`byte ${place} changed`, text.slice(0, place) + character + text.slice(place + 1));
    }
    case 7: {
      const character = CHARACTERS[random(CHARACTERS.length)] ?? ' ';
      return told(`a character at byte ${place}`, text.slice(0, place) + character + text.slice(place));
    }
    case 8: {
      const length = random(200);
      return told(
        `${length} bytes from ${place} left out`,
        text.slice(0, place) + text.slice(place + length),
      );
    }
    case 9: {
      const from = random(text.length);
      const piece = text.slice(from, from + random(100));
      return told(`a piece of ${from} at ${place}`, text.slice(0, place) + piece + text.slice(place));
    }
    case 10:
      return told('the whole text twice', text + text.slice(text.indexOf('\n') + 1));
    default:
      return mutate(text, random);
  }
}
