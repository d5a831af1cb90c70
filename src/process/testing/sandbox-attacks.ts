/**
 * Programs that try to get out of the sandbox, to see what they should not, or to break its limits, as data: each
 * with what must be observed, in every backend. In a program `@SECRET@` is a file of a home that holds a secret,
 * `@FOLDER@` the folder that it is in, `@LIBRARY@` a folder of a home that may be read, `@PORT@` and `@SOCKET@`
 * where something listens outside, `@PROCESS@` a process outside.
 */
import type { Incident, SandboxLimits, SandboxRun } from '../sandbox.ts';

export interface SandboxAttack {
  readonly name: string;
  readonly aim: 'reading' | 'writing' | 'processes' | 'resources' | 'kernel' | 'result';
  readonly shell?: string;
  readonly perl?: string;
  /** System calls are asked for by their numbers. */
  readonly processor?: NodeJS.Architecture;
  readonly limits?: Partial<SandboxLimits>;
  readonly seen: {
    /** All that it printed. */
    readonly output?: string | RegExp;
    readonly code?: number;
    readonly stopped?: SandboxRun['stopped'];
    readonly stalled?: RegExp;
    /** Exactly these kinds. Default: none. */
    readonly incidents?: readonly Incident['kind'][];
    /** Files that come out besides those that went in, by their names. */
    readonly files?: readonly string[];
  };
}

const MEGABYTE = 1024 ** 2;

/** Prints `refused` with the system's word for it, or what the call gave. */
const refused = (call: string): string => `my $r = ${call}; print $r == -1 ? "refused" : "got $r"`;

const READING: readonly SandboxAttack[] = [
  {
    name: 'a file of a home',
    aim: 'reading',
    shell: 'cat @SECRET@ 2>/dev/null',
    seen: { output: '', code: 1 },
  },
  {
    name: 'a file of a home by a link',
    aim: 'reading',
    shell: 'ln -s @SECRET@ link; cat link 2>/dev/null',
    seen: { output: '', files: [] },
  },
  {
    name: 'what is in the folders of persons',
    aim: 'reading',
    shell: 'ls -A /home /root /tmp /var/tmp /srv /mnt | grep -v ":$" | grep .',
    seen: { output: '' },
  },
  {
    name: 'accounts and names of the machine',
    aim: 'reading',
    shell:
      'cat /etc/passwd /etc/shadow /etc/group /etc/hostname /etc/hosts /etc/machine-id /etc/resolv.conf 2>/dev/null',
    seen: { output: '' },
  },
  { name: 'the name of the host', aim: 'reading', shell: 'uname -n', seen: { output: 'sandbox\n' } },
  {
    name: 'the environment',
    aim: 'reading',
    shell: 'env | sed "s/=.*//" | sort | tr "\\n" " "',
    seen: { output: /^GLIBC_TUNABLES HOME LANG (OLDPWD )?PATH (PWD )?(SHLVL )?TMPDIR (_ )?$/ },
  },
  {
    name: 'the search path of whoever started it',
    aim: 'reading',
    shell: 'echo "$PATH" | grep -c "@FOLDER@"',
    seen: { output: '0\n' },
  },
  {
    name: 'processes, environments and command lines in /proc',
    aim: 'reading',
    shell: 'cat /proc/*/environ /proc/*/cmdline /proc/*/maps /proc/*/status 2>/dev/null; ls /proc',
    seen: { output: 'cpuinfo\nmeminfo\nself\n' },
  },
  {
    name: 'the paths of mounts in /proc',
    aim: 'reading',
    shell: 'cat /proc/self/mountinfo /proc/self/mounts /proc/mounts /proc/1/mountinfo /etc/mtab 2>/dev/null',
    seen: { output: '' },
  },
  {
    name: 'the paths of mounts by statmount',
    aim: 'reading',
    processor: 'x64',
    perl: `my $q = pack("LLQQQ", 24, 0, 18446744073709551615, 0, 0); my $b = "\\0" x 4096; ${refused('syscall(458, $q, $b, 512, 0)')}`,
    seen: { output: 'refused' },
  },
  {
    name: 'a /proc of its own',
    aim: 'reading',
    shell:
      'mkdir p; unshare -Urmpf mount -t proc proc p 2>/dev/null; ls p; mount -t proc proc p 2>/dev/null; ls p',
    seen: { output: '' },
  },
  {
    name: '/sys, but for what the kernel says of large pages',
    aim: 'reading',
    shell:
      'find /sys ! -type d | sort; find /sys -type d -empty; echo >/sys/kernel/mm/transparent_hugepage/enabled',
    seen: { output: /^(?:\/sys\/kernel\/mm\/transparent_hugepage\/(?:enabled|hpage_pmd_size)\n)*$/ },
  },
  {
    name: 'the path of a folder that it may read',
    aim: 'reading',
    shell: 'cat /readable/1/library; find / -path /usr -prune -o -path "@FOLDER@*" -print 2>/dev/null',
    seen: { output: 'trusted' },
  },
  {
    name: 'what stands beside a folder that it may read',
    aim: 'reading',
    shell: 'cat /readable/1/../../secret /readable/1/../secret /readable/2 2>/dev/null; ls /readable',
    seen: { output: '1\n' },
  },
  {
    name: 'open files of whoever started it',
    aim: 'reading',
    // The null device may stand in the place of what Quod inherited. Perl's own copies come and go above.
    perl: 'for my $n (0..1023) { open(my $f, "<&=", $n) or next; my @s = stat $f; print "$n " if @s and $s[6] != 0x103 }',
    seen: { output: '1 2 ' },
  },
  {
    name: 'the terminal, the memory, disks',
    aim: 'reading',
    shell:
      'for d in tty console kmsg mem sda vda nvme0n1 ptmx fuse kvm; do [ -e /dev/$d ] && echo $d; done; ls /dev | tr "\\n" " "',
    seen: { output: 'full null random shm urandom zero ' },
  },
  {
    name: 'keyrings',
    aim: 'reading',
    processor: 'x64',
    perl: refused('syscall(250, 0, -3, 1)'),
    seen: { output: 'refused' },
  },
  {
    name: 'messages of the kernel',
    aim: 'reading',
    processor: 'x64',
    perl: `my $b = "\\0" x 4096; ${refused('syscall(103, 3, $b, 4096)')}`,
    seen: { output: 'refused' },
  },
  {
    name: 'shared memory of others',
    aim: 'reading',
    perl: 'my $n = grep { defined shmget($_, 0, 0) } 0..2000; print $n',
    seen: { output: '0' },
  },
];

