/**
 * What a judgement of Rocq files takes in besides the two texts and the libraries, for its report. Where a file of it was another
 * behind the judgement than before, nobody knows which of the two was judged: the verdict becomes `unknown`. Nothing here accepts.
 */
import type { RocqProject } from '../../provers/rocq/project/project.ts';
import type { JudgeBackend } from '../rocq/backends/judge-backend.ts';
import type { RestsOn, SourceText, Verdict } from '../verdict.ts';
import { projectOptions, ProjectPaths } from './project-options.ts';
import { pluginsOf, surroundingsOf, takenIn, type Surroundings, type TakenIn } from './taken-in.ts';

export class JudgedInputs {
  readonly #target: SourceText;
  readonly #project: RocqProject;
  readonly #around: Promise<Surroundings>;
  /** As it was before anything was compiled: the target is, once for all submissions. */
  readonly #first: Promise<OfTarget>;

  constructor(
    target: SourceText,
    {
      project,
      backend,
    }: { readonly project: RocqProject; readonly backend: Pick<JudgeBackend, 'libraryPlaces'> },
  ) {
    this.#target = target;
    this.#project = project;
    this.#around = ProjectPaths.of(project).then((paths) => surroundingsOf(project, paths, backend));
    this.#first = this.#ofTarget();
    this.#first.catch(() => undefined);
  }

  async judged(
    submission: SourceText,
    judge: (submission: SourceText) => Promise<Verdict>,
  ): Promise<Verdict> {
    const around = await this.#around;
    const before = { ...(await this.#first), submission: await takenIn(submission.text, around) };
    const verdict = await judge(submission);
    if (verdict.kind === 'unknown') return verdict;
    const after = { ...(await this.#ofTarget()), submission: await takenIn(submission.text, around) };
    const changed = [
      ...changesBetween(before.target, after.target),
      ...changesBetween(before.submission, after.submission),
      ...changesBetween(before.project, after.project),
    ];
    if (changed.length > 0) {
      const names = [...new Set(changed)].join(', ');
      const message = `Files that are taken in changed while it was judged: ${names}. Judge it again when they stay as they are.`;
      return { kind: 'unknown', reason: 'file-changed', message };
    }
    return { ...verdict, restsOn: { ...verdict.restsOn, ...this.#told(before, around) } };
  }

  async #ofTarget(): Promise<OfTarget> {
    const around = await this.#around;
    const [target, project] = await Promise.all([takenIn(this.#target.text, around), pluginsOf(around)]);
    return { target, project };
  }

  #told(inputs: Inputs, { paths }: Surroundings): Pick<RestsOn, 'project' | 'takenIn' | 'mayTakeInMore'> {
    const roles = ['target', 'submission', 'project'] as const;
    const files = roles.flatMap((by) =>
      [...inputs[by].files].map(([path, hash]) => ({ path, sha256: hash, by })),
    );
    const more = roles.flatMap((by) => inputs[by].more.map((what) => ({ by, what })));
    return {
      project: projectOptions(this.#project, paths),
      takenIn: files,
      ...(more.length > 0 && { mayTakeInMore: more }),
    };
  }
}

interface OfTarget {
  readonly target: TakenIn;
  readonly project: TakenIn;
}

interface Inputs extends OfTarget {
  readonly submission: TakenIn;
}

function changesBetween({ files: before }: TakenIn, { files: after }: TakenIn): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}
