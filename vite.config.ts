/**
 * The command line in few files: Node finds and reads the four hundred modules of a command one after the other, which
 * takes it longer than many a proof. What a module looks for beside itself (threads, prompts, models, the page) it finds
 * beside its own file of the build, which stays. `bin/quod.mjs` starts it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const BUNDLE = join(ROOT, 'dist', 'bundle');
/** The first module of the build and of the sources. It waits for the command, which loads more, and so for nothing that stands beside it. */
const WAITING = /[\\/]faces[\\/]cli[\\/]start\.[jt]s$/u;

/** What every command needs. Other packages stay outside, where threads, which are not bundled, share one copy with it. */
const TAKEN_INSIDE = ['commander', 'smol-toml', 'zod'];

/**
 * Parts that so many of what is imported when it is needed have in common are one file: to find and read a file takes as
 * long as to load some thirty kilobytes that a command does without.
 */
const SHARED_BY = 12;

let outDir = BUNDLE;
const ownPlaces: Plugin = {
  name: 'own-places',
  configResolved: ({ root, build }) => {
    outDir = resolve(root, build.outDir);
  },
  transform(code, id) {
    if (!code.includes('import.meta.')) return undefined;
    const place = JSON.stringify(relative(outDir, id));
    return { code: code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`), map: null };
  },
};

/** What the licences of the bundled packages ask for. */
const licences: Plugin = {
  name: 'licences',
  generateBundle(_, bundle) {
    const folders = new Set(
      Object.values(bundle)
        .flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
        .flatMap((id) => packageFolder(id) ?? []),
    );
    const texts = [...folders].sort().map((folder) => {
      const file = readdirSync(folder).find((name) => /^(?:licen[cs]e|copying)/iu.test(name));
      if (file === undefined) throw new Error(`${folder} has no licence.`);
      return `${folder.split('/node_modules/').at(-1)}\n\n${readFileSync(join(folder, file), 'utf8')}`;
    });
    this.emitFile({ type: 'asset', fileName: 'NOTICE', source: texts.join('\n\n') });
  },
};

function packageFolder(id: string): string | undefined {
  if (!id.includes('/node_modules/')) return undefined;
  let folder = dirname(id);
  while (
    !existsSync(join(folder, 'package.json')) ||
    !/"name"/u.test(readFileSync(join(folder, 'package.json'), 'utf8'))
  )
    folder = dirname(folder);
  return folder;
}

export default defineConfig({
  root: ROOT,
  publicDir: false,
  logLevel: 'warn',
  plugins: [ownPlaces, licences],
  ssr: { noExternal: TAKEN_INSIDE },
  build: {
    ssr: join(ROOT, 'dist', 'faces', 'cli', 'start.js'),
    outDir: BUNDLE,
    emptyOutDir: true,
    target: 'node22',
    minify: false,
    rolldownOptions: {
      output: {
        entryFileNames: 'start.js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: {
          groups: [
            { name: 'begun', tags: ['$initial'], test: (id) => !WAITING.test(id), priority: 1 },
            { name: 'shared', minShareCount: SHARED_BY },
          ],
        },
      },
    },
    reportCompressedSize: false,
  },
});
