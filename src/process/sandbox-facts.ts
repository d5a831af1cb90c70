/**
 * Reads what the script of the sandbox printed (`sandbox-script.ts`): facts, then an archive of files. Pure. The
 * program in the sandbox could have printed any of it, so nothing here throws or takes a fact for more than data.
 */
import { orNothing, orZero } from '../core/entry.ts';
import { FILE_TOO_LARGE } from './sandbox-limits.ts';
import { END_OF_FACTS } from './sandbox-script.ts';
import { readTar } from './tar-archive.ts';

export const INCIDENTS = {
  'wrote-outside': 'It wrote outside the folder that it was given.',
  network: 'It tried to use the network.',
  'left-process': 'It left a process behind.',
  processes: 'It started more processes than it may.',
  'started-program': 'It started another program, which it may not.',
  disk: 'It wrote more than it may.',
  output: 'It printed more than it may.',
  interfered: 'It interfered with the sandbox.',
} as const;

export interface Incident {
  readonly kind: keyof typeof INCIDENTS;
  /** What was seen, in one line. */
  readonly detail: string;
}

export interface Printed {
  readonly facts: readonly string[];
  readonly complete: boolean;
  readonly archive: ReadonlyMap<string, Buffer> | undefined;
}

export function parsePrinted(bytes: Buffer): Printed {
  const mark = bytes.indexOf(`${END_OF_FACTS}\n`);
  if (mark < 0) return { facts: [], complete: false, archive: undefined };
  return {
    facts: bytes.toString('utf8', 0, mark).split('\n'),
    complete: true,
    archive: readTar(bytes.subarray(mark + END_OF_FACTS.length + 1)),
  };
}

export function codeAndTime(facts: readonly string[]): {
  readonly code: number | undefined;
  readonly processorMs: number | undefined;
} {
  const code = valuesOf(facts, 'code')[0];
  // Two lines: the script's own time, and that of its children.
  const times = [...orNothing(facts.filter((fact) => TIMES.test(fact))[1]).matchAll(/(\d+)m([\d.]+)s/g)];
  return {
    code: code === undefined || !/^\d+$/.test(code) ? undefined : Number(code),
    processorMs:
      times.length === 0
        ? undefined
        : Math.round(
            times.reduce(
              (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
              0,
            ),
          ),
  };
}

const TIMES = /^\d+m[\d.]+s \d+m[\d.]+s$/;

export function scratchFiles(
  archive: ReadonlyMap<string, Buffer> | undefined,
  collect: (path: string) => boolean = () => true,
): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const [name, content] of archive ?? [])
    if (name.startsWith('./') && collect(name.slice(2))) files.set(name.slice(2), content);
  return files;
}

const NO_SPACE = /No space left on device|File too large/;
const NETWORK_COUNTERS = /^(?:ActiveOpens|OutDatagrams|OutNoRoutes|OutRequests)$/;

export function incidentsIn(
  { facts, complete, archive }: Printed,
  allowed: { readonly given: readonly string[]; readonly diskBytes: number; readonly outputBytes: number },
): Incident[] {
  const { given, diskBytes, outputBytes } = allowed;
  if (!complete || archive === undefined)
    return [incident('interfered', 'the script around the program did not finish')];
  const incidents: Incident[] = [];
  if (!archive.has('out') || !archive.has('err'))
    incidents.push(incident('interfered', 'what the program printed is gone'));
  for (const path of valuesOf(facts, 'outside'))
    if (!given.includes(path)) incidents.push(incident('wrote-outside', path));
  const free = Number(valuesOf(facts, 'disk')[0] ?? '1');
  const isFull =
    free === 0 || NO_SPACE.test(textOf(archive.get('err'))) || NO_SPACE.test(textOf(archive.get('out')));
  if (isFull || codeAndTime(facts).code === FILE_TOO_LARGE)
    incidents.push(incident('disk', `more than ${diskBytes} bytes`));
  const printed = orZero(archive.get('out')?.length) + orZero(archive.get('err')?.length);
  // The last page of each may be cut; of a small limit that is all.
  if (printed > Math.max(outputBytes - PAGE_BYTES * 2, outputBytes / 2))
    incidents.push(incident('output', `${printed} bytes`));
  return incidents;
}

/** What the counters of a network (`/proc/net/snmp`) say of attempts to use it. */
export function networkIncidents(counters: string): Incident[] {
  const used = networkCounters(counters.trim().split('\n')).filter(
    ({ name, value }) => value > 0 && NETWORK_COUNTERS.test(name),
  );
  return used.length === 0
    ? []
    : [incident('network', used.map(({ name, value }) => `${name} ${value}`).join(', '))];
}

const PAGE_BYTES = 4096;

/** Two lines for each protocol: names, then values. */
function networkCounters(lines: readonly string[]): { readonly name: string; readonly value: number }[] {
  return lines.flatMap((line, index) => {
    const values = lines[index + 1]?.split(' ') ?? [];
    const names = line.split(' ');
    if (index % 2 !== 0 || names[0] !== values[0]) return [];
    return names.slice(1).map((name, at) => ({ name, value: Number(values[at + 1]) }));
  });
}

function valuesOf(facts: readonly string[], word: string): string[] {
  return facts.filter((fact) => fact.startsWith(`${word} `)).map((fact) => fact.slice(word.length + 1));
}

export function incident(kind: Incident['kind'], detail: string): Incident {
  return { kind, detail };
}

export function textOf(bytes: Buffer | undefined): string {
  return orNothing(bytes?.toString('utf8'));
}
