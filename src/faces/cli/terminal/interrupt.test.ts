/** Signals to a process that listens, and to one that has done its work and is about to end. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('./interrupt.ts', import.meta.url).href;

const ended = (program: string) => {
  const script = `import { listenForInterrupt } from ${JSON.stringify(MODULE)};\n${program}`;
  const { status, signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  return { status, signal, stdout };
};
const kill = (name: string): string => `process.kill(process.pid, '${name}');`;
const GOES_ON = 'setInterval(() => {}, 1000);';

test('the second signal ends the process once what is left to be said is said', () => {
  const program = `const { signal } = listenForInterrupt({ atOnce: () => console.log('at once') });
signal.addEventListener('abort', () => { console.log('first'); ${kill('SIGTERM')} });
${kill('SIGINT')} ${GOES_ON}`;
  expect(ended(program)).toEqual({ status: 130, signal: null, stdout: 'first\nat once\n' });
});

test('what cannot be said keeps nothing from ending', () => {
  const program = `listenForInterrupt({ atOnce: () => { throw new Error('no room'); } });
${kill('SIGINT')} ${kill('SIGTERM')} ${GOES_ON}`;
  expect(ended(program)).toMatchObject({ status: 130, signal: null });
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  'behind the work %s ends the process with the same code',
  (name) => {
    expect(ended(`listenForInterrupt().stop(); ${kill(name)} ${GOES_ON}`)).toMatchObject({
      ...{ status: 130, signal: null },
    });
  },
);

test('work that begins behind other work is asked to stop by the first signal', () => {
  const program = `listenForInterrupt().stop();
const { signal } = listenForInterrupt();
signal.addEventListener('abort', () => process.exit(3));
${kill('SIGINT')} ${GOES_ON}`;
  expect(ended(program)).toMatchObject({ status: 3 });
});
