/** Part of `npm run build`: puts the WebAssembly of onnxruntime beside the build, so that the package has it. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, gzipSync } from 'node:zlib';
import { PACKED_BINARY, RUNTIME_BINARY, RUNTIME_SCRIPT, runtimePackage } from './runtime.ts';

const folder = new URL('../../../dist/onnxruntime/', import.meta.url);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
copyFileSync(new URL(RUNTIME_SCRIPT, runtimePackage()), new URL(RUNTIME_SCRIPT, folder));
const binary = readFileSync(new URL(RUNTIME_BINARY, runtimePackage()));
writeFileSync(new URL(PACKED_BINARY, folder), gzipSync(binary, { level: constants.Z_BEST_COMPRESSION }));
writeFileSync(
  new URL('NOTICE', folder),
  'These two files are those of the npm package onnxruntime-web, unchanged but packed by gzip where the name says so. Copyright (c) Microsoft Corporation, MIT License.\n',
);
