/** What a run tells when it has ended: what was proved, how long it took, what it cost, and what is to be looked at. */
import { basename } from 'node:path';
import { underName } from '../../../core/entry.ts';
import { formatDuration } from '../../../core/duration.ts';
import { counted, someOf } from '../../../core/counted.ts';
import { costSumText } from '../../../agent/models/cost-sum.ts';
import { costIsNumber } from '../../../agent/models/prices.ts';
import { estimatedCost } from '../../../agent/runs/event-cost.ts';
import type { EventOf, RunRecord } from '../../../agent/runs/events.ts';
import { NOT_COMMITTED } from '../../../agent/task/repository.ts';
import { costSoFar, foldRun, type RunState, type TheoremState } from '../../../agent/runs/fold.ts';
import { confirmedFile } from '../../../agent/runs/rechecked-keys.ts';
import type { UsersOwn } from '../../../agent/target.ts';
import { foreignName, foreignText } from '../../../core/foreign-text.ts';
import { shellWord } from '../../../core/shell-text.ts';
import { groundsTexts } from '../../../operations/gate/verdict-answer.ts';
import { inCommandWords } from '../terminal/command-words.ts';

/**
 * One line with theorems, time, tokens and cost, after lines for each file that was changed elsewhere than in proofs,
 * for what was not committed, and for what proofs rest on.
 */
export function lastWords(records: readonly RunRecord[], name: string): readonly string[] {
  const state = foldRun(records);
  if (state === undefined) return [];
  const { theorems, elapsedMs } = state;
  // What was sent is paid, also where no answer could be recorded.
  const spent = { ...state.spent, ...costSoFar(state, false) };
  const proved = theorems.filter(({ outcome }) => outcome === 'proved').length;
  const resting = theorems.filter(({ outcome }) => outcome === 'proved-but').length;
  const { maxCost } = state.settings;
  const isExceeded = maxCost !== null && spent.cost > maxCost;
  const estimate = records.reduce((sum, { event }) => sum + estimatedCost(event), 0);
  // Another program may tell nothing but what it cost.
  const isAnybodyAsked =
    spent.calls + state.lostCalls + state.openCalls > 0 ||
    records.some(({ event }) => event.kind === 'driver-ended');
  const takenOut = toldAtEnd(records, 'takenOut');
  const usersOwn = toldAtEnd(records, 'usersOwn');
  const isTheRuns = (theorem: string): boolean => ![...takenOut, ...usersOwn].includes(theorem);
  const keys = new Set([...writtenKeys(records)].filter(isTheRuns));
  const unwritten = unwrittenCount(state, new Set([...keys, ...usersOwn]));
  const others = toldAtEnd(records, 'replaced').map((file) => foreignName(basename(file)));
  // What lies there is nothing of which anything is known.
  const asJudged =
    others.length === 0 || proved + resting === 0 ? '' : ` (${someOf(others)} as the gate saw it)`;
  const parts = [
    `${proved} of ${counted(theorems.length, 'theorem')} proved${asJudged}${resting === 0 ? '' : `, ${resting} proved but resting on open statements`}${unwritten === 0 ? '' : `, ${unwritten} of them not written into the file (quod show ${name} prints what was found)`}`,
    formatDuration(elapsedMs),
    ...(!isAnybodyAsked
      ? []
      : [
          `${spent.inputTokens.toLocaleString('en')} tokens in (${spent.cachedTokens.toLocaleString('en')} cached), ${spent.outputTokens.toLocaleString('en')} out${estimatedText(records, state.settings)}`,
          costIsNumber(spent.cost)
            ? `${costSumText(spent)}${estimate === 0 ? '' : `, $${estimate.toFixed(4)} of it estimated`}${spent.uncosted === 0 ? '' : ', so that no limit holds for it'}${isExceeded ? `, more than the limit of $${maxCost}` : ''}`
            : `cost unknown: of a call nobody can tell what it cost${isExceeded ? `, which counts as more than the limit of $${maxCost}` : ''}`,
        ]),
  ];
  const tampered = tamperedFiles(records).map(
    (file) =>
      `${foreignName(file)} is changed elsewhere than in its proofs. As it was: ${originalOf(file, name)}`,
  );
  const written = state.files.flatMap(({ file, theorems: own }) => {
    const count = own.filter((theorem) => keys.has(theorem)).length;
    return count === 0 ? [] : [`${foreignName(file)}: ${counted(count, 'proof')} written`];
  });
  const lost = state.files.flatMap(({ file, theorems: own }) => {
    const names = own.filter((theorem) => takenOut.includes(theorem)).map((name) => foreignName(name));
    return names.length === 0
      ? []
      : [`${foreignName(file)}: not there any more, taken out: ${someOf(names)}`];
  });
  const left = state.files.flatMap(({ file, theorems: own }) =>
    theorems
      .filter(({ theorem }) => own.includes(theorem) && usersOwn.includes(theorem))
      .map(({ theorem, outcome }) => {
        const text = usersOwnText({ theorem, isFinished: outcome !== 'open' });
        return `${foreignName(file)}: ${text}`;
      }),
  );
  // The gate is asked about what was written when a run is resumed.
  const isAsked = records.some(({ event }) => event.kind === 'run-resumed');
  const refused = state.files.flatMap(({ file, theorems: own }) =>
    theorems
      .filter(
        ({ theorem, outcome }) => isAsked && own.includes(theorem) && keys.has(theorem) && !isFound(outcome),
      )
      .map(
        ({ theorem }) =>
          `${foreignName(file)}: ${foreignName(theorem)}: ${saidSinceOf(records, theorem, file)} that this run wrote there`,
      ),
  );
  return [
    ...written,
    ...refused,
    ...lost,
    ...left,
    ...replacedFiles(records, state, name),
    ...tampered,
    ...refusals(records, state),
    ...acceptedBefore(records, state, name),
    ...uncommitted(records, name),
    ...notCommittedYet(records, state, name),
    ...theorems.flatMap(groundsLines),
    ...toldAtEnd(records, 'valuesElsewhere').map((text) => `warning: ${foreignText(text)}`),
    ...falseNow(records, state, takenOut),
    ...provedHere(state, name),
    parts.join('; '),
  ];
}

