/** The table of bench/refute: what was refuted of what, in how much time. */
import { wilson } from '../../src/agent/evaluation/statistics.ts';
import { MISTAKES } from './mutations.ts';
import type { BesideRecord, RefuteRecord } from './record.ts';

function row(name: string, records: readonly RefuteRecord[]): string {
  const within = (seconds: number): number =>
    records.filter(({ outcome, searchSeconds }) => outcome === 'refuted' && searchSeconds <= seconds).length;
  const of = (kind: RefuteRecord['outcome']): number =>
    records.filter(({ outcome }) => outcome === kind).length;
  const { low, high } = wilson(of('refuted'), records.length);
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

/** Refute and QuickChick on the same statements: of those that QuickChick can test, and of the others. */
export function besideReport(records: readonly BesideRecord[]): string {
  const line = (name: string, of: readonly BesideRecord[]): string => {
    const ours = (seconds: number): number =>
      of.filter(({ refute }) => refute.outcome === 'refuted' && refute.seconds <= seconds).length;
    const theirs = (seconds: number): number =>
      of.filter(
        ({ quickChick }) =>
          quickChick.outcome === 'refuted' && quickChick.seconds !== null && quickChick.seconds <= seconds,
      ).length;
    const onlyOurs = of.filter(
      ({ refute, quickChick }) => refute.outcome === 'refuted' && quickChick.outcome !== 'refuted',
    );
    const onlyTheirs = of.filter(
      ({ refute, quickChick }) => refute.outcome !== 'refuted' && quickChick.outcome === 'refuted',
    );
    const cells = [
      name,
      of.length,
      ours(5),
      ours(30),
      theirs(5),
      theirs(30),
      onlyOurs.length,
      onlyTheirs.length,
    ];
    return `| ${cells.join(' | ')} |`;
  };
  const applies = ({ quickChick }: BesideRecord): boolean => quickChick.outcome !== 'not-applicable';
  const mutated = records.filter(({ mistake }) => mistake !== 'none');
  const unmutated = records.filter(({ mistake }) => mistake === 'none');
  return [
    '| statements | number | refute in 5 s | in 30 s | QuickChick in 5 s | in 30 s | only refute | only QuickChick |',
    '|---|---|---|---|---|---|---|---|',
    line('mutated, QuickChick applies', mutated.filter(applies)),
    ...[...new Set(records.map(({ library }) => library))].map((name) =>
      line(
        `– of ${name}`,
        mutated.filter((record) => applies(record) && record.library === name),
      ),
    ),
    line(
      'mutated, QuickChick does not apply',
      mutated.filter((record) => !applies(record)),
    ),
    line('true, QuickChick applies', unmutated.filter(applies)),
    line(
      'true, QuickChick does not apply',
      unmutated.filter((record) => !applies(record)),
    ),
  ].join('\n');
}