const WRITING: readonly SandboxAttack[] = [
  {
    name: 'into the system',
    aim: 'writing',
    shell:
      'for d in / /usr /usr/lib /bin /etc /proc /proc/self /dev /opt /readable /old; do (: >$d/x) 2>/dev/null && echo $d; done; true',
    seen: { output: '' },
  },
  {
    name: 'into what it may read',
    aim: 'writing',
    shell:
      'echo bad >/readable/1/library; chmod 777 /readable/1/library; rm -f /readable/1/library; cat /readable/1/library',
    seen: { output: 'trusted' },
  },
  {
    name: 'into folders of persons',
    aim: 'writing',
    shell: 'mkdir -p @FOLDER@ && echo x >@FOLDER@/stolen; echo y >/tmp/quod-sandbox-stolen',
    seen: { incidents: ['wrote-outside', 'wrote-outside'] },
  },
  {
    name: 'the permissions of a device',
    aim: 'writing',
    shell: 'chmod 666 /dev/null 2>/dev/null || echo refused; chown 0:0 /dev/zero 2>/dev/null || echo refused',
    seen: { output: 'refused\nrefused\n' },
  },
  {
    name: 'a device of its own',
    aim: 'writing',
    shell: 'mknod disk b 8 0 2>/dev/null || echo refused',
    seen: { output: 'refused\n' },
  },
  {
    name: 'by mounting anew',
    aim: 'writing',
    shell:
      'for o in remount,rw remount,bind,rw; do mount -o $o /usr 2>/dev/null && echo $o; done; ' +
      'umount /readable/1 2>/dev/null && echo gone; umount -l / 2>/dev/null && echo gone; true',
    seen: { output: '' },
  },
  {
    name: 'by mounting as root of a namespace of its own',
    aim: 'writing',
    shell:
      'unshare -Ur sh -c "mount -o remount,bind,rw /usr && touch /usr/x && echo wrote" 2>/dev/null; true',
    seen: { output: '' },
  },
  {
    name: 'by another root folder',
    aim: 'writing',
    shell: 'chroot . /bin/true 2>/dev/null || echo refused',
    seen: { output: 'refused\n' },
  },
];

