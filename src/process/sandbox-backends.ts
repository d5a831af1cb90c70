/**
 * The command lines of sandboxes: the one place where they are built, for all provers. Bubblewrap first; where it is
 * missing or may not work, the programs of util-linux make the same namespaces and the same view.
 *
 * Promise: inside, the command runs as process 1 of a namespace, without privileges, with nothing to see but the view,
 * nothing to write but its folders in memory, and a host that is called `sandbox`. A backend counts as there only
 * after a command went through it whole.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { findExecutable } from './executable.ts';
import { GuardedChild } from './guarded-child.ts';
import { KeptAnswer } from './kept-answer.ts';
import { singleQuoted } from '../core/shell-text.ts';
import { type Mount, SCRATCH, type View, viewOf } from './sandbox-view.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch-folder.ts';
import { systemProgram } from './rights/single-process.ts';
import { systemCallFilter, underFilter } from './rights/system-call-filter.ts';

export type Isolation = 'bubblewrap' | 'unshare' | 'none';

export interface SandboxBackend {
  readonly isolation: Exclude<Isolation, 'none'>;
  /** @param folder an empty folder outside, for what the backend needs until the program has ended */
  command(view: View, command: readonly string[], folder: string): readonly [string, ...string[]];
}

const HOST_NAME = 'sandbox';

/** A backend, by the program that makes it and the options that it is given. */
interface Candidate {
  readonly backend: SandboxBackend;
  readonly program: string;
  readonly options: readonly string[];
}

const found = new Map<string, Promise<SandboxBackend | undefined>>();
/** Whether what was found earlier, by another Quod, is taken for what works now. */
let believesKept = true;

/**
 * The first backend of those asked for that works here; containers often forbid all. Each is tried once, and one that
 * worked is taken for one that works until the machine starts anew. It is no matter of trust: with one that has ceased
 * to work nothing is run.
 */
export async function findSandbox(
  wanted: readonly SandboxBackend['isolation'][] = ['bubblewrap', 'unshare'],
): Promise<SandboxBackend | undefined> {
  for (const isolation of wanted) {
    const known = found.get(isolation) ?? firstThatWorks(CANDIDATES[isolation]());
    found.set(isolation, known);
    const backend = await known;
    if (backend !== undefined) return backend;
  }
  return undefined;
}

/** Forgets what was found where that had only been kept. Answers whether there is something else to be found now. */
export function lookForSandboxAgain(): boolean {
  if (!believesKept) return false;
  believesKept = false;
  found.clear();
  return true;
}

/** What works best comes first: older bubblewraps know fewer options. */
const CANDIDATES: Readonly<Record<SandboxBackend['isolation'], () => readonly Candidate[]>> = {
  bubblewrap: () => {
    const program = findExecutable(['bwrap']);
    // Older ones do not know the option.
    if (program === undefined) return [];
    return [['--disable-userns'], []].map((options) => ({
      ...{ program, options },
      backend: bubblewrap(program, options),
    }));
  },
  unshare: () => {
    const programs = unsharePrograms();
    return programs === undefined
      ? []
      : [{ backend: unshare(programs), program: programs.unshare, options: [] }];
  },
};

async function firstThatWorks(candidates: readonly Candidate[]): Promise<SandboxBackend | undefined> {
  for (const { backend, program, options } of candidates) {
    const kept = new KeptAnswer(program, whetherWorks(backend.isolation, options));
    if (believesKept && kept.known === WORKS) return backend;
    if (!(await works(backend))) continue;
    await kept.keep(WORKS);
    return backend;
  }
  return undefined;
}

export const WORKS = 'works';

/** The question that {@link WORKS} answers: of this kernel since it was started, by whoever asks it. */
export function whetherWorks(
  isolation: SandboxBackend['isolation'],
  options: readonly string[],
): readonly string[] {
  let boot = '';
  try {
    boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Then the kernel's release must do.
  }
  return [boot, release(), String(process.getuid?.()), isolation, ...options];
}

async function works(backend: SandboxBackend): Promise<boolean> {
  const folder = makeScratchFolder('probe');
  try {
    const view = viewOf({
      ...{ program: '/bin/sh', arguments: ['-c', 'echo inside >here && cat here && test $$ = 1'] },
      ...{ readable: [], environment: {}, diskBytes: 65_536, outputBytes: 65_536 },
    });
    const [program, ...programArguments] = backend.command(view, view.command, folder);
    const child = await GuardedChild.start(program, programArguments, { environment: {} });
    const limit = setTimeout(() => void child.kill(), PROBE_LIMIT_MS);
    const { code, printed } = await child.readToEnd();
    clearTimeout(limit);
    return code === 0 && printed === 'inside\n';
  } finally {
    removeScratchFolder(folder);
  }
}

