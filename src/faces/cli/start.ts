/**
 * The process behind `quod`: bin/quod.mjs starts the build of this file, developers and tests start the file
 * itself.
 */
import { main } from './main.ts';

// A reader that has seen enough (`quod prove … | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await main(process.argv.slice(2));
