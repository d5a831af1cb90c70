/** Changes of files on the disk, for what is shown of them. */
import { useEffect } from 'preact/hooks';
import { onLive } from '../server/live.ts';

/** Saving and building often bring many changes in a row; they are looked at together. */
const SETTLE_MS = 400;

/** Calls back when files have changed, of which `concerns` says that they matter here. */
export function useFileChanges(
  changed: () => void,
  concerns: (path: string) => boolean,
  inputs: readonly unknown[],
): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onLive('file', ({ path }) => {
      if (!concerns(path)) return;
      clearTimeout(timer);
      timer = setTimeout(changed, SETTLE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, inputs);
}
