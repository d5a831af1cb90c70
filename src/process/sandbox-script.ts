/**
 * The shell script that runs around a program inside the sandbox: it brings the files in, sets the limits that every
 * process inherits, and afterwards tells what it found and hands the files out. What it prints was in reach of the
 * program that it ran, so its reader (`sandbox.ts`) takes it for data and draws no conclusion in the program's favour.
 *
 * In a sandbox it is process 1 of its namespace: the kernel lets nobody inside kill or stop it. The files come as an
 * archive on its standard input, so that no folder outside has a name inside. When the program has ended, it waits
 * for a line: meanwhile Quod looks from outside at what was left behind.
 */
import { dirname } from 'node:path';
import { singleQuoted } from '../core/shell-text.ts';
import { LARGE_PAGES } from './rights/large-pages.ts';

export interface LimitSettings {
  readonly processorSeconds: number;
  readonly largestFileBytes: number;
  /** Undefined where the system cannot keep to it. */
  readonly processes: number | undefined;
  /** What stands before the program's own command. */
  readonly prefix: readonly string[];
}

/** Folders that are empty in the sandbox. A file that is there in the end was put there by the program. */
export const DECOYS: readonly string[] = ['/tmp', '/var/tmp', '/home', '/root', '/srv', '/mnt'];

/** Said before the program starts: what failed until then is none of its doing. */
export const BEGUN = 'begun';

export const END_OF_FACTS = 'end of facts';

export function isolatedScript(
  settings: LimitSettings & {
    readonly scratch: string;
    readonly output: string;
    readonly inputBytes: number;
    /** A file of which only the beginning is known when the program starts. */
    readonly growing: string | undefined;
    /** Files that come, all at once, when the program has started. */
    readonly awaited: readonly string[] | undefined;
  },
): string {
  const { scratch, output, inputBytes, growing, awaited } = settings;
  const [pipe] = growing === undefined ? (awaited ?? []) : [growing];
  return `
# A shell catches some signals by itself, and so would die of them; what a trap catches ends only a wait.
trap woken=1 INT TERM HUP QUIT
cd ${singleQuoted(scratch)} && head -c ${inputBytes} | tar -xof - || exit 125
echo ${BEGUN}
${growing === undefined ? '' : feeding(growing)}
${awaited === undefined ? '' : bringing(awaited)}
${limitedRun(settings, output, pipe === undefined ? '' : fed(pipe))}
read -r _
# Nobody but this script and its namespace can be meant.
[ $$ = 1 ] && kill -KILL -1 2>/dev/null
find ${DECOYS.join(' ')} /dev/shm -xdev \\( -type f -o -type l -o -type s -o -type p \\) 2>/dev/null |
  head -n 20 | sed 's/^/outside /'
echo "disk $(stat -f -c %a .)"
times
echo '${END_OF_FACTS}'
exec tar -cf - -C ${singleQuoted(output)} out err -C ${singleQuoted(scratch)} .
`;
}

/**
 * Who opens the file first finds what is known, and its end: compilers take a digest before they read. Who opens it then
 * reads it as it comes, what is known and as many bytes as a line on standard input says; behind that end all of it is
 * there. The second pipe takes the place before the first one ends, so that nobody can open one of them twice. A job in the
 * background has no standard input unless it is told.
 */
function feeding(path: string): string {
  const [pipe, second, whole] = ['', '.second', '.whole'].map((ending) => singleQuoted(path + ending));
  return `mv -f ${pipe} ${whole} && mkfifo ${pipe} ${second} && exec 4<&0 || exit 125
( exec 5>${pipe} && mv -f ${second} ${pipe} && cat ${whole} >&5 && exec 5>&- && exec >${pipe} &&
  cat ${whole} && read -r more && head -c "$more" | tee -a ${whole} && mv -f ${whole} ${pipe} ) <&4 &
feeder=$!
exec 4<&-`;
}

/**
 * Until a file is there, a pipe without a writer stands in its place: whoever opens that waits. Then the file takes the place,
 * and who waits is stopped and goes on, by which the kernel opens the path anew; a pipe could not stand for the file, since
 * provers move about in what they read. Process 1 and this job are not meant by -1, and there is nobody else in its namespace.
 */
function bringing(paths: readonly string[]): string {
  const folder = singleQuoted(AWAITED);
  const moves = paths.map((path) => `mv -f ${singleQuoted(`${AWAITED}/${path}`)} ${singleQuoted(path)}`);
  const folders = [...new Set([AWAITED, ...paths.map((path) => dirname(path))])].map(singleQuoted);
  return `mkdir -p ${folders.join(' ')} && mkfifo ${paths.map(singleQuoted).join(' ')} && exec 4<&0 || exit 125
( read -r more && head -c "$more" | tar -xof - -C ${folder} && ${moves.join(' && ')} && [ $$ = 1 ] || exit 125
  kill -STOP -1 2>/dev/null; kill -CONT -1 2>/dev/null; : ) <&4 &
feeder=$!
exec 4<&-`;
}

/** Where files wait until all of them have come. */
const AWAITED = '.awaited';

/**
 * What the program made of a part of the file is worth nothing. While the pipe is there, more was to come. A job that has
 * only just begun still has the traps of this shell, which take any other signal.
 */
function fed(path: string): string {
  return `[ -p ${singleQuoted(path)} ] && kill -KILL $feeder 2>/dev/null; wait $feeder || exit 125`;
}

/**
 * Without a sandbox there is nothing to look at that would be the program's alone. It needs no program but the shell, as
 * nobody can say what there is in `PATH`.
 */
export function limitedScript(
  settings: LimitSettings & { readonly scratch: string; readonly output: string },
): string {
  const { scratch, output } = settings;
  return `
cd ${singleQuoted(scratch)} || exit 125
echo ${BEGUN}
${limitedRun(settings, output)}
times
echo '${END_OF_FACTS}'
`;
}

function limitedRun(
  { processorSeconds, largestFileBytes, processes, prefix }: LimitSettings,
  output: string,
  afterwards = '',
): string {
  return `( ulimit -c 0; ulimit -n 1024; ulimit -t ${processorSeconds}; ulimit -f ${Math.ceil(largestFileBytes / 512)}
${processes === undefined ? '' : `  ulimit -u ${processes} 2>/dev/null`}
  export ${exported(LARGE_PAGES)}
  exec ${prefix.map(singleQuoted).join(' ')} "$@" ) </dev/null >${singleQuoted(output)}/out 2>${singleQuoted(output)}/err &
program=$!
while woken=; wait $program; code=$?; [ $code -gt 128 ] && [ -n "$woken" ]; do :; done
${afterwards}
echo "code $code"`;
}

function exported(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${singleQuoted(value)}`)
    .join(' ');
}