const PROCESSES: readonly SandboxAttack[] = [
  {
    name: 'kill everything in sight',
    aim: 'processes',
    shell: 'echo done; kill -KILL -1; kill -KILL $$',
    seen: { code: 137, output: 'done\n' },
  },
  {
    name: 'kill the script of the sandbox',
    aim: 'processes',
    shell: 'for s in KILL STOP TERM HUP INT QUIT PIPE USR1 ALRM; do kill -$s 1; done; echo still',
    seen: { code: 0, output: 'still\n' },
  },
  {
    name: 'stop everything in sight',
    aim: 'processes',
    shell: 'kill -STOP 1; kill -STOP -1; kill -STOP $$',
    limits: { idleMs: 1000 },
    seen: { stopped: 'timeout', stalled: /sh \(stopped\)/ },
  },
  {
    name: 'wait for a pipe that nobody fills',
    aim: 'processes',
    shell: 'mkfifo t.vo; cat t.vo',
    limits: { idleMs: 1000 },
    seen: { stopped: 'timeout', stalled: /\(waiting\)/ },
  },
  {
    name: 'put a pipe in the place of a result',
    aim: 'processes',
    shell: 'mkfifo t.vo; ln -s t.vo u.vo; echo fine',
    seen: { output: 'fine\n', files: [] },
  },
  {
    name: 'sleep for ever',
    aim: 'processes',
    shell: 'sleep 1000',
    limits: { idleMs: 1000 },
    seen: { stopped: 'timeout', stalled: /sleep \(waiting\)/ },
  },
  {
    name: 'hide from the look for work by working a little',
    aim: 'processes',
    perl: 'while (1) { my $end = time + 1; 1 for 1..2_000_000; select undef, undef, undef, 0.2 }',
    limits: { idleMs: 1000, timeoutMs: 4000 },
    seen: { stopped: 'timeout' },
  },
  {
    name: 'ignore every signal',
    aim: 'processes',
    shell: "trap '' INT TERM HUP QUIT XCPU; while :; do :; done",
    limits: { timeoutMs: 2000 },
    seen: { stopped: 'timeout' },
  },
  {
    name: 'leave a process in a session of its own',
    aim: 'processes',
    perl: 'use POSIX; if (fork) { sleep 1; exit } POSIX::setsid(); exit if fork; exec "sleep", "987.@RUN@"',
    seen: { incidents: ['left-process'] },
  },
  {
    name: 'fork without end',
    aim: 'processes',
    shell: 'while :; do sleep 30 & done',
    seen: { stopped: 'processes', incidents: ['processes'] },
  },
  {
    name: 'look into the script of the sandbox',
    aim: 'processes',
    processor: 'x64',
    perl: refused('syscall(101, 16, 1, 0, 0)'),
    seen: { output: 'refused' },
  },
  {
    name: 'signal a process outside',
    aim: 'processes',
    shell: 'kill -KILL @PROCESS@ 2>/dev/null; echo tried',
    seen: { output: 'tried\n' },
  },
  {
    name: 'become another user',
    aim: 'processes',
    shell:
      'su root -c id </dev/null 2>/dev/null; sudo -n id 2>/dev/null; cp /bin/sh s; chmod u+s s; ./s -pc "id -u" | sort -u; rm s',
    seen: { output: /^(0|1000)\n$/ },
  },
  {
    name: 'take the processor from others',
    aim: 'processes',
    shell: 'chrt -f 99 true 2>/dev/null && echo got; renice -n -10 $$ 2>/dev/null >&2 && echo got; true',
    seen: { output: '' },
  },
];