/** Open statements that are false with what the run itself has put into the file. */
function falseNow(
  records: readonly RunRecord[],
  { files, theorems }: RunState,
  takenOut: readonly string[],
): readonly string[] {
  const last = new Map<string, EventOf<'refuted'>>();
  for (const { event } of records) if (event.kind === 'refuted') last.set(event.key, event);
  return theorems.flatMap(({ theorem, outcome }) => {
    const { falseWith = [] } = last.get(theorem) ?? {};
    const isSo = falseWith.length > 0 && !falseWith.some((name) => takenOut.includes(name));
    if (outcome === 'proved' || outcome === 'refuted' || !isSo) return [];
    const file = files.find(({ theorems: own }) => own.includes(theorem))?.file;
    const place = file === undefined ? '' : `${foreignName(file)}: `;
    const what = someOf(falseWith.map((one) => foreignName(one)));
    return [`${place}${foreignName(theorem)} is false with what this run has put into the file (${what})`];
  });
}

/** Open statements of other files that proofs rest on, as those were compiled, and that the run has proved since. */
function provedHere({ files, theorems }: RunState, name: string): readonly string[] {
  const proved = new Set(
    theorems.filter(({ outcome }) => outcome === 'proved').map(({ theorem }) => theorem),
  );
  const there = files.flatMap(({ file, theorems: own }) =>
    own
      .filter((theorem) => proved.has(theorem))
      .map((theorem) => ({ file, theorem, called: `${basename(file, '.v')}.${theorem}` })),
  );
  return theorems.flatMap(({ theorem, restsOnOpen }) => {
    const isHere = (file: string): boolean =>
      files.some((one) => one.file === file && one.theorems.includes(theorem));
    return there
      .filter(
        ({ file, called }) =>
          !isHere(file) && restsOnOpen.some((open) => open === called || open.endsWith(`.${called}`)),
      )
      .map(
        (one) =>
          `${foreignName(theorem)}: rests on ${foreignName(one.called)} as it was compiled; this run has proved it since. To have the gate look again: quod build ${shellWord(foreignName(one.file))}, then quod resume ${name}`,
      );
  });
}

function isFound(outcome: TheoremState['outcome']): boolean {
  return outcome === 'proved' || outcome === 'proved-but' || outcome === 'not-judged';
}

