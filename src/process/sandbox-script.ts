/**
 * The shell script that runs around a program inside the sandbox: it brings the files in, sets the limits that every
 * process inherits, and afterwards tells what it found and hands the files out. What it prints was in reach of the
 * program that it ran, so its reader (`sandbox.ts`) takes it for data and draws no conclusion in the program's favour.
 */

export interface ScriptSettings {
  /** Whether it runs inside bubblewrap, where it sees no process and no network but its own. */
  readonly isolated: boolean;
  readonly scratch: string;
  readonly input: string;
  readonly output: string;
  readonly processorSeconds: number;
  readonly largestFileBytes: number;
  /** Undefined where the system cannot keep to it. */
  readonly processes: number | undefined;
}

/** Folders that are empty in the sandbox. A file that is there in the end was put there by the program. */
export const DECOYS: readonly string[] = ['/tmp', '/var/tmp', '/home', '/root', '/srv', '/mnt'];

export const END_OF_FACTS = 'end of facts';

export function sandboxScript(settings: ScriptSettings): string {
  const { isolated, scratch, input, output, processorSeconds, processes } = settings;
  const blocks = Math.ceil(settings.largestFileBytes / 512);
  return `
cd ${quoted(scratch)} && cp -R ${quoted(input)}/. . || exit 125
( ulimit -c 0; ulimit -n 1024; ulimit -t ${processorSeconds}; ulimit -f ${blocks}
${processes === undefined ? '' : `  ulimit -u ${processes} 2>/dev/null`}
  exec "$@" ) </dev/null >${quoted(output)}/out 2>${quoted(output)}/err &
wait $!
echo "code $?"
${isolated ? LOOK_AROUND : ''}
times
echo '${END_OF_FACTS}'
${isolated ? `exec tar -cf - -C ${quoted(output)} out err -C ${quoted(scratch)} .` : ''}
`;
}

// The list of processes is made before the loop starts any of its own; 1 is bubblewrap. Then whatever was left is killed.
const LOOK_AROUND = `
for process in /proc/[0-9]*; do
  number=\${process#/proc/}
  if [ "$number" != 1 ] && [ "$number" != $$ ] && read -r stat <"$process/stat" 2>/dev/null; then
    state=\${stat##*) }
    case $state in Z*) ;; *) echo "left $(tr '\\0\\n' '  ' <"$process/cmdline" | head -c 120)" ;; esac
  fi
done
# Never outside a process namespace, where this would be everybody.
[ $$ -lt 5 ] && kill -KILL -1 2>/dev/null
find ${DECOYS.join(' ')} -xdev \\( -type f -o -type l -o -type s -o -type p \\) 2>/dev/null | head -n 20 | sed 's/^/outside /'
sed 's/^/net /' /proc/net/snmp 2>/dev/null
df -Pk . | sed -n '2s/^/disk /p'
`;

function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
