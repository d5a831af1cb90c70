/**
 * What people see while `quod prove` works: on a terminal one line for each theorem in work, redrawn, above which the
 * finished ones stay; elsewhere one line for each finished theorem. All of it goes to stderr: stdout holds proofs.
 */
import { restsOnOpenText } from '../../../core/rests-on.ts';
import { foreignName, foreignText } from '../../../core/foreign-text.ts';
import { entryAt, lastOf, orZero } from '../../../core/entry.ts';
import { withSameReason } from '../../../core/lists/same-reason.ts';
import { counted, someOf } from '../../../core/counted.ts';
import type { ProveEvent, TheoremResult } from '../../../search/prove-file.ts';
import type { NotFound, SetAside } from '../../../search/prove-request.ts';
import { formatDuration } from '../../../core/duration.ts';
import { sayRemedies } from '../../../core/remedies/run-remedies.ts';
import { inCommandWords } from '../terminal/command-words.ts';
import { errorLine } from '../terminal/print-error.ts';
import { openLiveLines } from '../terminal/live-lines.ts';
import { bestGoalAdvice, bestGoalTexts } from '../../../operations/proof/best-goals.ts';
import { asideTexts, falsehoodText, foundGroundsText } from '../../../operations/proof/search-result.ts';
import { finishedAlready, phasesText, whyNotJudged } from './prove-output.ts';
import { searchText, TheoremsInWork, TOLD_EVERY_MS } from './theorems-in-work.ts';

export interface ProveProgress {
  readonly onEvent: (event: ProveEvent) => void;
  /** Removes the lines that are redrawn. */
  readonly stop: () => void;
}

const REDRAW_EVERY_MS = 200;
/** How often it is looked what a log has to be told of what else is done. */
const HEART_MS = 1000;
const OWN_STEPS = 'your own steps leave no goal, and only their end was missing';

export async function openProgress(
  stream: NodeJS.WriteStream,
  fileName: string,
  live: boolean,
): Promise<ProveProgress> {
  return live ? openLiveProgress(stream, fileName) : openPlainProgress(stream, fileName);
}

function openPlainProgress(stream: Pick<NodeJS.WriteStream, 'write'>, fileName: string): ProveProgress {
  const inWork = new TheoremsInWork();
  const toldAt = new Map<string, number>();
  const refused = new RefusedStatements(fileName);
  const heart = setInterval(() => {
    for (const line of inWork.linesDue()) stream.write(`${line}\n`);
  }, HEART_MS);
  return {
    onEvent: (event) => {
      inWork.note(event);
      switch (event.kind) {
        case 'file-error':
          stream.write(`${errorLine(event.error)}\n`);
          return;
        case 'finished-already':
          stream.write(`${finishedAlready(event.theorem, fileName)}\n`);
          return;
        case 'theorem-finished':
          if (!refused.takes(event.result)) stream.write(`${finishedLine(fileName, event.result)}\n`);
          return;
        case 'progress': {
          const { theorem, elapsedMs, nodes, bestGoalCount, running } = event;
          if (elapsedMs - orZero(toldAt.get(theorem)) < TOLD_EVERY_MS) return;
          toldAt.set(theorem, elapsedMs);
          const how = searchText({ nodes, bestGoalCount, running }, formatDuration(elapsedMs));
          stream.write(foreignText(`  … ${theorem}  ${how}`) + '\n');
          return;
        }
        case 'file-loaded':
        case 'to-be-searched':
        case 'theorem-started':
        case 'phase':
        case 'found':
        case 'theorem-waits':
        case 'searched-again':
        case 'accepted-together':
        case 'graph':
        case 'judging':
        case 'written':
          return;
      }
    },
    stop: () => {
      clearInterval(heart);
      for (const line of refused.lines()) stream.write(`${line}\n`);
    },
  };
}

async function openLiveProgress(stream: NodeJS.WriteStream, fileName: string): Promise<ProveProgress> {
  const live = await openLiveLines(stream);
  const inWork = new TheoremsInWork();
  const refused = new RefusedStatements(fileName);
  let loadingSince: number | undefined = performance.now();

  const redraw = (): void => {
    if (loadingSince !== undefined) {
      live.draw([`  … ${fileName}  loading  ${formatDuration(performance.now() - loadingSince)}`]);
    } else {
      live.draw(inWork.lines());
    }
  };
  const timer = setInterval(redraw, REDRAW_EVERY_MS);
  redraw();

  return {
    onEvent: (event) => {
      inWork.note(event);
      switch (event.kind) {
        case 'file-loaded':
          loadingSince = undefined;
          break;
        case 'file-error':
          live.keep(errorLine(event.error));
          break;
        case 'finished-already':
          live.keep(finishedAlready(event.theorem, fileName));
          break;
        case 'theorem-started':
          loadingSince = undefined;
          break;
        case 'progress':
        case 'found':
          return;
        case 'phase':
        case 'judging':
        case 'theorem-waits':
        case 'searched-again':
          break;
        case 'accepted-together':
        case 'graph':
        case 'to-be-searched':
        case 'written':
          return;
        case 'theorem-finished':
          loadingSince = undefined;
          if (!refused.takes(event.result)) live.keep(finishedLine(fileName, event.result));
          break;
      }
      redraw();
    },
    stop: () => {
      clearInterval(timer);
      for (const line of refused.lines()) live.keep(line);
      live.clear();
    },
  };
}

