/**
 * A filter of system calls for the sandbox, as bytes that the kernel takes (seccomp, classic BPF). It closes what
 * namespaces leave open: the keyrings of whoever started Quod, the kernel's messages, sockets that no namespace
 * holds (vsock, those with a path), the calls that tell the paths which mounted folders have outside (`statmount`),
 * looking into other processes, and parts of the kernel that no prover needs and that were often broken out of.
 * What it refuses fails with "not permitted"; the program goes on.
 *
 * It is one wall behind another. The sandbox holds without it where a processor is not in the table below; only the
 * names of folders and the keyrings can be read then.
 */
import { appendAll } from '../../core/lists/many.ts';

interface Machine {
  /** AUDIT_ARCH_… of <linux/audit.h>. */
  readonly audit: number;
  readonly socket: number;
  readonly prctl: number;
  /** `clone`, of which the first argument tells threads from processes, and what makes a process whatever it is told. */
  readonly clone: number;
  readonly forks: readonly number[];
  readonly refused: readonly number[];
}

/** The same on all processors, since Linux 5.1 numbers calls only once. */
const REFUSED_EVERYWHERE = [
  ...[425, 426, 427], // io_uring_setup, io_uring_enter, io_uring_register
  ...[428, 429, 430, 431, 432, 433, 442], // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
  ...[438], // pidfd_getfd
  ...[457, 458], // statmount, listmount
  ...[467], // open_tree_attr
];

const MACHINES: Readonly<Partial<Record<NodeJS.Architecture, Machine>>> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    prctl: 157,
    clone: 56,
    forks: [57, 58], // fork, vfork
    refused: [
      ...[101, 310, 311, 312], // ptrace, process_vm_readv, process_vm_writev, kcmp
      ...[155, 165, 166, 161, 272, 308], // pivot_root, mount, umount2, chroot, unshare, setns
      ...[248, 249, 250], // add_key, request_key, keyctl
      ...[103, 298, 321, 323], // syslog, perf_event_open, bpf, userfaultfd
      ...[303, 304], // name_to_handle_at, open_by_handle_at
      ...[246, 320, 175, 313, 169], // kexec_load, kexec_file_load, init_module, finit_module, reboot
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    prctl: 167,
    clone: 220,
    forks: [],
    refused: [
      ...[117, 270, 271, 272], // ptrace, process_vm_readv, process_vm_writev, kcmp
      ...[41, 40, 39, 51, 97, 268], // pivot_root, mount, umount2, chroot, unshare, setns
      ...[217, 218, 219], // add_key, request_key, keyctl
      ...[116, 241, 280, 282], // syslog, perf_event_open, bpf, userfaultfd
      ...[264, 265], // name_to_handle_at, open_by_handle_at
      ...[104, 294, 105, 273, 142], // kexec_load, kexec_file_load, init_module, finit_module, reboot
    ],
  },
};

/**
 * Families of sockets that a network namespace holds: IPv4, IPv6, netlink. Not unix: a socket that somebody listens
 * on in a folder that may be read can be connected to, read-only or not. Pairs of sockets are made by another call.
 */
const SOCKET_FAMILIES = [2, 10, 16];

/** BPF operations, <linux/bpf_common.h>. */
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;
/** Places in `struct seccomp_data`. */
const CALL_NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;
const ALLOW = 0x7fff0000;
const NOT_PERMITTED = 0x00050001;
const NO_SUCH_CALL = 0x00050026;
const KILL_PROCESS = 0x80000000;
/** Its arguments lie in memory, where no filter looks; libraries use `clone` where it is not there. */
const CLONE3 = 435;
const CLONE_THREAD = 0x00010000;
/** Numbers of the x32 interface, a second door to the same calls. */
const OTHER_INTERFACE = 0x40000000;

export interface SystemCallFilter {
  readonly bytes: Buffer;
  /** The number of the call that hands a filter to the kernel. */
  readonly prctl: number;
}

