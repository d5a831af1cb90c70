/**
 * The prover's separate checker, `coqchk`: of a compiled submission, and of libraries. What these rest on it takes as it is, as
 * the judge that compiled them does.
 */
import { dirname, join } from 'node:path';
import { findExecutable } from '../../../process/executable.ts';
import { asOutside } from '../../../process/sandbox.ts';
import type { AwaitingRun } from './awaiting-run.ts';
import { lastWords, readCheckerWord } from './checker-words.ts';
import { PREFIX } from './compiled-questions.ts';
import {
  begunRun,
  compiledPlace,
  judgedPlace,
  type ProverRun,
  type Questioned,
  type RunProver,
} from './question-processes.ts';
import {
  type AheadRequest,
  type LibrariesToCheck,
  type RecheckAnswer,
  unknownAnswer,
} from './judge-backend.ts';
import { LinkedFolders } from './linked-folders.ts';

/** The checker beside a compiler, or the one that is found. */
export function checkerBeside(coqc: string): string | undefined {
  return findExecutable([join(dirname(coqc), 'coqchk'), 'coqchk', 'rocqchk']);
}

export class SeparateChecker {
  readonly #run: RunProver;
  readonly #by: () => Promise<string>;

  /** @param run the checker. @param by says which one it is. */
  constructor(run: RunProver, by: () => Promise<string>) {
    this.#run = run;
    this.#by = by;
  }

  /** Of the libraries that it is given the checker reads the last one first, and what that requires. */
  ahead({ moduleName, project, limits, loader }: AheadRequest): AwaitingRun {
    const run = checking([moduleName, loader.moduleName].map(judgedPlace), project, foldersOf(project));
    const files = new Map([[judgedPlace(loader.moduleName), loader.bytes]]);
    return begunRun(this.#run, { ...run, files, limits }, [judgedPlace(moduleName)]);
  }

  async submission({ request, bytes, limits, ahead }: Questioned): Promise<RecheckAnswer> {
    const { moduleName, project } = request;
    const files = new Map([[judgedPlace(moduleName), bytes]]);
    if ((await ahead?.finish(files, limits.signal)) !== undefined)
      return { status: 'accepted', by: await this.#by() };
    const linked = new LinkedFolders(project);
    for (;;) {
      const folders = [...foldersOf(project), ...linked.arguments];
      const run = checking([judgedPlace(moduleName)], project, folders);
      const answer = await this.#answer({ ...run, files: new Map([...linked.files, ...files]), limits });
      if (answer.lacks === undefined || !(await linked.add(answer.lacks))) return answer;
    }
  }

  /** Nothing of the project's folders is looked at. */
  libraries({ names, files, project, limits }: LibrariesToCheck): Promise<RecheckAnswer> {
    const placeOf = (name: string): string => `libraries/${compiledPlace(name)}`;
    const placed = [...files].map(([name, bytes]) => [placeOf(name), bytes] as const);
    const own = { ...project, loadPath: [], ocamlPath: [] };
    const run = checking(names.map(placeOf), own, ['-Q', 'libraries', '']);
    return this.#answer({ ...run, files: new Map(placed), limits });
  }

  async #answer(request: ProverRun): Promise<RecheckAnswer & { readonly lacks?: string }> {
    const ended = await this.#run(request);
    if (ended.status === 'unknown') return ended;
    const { code, errorOutput, places } = ended.run;
    if (code === 0) return { status: 'accepted', by: await this.#by() };
    const word = readCheckerWord(errorOutput);
    const said = asOutside(lastWords(errorOutput), places).replaceAll(`${PREFIX}.`, '');
    if (word.kind === 'refusal') return { status: 'refused', message: said };
    const { reason, lacks } = word;
    return { ...unknownAnswer(reason, `coqchk: ${said}`), ...(lacks !== undefined && { lacks }) };
  }
}

function foldersOf({ loadPath }: ProverRun['project']): readonly string[] {
  const own = loadPath.flatMap(({ flag, physical, logical }) => [flag, physical, logical]);
  return ['-Q', 'judged', PREFIX, ...own];
}

/** @param places of compiled files: a name that ends like one (`P.vo`) the checker takes for a place as well. */
function checking(
  places: readonly string[],
  project: ProverRun['project'],
  folders: readonly string[],
): Pick<ProverRun, 'arguments' | 'collect' | 'project'> {
  const theory = project.arguments.filter(
    (option) => option === '-impredicative-set' || option === '-indices-matter',
  );
  const named = places.flatMap((place) => ['-norec', place]);
  return { arguments: ['-silent', ...named, ...folders, ...theory], collect: () => false, project };
}
