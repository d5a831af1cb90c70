import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RECORDED_COMMANDS, SECRET } from '../testing/recorded-commands.ts';
import { SESSION_RECORDING } from '../testing/recordings.ts';
import { HolProcess, type HolAnswer } from './process.ts';
import { readManagedProof } from './values.ts';

const SCRIPTED = fileURLToPath(new URL('../testing/scripted-hol.ts', import.meta.url));

function startScripted(file: string, cuts: string, memoryLimit?: number): Promise<HolProcess> {
  return HolProcess.start({
    executable: process.execPath,
    extraArguments: [SCRIPTED, file],
    environment: { ...process.env, SCRIPTED_CUTS: cuts },
    secret: SECRET,
    ...(memoryLimit !== undefined && { memoryLimit }),
  });
}

function answered(answer: Awaited<ReturnType<HolProcess['execute']>>): HolAnswer {
  if (answer.status === 'answered') return answer;
  throw new Error(answer.message);
}

describe('a recorded HOL', () => {
  it.each(['every', '1', '2', '3'])('is understood with its bytes cut: %s', async (cuts) => {
    const hol = await startScripted(SESSION_RECORDING, cuts);
    try {
      for (const { text, status, output, error, timeoutMs } of RECORDED_COMMANDS) {
        const answer = answered(await hol.execute(text, timeoutMs === undefined ? {} : { timeoutMs }));
        expect(answer.reply.status, text).toBe(status);
        if (output !== undefined) expect(answer.reply.output.trim(), text).toContain(output);
        const said = `${answer.reply.error?.origin ?? ''} ${answer.reply.error?.message ?? ''}`;
        if (error !== undefined) expect(said, text).toContain(error);
        expect(answer.stopped).toBe(timeoutMs === undefined ? undefined : 'timeout');
        if (text.includes('manager')) {
          expect(readManagedProof(answer.values[0])).toMatchObject({
            kind: 'goalstack',
            goals: [
              { hypotheses: ['p', 'q'], conclusion: 'q' },
              { hypotheses: ['p', 'q'], conclusion: 'p' },
            ],
          });
        }
      }
    } finally {
      await hol.kill();
    }
  });
});

describe('a HOL that misbehaves', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quod-hol4-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  const GREETING = { out: 'HOL4 [Test 1 (stdknl)]\0' };
  /** A mark as a command prints it, and the null byte that ends a frame. */
  const mark = (kind: string, number: number): string => `\n@${SECRET}:${kind}:${number}@\n`;
  const PRELUDE = [
    { in: 'structure Quod_Port' },
    { out: `${mark('reached', 1)}\0` },
    { in: 'structure Quod_Port' },
    { out: `${mark('finished', 1)}\0` },
  ];
  /** `in` of any text: the scripted HOL lets those through that name Quod's structure. */
  const ANY = { in: 'structure Quod_Port' };

  async function play(name: string, entries: readonly object[]): Promise<HolProcess> {
    const file = join(folder, name);
    await writeFile(
      file,
      [GREETING, ...PRELUDE, ...entries].map((entry) => JSON.stringify(entry)).join('\n'),
    );
    return await startScripted(file, '7');
  }

  it('prints null bytes, and empty frames while it is idle', async () => {
    const hol = await play('nulls', [
      { out: '\0\0' },
      ANY,
      { out: `a\0b\0${mark('reached', 2)}\0` },
      ANY,
      { out: `\0${mark('finished', 2)}\0` },
    ]);
    const answer = answered(await hol.execute('print'));
    expect(answer.reply).toMatchObject({ status: 'ok', output: 'a\0b\0' });
    await hol.kill();
  });

  it('answers half a frame and dies: the command is lost, with the reason', async () => {
    const hol = await play('half', [ANY, { out: 'val it = ' }]);
    const lost = hol.execute('1');
    setTimeout(() => process.kill(hol.pid, 'SIGKILL'), 200);
    expect(await lost).toMatchObject({ status: 'lost', reason: 'prover-crashed' });
    expect(await hol.execute('2')).toMatchObject({ status: 'lost', reason: 'prover-crashed' });
  });

  it('never answers: it is asked to stop, then killed, and says that it ran too long', async () => {
    const hol = await play('silent', [ANY, ANY]);
    expect(await hol.execute('1', { timeoutMs: 20 })).toMatchObject({ status: 'lost', reason: 'timeout' });
    expect(hol.ended).toBe(true);
  });

  it('takes the mark of another command for nothing', async () => {
    const hol = await play('other', [
      ANY,
      { out: `${mark('reached', 2)}\0` },
      ANY,
      { out: `${mark('finished', 1)}\0${mark('finished', 2)}\0` },
    ]);
    expect(answered(await hol.execute('1')).reply).toMatchObject({ status: 'ok', output: '' });
    await hol.kill();
  });

  it('floods: 100 MB of output cost no more memory than is kept, and the answer is there', async () => {
    const flood = join(folder, 'flood.mjs');
    // Greets, takes the prelude, and answers the next command with 100 MB.
    await writeFile(
      flood,
      `let frames = 0, rest = '';
       process.stdout.write('HOL4 [Test 1 (x)]\\0');
       // One after another: what arrives while the flood waits to be read is answered behind it.
       let taken = Promise.resolve();
       process.stdin.on('data', (bytes) => { taken = taken.then(() => take(bytes)); });
       async function take(bytes) {
         const parts = (rest + bytes).split('\\0'); rest = parts.pop();
         for (const part of parts) {
           frames += 1;
           const number = /(?:reached|finished):(\\d+)@/.exec(part)?.[1];
           const kind = /:(reached|finished):/.exec(part)?.[1];
           if (frames === 3) for (let i = 0; i < 1600; i += 1)
             if (!process.stdout.write('x'.repeat(65536))) await new Promise((go) => process.stdout.once('drain', go));
           process.stdout.write('\\n@${SECRET}:' + kind + ':' + number + '@\\n\\0');
         }
       }`,
    );
    const hol = await HolProcess.start({
      executable: process.execPath,
      extraArguments: [flood],
      secret: SECRET,
    });
    const answer = answered(await hol.execute('flood'));
    expect(answer.reply.status).toBe('ok');
    expect(answer.droppedBytes).toBeGreaterThan(100_000_000);
    expect(answer.reply.output.length).toBeLessThan(3_000_000);
    await hol.kill();
  });

  it('is not asked anything with a null character in it', async () => {
    const hol = await play('null', []);
    expect(() => hol.execute('a\0b')).toThrow('null character');
    await hol.kill();
  });

  it('greets with garbage or not at all', async () => {
    const silent = join(folder, 'dies.mjs');
    await writeFile(silent, 'process.stderr.write("no heap"); process.exit(2);');
    await expect(
      HolProcess.start({ executable: process.execPath, extraArguments: [silent] }),
    ).rejects.toMatchObject({
      reason: 'prover-crashed',
      message: expect.stringContaining('no heap') as string,
    });
    await expect(HolProcess.start({ executable: join(folder, 'nowhere') })).rejects.toMatchObject({
      reason: 'prover-crashed',
    });
  });
});