const RESOURCES: readonly SandboxAttack[] = [
  ...['/scratch', '/temporary', '/tmp', '/home', '/dev/shm', '/output'].map((folder): SandboxAttack => ({
    name: `fill ${folder}`,
    aim: 'resources',
    // Four processes, since one file has a limit of its own.
    shell: `cd ${folder}; for n in 1 2 3 4 5 6 7 8 9; do head -c 4000000 /dev/zero >f$n; done 2>/dev/null; kilobytes=$(du -sk . | cut -f1); rm -f f?; [ $kilobytes -lt 17000 ] && echo little >/scratch/said`,
    seen: { files: ['said'] },
  })),
  {
    name: 'fill the disk',
    aim: 'resources',
    shell: 'cat /dev/zero >big',
    seen: { incidents: ['disk'], files: ['big'] },
  },
  {
    name: 'files with nothing in them but a size',
    aim: 'resources',
    shell: 'for n in $(seq 30); do truncate -s 4000000 s$n; done',
    seen: { stopped: 'output', incidents: ['disk'] },
  },
  {
    name: 'very many files',
    aim: 'resources',
    perl: 'for my $n (1..150_000) { open my $f, ">", "/temporary/$n" or last }',
    seen: {},
  },
  {
    name: 'very deep folders',
    aim: 'resources',
    perl: 'for (1..3000) { mkdir "d" or last; chdir "d" or last }',
    seen: {},
  },
  {
    name: 'take all memory',
    aim: 'resources',
    perl: '$x = "x" x 900_000_000; sleep 30',
    seen: { stopped: 'memory' },
  },
  {
    name: 'take all memory for files without names',
    aim: 'resources',
    processor: 'x64',
    perl: 'my @f; for my $n (1..150) { my $name = "x"; my $d = syscall(319, $name, 0); open my $f, ">&=", $d; syswrite $f, "x" x 4_000_000; push @f, $f } sleep 30',
    seen: { stopped: 'memory' },
  },
  { name: 'print without end', aim: 'resources', shell: 'yes', seen: { incidents: ['output'] } },
  {
    name: 'more than its time of the processor',
    aim: 'resources',
    shell: 'while :; do :; done',
    limits: { processorSeconds: 1 },
    seen: { code: 137 },
  },
  {
    name: 'lift the limits',
    aim: 'resources',
    shell: 'for o in n u f t c; do ulimit -$o unlimited 2>/dev/null && echo $o; done; true',
    // As many processes as it likes is refused by the number of processes, which is looked at from outside.
    seen: { output: /^(u\n)?$/ },
  },
  {
    name: 'a dump of memory',
    aim: 'resources',
    shell: 'ulimit -c unlimited 2>/dev/null; sh -c "kill -SEGV \\$\\$"; ls -A',
    seen: { output: 'given\n' },
  },
];

