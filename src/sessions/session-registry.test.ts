import { afterEach, expect, it, vi } from 'vitest';
import { SessionRegistry, type LiveSession } from './session-registry.ts';

class Recorded implements LiveSession {
  closed = 0;
  close(): Promise<void> {
    this.closed += 1;
    return Promise.resolve();
  }
}

const open: SessionRegistry<Recorded>[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const registry of open.splice(0)) await registry.closeAll();
});

function registry(maximum = 10, idleMs = 60_000): SessionRegistry<Recorded> {
  const made = new SessionRegistry<Recorded>('session', { maximum, idleMs });
  open.push(made);
  return made;
}

const nothing = () => Promise.resolve();

it('answers only to the client that opened a session', async () => {
  const sessions = registry();
  const { id } = sessions.add('a', new Recorded());
  await expect(sessions.use('b', id, nothing)).rejects.toMatchObject({ reason: 'not-found' });
  await expect(sessions.close('b', id)).rejects.toMatchObject({ reason: 'not-found' });
  expect(sessions.of('b')).toEqual([]);
  await expect(sessions.use('a', id, (session) => Promise.resolve(session.closed))).resolves.toBe(0);
});

it('closes each session once, and says to its client alone that it is gone', async () => {
  const sessions = registry();
  const session = new Recorded();
  const { id } = sessions.add('a', session);
  await sessions.close('a', id);
  await expect(sessions.close('a', id)).rejects.toMatchObject({ reason: 'stale-state' });
  await expect(sessions.use('b', id, nothing)).rejects.toMatchObject({ reason: 'not-found' });
  await sessions.closeAll();
  expect(session.closed).toBe(1);
});

it('makes room by the session that was used least recently, never by one in use', async () => {
  const sessions = registry(2);
  vi.useFakeTimers();
  const [first, second, third] = [new Recorded(), new Recorded(), new Recorded()];
  const { id } = sessions.add('a', first);
  vi.advanceTimersByTime(10);
  sessions.add('a', second);
  vi.advanceTimersByTime(10);
  await sessions.use('a', id, nothing);
  sessions.add('a', third);
  expect([first.closed, second.closed, third.closed]).toEqual([0, 1, 0]);
  const busy = sessions.use('a', id, async () => {
    sessions.add('a', new Recorded());
    return Promise.resolve(first.closed);
  });
  await expect(busy).resolves.toBe(0);
  expect(third.closed).toBe(1);
});

it('closes what nobody used for long enough', async () => {
  vi.useFakeTimers();
  const sessions = registry(10, 5000);
  const [idle, used] = [new Recorded(), new Recorded()];
  const { id } = sessions.add('a', idle);
  const other = sessions.add('a', used);
  for (let round = 0; round < 3; round += 1) {
    vi.advanceTimersByTime(4000);
    await sessions.use('a', other.id, nothing);
  }
  expect([idle.closed, used.closed]).toEqual([1, 0]);
  await expect(sessions.use('a', id, nothing)).rejects.toThrow('idle');
});

it('closes all sessions of a client that goes away, and none of another', async () => {
  const sessions = registry();
  const [mine, yours] = [new Recorded(), new Recorded()];
  sessions.add('a', mine);
  sessions.add('b', yours);
  await sessions.clientGone('a');
  expect([mine.closed, yours.closed, sessions.size]).toEqual([1, 0, 1]);
});

it('does not take an id twice', () => {
  const sessions = registry();
  sessions.add('a', new Recorded(), 'name');
  expect(() => sessions.add('b', new Recorded(), 'name')).toThrow('already');
});

it('leaves sessions that outlive their clients to whoever comes next, one client at a time', async () => {
  const sessions = new SessionRegistry<Recorded>('session', { maximum: 10, idleMs: 60_000, heldMs: 1000 });
  open.push(sessions);
  vi.useFakeTimers();
  const session = new Recorded();
  sessions.add('a', session, 'name');
  expect(() => sessions.attach('b', 'name')).toThrow('another client');
  await expect(sessions.use('b', 'name', nothing)).rejects.toThrow('There is no');
  await sessions.clientGone('a');
  expect(session.closed).toBe(0);
  await expect(sessions.use('b', 'name', nothing)).rejects.toThrow('not yours yet');
  expect(sessions.visibleTo('b').map(({ id }) => id)).toEqual(['name']);
  expect(sessions.attach('b', 'name')).toBe(session);
  expect(sessions.comeBack('b', 'name')).toBe(session);
  expect(() => sessions.comeBack('a', 'name')).toThrow('another client');
  vi.advanceTimersByTime(2000);
  expect(() => sessions.comeBack('a', 'name')).toThrow('another client');
  expect(sessions.attach('a', 'name')).toBe(session);
});

it('makes the calls of a turn one at a time, and those that are given up never', async () => {
  const sessions = registry();
  const { id } = sessions.add('a', new Recorded());
  const made: string[] = [];
  const never = new AbortController();
  const { signal } = new AbortController();
  const call = (name: string) => async (): Promise<void> => {
    made.push(name);
    await Promise.resolve();
    made.push(name);
  };
  const calls = [
    sessions.useInTurn('a', id, call('one'), signal),
    sessions.useInTurn('a', id, call('two'), never.signal),
    sessions.useInTurn('a', id, call('three'), signal),
  ];
  never.abort();
  const settled = await Promise.allSettled(calls);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(made).toEqual(['one', 'one', 'three', 'three']);
});
