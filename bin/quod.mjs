#!/usr/bin/env node
/**
 * Starts the build of Quod, or says in one line that this Node is too old for it. An old Node must be able to read this
 * file to say so: the file therefore names no export that an old `node:module` lacks, and awaits nothing at its top.
 */
import * as nodeModule from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 12)) {
  nodeModule.enableCompileCache();
  import('../dist/faces/cli/start.js');
} else {
  process.stderr.write(`quod needs Node 22.12 or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
}