const KERNEL: readonly SandboxAttack[] = [
  {
    name: 'reach a port of this machine',
    aim: 'kernel',
    perl: 'use IO::Socket::INET; print IO::Socket::INET->new("127.0.0.1:@PORT@") ? "reached" : "refused"',
    seen: { output: 'refused', incidents: ['network'] },
  },
  {
    name: 'reach a port of the world',
    aim: 'kernel',
    perl: 'use IO::Socket::INET; print IO::Socket::INET->new("192.0.2.1:80") ? "reached" : "refused"',
    seen: { output: 'refused', incidents: ['network'] },
  },
  {
    name: 'reach an abstract socket',
    aim: 'kernel',
    perl: 'use Socket; print socket(my $s, AF_UNIX, SOCK_STREAM, 0) && connect($s, pack_sockaddr_un("\\0@SOCKET@")) ? "reached" : "refused"',
    seen: { output: 'refused' },
  },
  {
    name: 'reach a socket in a folder that it may read',
    aim: 'kernel',
    perl: 'use Socket; print -S "/readable/1/socket" ? "there " : "away "; print socket(my $s, AF_UNIX, SOCK_STREAM, 0) && connect($s, pack_sockaddr_un("/readable/1/socket")) ? "reached" : "refused"',
    seen: { output: 'there refused' },
  },
  {
    name: 'send to a socket in a folder that it may read',
    aim: 'kernel',
    perl: 'use Socket; print socket(my $s, AF_UNIX, SOCK_DGRAM, 0) ? "got it" : "refused"',
    seen: { output: 'refused' },
  },
  ...(
    [
      ['vsock', 40],
      ['packets', 17],
      ['bluetooth', 31],
      ['ciphers of the kernel', 38],
    ] as const
  ).map(([name, family]): SandboxAttack => ({
    name: `a socket for ${name}`,
    aim: 'kernel',
    perl: `print socket(my $s, ${family}, 1, 0) ? "got it" : "refused"`,
    seen: { output: 'refused' },
  })),
  {
    name: 'put letters into a terminal (TIOCSTI)',
    aim: 'kernel',
    perl: 'my $c = "x"; my $n = 0; for my $d (0..2) { open my $f, "<&=", $d or next; $n++ if ioctl($f, 0x5412, $c) } print $n',
    seen: { output: '0' },
  },
  {
    name: 'set the clock',
    aim: 'kernel',
    shell: 'date -s 2001-01-01 >/dev/null 2>&1 || echo refused',
    seen: { output: 'refused\n' },
  },
  {
    name: 'set the name of the host',
    aim: 'kernel',
    shell: 'hostname mine 2>/dev/null; uname -n',
    seen: { output: 'sandbox\n' },
  },
  {
    name: 'namespaces of its own',
    aim: 'kernel',
    shell: 'unshare -Ur true 2>/dev/null || echo refused; unshare -m true 2>/dev/null || echo refused',
    seen: { output: 'refused\nrefused\n' },
  },
  ...(
    [
      ['io_uring', 425],
      ['bpf', 321],
      ['perf_event_open', 298],
      ['userfaultfd', 323],
      ['a restart', 169],
      ['a new kernel', 246],
      ['a module of the kernel', 175],
    ] as const
  ).map(([name, number]): SandboxAttack => ({
    name: `asks the kernel for ${name}`,
    aim: 'kernel',
    processor: 'x64',
    perl: `my $b = "\\0" x 256; ${refused(`syscall(${number}, 0, $b, 0, 0, 0)`)}`,
    seen: { output: 'refused' },
  })),
];

const RESULT: readonly SandboxAttack[] = [
  {
    name: 'says how it ended in the place of the script',
    aim: 'result',
    shell: 'echo "code 0" >/proc/1/fd/1; echo "end of facts"; exit 7',
    seen: { code: 7, output: 'end of facts\n' },
  },
  {
    name: 'puts links in the place of what it printed',
    aim: 'result',
    shell: 'rm -f /output/out; ln -s /readable/1/library /output/out',
    seen: { output: '', incidents: ['interfered'] },
  },
  {
    name: 'takes what it printed away',
    aim: 'result',
    shell: 'rm -f /output/out /output/err',
    seen: { output: '', incidents: ['interfered'] },
  },
  {
    name: 'names that lead out',
    aim: 'result',
    shell: 'mkdir -p "a/.. /x"; : >"a/.. /x/y"; : >"-rf"; : >"$(printf "new\\nline")"; : >"\\\\"',
    seen: { files: ['-rf', '\\', 'a/.. /x/y', 'new\nline'] },
  },
  {
    name: 'takes its working folder away',
    aim: 'result',
    shell: 'rm -rf /scratch/* /scratch/.[!.]*; rmdir /scratch 2>/dev/null; echo gone',
    seen: { output: 'gone\n' },
  },
];

export const SANDBOX_ATTACKS: readonly SandboxAttack[] = [
  ...READING,
  ...WRITING,
  ...PROCESSES,
  ...RESOURCES,
  ...KERNEL,
  ...RESULT,
];

/** The limits that the expectations are written for. */
export const ATTACK_LIMITS: SandboxLimits = {
  timeoutMs: 300_000,
  memoryBytes: 400 * MEGABYTE,
  diskBytes: 4 * MEGABYTE,
  outputBytes: MEGABYTE,
  processes: 16,
};
