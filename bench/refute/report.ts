/** The table of bench/refute: what was refuted of what, in how much time. */
import { wilsonInterval } from '../search/wilson.ts';
import { MISTAKES } from './mutations.ts';
import type { RefuteRecord } from './record.ts';

function row(name: string, records: readonly RefuteRecord[]): string {
  const within = (seconds: number): number =>
    records.filter(({ outcome, searchSeconds }) => outcome === 'refuted' && searchSeconds <= seconds).length;
  const of = (kind: RefuteRecord['outcome']): number =>
    records.filter(({ outcome }) => outcome === kind).length;
  const { low, high } = wilsonInterval(of('refuted'), records.length);
  const percent = (share: number): string => `${Math.round(share * 100)}`;
  return `| ${[
    name,
    records.length,
    within(5),
    within(30),
    of('refuted'),
    `${percent(low)}–${percent(high)} %`,
    of('not-refuted'),
    of('not-tried'),
  ].join(' | ')} |`;
}

export function report(records: readonly RefuteRecord[]): string {
  const mutated = records.filter(({ mistake }) => mistake !== 'none');
  const unmutated = records.filter(({ mistake }) => mistake === 'none');
  const libraries = [...new Set(records.map(({ library }) => library))];
  return [
    '| statements | number | refuted in 5 s | in 30 s | refuted at all | interval | not refuted | not tried |',
    '|---|---|---|---|---|---|---|---|',
    row('mutated', mutated),
    ...MISTAKES.map((kind) =>
      row(
        `– ${kind}`,
        mutated.filter(({ mistake }) => mistake === kind),
      ),
    ),
    ...libraries.map((name) =>
      row(
        `– of ${name}`,
        mutated.filter(({ library }) => library === name),
      ),
    ),
    row('true', unmutated),
  ].join('\n');
}
