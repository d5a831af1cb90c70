/**
 * Tells the live feed which files of the folder change, whoever changes them. What tools leave behind is passed
 * over.
 */
import { watch } from 'chokidar';
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, relative, sep } from 'node:path';
import { mayHoldSources } from '../../../process/foreign-folder/source-folders.ts';
import { isProjectSaying } from '../../../provers/rocq/project/project-sayings.ts';
import type { LiveFeed } from './live-feed.ts';

/** Where dune puts what it compiles, beside copies of the sources: of its folder only `default` is looked into. */
const BUILT = '_build';

/** `.quod` is looked into for the runs of the agent. */
function isPassedOver(inside: string): boolean {
  const [own, above] = inside.split(sep).reverse();
  if (own === BUILT) return false;
  return above === BUILT ? own !== 'default' : inside !== '.quod' && !mayHoldSources(basename(inside));
}

function isShown(inside: string): boolean {
  const name = basename(inside);
  if (inside.split(sep).includes(BUILT)) return name.endsWith('.vo');
  return SHOWN.test(name) || isProjectSaying(name);
}

const SHOWN = /(?:\.(?:v|vo|sml|fst|fsti|lean|json|toml|jsonl)|^dune|^Holmakefile)$/u;

/** chokidar passes over what happens to a file within 50 ms of a change that it told, as when a file is emptied and then written. */
const LOOK_AGAIN_MS = 100;

/** Answers how to stop. A folder that cannot be watched is not: the page then sees changes when it asks. */
export function watchFolder(root: string, feed: LiveFeed): () => Promise<void> {
  const watcher = watch(root, {
    ignoreInitial: true,
    ignorePermissionErrors: true,
    followSymlinks: false,
    alwaysStat: true,
    ignored: (path, stats) =>
      path !== root &&
      (stats?.isDirectory() === true
        ? isPassedOver(relative(root, path))
        : stats?.isFile() === true && !isShown(relative(root, path))),
  });
  const publish = (path: string, change: 'written' | 'removed'): void => {
    const name = relative(root, path);
    const run = new RegExp(`^\\.quod\\${sep}runs\\${sep}([^\\${sep}]+)`, 'u').exec(name)?.[1];
    feed.publish(run === undefined ? { kind: 'file', path: name, change } : { kind: 'run', run });
  };
  const looks = new Map<string, NodeJS.Timeout>();
  const written = (path: string, told?: Stats): void => {
    publish(path, 'written');
    if (told === undefined || looks.has(path)) return;
    const again = async (): Promise<void> => {
      const now = await stat(path).catch(() => undefined);
      looks.delete(path);
      if (now !== undefined && !watcher.closed && isOther(now, told)) written(path, now);
    };
    looks.set(
      path,
      setTimeout(() => void again(), LOOK_AGAIN_MS),
    );
  };
  watcher
    .on('add', written)
    .on('change', written)
    .on('unlink', (path) => publish(path, 'removed'));
  watcher.on('error', () => undefined);
  return () => {
    for (const look of looks.values()) clearTimeout(look);
    return watcher.close();
  };
}

function isOther(now: Stats, before: Stats): boolean {
  return now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino;
}
