/**
 * What the agent needs from the world below the theorem: tools to work with, similar proofs, the offline search,
 * the gate. The agent knows provers only through this port; a face fills it with operations, as it does for MCP and
 * REST.
 */
import type { RankerName } from '../retrieval/rankers/ranker.ts';
import type { ContextPiece } from './context/pack.ts';
import type { ProverName } from './prover-conventions.ts';
import type { ToolDescription } from './models/conversation.ts';

export interface ToolAnswer {
  readonly text: string;
  /** Set when the call checked a proof, whole or in part. */
  readonly check: Check | null;
}

export interface Check {
  /** The word of the operation: `proved`, `incomplete`, `failed`, `forbidden`, … */
  readonly outcome: string;
  /** The whole proof, when a session took it for complete. It counts only once the gate accepted it. */
  readonly proof: string | null;
  /** The conclusion of the first goal that is open. */
  readonly goal: string | null;
  /** Where it is open, when something was refused there. */
  readonly state?: string | null;
}

/** What automation and search make of a goal at which a model failed. */
export interface Repair {
  /** The whole proof, with what had been accepted; it counts only once the gate accepted it. */
  readonly proof: string | null;
  /** What closes the goals of the state. */
  readonly closing: string | null;
  /** For the model: what was tried and what came nearest. */
  readonly text: string;
}

/** A part that a sketch leaves out. */
export interface SketchHole {
  /** Where its goal alone is open. */
  readonly state: string;
  /** For people and models. */
  readonly goal: string;
  /** The goal for all that stands in its context, and what is given to it there; null where it cannot be said. */
  readonly lemma: { readonly statement: string; readonly given: readonly string[] } | null;
}

/** What came of a proof with holes. */
export type Sketched =
  /** All but the holes is accepted. `texts` are what stands between them: one more than there are holes. */
  | { readonly kind: 'sketched'; readonly texts: readonly string[]; readonly holes: readonly SketchHole[] }
  /** `text` is for the model; `state` is where something was refused. */
  | {
      readonly kind: 'refused';
      readonly text: string;
      readonly goal: string | null;
      readonly state: string | null;
    };

export interface TargetTool extends ToolDescription {
  /** Later calls can refer to what this one made: it is made again when a run is resumed. */
  readonly leavesState: boolean;
}

