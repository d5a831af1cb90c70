#!/usr/bin/env node
/**
 * Starts the build of Quod, or says that this Node is too old for it and how to get another. An old Node must be able to read this
 * file to say so: the file therefore names no export that an old `node:module` lacks, and awaits nothing at its top.
 */
import * as fs from 'node:fs';
import * as nodeModule from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 12)) {
  nodeModule.enableCompileCache();
  import(isBundled() ? '../dist/bundle/start.js' : '../dist/faces/cli/start.js');
} else {
  process.stderr.write(
    `quod needs Node 22.12 or newer; this is Node ${process.versions.node}.\n` +
      'Install a newer one (https://nodejs.org), or have npm bring one for this command:\n' +
      `npx --yes node@24 ${quoted(process.argv[1])} …\n`,
  );
  process.exitCode = 2;
}

function quoted(path) {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replace(/'/g, "'\\''")}'`;
}

/** Whoever compiles the sources alone has no bundle, or an old one. The package has no record of the compilation. */
function isBundled() {
  const time = (path) => fs.statSync(new URL(path, import.meta.url), { throwIfNoEntry: false })?.mtimeMs;
  const bundled = time('../dist/bundle/start.js');
  return bundled !== undefined && !(time('../dist/.tsbuildinfo') > bundled);
}
