import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeAndTime, incidentsIn, networkIncidents, parsePrinted, scratchFiles } from './sandbox-facts.ts';
import { END_OF_FACTS } from './sandbox-script.ts';
import { writeTar } from './tar-writer.ts';

const ALLOWED = { given: ['/home/me/library'], diskBytes: 1000, outputBytes: 100_000 };
const emptyArchive = writeTar(
  new Map([
    ['out', ''],
    ['err', ''],
  ]),
);

function printed(...facts: string[]): Buffer {
  return Buffer.concat([Buffer.from([...facts, END_OF_FACTS, ''].join('\n')), emptyArchive]);
}

const kinds = (...facts: string[]) =>
  incidentsIn(parsePrinted(printed('code 0', ...facts)), ALLOWED).map(({ kind }) => kind);

describe('what the script saw', () => {
  it('is an exit code and the time of what it started', () => {
    const { facts } = parsePrinted(printed('code 3', '0m0.010s 0m0.020s', '1m2.500s 0m0.250s'));
    expect(codeAndTime(facts)).toEqual({ code: 3, processorMs: 62_750 });
    expect(codeAndTime(['code many'])).toEqual({ code: undefined, processorMs: undefined });
  });

  it('is named, but not what the caller put there, nor an idle network', () => {
    expect(kinds('outside /tmp/x', 'outside /home/me/library')).toEqual(['wrote-outside']);
    const network = (opened: number) =>
      networkIncidents(`Tcp: ActiveOpens InSegs\nTcp: ${opened} 4\n`).map(({ kind }) => kind);
    expect(network(0)).toEqual([]);
    expect(network(2)).toEqual(['network']);
    expect(kinds('disk 0')).toEqual(['disk']);
    expect(kinds('disk 8')).toEqual([]);
  });

  it('is too much output by what was printed, however little is allowed', () => {
    const of = (out: number, outputBytes: number) => {
      const archive = writeTar(
        new Map([
          ['out', 'x'.repeat(out)],
          ['err', ''],
        ]),
      );
      const all = Buffer.concat([Buffer.from(`code 0\n${END_OF_FACTS}\n`), archive]);
      return incidentsIn(parsePrinted(all), { ...ALLOWED, outputBytes }).map(({ kind }) => kind);
    };
    for (const allowed of [1, 100, 1024, 10_000]) {
      expect(of(0, allowed)).toEqual([]);
      expect(of(allowed, allowed)).toEqual(['output']);
    }
  });

  it('is nothing when the script did not come to its end', () => {
    const cut = parsePrinted(Buffer.from('code 0\n'));
    expect(incidentsIn(cut, ALLOWED).map(({ kind }) => kind)).toEqual(['interfered']);
    expect(codeAndTime(cut.facts).code).toBeUndefined();
    expect(scratchFiles(cut.archive).size).toBe(0);
  });

  it('may be any bytes at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
        const noise = parsePrinted(
          Buffer.concat([Buffer.from(bytes), printed('code 0'), Buffer.from(bytes)]),
        );
        expect(() => incidentsIn(noise, ALLOWED)).not.toThrow();
        expect(() => codeAndTime(noise.facts)).not.toThrow();
      }),
    );
  });
});
