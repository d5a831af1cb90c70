/** Where Rocq looks for compiled libraries, in its own words. */
export interface LoadPathEntry {
  readonly flag: '-Q' | '-R';
  /** Absolute folder. */
  readonly physical: string;
  /** Dotted name, possibly empty. */
  readonly logical: string;
}
