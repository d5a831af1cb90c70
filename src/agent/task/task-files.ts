/** What the workflow cannot do by itself: the face writes files. */
export interface TaskFiles {
  /** Reads the task file, lets it be changed, and writes it whole. */
  readonly updateTask: (change: (text: string) => string) => Promise<string>;
  /** What it wrote last, and whether somebody else has written in it, too. Absent where the task is not on a disk. */
  readonly written?: () => { readonly bytes: Uint8Array; readonly isShared: boolean } | undefined;
}
