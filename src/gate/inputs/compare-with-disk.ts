/**
 * What a report names beside target and submission, against what the disk has now: the files that they take in, the libraries, the
 * options of the project. What is not there is not compared, and told. Nothing of it is compiled or run.
 */
import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { sha256 } from '../../core/sha256.ts';
import { findRocqProject, type RocqProject } from '../../provers/rocq/project/project.ts';
import type { VerdictReport } from '../report.ts';
import { placesInLoadPath } from '../rocq/compiled/library-files.ts';
import type { JudgeBackend } from '../rocq/backends/judge-backend.ts';
import type { ProjectOptions, SourceText, TakenBy } from '../verdict.ts';
import { optionsText, projectOptions, ProjectPaths } from './project-options.ts';
import { contentOf, pluginsOf, surroundingsOf, takenIn, type TakenIn } from './taken-in.ts';

export interface Compared {
  readonly name: string;
  readonly why: string;
}

export interface Comparison {
  /** What is another one now than the one that was judged. */
  readonly changed: readonly Compared[];
  readonly notCompared: readonly Compared[];
}

export interface FilesAtHand {
  readonly target?: SourceText;
  readonly submission?: SourceText;
  /** The prover that is installed here. */
  readonly backend?: JudgeBackend;
}

const fileSchema = z.object({
  path: z.string(),
  sha256: z.string(),
  by: z.enum(['target', 'submission', 'project']),
});

const namedSchema = z.object({
  prover: z.string(),
  backend: z.string(),
  libraries: z.array(z.object({ name: z.string(), sha256: z.string() })).optional(),
  takenIn: z.array(fileSchema).optional(),
  mayTakeInMore: z.array(z.object({ by: z.string(), what: z.string() })).default([]),
  project: z
    .object({
      file: z.string().nullable(),
      loadPath: z.array(z.object({ flag: z.enum(['-Q', '-R']), folder: z.string(), name: z.string() })),
      ocamlPath: z.array(z.string()),
      arguments: z.array(z.string()),
      unread: z.array(z.string()),
    })
    .optional(),
});

type Named = z.output<typeof namedSchema>;

const ANOTHER = 'It is another one now.';
const NOT_THERE = 'It is not there.';
const NEW = 'It was not taken in when this was judged, and is now.';

export async function compareWithDisk(
  { restsOn, target: { name } }: Pick<VerdictReport, 'restsOn' | 'target'>,
  { target, submission, backend }: FilesAtHand,
): Promise<Comparison> {
  const named = namedSchema.safeParse(restsOn);
  // Nothing was concluded.
  if (restsOn === null) return { changed: [], notCompared: [] };
  if (!named.success)
    return onlyNotCompared('The report says it in a way that this version of Quod does not know.');
  if (target === undefined)
    return onlyNotCompared(`No target was given, which says where the project is: name \`${name}\`.`);
  if (!target.path.endsWith('.v')) return onlyNotCompared('That is done for files of Rocq alone.');
  const comparison = new DiskComparison(named.data, await findRocqProject(target.path), backend);
  await comparison.all(target, submission);
  return comparison;
}

const ALL = 'what the two files take in, libraries, the project';

function onlyNotCompared(why: string): Comparison {
  return { changed: [], notCompared: [{ name: ALL, why }] };
}

class DiskComparison implements Comparison {
  readonly changed: Compared[] = [];
  readonly notCompared: Compared[] = [];
  readonly #named: Named;
  readonly #project: RocqProject;
  readonly #backend: JudgeBackend | undefined;

  constructor(named: Named, project: RocqProject, backend: JudgeBackend | undefined) {
    this.#named = named;
    this.#project = project;
    this.#backend = backend;
  }

