/**
 * What is begun while proofs are still looked for. Nothing is decided here: of what was begun the judge takes what is to the
 * letter what it would have asked for (begun-judgement.ts).
 */
import { greatestOf } from '../../core/lists/many.ts';
import type { ReferenceResult } from './reference-result.ts';
import { BegunCompilation, type BegunJudgement } from './begun-judgement.ts';
import {
  type ChangedProofs,
  goesOnBehind,
  Pair,
  proofsIn,
  unfinishedProofs,
  willBeHiddenFromTheRest,
} from './changed-proofs.ts';
import { type JudgeSettings, limitsOf, moduleNameOf, strangeOptions } from './judgement.ts';
import { LibrariesAhead } from './loaded-ahead.ts';
import { TargetPlugins } from './target-plugins.ts';
import { Script } from './text/script.ts';

/**
 * Begins to judge proofs that are still looked for: compiles what of target and submission does not depend on them. What
 * comes of it is for the settings of {@link judgeChangedProofs} (`begun`); whoever asks must end it.
 */
export async function beginChangedProofs(
  { target, statements, onlyUpToProofs = false }: Omit<ChangedProofs, 'text'>,
  settings: JudgeSettings,
): Promise<BegunJudgement | undefined> {
  const { backend, project } = settings;
  const script = new Script(target);
  const proofs = proofsIn(script, target.text, statements);
  // Nothing of a text that was not looked through is run outside a sandbox.
  if ((await backend.isolation()) === 'none') return undefined;
  const compileGrowing = backend.compileGrowing?.bind(backend);
  if (compileGrowing === undefined || strangeOptions(project.arguments).length > 0) return undefined;
  if (proofs === undefined || proofs.some(({ item }) => item.hole === 'aborted')) return undefined;
  const stopped = new AbortController();
  const signal = AbortSignal.any([
    stopped.signal,
    ...(settings.signal === undefined ? [] : [settings.signal]),
  ]);
  const targets: BegunJudgement['targets'] = new Map();
  const unfinished = await unfinishedProofs(script, statements, { ...settings, signal }, targets);
  const pair = new Pair(script, target.text, proofs, unfinished);
  const plugins = new TargetPlugins(settings.policy ?? {}, { target: () => startTarget() });
  const submission = new BegunCompilation(
    {
      ...{ path: target.path, moduleName: moduleNameOf(target.path, project), project, confirmCuts: true },
      ...{ limits: limitsOf({ ...settings, signal }), text: pair.beginning },
    },
    (request, rest) => plugins.compiled(request, (withPlugins) => compileGrowing(withPlugins, rest)),
  );
  const end = greatestOf(proofs.map(({ before }) => before.end));
  const upToProofs =
    onlyUpToProofs &&
    goesOnBehind(script, end) &&
    proofs.every(({ item }) => willBeHiddenFromTheRest(script, item));
  const endAll = (): void => {
    submission.end();
    stopped.abort();
  };
  const begun = { submission, targets, libraries: undefined, onlyUpToProofs: upToProofs, end: endAll };
  const startTarget = (): Promise<ReferenceResult | undefined> =>
    pair.start({ ...settings, begun, signal }, upToProofs ? end : undefined);
  // What several proofs are judged in is known when they are there.
  if (proofs.length > 1 && upToProofs) return begun;
  const request = { path: target.path, moduleName: moduleNameOf(target.path, project) };
  const libraries = new LibrariesAhead(startTarget(), request, { ...settings, signal });
  return {
    ...{ ...begun, libraries },
    end: () => {
      endAll();
      libraries.end();
    },
  };
}
