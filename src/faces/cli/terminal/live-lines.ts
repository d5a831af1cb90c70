/** Lines at the end of a terminal that are drawn again and again, and those above them that stay. All text is inert. */
import { drawingStream, shown } from './guarded-stream.ts';

export interface LiveLines {
  /** Draws these lines in the place of the last ones. */
  readonly draw: (lines: readonly string[]) => void;
  /** Writes text that stays, above what is drawn next. */
  readonly keep: (text: string) => void;
  /** Removes what is drawn, until it is drawn again. */
  readonly clear: () => void;
}

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

export async function openLiveLines(guarded: NodeJS.WriteStream): Promise<LiveLines> {
  const { createLogUpdate } = await import('log-update');
  const stream = drawingStream(guarded);
  // The package would hide the cursor of the guarded stream, where its sequences are no more than text.
  const live = createLogUpdate(stream, { showCursor: true });
  let isHidden = false;
  const showCursor = (): void => {
    if (isHidden) stream.write(SHOW_CURSOR);
    isHidden = false;
  };
  return {
    draw: (lines) => {
      if (!isHidden) {
        stream.write(HIDE_CURSOR);
        process.once('exit', showCursor);
      }
      isHidden = true;
      live(shown(lines.join('\n')));
    },
    keep: (text) => live.persist(shown(text)),
    clear: () => {
      live.clear();
      live.done();
      showCursor();
      process.off('exit', showCursor);
    },
  };
}