/** The theorems that the prover does not take, which are told at the end: those with the same cause in one line. */
class RefusedStatements {
  readonly #fileName: string;
  #refused: TheoremResult[] = [];

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  takes(result: TheoremResult): boolean {
    const { outcome, nodes } = result;
    const isRefused = outcome.kind === 'not-proved' && outcome.reason === 'does-not-compile' && nodes === 0;
    if (isRefused) this.#refused.push(result);
    return isRefused;
  }

  /** Each once. */
  lines(): string[] {
    const inOrder = this.#refused.toSorted((one, other) => one.line - other.line);
    this.#refused = [];
    return withSameReason(inOrder, ({ outcome }) => ('message' in outcome ? outcome.message : '')).map(
      ({ reason, of }) => {
        const lines = of.map(({ line }) => line);
        const [first, last] = [entryAt(lines, 0, 'line'), lastOf(lines, 'line')];
        const place = `${foreignName(this.#fileName)}:${first}${first === last ? '' : ` to ${last}`}`;
        const names = someOf(of.map(({ theorem }) => theorem));
        return foreignText(`  ✗ ${names} (${place})  not searched: ${reason} [does-not-compile]`);
      },
    );
  }
}

/** From when the file was run for it until it was judged: the sum of what it is told to consist of. */
function wholeMs({ elapsedMs, times }: TheoremResult): number {
  return orZero(times.file) + elapsedMs + orZero(times.judge);
}

/** Messages quote the file and the prover: only the first line begins where lines of Quod's own do. */
function finishedLine(fileName: string, result: TheoremResult): string {
  return foreignText(finishedWords(foreignName(fileName), result));
}

function finishedWords(fileName: string, result: TheoremResult): string {
  const phases = phasesText(result.times);
  const { outcome } = result;
  const isKept = result.nodes === 0 && 'script' in outcome && outcome.script !== '';
  const unsearched = 'isOwn' in outcome ? OWN_STEPS : 'found by an earlier run';
  const how = isKept ? unsearched : counted(result.nodes, 'node');
  const effort = `${formatDuration(wholeMs(result))}, ${how}${phases === '' ? '' : ` (${phases})`}`;
  switch (outcome.kind) {
    case 'proved':
      return `  ✓ ${result.theorem}  ${effort}${foundGroundsText(outcome, inCommandWords)}${setAsideClause(outcome.setAside)}`;
    case 'proved-but':
      return `  ~ ${result.theorem} (${fileName}:${result.line})  ${effort}: proved, but ${restsOnOpenText(outcome.restsOnOpen)}${foundGroundsText(outcome, inCommandWords)}${setAsideClause(outcome.setAside)}`;
    case 'not-judged': {
      const why =
        outcome.errorBefore === undefined
          ? sayRemedies(outcome.message, inCommandWords)
          : `${whyNotJudged(outcome)}.`;
      return `  ? ${result.theorem} (${fileName}:${result.line})  ${effort}: found, not judged: ${why} [${outcome.reason}]${setAsideClause(outcome.setAside)}`;
    }
    case 'refuted':
      return `  ! ${result.theorem} (${fileName}:${result.line})  ${effort}: ${falsehoodText(outcome, inCommandWords)}`;
    case 'not-proved': {
      const best =
        outcome.bestGoalCount === undefined
          ? ''
          : `, best state has ${counted(outcome.bestGoalCount, 'goal')}`;
      return `  ✗ ${result.theorem} (${fileName}:${result.line})  ${effort}${best}: ${outcome.message} [${outcome.reason}]${bestGoalLines(outcome)}`;
    }
  }
}

/** Under the line of a theorem, in front of which they stand further in. */
function bestGoalLines({ bestGoals = [], ...look }: NotFound): string {
  const texts = bestGoalTexts(bestGoals);
  const lines = texts.flatMap((text) => text.split(/\r?\n/u));
  return texts.length === 0 ? '' : [...lines, bestGoalAdvice(look)].map((line) => `\n  ${line}`).join('');
}

function setAsideClause(setAside: readonly SetAside[] | undefined): string {
  const { steps, refused } = asideTexts(setAside);
  return [
    ...(refused === undefined ? [] : [`, judged as if the proof that fails at ${refused} were admitted`]),
    ...(steps === undefined ? [] : [`; your steps from line ${steps.line} on were set aside: ${steps.text}`]),
  ].join('');
}