/** What the gate said of a proof since it was written, when the run was resumed; only what it was asked is its word. */
function saidSinceOf(records: readonly RunRecord[], theorem: string, file: string): string {
  const written = records.findLastIndex(({ event }) => event.kind === 'written' && event.key === theorem);
  const last = records
    .slice(written)
    .flatMap(({ event }) => (event.kind === 'rechecked' && confirmedFile(event.key) === file ? [event] : []))
    .at(-1);
  switch (last?.verdict) {
    case 'rejected':
      return 'the gate does not accept the proof any more';
    case 'unknown':
      return 'the gate could not tell whether it still accepts the proof';
    // Resumed once more, it was not asked.
    case 'accepted':
    case undefined:
      return 'the gate was not asked again about the proof';
  }
}

function writtenKeys(records: readonly RunRecord[]): ReadonlySet<string> {
  return new Set(records.flatMap(({ event }) => (event.kind === 'written' ? [event.key] : [])));
}

/** Said where the counts of the server, or of another agent, are missing, or cannot be (`believedUsage`). */
function estimatedText(records: readonly RunRecord[], { driver }: RunState['settings']): string {
  const told = records.flatMap(({ event }) => {
    if (event.kind === 'model-answered') return [event.estimated === true];
    return event.kind === 'driver-ended' ? [event.usageEstimated === true] : [];
  });
  const estimated = told.filter((isEstimated) => isEstimated).length;
  if (estimated === 0) return '';
  const [unit, who] = driver === 'quod' ? ['answer', 'server'] : ['turn', 'other agent'];
  return ` (estimated for ${estimated} of ${counted(told.length, unit)}: the ${who} gave no count that can be believed)`;
}

function groundsLines({ theorem, outcome, grounds }: TheoremState): readonly string[] {
  if (grounds === undefined) return [];
  const name = `${foreignName(theorem)}${outcome === 'refuted' ? ' (its negation)' : ''}`;
  return groundsTexts(grounds, inCommandWords).map((text) => `${name}: ${text}`);
}

/** Proofs that were to be put into a file and are not there: somebody else wrote it, or it could not be written. */
function unwrittenCount({ settings, theorems }: RunState, written: ReadonlySet<string>): number {
  // Another program writes its proofs itself.
  if (!settings.write || settings.driver !== 'quod') return 0;
  return theorems.filter(
    ({ theorem, outcome }) => (outcome === 'proved' || outcome === 'proved-but') && !written.has(theorem),
  ).length;
}

/** Why the last commit of a task was not made, or lacks files; one that is made later has all that came before. */
function uncommitted(records: readonly RunRecord[], name: string): readonly string[] {
  const last = records.flatMap(({ event }) => (event.kind === 'committed' ? [event] : [])).at(-1);
  if (last === undefined) return [];
  const lines = last.message.split('\n').filter((line) => line.startsWith(NOT_COMMITTED));
  // What git refused it may do later.
  const isRefused = lines.some((line) => line.startsWith(`${NOT_COMMITTED} (`));
  return [
    ...lines,
    ...(isRefused ? [`To have it committed once nothing is in its way: quod resume ${name}`] : []),
  ];
}

/** A run that is stopped commits nothing more. */
function notCommittedYet(
  records: readonly RunRecord[],
  { settings, task }: RunState,
  name: string,
): readonly string[] {
  const lastOf = (kind: RunRecord['event']['kind']): number =>
    records.findLastIndex(({ event }) => event.kind === kind);
  const isLater = lastOf('written') > lastOf('committed');
  return task !== null && settings.commit && isLater
    ? [`What was written last is not committed yet: quod resume ${name} commits it`]
    : [];
}

/** Files in which another text lies than the one that the run knows: it was put there behind its back, or not looked at any more. */
function replacedFiles(
  records: readonly RunRecord[],
  { settings }: RunState,
  name: string,
): readonly string[] {
  const last = records.at(-1)?.event;
  const { replaced: files = [], gone = {} } = last?.kind === 'run-ended' ? last : {};
  const resumed = records.findLastIndex(({ event }) => event.kind === 'run-resumed');
  // Where another program works the gate looks at each file as soon as the run goes on, unless something keeps it from that.
  const looked = records
    .slice(resumed)
    .flatMap(({ event }) => (event.kind === 'compared' || event.kind === 'rechecked' ? [event.key] : []));
  return files.map((file) => {
    const noFile = underName(gone, file);
    const isSeen =
      settings.driver === 'quod' || resumed < 0 || looked.some((key) => key.endsWith(`/${file}`));
    if (noFile !== undefined)
      return `${foreignName(file)} ${foreignName(noFile)}: nothing counts as proved in it. As it was when the run began: ${originalOf(file, name)}`;
    const why = isSeen
      ? 'it was changed, if only in a comment or its line ends, after the gate last looked at it, so that nobody has judged what lies there; nothing of that was kept, committed or overwritten'
      : 'the gate has not looked at it since the run was resumed, so that nothing in it counts as proved';
    return `${foreignName(file)}: ${why}. As it was when the run began: ${originalOf(file, name)}`;
  });
}

