/**
 * The filter, run by an interpreter of the few operations that it uses; the kernel runs it in the sandbox's own
 * tests.
 */
import { describe, expect, it } from 'vitest';
import { singleProcessFilter, systemCallFilter } from './system-call-filter.ts';

const ALLOWED = 0x7fff0000;
const NOT_PERMITTED = 0x00050001;
const NO_SUCH_CALL = 0x00050026;
const KILL_PROCESS = 0x80000000;

function answer(filter: Buffer, architecture: number, call: number, firstArgument = 0): number {
  const words = new Map([
    [0, call],
    [4, architecture],
    [16, firstArgument],
  ]);
  let loaded = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const [code, ifTrue, ifFalse] = [at * 8, at * 8 + 2, at * 8 + 3].map((place, index) =>
      index === 0 ? filter.readUInt16LE(place) : filter.readUInt8(place),
    ) as [number, number, number];
    const value = filter.readUInt32LE(at * 8 + 4);
    if (code === 0x20) loaded = words.get(value) ?? Number.NaN;
    else if (code === 0x06) return value;
    else if (code === 0x15) at += loaded === value ? ifTrue : ifFalse;
    else if (code === 0x35) at += loaded >= value ? ifTrue : ifFalse;
    else if (code === 0x45) at += (loaded & value) !== 0 ? ifTrue : ifFalse;
    else throw new Error(`an operation that nobody knows: ${code}`);
  }
  throw new Error('It ends without an answer.');
}

describe.each([
  ['x64' as const, 0xc000003e, { read: 0, socket: 41, keyctl: 250, ptrace: 101, statmount: 457 }],
  ['arm64' as const, 0xc00000b7, { read: 63, socket: 198, keyctl: 219, ptrace: 117, statmount: 457 }],
])('the filter of %s', (processor, architecture, calls) => {
  const filter = systemCallFilter(processor)?.bytes ?? Buffer.alloc(0);
  const asked = (call: number, first?: number): number => answer(filter, architecture, call, first);

  it('lets through what programs need', () => {
    expect(asked(calls.read)).toBe(ALLOWED);
    for (const family of [2, 10, 16]) expect(asked(calls.socket, family)).toBe(ALLOWED);
  });

  it('refuses what leads out', () => {
    for (const call of [calls.keyctl, calls.ptrace, calls.statmount, 458, 425])
      expect(asked(call)).toBe(NOT_PERMITTED);
    for (const family of [0, 1, 3, 17, 38, 40]) expect(asked(calls.socket, family)).toBe(NOT_PERMITTED);
  });

  it('knows no second way to the same calls', () => {
    expect(asked(0x40000000 + calls.keyctl)).toBe(NO_SUCH_CALL);
    expect(answer(filter, 0x40000003, calls.read)).toBe(NO_SUCH_CALL);
  });
});

describe.each([
  ['x64' as const, 0xc000003e, { clone: 56, read: 0, execve: 59, forks: [57, 58] }],
  ['arm64' as const, 0xc00000b7, { clone: 220, read: 63, execve: 221, forks: [] }],
])('the filter of %s for a single process', (processor, architecture, { clone, read, execve, forks }) => {
  const filter = singleProcessFilter('kill', processor)?.bytes ?? Buffer.alloc(0);
  const asked = (call: number, first?: number): number => answer(filter, architecture, call, first);
  const SIGCHLD = 17;
  const THREAD = 0x3d0f00;
  const VFORK = 0x4111;

  it('kills what makes a process', () => {
    for (const call of forks) expect(asked(call)).toBe(KILL_PROCESS);
    for (const flags of [0, SIGCHLD, VFORK]) expect(asked(clone, flags)).toBe(KILL_PROCESS);
    const refusing = singleProcessFilter('refuse', processor)?.bytes ?? Buffer.alloc(0);
    expect(answer(refusing, architecture, clone, SIGCHLD)).toBe(NOT_PERMITTED);
    expect(answer(refusing, architecture, clone, THREAD)).toBe(ALLOWED);
  });

  it('lets threads and all else through, and knows no second way', () => {
    expect(asked(clone, THREAD)).toBe(ALLOWED);
    for (const call of [read, execve]) expect(asked(call)).toBe(ALLOWED);
    expect(asked(435, THREAD)).toBe(NO_SUCH_CALL);
    expect(asked(0x40000000 + clone)).toBe(NO_SUCH_CALL);
    expect(answer(filter, 0x40000003, read)).toBe(NO_SUCH_CALL);
  });
});

it('there is none for a processor whose calls are not known', () => {
  expect(systemCallFilter('mips')).toBeUndefined();
  expect(singleProcessFilter('kill', 'mips')).toBeUndefined();
});
