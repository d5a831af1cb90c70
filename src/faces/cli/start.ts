/**
 * The process behind `quod`: bin/quod.mjs starts the build of this file, developers and tests start the file
 * itself.
 */
import { writeSync } from 'node:fs';
import { clause } from '../../core/sentence.ts';
import { main } from './main.ts';
import { guardStream } from './terminal/guarded-stream.ts';

// Nobody reads any more (`quod prove … | head`): long work ends by itself (`listenForInterrupt`), and the exit code says what
// was found, read or not. What cannot be written for another reason has not been said.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  writeSync(
    2,
    `quod: What was found cannot be written to the standard output: ${clause(error.message)}. Write it elsewhere.\n`,
  );
  process.exit(2);
});

// Where messages cannot be written, nobody can be told.
process.stderr.on('error', () => undefined);

// Standard error is for people, wherever it goes; a pipe or a file gets what stands in a file byte by byte.
guardStream(process.stderr);
if (process.stdout.isTTY) guardStream(process.stdout);

process.exitCode = await main(process.argv.slice(2));