  async all(target: SourceText, submission: SourceText | undefined): Promise<void> {
    const paths = await ProjectPaths.of(this.#project);
    this.#options(projectOptions(this.#project, paths));
    const prover = await this.#prover();
    const around = await surroundingsOf(
      this.#project,
      paths,
      typeof prover === 'string' ? undefined : prover,
    );
    this.#files({
      target: await takenIn(target.text, around),
      submission: submission && (await takenIn(submission.text, around)),
      project: await pluginsOf(around),
    });
    await this.#libraries(prover);
  }

  /** No file is read because a report names it: those are that would be taken in now. */
  #files(now: Readonly<Record<TakenBy, TakenIn | undefined>>): void {
    const { takenIn: recorded, mayTakeInMore } = this.#named;
    if (recorded === undefined) {
      this.notCompared.push({ name: 'what the two files take in', why: 'The report does not say it.' });
      return;
    }
    const contents = new Set(recorded.map(({ sha256: hash }) => hash));
    const told = new Map<string, string>();
    for (const { path, sha256: hash, by } of recorded) {
      const found = now[by]?.files.get(path);
      if (now[by] === undefined) this.notCompared.push({ name: path, why: `No ${by} was given.` });
      else if (found === undefined) this.notCompared.push({ name: path, why: NOT_THERE });
      else if (found !== hash) told.set(path, ANOTHER);
    }
    const paths = new Set(recorded.map(({ path }) => path));
    for (const [path, hash] of Object.values(now).flatMap((one) => [...(one?.files ?? [])]))
      // The same content elsewhere is the same.
      if (!paths.has(path) && !contents.has(hash)) told.set(path, NEW);
    for (const [name, why] of told) this.changed.push({ name, why });
    for (const { by, what } of mayTakeInMore)
      this.notCompared.push({ name: `what else the ${by} may take in`, why: `It has ${what}.` });
  }

  #options(now: ProjectOptions): void {
    const { project: recorded } = this.#named;
    const name = recorded?.file ?? 'the options of the project';
    if (recorded === undefined) this.notCompared.push({ name, why: 'The report does not say them.' });
    // What says the same elsewhere is the same.
    else if (isDeepStrictEqual({ ...now, file: '' }, { ...recorded, file: '' })) return;
    else if (now.file === null && recorded.file !== null) this.notCompared.push({ name, why: NOT_THERE });
    else
      this.changed.push({
        name,
        why: `The options of the project were \`${optionsText(recorded)}\`, and are \`${optionsText(now)}\` now.`,
      });
  }

  async #libraries(prover: JudgeBackend | string): Promise<void> {
    const { libraries } = this.#named;
    if (libraries === undefined) {
      this.notCompared.push({ name: 'libraries', why: 'The report does not name them.' });
      return;
    }
    const limits = { timeoutMs: 0, memoryLimit: 0 };
    const request = { path: '', text: '', moduleName: '', project: this.#project, limits };
    const installed = typeof prover === 'string' ? prover : await prover.unitOf(request, new Uint8Array());
    for (const { name, sha256: hash } of libraries) {
      const ofProject = placesInLoadPath(this.#project, name).find((path) => existsSync(path));
      const bytes =
        ofProject === undefined && typeof installed !== 'string'
          ? await firstOf(installed.libraryFiles(name))
          : ofProject && (await contentOf(ofProject));
      if (bytes === undefined)
        this.notCompared.push({ name, why: typeof installed === 'string' ? installed : NOT_THERE });
      else if (sha256(bytes) !== hash) this.changed.push({ name, why: ANOTHER });
    }
  }

  /** The one that judged, or why it is not here. */
  async #prover(): Promise<JudgeBackend | string> {
    const { prover, backend: judged } = this.#named;
    const backend = this.#backend;
    if (backend?.name !== judged) return `${prover} (${judged}), which judged, is not asked here.`;
    const here = `rocq ${await backend.version()}`;
    return here === prover ? backend : `It was judged by ${prover}, and here is ${here}.`;
  }
}

async function firstOf(files: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  for await (const bytes of files) return bytes;
  return undefined;
}
