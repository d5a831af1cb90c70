/** The finished proofs that are nearest to the goal at the cursor, with what they share with it marked. */
import type { EditorView } from '@codemirror/view';
import { useSignal } from '@preact/signals';
import { counted } from '../../../../src/core/counted.ts';
import { Empty, ErrorNote, OldNote, Working } from '../../parts/notes.tsx';
import { cut } from '../../parts/cut.ts';
import { rested, useAsked } from '../../parts/asked.ts';
import { useBuild } from '../../parts/build.tsx';
import { inErrorOfBuild } from '../../parts/in-error.ts';
import { idOf } from '../../parts/stated.ts';
import { addressOf } from '../../shell/route.ts';
import { call } from '../../server/client.ts';
import type { OutputOf } from '../../server/client.ts';
import { orderText, piecesOf, sharesAny, symbolsOf, whyAlike } from './alike.ts';
import { insertAtCursor } from './changes.ts';
import { KnownProof, byId, usesThrough } from './known-proof.tsx';
import type { OpenDocument } from './open-document.ts';
import { isAt, whyOldAt } from './place.ts';
import { theoremAt } from './theorem-places.ts';

type Scope = 'file' | 'project';
type SimilarProof = OutputOf<'rocq_similar_proofs'>['proofs'][number];

export function SimilarPane({
  open,
  view,
}: {
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
}) {
  const scope = useSignal<Scope>('project');
  const round = useSignal(0);
  const build = useBuild();
  // The pane follows the cursor from sentence to sentence, and what is typed when it is checked.
  const count = open.sentencesBefore(open.cursor.value);
  const { version } = open.checking.value;
  const asked = useAsked(
    async (gone) => {
      await rested(gone);
      return open.atCursor(gone, async (place, { at, goals: [goal] }) => {
        if (goal === undefined) return undefined;
        const input = { ...place, scope: scope.value, limit: 10 };
        const answer = await call('rocq_similar_proofs', input, { signal: gone });
        const own = new Set(goal.hypotheses.map(({ name }) => name));
        return { answer, at, symbols: symbolsOf(goal.conclusion, own) };
      });
    },
    [open, scope.value, round.value, version, count],
  );
  const stated = useAsked(
    (gone) => call('proof_statements', { limit: 10_000 }, { signal: gone }),
    [open.saved.value.hash, round.value],
  );
  // Until it is known which rest on what is to be proved none is offered.
  const isKnown = stated.state === 'failed' || stated.value !== undefined;
  const statements = stated.value?.statements ?? [];
  const all = byId(statements);
  const theorem = theoremAt(open.text.value.toString(), open.cursor.value);
  const target = `${open.file}:${theorem ?? ''}`;
  // Of this file nothing is compared that Rocq refuses; of others it is known as they were built last.
  const inError = new Set([...inErrorOfBuild(statements, build)].map(idOf));
  const proofs = asked.value?.answer.proofs.filter(({ name, file }) => {
    const id = `${file}:${name}`;
    return !inError.has(id) && (theorem === undefined || !usesThrough(id, target, all));
  });
  const at = asked.value?.at;
  const isHere = at !== undefined && isAt(at, open.text.value, open.cursor.value);
  // While it follows the cursor, it is not told of every place on the way.
  const why = at === undefined || asked.state === 'asking' ? undefined : whyOldAt(at, open, 'compare again');
  const symbols = asked.value?.symbols ?? [];
  const marked = new Set(symbols);
  const isAlike = (one: Pick<SimilarProof, 'statement' | 'proof'>): boolean =>
    symbols.length === 0 || sharesAny(one, symbols);
  const known = (isKnown ? proofs : undefined) ?? [];
  const unlike = known.filter((one) => !isAlike(one));
  const row = ({ name, file, line, statement, proof }: SimilarProof) => (
    <li key={`${file}:${line}`}>
      <div class="row spread">
        <span class="row">
          <a {...cut(`${name} ${file}:${line}`)} href={addressOf('file', file, { line: String(line) })}>
            {name}{' '}
            <small>
              {file}:{line}
            </small>
          </a>
          <KnownProof one={statements.find((one) => one.file === file && one.line === line)} build={build} />
        </span>
        <button
          disabled={!isHere}
          onClick={() => {
            if (at !== undefined) insertAtCursor(view, at, innerOf(proof));
          }}
        >
          Take the proof
        </button>
      </div>
      <p class="why">{whyAlike({ statement, proof }, symbols)}</p>
      <Shared text={statement} symbols={marked} />
      <Shared text={proof} symbols={marked} />
    </li>
  );
  const listClass = why === undefined && (isHere || at === undefined) ? 'similar' : 'similar of-before';
  return (
    <div class="pane-body">
      <div class="row">
        <label>
          Look in
          <select
            value={scope.value}
            onChange={({ currentTarget }) =>
              (scope.value = currentTarget.value === 'file' ? 'file' : 'project')
            }
          >
            <option value="project">the project</option>
            <option value="file">this file</option>
          </select>
        </label>
        <button data-acts onClick={() => (round.value += 1)}>
          For the goal at the cursor
        </button>
      </div>
      {asked.state === 'asking' && <Working text="Comparing proofs" />}
      {asked.state === 'failed' && <ErrorNote error={asked.error} again={asked.again} />}
      {asked.state === 'answered' && asked.value === undefined && (
        <Empty title="There is no goal at the cursor.">Put the cursor into a proof.</Empty>
      )}
      {isKnown && proofs?.length === 0 && <Empty title="No finished proof has anything in common with it." />}
      <OldNote why={why} />
      <ol class={listClass}>{known.filter(isAlike).map(row)}</ol>
      {unlike.length > 0 && (
        <details>
          <summary>{`${counted(unlike.length, 'proof')} that ${unlike.length === 1 ? 'shares' : 'share'} no symbol with it`}</summary>
          <ol class={listClass}>{unlike.map(row)}</ol>
        </details>
      )}
      {asked.value !== undefined && asked.value.answer.proofs.length > 0 && (
        <p class="note" title={asked.value.answer.ranker}>
          {orderText(asked.value.answer.ranker)}
        </p>
      )}
    </div>
  );
}

/** What stands between `Proof.` and the closing word. */
function innerOf(proof: string): string {
  return proof
    .replace(/^\s*Proof\b[^.]*\.\s*/u, '')
    .replace(/\s*(?:Qed|Defined)\.\s*$/u, '')
    .trim();
}

function Shared({ text, symbols }: { readonly text: string; readonly symbols: ReadonlySet<string> }) {
  return (
    <code class="term">
      {piecesOf(text, symbols).map(({ text: piece, isShared }, index) =>
        isShared ? <mark key={index}>{piece}</mark> : piece,
      )}
    </code>
  );
}
