#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`quod needs Node 22.12 or newer; this is Node ${process.versions.node}.\n`);
  process.exit(2);
}
enableCompileCache();
await import('../dist/faces/cli/start.js');
