/** One proof: its tree, its sentences, and the goals at the place that is chosen. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DrawnProof } from '../../../../src/drawing/drawn-proof.ts';
import { leftText } from '../../../../src/drawing/proof-page.ts';
import { Panes } from '../../parts/panes.tsx';
import { cut } from '../../parts/cut.ts';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { useCommands } from '../../shell/commands.ts';
import { GoalText } from './goal-text.tsx';
import { TreeCanvas } from './tree-canvas.tsx';
import { nodeOfSentence } from './walk.ts';

interface ProofPaneProps {
  readonly proof: DrawnProof;
  readonly whole: boolean;
  /** Beside another one there is less room: the parts stand below each other. */
  readonly isNarrow: boolean;
}

/** What is chosen: a node of the tree, and the sentence behind which goals are shown. */
interface Chosen {
  readonly node: number;
  readonly sentence: number;
}

const ROW_HEIGHT = 24;

export function ProofPane({ proof, whole, isNarrow }: ProofPaneProps) {
  const unfolded = useSignal<ReadonlySet<number>>(new Set());
  const chosen = useSignal<Chosen>({ node: -1, sentence: 0 });
  useEffect(() => {
    unfolded.value = new Set();
    chosen.value = { node: proof.nodes.length > 0 ? 0 : -1, sentence: 0 };
  }, [proof]);
  const chooseNode = (node: number): void => {
    const own = proof.nodes[node];
    // Of a goal that nothing was run on, the last place where it was in focus.
    const left = proof.sentences.findLastIndex(({ goals }) => own !== undefined && goals.includes(own.goal));
    const sentence = own?.sentence ?? (left < 0 ? chosen.peek().sentence : left);
    chosen.value = { node, sentence };
  };
  const chooseSentence = (sentence: number): void => {
    if (sentence < 0 || sentence >= proof.sentences.length) return;
    const node = nodeOfSentence(proof, sentence);
    chosen.value = { node: node < 0 ? chosen.peek().node : node, sentence };
  };
  useCommands(
    () =>
      isNarrow
        ? []
        : [
            {
              ...{ id: 'proof.next', title: 'Next sentence of the proof', keys: 'n' },
              run: () => chooseSentence(chosen.peek().sentence + 1),
            },
            {
              ...{ id: 'proof.previous', title: 'Previous sentence of the proof', keys: 'p' },
              run: () => chooseSentence(chosen.peek().sentence - 1),
            },
            {
              ...{ id: 'proof.open', title: 'Next open goal of the proof', keys: 'o' },
              run: () => chooseNode(nextOpen(proof, chosen.peek().node)),
            },
          ],
    [proof, isNarrow],
  );
  const tree = (
    <TreeCanvas
      key="tree"
      proof={proof}
      whole={whole}
      unfolded={unfolded.value}
      onFold={(node) => {
        const next = new Set(unfolded.value);
        if (!next.delete(node)) next.add(node);
        unfolded.value = next;
      }}
      chosen={chosen.value.node}
      onChoose={chooseNode}
    />
  );
  const walk = (
    <div class="proof-walk" key="walk">
      <VirtualList
        rows={proof.sentences}
        rowHeight={ROW_HEIGHT}
        label={`Sentences of ${proof.theorem}`}
        keyOf={(_, index) => String(index)}
        chosen={chosen.value.sentence}
        onChoose={(_, index) => chooseSentence(index)}
        render={(sentence) => (
          <>
            <span class="where">{sentence.line}</span>
            <code {...cut(sentence.text, 'sentence')}>{sentence.text.replace(/\s+/g, ' ')}</code>
            <small class="left">{leftText(sentence)}</small>
          </>
        )}
      />
      <Goals proof={proof} place={chosen.value} />
    </div>
  );
  if (proof.nodes.length === 0) return walk;
  return isNarrow ? (
    <div class="proof-stack">
      {tree}
      {walk}
    </div>
  ) : (
    <Panes name="proof" shares={[0.62, 0.38]}>
      {tree}
      {walk}
    </Panes>
  );
}

function nextOpen({ nodes }: DrawnProof, from: number): number {
  const open = nodes.flatMap(({ status }, place) =>
    status === 'open' || status === 'broken' || status === 'given-up' ? [place] : [],
  );
  return open.find((place) => place > from) ?? open[0] ?? from;
}

/** The goal that is chosen in the tree, and what is left behind the sentence. */
function Goals({ proof, place: { node, sentence } }: { readonly proof: DrawnProof; readonly place: Chosen }) {
  const chosen = proof.nodes[node];
  // Behind a sentence that was run on no goal, the goal of the box is what stands behind it.
  const own = chosen?.sentence == null || chosen.sentence === sentence ? chosen : undefined;
  const at = proof.sentences[sentence];
  const parent = own?.parent == null ? null : (proof.nodes[own.parent]?.goal ?? null);
  const before = proof.sentences[sentence - 1]?.goals[0] ?? null;
  return (
    <div
      class="proof-goals"
      aria-live="polite"
      role="region"
      aria-label={`Goals of ${proof.theorem}`}
      tabIndex={0}
    >
      <h2 class="unseen">Goals</h2>
      {own !== undefined && (
        <GoalText
          proof={proof}
          goal={own.goal}
          before={parent}
          title={own.tactic === null ? 'Goal' : 'Goal before'}
        />
      )}
      {own?.tactic != null && <pre class="tactic">{own.tactic}</pre>}
      {at !== undefined && (
        <>
          <h3 class="behind">
            Behind <code>{at.text.replace(/\s+/g, ' ')}</code> <small>{leftText(at)}</small>
          </h3>
          {at.goals.map((goal, index) => (
            <GoalText
              key={`${sentence}-${index}`}
              proof={proof}
              goal={goal}
              before={before}
              {...(at.goals.length > 1 && { title: `Goal ${index + 1} of ${at.goals.length}` })}
            />
          ))}
        </>
      )}
    </div>
  );
}
