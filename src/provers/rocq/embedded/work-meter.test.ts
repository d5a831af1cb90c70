import { expect, it } from 'vitest';
import { WorkMeter } from './work-meter.ts';

it('goes by how often Coq looks for interrupts, whatever the processor was given', () => {
  const meter = new WorkMeter();
  meter.begin(100);
  meter.told(1000);
  meter.told(1300);
  expect(meter.until(1100)).toBe(200);
  meter.end(1100);
  meter.begin(1100);
  expect(meter.until(1150)).toBe(210);
});

it('goes by the processor time of what hardly ever looks', () => {
  const meter = new WorkMeter();
  meter.begin(0);
  meter.told(500);
  meter.told(4500);
  expect(meter.until(5)).toBe(1000);
  meter.end(5);
  // It is never less than it was.
  meter.begin(5);
  expect(meter.until(5)).toBe(1000);
});
