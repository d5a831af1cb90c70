/** What the workflow cannot do by itself: the face writes files. */
export interface TaskFiles {
  /**
   * Reads the task file, lets it be changed, and writes it whole; what stays the same is not written.
   * @param change Also gets what the run knows the file to be.
   */
  readonly updateTask: (change: (text: string, known: string) => string) => Promise<string>;
  /** What it wrote last, and whether somebody else has written in it, too. Absent where the task is not on a disk. */
  readonly written?: () => WrittenTask | undefined;
}

export interface WrittenTask {
  /** The file itself, where the task is a link to it. */
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly isShared: boolean;
}
