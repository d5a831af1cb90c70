import { describe, expect, it } from 'vitest';
import { queriesOf } from '../testing/recordings.ts';
import { encodeQuery } from './queries.ts';

function encoded(...query: Parameters<typeof encodeQuery>): unknown {
  const line = encodeQuery(...query);
  expect(line.indexOf('\n')).toBe(line.length - 1);
  return JSON.parse(line);
}

describe('queries', () => {
  const recorded = queriesOf('basic.jsonl');

  it('are those that a real F* understood', () => {
    const code = 'let rec fact (n:nat) : Tot pos = if n = 0 then 1 else n * fact (n - 1)\n';
    expect(encoded('6', { query: 'push', kind: 'full', code, line: 3, column: 0 })).toEqual(
      recorded.get('6'),
    );
    expect(encoded('25', { query: 'pop' })).toEqual(recorded.get('25'));
    expect(encoded('23', { query: 'vfs-add', file: null, contents: 'module Demo\n' })).toEqual(
      recorded.get('23'),
    );
    expect(encoded('21', { query: 'compute', term: 'fact 5' })).toEqual(recorded.get('21'));
    expect(
      encoded('14', {
        query: 'lookup',
        symbol: 'fact',
        context: 'code',
        place: { file: 'Demo.fst', line: 4, column: 40 },
      }),
    ).toEqual(recorded.get('14'));
  });

  it('of version 3 have the fields that its sources read', () => {
    expect(encoded('1', { query: 'full-buffer', code: 'module A', check: { kind: 'lax' } })).toMatchObject({
      'query-id': '1',
      query: 'full-buffer',
      args: { kind: 'lax', code: 'module A', 'with-symbols': false },
    });
    expect(
      encoded('2', {
        query: 'full-buffer',
        code: '',
        check: { kind: 'verify-to-position', line: 3, column: 4 },
      }),
    ).toMatchObject({ args: { kind: 'verify-to-position', 'to-position': { line: 3, column: 4 } } });
    expect(encoded('3', { query: 'cancel', line: 1, column: 0 })).toMatchObject({
      args: { 'cancel-line': 1, 'cancel-column': 0 },
    });
  });
});
