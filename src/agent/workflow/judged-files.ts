/**
 * The bytes of each file that the gate judged last, or that were written as it judged them. What a run says of a file, and
 * what it commits, comes from these bytes and from no second reading: whoever can write in the folder can put another
 * text into the file at any moment.
 */
import { sha256 } from '../../core/sha256.ts';
import { appendAll } from '../../core/lists/many.ts';
import type { FoundProof, Target, TargetFile } from '../target.ts';

/** A file with what is to be committed of it. */
export interface FileVersion {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Whether nothing but what the run put there tells it from what the last commit has. Default: it does not matter. */
  readonly isRunsOwn?: (committed: Uint8Array) => boolean;
  /** Another program wrote it. */
  readonly isOfOthers?: boolean;
  /** Theorems with proofs that neither the last commit has nor the gate accepted. Default: none. */
  readonly notAccepted?: (committed: Uint8Array) => readonly string[];
  /** Theorems whose proof of the run is in these bytes and not in what the last commit has. */
  readonly proves?: (committed: Uint8Array | undefined) => readonly string[];
}

/** What a run has in its files. */
export interface ProofsInFiles {
  /** Those that the gate accepted, by theorem. */
  readonly proofs: ReadonlyMap<string, FoundProof>;
  /** Another program wrote them, maybe with lemmas beside them and with others that the gate did not accept. */
  readonly isOfOthers: boolean;
}

interface Judged {
  readonly hash: string;
  /** Undefined where they were others already when they were looked for, and where nothing of them is proved. */
  readonly bytes: Uint8Array | undefined;
}

export class JudgedFiles {
  readonly #files: ReadonlyMap<string, TargetFile>;
  readonly #judged = new Map<string, Judged>();

  constructor(files: readonly TargetFile[]) {
    this.#files = new Map(files.map((one) => [one.file, one]));
  }

  /** It was read once, and the gate judged what was read. */
  judged(file: string, bytes: Uint8Array): void {
    this.#judged.set(file, { hash: sha256(bytes), bytes });
  }

  /** It was written as the gate judged it, or found so. @param hash of what was judged. */
  async written(file: string, hash: string): Promise<void> {
    const bytes = await this.#now(file);
    this.#judged.set(file, {
      hash,
      bytes: bytes !== undefined && sha256(bytes) === hash ? bytes : undefined,
    });
  }

  /** The same for the file of a target. */
  async writtenFor(target: Target, hash: string): Promise<void> {
    const own = [...this.#files.values()].find(({ targets }) => targets.includes(target));
    if (own !== undefined) await this.written(own.file, hash);
  }

  /** The run knows this text, and nothing of it is kept. */
  seen(file: string, hash: string): void {
    this.#judged.set(file, { hash, bytes: undefined });
  }

  /**
   * What is known of these files; one that was replaced before it could be read again is left out.
   */
  versionsOf(files: readonly string[], { proofs, isOfOthers }: ProofsInFiles): FileVersion[] {
    return files.flatMap((file) => {
      const bytes = this.#judged.get(file)?.bytes;
      if (bytes === undefined) return [];
      const known = this.#files.get(file);
      const addsOnlyProofs = known?.addsOnlyProofs?.bind(known);
      const otherProofs = known?.otherProofs?.bind(known);
      const theorems = (known?.targets ?? [])
        .map(({ theorem }) => theorem)
        .filter((theorem) => proofs.has(theorem));
      const proves = (committed: Uint8Array | undefined): readonly string[] => {
        if (committed === undefined || otherProofs === undefined) return theorems;
        const changed = otherProofs(committed, bytes, new Map());
        return theorems.filter((theorem) => changed.includes(theorem));
      };
      return [
        {
          ...{ file, bytes, isOfOthers, proves },
          ...(addsOnlyProofs !== undefined && {
            isRunsOwn: (committed: Uint8Array) =>
              addsOnlyProofs(committed, bytes, isOfOthers ? undefined : proofs),
          }),
          ...(otherProofs !== undefined &&
            isOfOthers && {
              notAccepted: (committed: Uint8Array) => otherProofs(committed, bytes, proofs),
            }),
        },
      ];
    });
  }

  /** Those of these files that were others before they could be read again. */
  unknownOf(files: readonly string[]): readonly string[] {
    return files.filter((file) => {
      const isOnDisk = this.#files.get(file)?.bytes !== undefined;
      return isOnDisk && this.#judged.get(file)?.bytes === undefined;
    });
  }

  /** The files that are others on the disk now, or gone. */
  async replaced(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const [file, { hash }] of this.#judged) {
      if (this.#files.get(file)?.bytes === undefined) continue;
      const bytes = await this.#now(file);
      if (bytes === undefined || sha256(bytes) !== hash) found.push(file);
    }
    return found;
  }

  /** Those of the theorems that their file leaves open now, or does not have, whatever was written into it. */
  async takenOut(theorems: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const file of this.#files.values()) {
      const own = file.targets.map(({ theorem }) => theorem).filter((theorem) => theorems.includes(theorem));
      if (own.length === 0 || file.openNow === undefined) continue;
      // Of a file that cannot be read nothing is there.
      appendAll(found, await file.openNow(own).catch(() => own));
    }
    return found;
  }

  async #now(file: string): Promise<Uint8Array | undefined> {
    return await this.#files
      .get(file)
      ?.bytes?.()
      .catch(() => undefined);
  }
}
