/**
 * A program that speaks as `hol --zero` does and proves nothing: it answers every command at once, `sleep SECONDS`
 * after that time unless it is interrupted, `sulk` never, and tells of one open proof, which the tactic `finish`
 * closes and `b ()` opens again. It knows the proof states that Quod made in it.
 * `log FILE` adds a line to the file, `unless FILE` fails when it is there, and `die` ends the program.
 * For tests of what stands around HOL.
 * Started as `node obedient-hol.ts`, by way of an installation that `obedientHol` makes.
 */
import { appendFileSync, existsSync } from 'node:fs';

let secret = '';
let pending = '';
let stop: (() => void) | undefined;

let isTree = false;
let isProved = false;

const GOAL = { hypotheses: [], conclusion: 'p' };
const THEOREM = JSON.stringify({ ...GOAL, oracles: [], axioms: [] });

const proof = (): string =>
  JSON.stringify({
    ...{ kind: isTree ? 'goaltree' : 'goalstack', proofs: 1, proved: isProved, initial: GOAL, theorem: null },
    goals: isProved ? [] : [GOAL],
    tree: !isTree ? null : isProved ? { kind: 'tactic', text: 'finish' } : { kind: 'goal', goal: GOAL },
  });

const shownState = (isFinished: boolean): string =>
  JSON.stringify({ goals: isFinished ? [] : [GOAL], finished: isFinished, oracles: [] });

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
  const [, log] = /^log (\S+)/.exec(command) ?? [];
  if (log !== undefined) appendFileSync(log, 'executed\n');
  const [, obstacle] = /^unless (\S+)/.exec(command) ?? [];
  if (obstacle !== undefined && existsSync(obstacle)) {
    write('Exception- Fail "there" raised\n');
    return;
  }
  if (command.includes('die')) process.exit(7);
  if (/\(sulk\b/.test(command)) await new Promise(() => undefined);
  for (; /\(eat\b/.test(command); await sleep(0)) eaten.push(Buffer.alloc(10_000_000, 1));
  if (/\b(?:gt|drop_all|b) /.test(command)) isProved = false;
  if (/\bgt /.test(command)) isTree = true;
  if (/\bet \("finish"/.test(command)) isProved = true;
  const [, from, made] = /Quod_Port\.(?:(?:state|set)_goal|run (\d+)) (\d+)/.exec(command) ?? [];
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
  const told = toldOf(command, asked !== undefined).map((one) => `\n@${secret}:json:${one}@\n`);
  write(`${told.join('')}\n@${secret}:${kind}:${number}@\n`);
}

function toldOf(command: string, isAsked: boolean): readonly string[] {
  if (command.includes('Quod_Port.manager')) return [proof()];
  if (command.includes('Quod_Port.check')) return [THEOREM];
  if (command.includes('Quod_Port.run') && isAsked)
    return [JSON.stringify(null), shownState(false), shownState(command.includes('finish'))];
  return isAsked ? [shownState(false)] : [];
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
