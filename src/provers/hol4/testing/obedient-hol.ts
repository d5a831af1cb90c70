/**
 * A program that speaks as `hol --zero` does and proves nothing: it answers every command at once, `sleep SECONDS` after that
 * time unless it is interrupted, `sulk` never, and tells of one open proof. It knows the proof states that Quod made in it.
 * For tests of what stands around HOL.
 * Started as `node obedient-hol.ts`, by way of an installation that `obedientHol` makes.
 */
let secret = '';
let pending = '';
let stop: (() => void) | undefined;

const PROOF = JSON.stringify({
  kind: 'goalstack',
  proofs: 1,
  proved: false,
  initial: { hypotheses: [], conclusion: 'p' },
  tree: null,
  goals: [{ hypotheses: [], conclusion: 'p' }],
  theorem: null,
});

const SHOWN = JSON.stringify({
  goals: [{ hypotheses: [], conclusion: 'p' }],
  finished: false,
  oracles: [],
});
const states = new Set<string>();
const eaten: Buffer[] = [];

const write = (text: string): void => void process.stdout.write(`${text}\0`);

/** False when it was interrupted. */
async function sleep(seconds: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), seconds * 1000);
    stop = () => {
      clearTimeout(timer);
      resolve(false);
    };
  });
}

async function obey(command: string): Promise<void> {
  secret = /val secret = "(\w+)"/.exec(command)?.[1] ?? secret;
  const [, kind, number] = /:(reached|finished):(\d+)@/.exec(command) ?? [];
  const seconds = /^(?:[^;]*\()?sleep ([\d.]+)/.exec(command)?.[1];
  if (seconds !== undefined && !(await sleep(Number(seconds)))) {
    write('Exception- Interrupt raised\n');
    return;
  }
  if (/\(sulk\b/.test(command)) await new Promise(() => undefined);
  for (; /\(eat\b/.test(command); await sleep(0)) eaten.push(Buffer.alloc(10_000_000, 1));
  const [, from, made] = /Quod_Port\.(?:state_goal|run (\d+)) (\d+)/.exec(command) ?? [];
  const [, asked] = /Quod_Port\.tell_state (\d+)/.exec(command) ?? [];
  if (from !== undefined && !states.has(from)) {
    write('Exception- NotFound raised\n');
    return;
  }
  if (made !== undefined) states.add(made);
  if (asked !== undefined && !states.has(asked)) {
    write('Exception- NotFound raised\n');
    return;
  }
  const shown = command.includes('Quod_Port.manager') ? PROOF : asked === undefined ? undefined : SHOWN;
  const told = shown === undefined ? '' : `\n@${secret}:json:${shown}@\n`;
  write(`${told}\n@${secret}:${kind}:${number}@\n`);
}

let queue = Promise.resolve();
process.on('SIGINT', () => stop?.());
process.stdin.on('data', (bytes: Buffer) => {
  const commands = (pending + bytes.toString('latin1')).split('\0');
  pending = commands.pop() ?? '';
  for (const command of commands) queue = queue.then(() => obey(command));
});
process.stdin.on('end', () => process.exit(0));
write('\nHOL4 [Obedient 1 (stdknl)]\n');
