/** The theorems of a Rocq file as targets of the agent. */
import { present } from '../../core/entry.ts';
import type { Target, TargetFile } from '../../agent/target.ts';
import { sameStatementIn, statementNamed } from '../../provers/rocq/syntax/named-statements.ts';
import { outlineOf, type TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { statementOf } from '../../provers/rocq/syntax/theorem-text.ts';
import { unreadRest } from '../../provers/rocq/syntax/unread-rest.ts';
import { OperationCalls } from '../operation-calls.ts';
import { RunFile, fileChangedDuringRun } from '../run-file.ts';
import { leftToOthers, ownProofsOf, statingText, textAsBegun } from '../target-choice.ts';
import type { TargetChoice, WorkOfRun } from '../target-choice.ts';
import type { TargetHost } from '../target-host.ts';
import { isOwnWork } from '../own-work.ts';
import { readUnlinkedBytes, readUnlinkedSource } from '../../operations/files/source-file.ts';
import { Script } from '../../gate/rocq/text/script.ts';
import { chosenStatements } from './rocq-choice.ts';
import { proofsIn, withProof } from './rocq-lemma-places.ts';
import { compareRocq } from './rocq-comparison.ts';
import { provesStill } from './rocq-judgement.ts';
import { rocqDependencies } from './rocq-dependencies.ts';
import { suppositionsElsewhere } from './rocq-dependents.ts';
import { addsOnlyRocqProofs, otherRocqProofs } from './rocq-own-change.ts';
import { refuterAsBegun } from './rocq-refutation.ts';
import { RocqSources } from './rocq-sources.ts';
import { RocqTarget } from './rocq-target.ts';
import { judgeAlone, judgeTogether } from './rocq-together.ts';
import { workInCopy } from './rocq-work.ts';

/** @throws QuodError `not-found`, `invalid-input`, `file-changed` when the file is none of the known versions. */
export async function openRocqTargets(
  host: TargetHost,
  choice: TargetChoice,
  signal: AbortSignal,
): Promise<TargetFile> {
  const seen = await new OperationCalls(host).call('rocq_outline', { file: choice.file, limit: 1 }, signal);
  const { file, file_hash: fileHash } = seen;
  // Relative to the workspace, which is not always the folder that the process is in.
  const path = await host.workspace.resolve(choice.file);
  const source = await readUnlinkedSource(path);
  const { text, hash } = source;
  const original = statingText(choice);
  if (choice.known !== undefined && original === undefined) {
    const isOwn = await isOwnWork(choice.known, {
      hash,
      text,
      withProof: (so, theorem, found) => withProof({ ...source, text: so }, theorem, found),
      proves: (original, names) => provesStill(source, original, names, signal),
    });
    if (!isOwn || hash !== fileHash) throw fileChangedDuringRun(file, 'since the run');
  }
  if (hash !== fileHash) throw fileChangedDuringRun(file, 'while it was opened');
  const { runFiles } = choice;
  const dependencies = rocqDependencies(path, text);
  const own = ownProofsOf(choice, text, {
    proofsIn,
    withProof: (so, theorem, found) => withProof({ ...source, text: so }, theorem, found),
  });
  const runFile = await RunFile.open({ path, name: file, hash, dependencies, runFiles, own });
  const calls = new OperationCalls(host, runFile);
  // What the theorems of the file state, or those of the text that it is compared with later.
  const script = new Script({ path, text: original ?? text });
  const { outline } = script;
  const { statements, leftOut } = chosenStatements(script, { ...choice, file });
  const wanted = statements.map(({ theorem }) => theorem);
  const others = leftToOthers(choice, own, source, wanted);
  const outlineNow = outlineOf(text);
  // With nothing to prove, nobody else comes to tell that the file is none that is finished.
  const unread = statements.length === 0 ? unreadRest(outlineNow) : undefined;
  let read: Promise<RocqSources> | undefined;
  const sources = (): Promise<RocqSources> => (read ??= RocqSources.read(path, text));
  const worked = statements.filter(({ theorem }) => !others.includes(theorem));
  const work: WorkOfRun =
    choice.copied === undefined
      ? { begun: textAsBegun(choice, text), theorems: worked.map(({ theorem }) => theorem) }
      : workInCopy(text, choice.copied);
  const targets = worked.map(({ theorem, item }) => {
    const statement = statementOf(outline, item).text;
    const open = async (copy: string, name: string, stop: AbortSignal): Promise<Target> => {
      const opened = await openRocqTargets(
        host,
        { file: copy, theorems: [name], copied: work, ...(runFiles && { runFiles }) },
        stop,
      );
      return present(opened.targets[0], 'target');
    };
    const refuteAsBegun = refuterAsBegun(new OperationCalls(host), { path, theorem, work });
    return new RocqTarget(calls, { theorem, statement, file, sources, open, refuteAsBegun }, runFile);
  });
  return {
    file: path,
    fileHash,
    text,
    targets,
    leftOut: unread === undefined ? leftOut : [...leftOut, unread],
    usersOwn: others.map((theorem) => {
      const now = statementNamed(outlineNow, theorem);
      return { theorem, isFinished: now !== undefined && now.hole === undefined };
    }),
    bytes: () => readUnlinkedBytes(path),
    addsOnlyProofs: (from, to, proofs) => addsOnlyRocqProofs(source, wanted, { from, to, proofs }),
    otherProofs: (from, to, proofs) => otherRocqProofs(wanted, { from, to, proofs }),
    openNow: async (names) => {
      const now = outlineOf((await readUnlinkedSource(path)).text);
      // By then its name may be short for several.
      const itemNow = (name: string): TheoremItem | undefined => {
        const was = statements.find(({ theorem }) => theorem === name)?.item;
        return (was && sameStatementIn(now, was)) ?? statementNamed(now, name);
      };
      return names.filter((name) => {
        const item = itemNow(name);
        return item === undefined || item.hole !== undefined;
      });
    },
    compare: (original, stop) => runFile.compared((now) => compareRocq(now, { original, wanted }, stop)),
    valuesElsewhere: (proofs) => suppositionsElsewhere(path, worked, proofs),
    requireDependencies: () => runFile.requireDependencies(),
    recheck: (names, stop) =>
      runFile.judged((source) => judgeTogether({ source, work }, names, new Map(), stop)),
    judgeAlone: (theorem, found, stop) =>
      runFile.judged((source) => judgeAlone({ source, work }, theorem, found, stop)),
    judgeTogether: (proofs, stop) =>
      runFile.judged((source) => judgeTogether({ source, work }, [...proofs.keys()], proofs, stop)),
  };
}