/** Perl is on nearly every system, and of what is there it alone can hand a filter to the kernel. */
const APPLY_FILTER =
  '$n=shift; $f=pack("H*",shift); $p=pack("Sx6P",length($f)/8,$f); ' +
  'syscall($n,38,1,0,0,0)==0 && syscall($n,22,2,$p)==0 or die "no filter: $!"; exec @ARGV or die "exec: $!"';

/** What stands before a command that is to run under the filter. */
export function underFilter(perl: string, { bytes, prctl }: SystemCallFilter): readonly string[] {
  return [perl, '-e', APPLY_FILTER, String(prctl), bytes.toString('hex')];
}

/** How a shell tells that a filter killed the program (SIGSYS). */
export const KILLED_BY_FILTER = 128 + 31;

/** Undefined for a processor whose calls are not in the table. */
export function systemCallFilter(
  architecture: NodeJS.Architecture = process.arch,
): SystemCallFilter | undefined {
  const machine = MACHINES[architecture];
  if (machine === undefined) return undefined;
  const refused = [...machine.refused, ...REFUSED_EVERYWHERE];
  // Targets are counted from the next instruction; the refusals stand at the end, so each jump knows its distance.
  const instructions = loadingTheCall(machine);
  // Between the last refused call and the refusal stand the question for `socket`, its answer, a load, and the
  // families.
  const between = 3 + SOCKET_FAMILIES.length;
  for (const [index, call] of refused.entries())
    instructions.push(instruction(JUMP_IF_EQUAL, call, refused.length - index - 1 + between, 0));
  appendAll(instructions, [
    instruction(JUMP_IF_EQUAL, machine.socket, 1, 0),
    instruction(RETURN, ALLOW),
    instruction(LOAD, FIRST_ARGUMENT),
    ...SOCKET_FAMILIES.map((family, index) =>
      instruction(JUMP_IF_EQUAL, family, SOCKET_FAMILIES.length - index, 0),
    ),
    instruction(RETURN, NOT_PERMITTED),
    instruction(RETURN, ALLOW),
  ]);
  return { bytes: Buffer.concat(instructions), prctl: machine.prctl };
}

/** What happens to a program that makes a process: it is killed, or the call fails and it goes on. */
export type WhenStarting = 'kill' | 'refuse';

/**
 * A second filter, for a program that may start no other. Threads are no processes, and it may still become another
 * program, as the front doors of some provers do. Undefined as above.
 */
export function singleProcessFilter(
  then: WhenStarting,
  architecture: NodeJS.Architecture = process.arch,
): SystemCallFilter | undefined {
  const machine = MACHINES[architecture];
  if (machine === undefined) return undefined;
  const { forks } = machine;
  const bytes = Buffer.concat([
    ...loadingTheCall(machine),
    ...forks.map((call, index) => instruction(JUMP_IF_EQUAL, call, forks.length - index + 5, 0)),
    instruction(JUMP_IF_EQUAL, CLONE3, 0, 1),
    instruction(RETURN, NO_SUCH_CALL),
    instruction(JUMP_IF_EQUAL, machine.clone, 0, 2),
    instruction(LOAD, FIRST_ARGUMENT),
    instruction(JUMP_IF_ANY_BIT, CLONE_THREAD, 0, 1),
    instruction(RETURN, ALLOW),
    instruction(RETURN, then === 'kill' ? KILL_PROCESS : NOT_PERMITTED),
  ]);
  return { bytes, prctl: machine.prctl };
}

/** Lets calls of this processor's own interface through to what follows, with the number of the call loaded. */
function loadingTheCall({ audit }: Machine): Buffer[] {
  return [
    instruction(LOAD, ARCHITECTURE),
    instruction(JUMP_IF_EQUAL, audit, 1, 0),
    instruction(RETURN, NO_SUCH_CALL),
    instruction(LOAD, CALL_NUMBER),
    instruction(JUMP_IF_AT_LEAST, OTHER_INTERFACE, 0, 1),
    instruction(RETURN, NO_SUCH_CALL),
  ];
}

/** `struct sock_filter`, in the byte order of both processors. */
function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