/** The command that prints a file as it was. */
function originalOf(file: string, name: string): string {
  return `quod run original ${name} --file ${shellWord(foreignName(file))}`;
}

/** What is said of a theorem that a resumed run leaves alone. */
export function usersOwnText({ theorem, isFinished }: UsersOwn): string {
  const said = `${foreignName(theorem)}: its proof is yours by now; left as it is`;
  return isFinished ? said : `${said}, open (quod agent FILE --theorem NAME begins with it anew)`;
}

/** What a run tells of when it ends: theorems, files, or sentences. */
function toldAtEnd(
  records: readonly RunRecord[],
  which: 'takenOut' | 'usersOwn' | 'valuesElsewhere' | 'replaced',
): readonly string[] {
  const last = records.at(-1)?.event;
  return last?.kind === 'run-ended' ? (last[which] ?? []) : [];
}

const MOST_REFUSALS = 5;

/** Why the gate did not accept what another program left, as far as that is not all. */
function refusals(records: readonly RunRecord[], { theorems, files }: RunState): readonly string[] {
  if (theorems.every(({ outcome }) => outcome === 'proved' || outcome === 'proved-but')) return [];
  const said = [...lastComparisons(records)].flatMap(([file, { findings }]) =>
    findings.map((finding) => (files.length > 1 ? `${foreignName(basename(file))}: ${finding}` : finding)),
  );
  const lines = [...new Set(said)].map((finding) => `not accepted: ${foreignText(finding)}`);
  const more = lines.length - MOST_REFUSALS;
  return more <= 0 ? lines : [...lines.slice(0, MOST_REFUSALS), `not accepted: ${more} more`];
}

/** Theorems of which the gate accepted a proof after an earlier turn of another program, and accepts none in the file as it is. */
function acceptedBefore(
  records: readonly RunRecord[],
  { theorems, files }: RunState,
  name: string,
): readonly string[] {
  const turns = new Map<string, string>();
  for (const { compared, turn } of comparisons(records))
    if (compared.clean) for (const { theorem } of compared.accepted) turns.set(theorem, turn);
  return files.flatMap(({ file, theorems: own }) =>
    theorems.flatMap(({ theorem, outcome }) => {
      const turn = turns.get(theorem);
      if (turn === undefined || isFound(outcome) || !own.includes(theorem)) return [];
      return [
        `${foreignName(file)}: ${foreignName(theorem)}: the gate accepted a proof of it (${turn}) that does not count in the file as it was left: quod run export ${name} prints it`,
      ];
    }),
  );
}

/** Files that were last seen changed elsewhere than in their proofs, whether or not the gate accepts them so. */
function tamperedFiles(records: readonly RunRecord[]): readonly string[] {
  return [...lastComparisons(records)].flatMap(([file, { clean, elsewhere }]) =>
    clean && elsewhere !== true ? [] : [file],
  );
}

/** The last comparison of each file with what it was. */
function lastComparisons(records: readonly RunRecord[]): ReadonlyMap<string, EventOf<'compared'>> {
  return new Map(comparisons(records).map(({ compared, file }) => [file, compared]));
}

/** A file as it was compared with what it was, and after which turn. */
interface ComparisonOfTurn {
  readonly compared: EventOf<'compared'>;
  readonly turn: string;
  readonly file: string;
}

function comparisons(records: readonly RunRecord[]): readonly ComparisonOfTurn[] {
  return records.flatMap(({ event }) => {
    if (event.kind !== 'compared') return [];
    // The key is `driver/turn-N/FILE`.
    const [, turn, file] = /^driver\/((?:turn|resumed)-\d+)\/(.*)$/su.exec(event.key) ?? [];
    return turn === undefined || file === undefined ? [] : [{ compared: event, turn, file }];
  });
}
