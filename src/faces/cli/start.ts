/**
 * The process behind `quod`: bin/quod.mjs starts the build of this file, developers and tests start the file
 * itself.
 */
import { main } from './main.ts';
import { guardStream } from './terminal/guarded-stream.ts';

// A reader that has seen enough (`quod prove … | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

// Standard error is for people, wherever it goes; a pipe or a file gets what stands in a file byte by byte.
guardStream(process.stderr);
if (process.stdout.isTTY) guardStream(process.stdout);

process.exitCode = await main(process.argv.slice(2));
