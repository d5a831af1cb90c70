/** The messages between Quod and the thread in which jsCoq runs. */
import type { Answer } from './answers.ts';

/** What the thread is given when it starts. */
export interface ThreadOptions {
  readonly root: string;
  readonly script: string;
  /** [0]: jsCoq's interrupt vector. [1]: pages of 64 KiB in use by Coq. [2]: counts up while Coq computes. */
  readonly shared: Int32Array<SharedArrayBuffer>;
  /** Compiled WebAssembly by address, from an earlier thread of this process. */
  readonly modules: ReadonlyMap<string, object>;
}

export type ThreadRequest =
  /** Runs commands until the first that raises an exception. */
  | { readonly kind: 'commands'; readonly commands: readonly Command[] }
  | ({ readonly kind: 'step' } & Step)
  /** Makes files visible to Coq. */
  | { readonly kind: 'put'; readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[] }
  /** Copies Coq's memory. */
  | { readonly kind: 'image' }
  /** Replaces Coq's memory by a copy made in a thread that started the same way. */
  | { readonly kind: 'restore'; readonly image: PackedImage };

/** Executes one sentence behind another; when that fails, the document ends where it was. */
export interface Step {
  /** What is to be thrown away first. */
  readonly cancel?: number;
  /** The tip behind which the sentence goes. When something else is the tip, nothing is executed. */
  readonly onTop: number;
  /** A number that Coq does not use yet. */
  readonly id: number;
  readonly text: string;
  readonly withGoals: boolean;
}

/** Where an image lies on disk. */
export interface PackedImage {
  readonly file: string;
  readonly start: number;
  readonly packing: 'none' | 'zstd';
  readonly packedBytes: number;
  readonly imageBytes: number;
  /** CRC-32 of the packed bytes. */
  readonly crc: number;
  readonly fingerprint: string;
}

/** A command of jsCoq's protocol: `["Add", …]`. */
export type Command = readonly unknown[];

export type ThreadReply =
  | { readonly status: 'answered'; readonly answers: readonly Answer[] }
  /**
   * `stepped`: `tip` is the number that Coq gave the sentence; where it failed, the last one that is left, which
   * can be another than `onTop`. `displaced`: nothing was executed, because `tip` was found instead of `onTop`.
   */
  | { readonly status: 'stepped' | 'displaced'; readonly tip: number; readonly answers: readonly Answer[] }
  | { readonly status: 'image'; readonly image: Uint8Array<ArrayBuffer> }
  /** The image on disk is not whole, or of another start; Coq's memory is as it was. */
  | { readonly status: 'unfit' }
  | { readonly status: 'crashed'; readonly message: string };

export type ThreadMessage =
  | {
      readonly kind: 'booted';
      /** Equal in two threads when a memory image of the one fits the other. */
      readonly fingerprint: string;
      readonly modules: ReadonlyMap<string, object>;
    }
  | { readonly kind: 'reply'; readonly to: number; readonly reply: ThreadReply };
