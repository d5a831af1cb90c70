/** Part of `npm run build`: puts the WebAssembly of onnxruntime beside the build, so that the package has it. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { RUNTIME_BINARY, RUNTIME_SCRIPT, runtimePackage } from './runtime.ts';

const folder = new URL('../../../dist/onnxruntime/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const name of [RUNTIME_SCRIPT, RUNTIME_BINARY])
  copyFileSync(new URL(name, runtimePackage()), new URL(name, folder));
writeFileSync(
  new URL('NOTICE', folder),
  'These two files are those of the npm package onnxruntime-web, unchanged. Copyright (c) Microsoft Corporation, MIT License.\n',
);