const PROBE_LIMIT_MS = 10_000;

function bubblewrap(bwrap: string, options: readonly string[]): SandboxBackend {
  return {
    isolation: 'bubblewrap',
    command: ({ mounts, environment }, command, folder) => {
      const filter = systemCallFilter();
      const file = join(folder, 'filter');
      if (filter !== undefined) writeFileSync(file, filter.bytes);
      const devices = process.getuid?.() === 0 ? join(folder, 'devices') : undefined;
      return [
        ...(devices === undefined ? ONLY_RUN : readOnlyDevices(mounts, devices)),
        ...(filter === undefined
          ? []
          : ['/bin/sh', '-c', 'filter=$1; shift; exec "$@" 9<"$filter"', 'sh', file]),
        ...[bwrap, '--unshare-user', '--unshare-all', '--die-with-parent', '--as-pid-1', ...options],
        ...['--hostname', HOST_NAME, '--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL'],
        ...mounts.flatMap((mount) => bubblewrapMount(mount, devices)),
        ...['--remount-ro', '/', '--chdir', SCRATCH, '--clearenv'],
        ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
        ...(filter === undefined ? [] : ['--seccomp', '9']),
        ...command,
      ];
    },
  };
}

const ONLY_RUN: readonly [string, ...string[]] = ['/bin/sh', '-c', 'exec "$@"', 'sh'];

/**
 * Devices belong to root. When Quod runs as root, so does the program, and could change the permissions of the
 * machine's `/dev/null`, were it not on a read-only mount; bubblewrap has no read-only devices, so they are made so
 * before.
 */
function readOnlyDevices(mounts: readonly Mount[], folder: string): readonly [string, ...string[]] {
  mkdirSync(folder);
  const devices = mounts.flatMap((one) => (one.kind === 'device' ? [one.at] : []));
  const places = devices.map((device) => ({ device, place: join(folder, basename(device)) }));
  // One program for all of them: each start of `mount` costs as much as the mounts.
  const table = join(folder, 'table');
  const lines = places.map(
    ({ device, place }) => `${escaped(device)} ${escaped(place)} none bind,${DEVICE_OPTIONS} 0 0\n`,
  );
  for (const { place } of places) writeFileSync(place, '');
  writeFileSync(table, lines.join(''));
  const script = `set -eu; PATH=/usr/sbin:/usr/bin:/sbin:/bin\nmount -n -a -T ${singleQuoted(table)}\nexec "$@"`;
  return [
    systemProgram('unshare') ?? 'unshare',
    '--user',
    '--map-root-user',
    '--mount',
    '/bin/sh',
    '-c',
    script,
    'sh',
  ];
}

/** A device can be used on a read-only mount. Restrictions may be more than they were, never fewer. */
const DEVICE_OPTIONS = 'ro,nosuid,noexec';

/** What is mounted without its devices is a file that nobody can open. */
const NOTHING = '/dev/null';

function bubblewrapMount(mount: Mount, devices: string | undefined): string[] {
  switch (mount.kind) {
    case 'read-only':
      return ['--ro-bind', mount.from, mount.to];
    case 'memory':
      return ['--size', String(mount.bytes), '--tmpfs', mount.at];
    case 'device':
      return ['--dev-bind', devices === undefined ? mount.at : join(devices, basename(mount.at)), mount.at];
    case 'hidden':
      return ['--ro-bind', NOTHING, mount.at];
    case 'link':
      return ['--symlink', mount.to, mount.at];
  }
}

interface UnsharePrograms {
  readonly unshare: string;
  readonly mount: string;
  readonly umount: string;
  readonly pivotRoot: string;
  readonly setpriv: string;
  readonly perl: string | undefined;
}

function unsharePrograms(): UnsharePrograms | undefined {
  const [unshare, mount, umount, pivotRoot, setpriv] = [
    ...['unshare', 'mount', 'umount', 'pivot_root', 'setpriv'],
  ].map(systemProgram);
  if (!unshare || !mount || !umount || !pivotRoot || !setpriv) return undefined;
  return { unshare, mount, umount, pivotRoot, setpriv, perl: systemProgram('perl') };
}

