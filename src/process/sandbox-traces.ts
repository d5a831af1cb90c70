/**
 * What a program left behind in its sandbox, seen from outside through the host's `/proc`, where the program cannot
 * lie: processes, and the counters of its empty network. Nothing found may also mean that it could not be looked at.
 */
import { readFileSync } from 'node:fs';
import { descendantsOf, isEnding, readProcess } from './process-table.ts';
import { incident, type Incident, networkIncidents } from './sandbox-facts.ts';

const MOST_COMMAND = 120;

/** @param pid the sandbox program, outside; below it are process 1 of the namespace and what the program started */
export function tracesIn(pid: number): readonly Incident[] {
  const inside = descendantsOf(pid).map((one) => ({ pid: one, number: numberInside(one) }));
  const first = inside.find(({ number }) => number === 1);
  const left = inside.filter(({ pid: one, number }) => {
    const state = readProcess(one)?.state;
    if (number === undefined || number === 1 || state === undefined) return false;
    // On a busy machine the kernel needs its time to take down what has ended, such as a worker of the prover.
    return state !== 'Z' && state !== 'X' && !isEnding(one);
  });
  return [
    ...left.map(({ pid: one }) => incident('left-process', commandOf(one))),
    ...(first === undefined ? [] : networkIncidents(textOf(`/proc/${first.pid}/net/snmp`))),
  ];
}

/** The number that a process has in its own namespace; undefined for one that is in ours. */
function numberInside(pid: number): number | undefined {
  const numbers = /^NSpid:\s+(.*)$/m.exec(textOf(`/proc/${pid}/status`))?.[1]?.split(/\s+/);
  return numbers === undefined || numbers.length < 2 ? undefined : Number(numbers[1]);
}

function commandOf(pid: number): string {
  const line = textOf(`/proc/${pid}/cmdline`)
    .replaceAll(/[\0\n]/g, ' ')
    .trim();
  return (line || textOf(`/proc/${pid}/comm`).trim()).slice(0, MOST_COMMAND);
}

/** Empty when it is gone: then there is nothing to be seen of it. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
