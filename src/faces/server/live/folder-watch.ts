/**
 * Tells the live feed which files of the folder change, whoever changes them. What tools leave behind is passed
 * over.
 */
import { watch } from 'chokidar';
import { basename, relative, sep } from 'node:path';
import { mayHoldSources } from '../../../process/foreign-folder/source-folders.ts';
import type { LiveFeed } from './live-feed.ts';

/** `.quod` is looked into for the runs of the agent. */
const isPassedOver = (folder: string): boolean => folder !== '.quod' && !mayHoldSources(folder);

const SHOWN = /(?:\.(?:v|vo|sml|fst|fsti|lean|json|toml|jsonl)|^_CoqProject|^dune|^Holmakefile)$/u;

/** Answers how to stop. A folder that cannot be watched is not: the page then sees changes when it asks. */
export function watchFolder(root: string, feed: LiveFeed): () => Promise<void> {
  const watcher = watch(root, {
    ignoreInitial: true,
    ignorePermissionErrors: true,
    followSymlinks: false,
    ignored: (path, stats) =>
      path !== root &&
      (stats?.isDirectory() === true
        ? isPassedOver(basename(path))
        : stats?.isFile() === true && !SHOWN.test(basename(path))),
  });
  const tell =
    (change: 'written' | 'removed') =>
    (path: string): void => {
      const name = relative(root, path);
      const run = new RegExp(`^\\.quod\\${sep}runs\\${sep}([^\\${sep}]+)`, 'u').exec(name)?.[1];
      feed.publish(run === undefined ? { kind: 'file', path: name, change } : { kind: 'run', run });
    };
  watcher.on('add', tell('written')).on('change', tell('written')).on('unlink', tell('removed'));
  watcher.on('error', () => undefined);
  return () => watcher.close();
}