/**
 * User namespaces by the programs of util-linux: the same view, made by a script before it gives its privileges
 * away.
 */
function unshare(programs: UnsharePrograms): SandboxBackend {
  const { unshare: program, setpriv, perl } = programs;
  return {
    isolation: 'unshare',
    command: ({ mounts, environment }, command, folder) => {
      const filter = perl === undefined ? undefined : systemCallFilter();
      const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
      return [
        program,
        ...['--user', '--map-root-user', '--mount', '--pid', '--fork', '--kill-child=KILL'],
        ...['--net', '--ipc', '--uts', '--cgroup'],
        ...['/bin/sh', '-c', settingUp(mounts, folder, programs), 'sh'],
        ...[setpriv, '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all'],
        ...['env', '-i', ...variables],
        ...(perl === undefined || filter === undefined ? [] : underFilter(perl, filter)),
        ...command,
      ];
    },
  };
}

/**
 * Everything is mounted below a root in memory. What is bound brings along what is mounted below it, so each of
 * those mounts is made read-only by itself; a restriction that it had outside must be named again or the kernel
 * refuses. Then the old root is taken away. The host's `/proc` is in sight only until then.
 */
function settingUp(mounts: readonly Mount[], folder: string, programs: UnsharePrograms): string {
  const { mount, umount, pivotRoot } = programs;
  const root = join(folder, 'root');
  mkdirSync(root);
  const points = (kind: Mount['kind']): string =>
    mounts
      .flatMap((one) => (one.kind === kind && 'at' in one ? singleQuoted(escaped(root + one.at)) : []))
      .join('|');
  return `set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
${mount} -n -t tmpfs -o size=1m,mode=755,nosuid,nodev tmpfs ${singleQuoted(root)}
mkdir ${singleQuoted(`${root}/old`)}
${mounts.map((one) => mounted(one, root, mount)).join('\n')}
while read -r _ _ _ _ point options _; do
  case $point in ${singleQuoted(escaped(root))}/*) ;; *) continue ;; esac
  case $point in ${points('memory')}|${points('device')}) continue ;; esac
  case ,$options, in *,noexec,*) echo "noexec $point" ;; *) echo "exec $point" ;; esac
done </proc/self/mountinfo >${singleQuoted(`${root}/points`)}
while read -r may point; do
  ${mount} -n -o "remount,bind,ro,nosuid,nodev,$may" "$(printf '%b' "$point")"
done <${singleQuoted(`${root}/points`)}
rm ${singleQuoted(`${root}/points`)}
# umount does nothing without a list of mounts, and is content with an empty one.
: >${singleQuoted(`${root}/proc/self/mountinfo`)}
echo ${HOST_NAME} 2>/dev/null >/proc/sys/kernel/hostname || hostname ${HOST_NAME}
( echo 0 >/proc/sys/user/max_user_namespaces ) 2>/dev/null || :
${mount} -n -o remount,bind,ro,nosuid,nodev ${singleQuoted(root)}
cd ${singleQuoted(root)}
${pivotRoot} . old
cd ${SCRATCH}
${umount} -n -l /old
exec "$@"
`;
}

function mounted(one: Mount, root: string, mount: string): string {
  const path = root + (one.kind === 'read-only' ? one.to : one.at);
  const at = singleQuoted(path);
  const above = `[ -d ${singleQuoted(dirname(path))} ] || mkdir -p ${singleQuoted(dirname(path))}`;
  const folder = `[ -d ${at} ] || mkdir -p ${at}`;
  switch (one.kind) {
    case 'read-only':
      return `${one.folder ? folder : `${above}; : >${at}`}; ${mount} -n --rbind ${singleQuoted(one.from)} ${at}`;
    case 'memory':
      return `${folder}; ${mount} -n -t tmpfs -o size=${one.bytes},nr_inodes=${MOST_FILES},mode=755,nosuid,nodev tmpfs ${at}`;
    case 'device':
      return `${above}; : >${at}; ${mount} -n --bind -o ${DEVICE_OPTIONS} ${singleQuoted(one.at)} ${at}`;
    case 'hidden':
      return `${mount} -n --bind ${NOTHING} ${at}`;
    case 'link':
      return `${above}; ln -s ${singleQuoted(one.to)} ${at}`;
  }
}

/** Each takes memory of the kernel that no limit in bytes counts. */
const MOST_FILES = 100_000;

/** As the kernel writes paths in its list of mounts. */
function escaped(path: string): string {
  return path.replace(
    /[\\ \t\n]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}