/** A live prover session on the theorem. */
export interface ToolSession {
  /** The goals at the start, as text. */
  readonly state: string;
  /** Never throws for what a model did wrong: that is an answer. @throws QuodError when the prover cannot go on. */
  call(tool: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer>;
  /** Tries to close the goals of a state without a model. Absent where there is no search. */
  repair?(state: string, seconds: number, signal: AbortSignal): Promise<Repair>;
  /** Executes a proof with holes. Absent where there are none. @throws QuodError when the prover cannot go on. */
  sketch?(script: string, signal: AbortSignal): Promise<Sketched>;
  close(): Promise<void>;
}

export interface SimilarProof {
  readonly name: string;
  readonly statement: string;
  readonly proof: string;
}

/** How many similar proofs, and what ranks them; null: the best that can run. */
export interface ProofsWanted {
  readonly limit: number;
  readonly ranker: RankerName | null;
}

/** What was found out about the falsehood of a theorem. */
export interface Refutation {
  /** The gate accepted a proof of the negation. */
  readonly refuted: boolean;
  /** For people: `n = 0, l = [1]`; empty where there is none. */
  readonly counterexample: string;
  /** The theorem that says so, with its proof. */
  readonly negation: string | null;
  readonly message: string;
  /** What the proof of the negation rests on. */
  readonly grounds?: Grounds;
  /** Not refuted, since it is false only with what the run itself has proved, or given a value to: these theorems. */
  readonly falseWith?: string[];
}

/** A lemma that was stated for a theorem and that the gate accepted. */
export interface HelperLemma {
  readonly name: string;
  /** The whole sentence. */
  readonly statement: string;
  readonly proof: string;
}

/** What a statement says. Equal texts say the same, whatever the statements are called and however they are written. */
export interface Claim {
  readonly text: string;
  /** It speaks of what the file declares or supposes: in another file the same text may say something else. */
  readonly isOfFile: boolean;
}

/** A proof with the helper lemmas that it uses, as they stand before the statement. */
export interface FoundProof {
  readonly proof: string;
  readonly before?: string | undefined;
}

/** What an accepted proof rests on besides what is open. */
export interface Grounds {
  readonly axioms: string[];
  /** What the verdict says against itself. */
  readonly warnings: string[];
}

export interface Judgement {
  /** The helper lemmas that the proof uses, as they stand before the statement; absent where it uses none. */
  readonly before?: string;
  readonly verdict: 'accepted' | 'rejected' | 'unknown';
  readonly findings: readonly string[];
  /** When accepted: the statements of the file that are open themselves and that the proof rests on. */
  readonly restsOnOpen: readonly string[];
  /** When accepted. */
  readonly grounds?: Grounds | undefined;
}

/** One judgement of several proofs in one file. */
export interface JointJudgement extends Omit<Judgement, 'restsOnOpen' | 'grounds'> {
  /** When accepted: for each theorem what it rests on, now that the others are proved, too. */
  readonly restsOnOpen: Readonly<Record<string, readonly string[]>>;
  readonly grounds?: Readonly<Record<string, Grounds>> | undefined;
}

export interface Target {
  readonly prover: ProverName;
  /** Means one statement of the file, at its place: qualified by what stands around it where its name alone does not. */
  readonly theorem: string;
  readonly statement: string;
  readonly file: string;
  readonly tools: readonly TargetTool[];
  openToolSession(signal: AbortSignal): Promise<ToolSession>;
  /** What a prover of the theorem would want to read of the file and its project, in the order in which it is read. */
  context(signal: AbortSignal): Promise<readonly ContextPiece[]>;
  /** Finished proofs of the file, most like the goal first; the theorem's own statement when no goal is given. */
  similarProofs(
    goal: string | undefined,
    wanted: ProofsWanted,
    signal: AbortSignal,
  ): Promise<readonly SimilarProof[]>;
  /** @returns a proof that the gate accepted, or why there is none. */
  search(
    seconds: number,
    seed: number,
    signal: AbortSignal,
  ): Promise<{ readonly proof: string | null; readonly message: string }>;
  /** Looks for a counterexample, and has the gate judge the proof of the negation. Absent where that cannot be done. */
  refute?(seconds: number, signal: AbortSignal): Promise<Refutation>;
  /**
   * The gate's verdict on the file with this proof in its place; nothing is written.
   * @param before Helper lemmas that it uses.
   */
  judge(proof: string, signal: AbortSignal, before?: string): Promise<Judgement>;
  /**
   * Puts a proof into the file, if the gate accepts it again. @returns the hash of the file then.
   * @param before Helper lemmas that it uses.
   */
  write(proof: string, signal: AbortSignal, before?: string): Promise<{ readonly fileHash: string }>;
  /** What the statement says where it stands; undefined where that cannot be compared. */
  claim?(signal: AbortSignal): Promise<Claim | undefined>;
  /** Helper lemmas before the theorem; absent where none can be stated. */
  readonly helpers?: Helpers;
}

export interface Helpers {
  /**
   * A lemma as a theorem of its own, before the theorem and behind the lemmas that are known.
   * @throws QuodError `invalid-input`: it is no single statement of a new name.
   */
  state(statement: string, known: readonly HelperLemma[], signal: AbortSignal): Promise<HelperTarget>;
  /** A name that a lemma behind those known can have: the wanted one, or that with the first number that nothing else has. */
  freeName?(wanted: string, known: readonly HelperLemma[]): Promise<string>;
  /** The same theorem behind lemmas that are proved; of those a proof uses, it is judged and written with them. */
  with(known: readonly HelperLemma[], signal: AbortSignal): Promise<HelperTarget>;
}

/** Works on a copy of the file. */
export interface HelperTarget {
  readonly target: Target;
  readonly close: () => Promise<void>;
}

export interface ProofsApart {
  readonly theorems: readonly string[];
  /** A sentence, which is among the findings, too. */
  readonly finding: string;
}

export interface Comparison {
  /** Nothing is wrong with the file besides holes: its statements and definitions are those of the original. */
  readonly clean: boolean;
  readonly accepted: readonly {
    readonly theorem: string;
    readonly proof: string;
    readonly restsOnOpen: readonly string[];
    readonly grounds?: Grounds | undefined;
  }[];
  /** Proofs that stand in the file and that the gate could not look at. */
  readonly unjudged: readonly {
    readonly theorem: string;
    readonly proof: string;
    readonly message: string;
  }[];
  readonly findings: readonly string[];
  /** Accepted each by itself, and not all of them together in the file. Absent where none are. */
  readonly apart?: ProofsApart;
  /** More was changed than proofs of targets and lemmas beside them, comments among it; whatever the gate says of it. */
  readonly elsewhere?: boolean;
  /** Of the file that was judged, all of it. Absent where it is not on a disk. */
  readonly bytes?: Uint8Array;
}

/** A file with holes of which no run can work on one. */
export interface LeftOutFile {
  /** Absolute. */
  readonly file: string;
  /** Which, and why; as sentences. */
  readonly holes: readonly string[];
}

/** A theorem whose proof, finished or not, is not what the run began with or wrote. */
export interface UsersOwn {
  readonly theorem: string;
  readonly isFinished: boolean;
}

export interface TargetFile {
  /** Absolute. */
  readonly file: string;
  readonly fileHash: string;
  /** Its text when it was opened. */
  readonly text: string;
  readonly targets: readonly Target[];
  /** Holes that nobody asked for by a name and that no run can work on, and why; as sentences. */
  readonly leftOut?: readonly string[];
  /** Theorems of the run that are no targets any more: their proofs in the file are somebody else's by now. */
  readonly usersOwn?: readonly UsersOwn[];
  /** As it is on the disk now. Absent where it is on none. @throws QuodError, also where a link stands in its place. */
  bytes?(): Promise<Uint8Array>;
  /**
   * Whether a text of the file is another one with proofs of the run in it and nothing else, to the byte. Absent where a
   * file is on no disk.
   * @param proofs of the run, by theorem; undefined where another program wrote them, with lemmas beside them.
   */
  addsOnlyProofs?(from: Uint8Array, to: Uint8Array, proofs?: ReadonlyMap<string, FoundProof>): boolean;
  /**
   * Theorems of the run whose proof in a text of the file is neither that of another one nor one of these, by theorem.
   * Absent where a file is on no disk.
   */
  otherProofs?(from: Uint8Array, to: Uint8Array, proofs: ReadonlyMap<string, FoundProof>): readonly string[];
  /** Those of the theorems that the file as it is on the disk now leaves open, or does not have. @throws QuodError. */
  openNow?(theorems: readonly string[]): Promise<readonly string[]>;
  /**
   * For files that somebody else worked on: which targets are proved in the file as it is now, the statements being
   * those of the text that it had. @returns why not, for the others.
   */
  compare(original: string, signal: AbortSignal): Promise<Comparison>;
  /**
   * What other files of the project state without a proof that may speak of values which these proofs, by theorem, give; as
   * sentences. Absent where nobody looks at other files.
   */
  valuesElsewhere?(proofs: ReadonlyMap<string, FoundProof>): Promise<readonly string[]>;
  /** @throws QuodError `file-changed` where the file rests on something else of its project than when it was opened. */
  requireDependencies?(): Promise<void>;
  /**
   * The gate's word on the file as it is now: are these theorems, all in their places, proved together?
   * @throws QuodError `file-changed` for a text that is not the run's.
   */
  recheck(theorems: readonly string[], signal: AbortSignal): Promise<JointJudgement>;
  /** The same for a proof without all else that the run has put into the file. Absent where that cannot be told apart. */
  judgeAlone?(theorem: string, found: FoundProof, signal: AbortSignal): Promise<JointJudgement>;
  /** The same for proofs, by theorem, that are not in the file yet. Absent where a file is only judged as it is. */
  judgeTogether?(proofs: ReadonlyMap<string, FoundProof>, signal: AbortSignal): Promise<JointJudgement>;
}
