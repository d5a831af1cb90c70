/** What the file states, and what of it is open: the way through a file where no goal is shown. */
import { useSignal } from '@preact/signals';
import { Badge } from '../../parts/badge.tsx';
import { useAsked } from '../../parts/asked.ts';
import { ErrorNote, Working } from '../../parts/notes.tsx';
import { STATE_TONES, isOfSection, oneLine } from '../../parts/stated.ts';
import type { Statement } from '../../parts/stated.ts';
import { counted } from '../../../../src/core/counted.ts';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { call } from '../../server/client.ts';
import type { OpenDocument } from './open-document.ts';
import { offsetOf } from './positions.ts';

interface OutlineProps {
  readonly open: OpenDocument;
  readonly onPlace: (at: number) => void;
}

export function Outline({ open, onPlace }: OutlineProps) {
  const { text, hash } = open.saved.value;
  const chosen = useSignal(-1);
  const asked = useAsked(
    (signal) => call('proof_statements', { paths: [open.file], limit: 10_000 }, { signal }),
    [open, hash],
  );
  if (asked.state === 'failed') return <ErrorNote error={asked.error} again={asked.again} />;
  if (asked.value === undefined) return <Working text="Reading the statements" />;
  const statements = asked.value.statements.filter((one) => !isOfSection(one));
  const holes = statements.filter(({ state }) => state === 'open').length;
  const goTo = ({ name, line }: Statement): void => {
    const now = open.text.peek();
    const written = now.toString();
    // What was typed meanwhile may have moved it.
    const inLine = offsetOf(text, { line, column: 0 });
    const found = open.changed.peek() ? written.indexOf(name) : inLine;
    const at = Math.min(found < 0 ? inLine : found, now.length);
    // Behind what is stated, where its goal is shown.
    const sentence = open.checking.peek().sentences.find(({ to }) => to > at);
    onPlace(sentence?.to ?? at);
  };
  return (
    <div class="outline">
      <p class="note">
        {statements.length === 0
          ? 'This file states nothing.'
          : `${counted(statements.length, 'statement')}, ${holes === 0 ? 'nothing open' : `${holes} open (Alt+H goes to the next)`}${open.changed.value ? ', as it was saved' : ''}`}
      </p>
      <div
        class="outline-list"
        onKeyDown={({ key }) => {
          const one = statements[chosen.value];
          if (key === 'Enter' && one !== undefined) goTo(one);
        }}
      >
        <VirtualList
          rows={statements}
          rowHeight={26}
          label="Statements of the file; Enter goes there"
          keyOf={({ name, line }) => `${line}:${name}`}
          chosen={chosen.value}
          onChoose={(_, index) => (chosen.value = index)}
          render={(one) => <OutlineRow one={one} onOpen={() => goTo(one)} />}
        />
      </div>
    </div>
  );
}

function OutlineRow({ one, onOpen }: { readonly one: Statement; readonly onOpen: () => void }) {
  const { name, state, statement, line, rests_on_open } = one;
  return (
    <span class="outline-row" onClick={onOpen}>
      <Badge tone={STATE_TONES[state]} isState>
        {state}
      </Badge>
      {state === 'proved' && rests_on_open.length > 0 && (
        <Badge tone="open" title={rests_on_open.join(', ')}>
          rests on holes
        </Badge>
      )}
      <strong>{name}</strong> <code class="faint">{oneLine(statement, name)}</code>
      <small class="spread-end">{line}</small>
    </span>
  );
}
