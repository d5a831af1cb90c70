#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`quod needs Node 22.12 or newer; this is Node ${process.versions.node}.\n`);
  process.exit(2);
}
const { main } = await import('../dist/faces/cli/main.js');
process.exitCode = await main(process.argv.slice(2));
