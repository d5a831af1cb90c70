import { expect, it, vi } from 'vitest';
import { holdServerTime, noteServerTime, serverNow } from './server-clock.ts';

it('counts by the clock of the server, however that of the browser is set', () => {
  vi.useFakeTimers({ now: Date.parse('2031-01-01T00:00:00Z'), toFake: ['Date'] });
  try {
    noteServerTime(new Headers({ date: 'Sat, 28 Nov 2026 10:00:00 GMT' }));
    noteServerTime(new Headers());
    const passed = serverNow() - Date.parse('2026-11-28T10:00:00Z');
    expect(passed).toBeGreaterThanOrEqual(0);
    expect(passed).toBeLessThan(10_000);
  } finally {
    vi.useRealTimers();
  }
});

it('stands still from when the server is away until it says its time again', () => {
  const passed = vi.spyOn(performance, 'now');
  try {
    passed.mockReturnValue(0);
    noteServerTime(new Headers({ date: 'Sat, 28 Nov 2026 10:00:00 GMT' }));
    const begun = serverNow();
    passed.mockReturnValue(5000);
    expect(serverNow()).toBe(begun + 5000);
    holdServerTime();
    passed.mockReturnValue(60_000);
    expect(serverNow()).toBe(begun + 5000);
    noteServerTime(new Headers({ date: 'Sat, 28 Nov 2026 10:01:00 GMT' }));
    expect(serverNow()).toBe(begun + 60_000);
  } finally {
    passed.mockRestore();
  }
});
