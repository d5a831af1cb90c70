/** The theorems whose proofs can be shown, to choose one: of a file, or of the whole project. */
import { useSignal } from '@preact/signals';
import { counted } from '../../../../src/core/counted.ts';
import { useAsked } from '../../parts/asked.ts';
import { useFileChanges } from '../../parts/file-changes.ts';
import { useBuild } from '../../parts/build.tsx';
import { searchKeys, useChosenRow } from '../../parts/chosen-row.ts';
import { SaidBadge } from '../../parts/badge.tsx';
import { cutText } from '../../parts/cut.ts';
import { GroundsBelow } from '../../parts/grounds-below.tsx';
import { ErrorNote, Working } from '../../parts/notes.tsx';
import { stateSaid, statementLine } from '../../parts/stated.ts';
import type { Statement } from '../../parts/stated.ts';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { call } from '../../server/client.ts';

interface TheoremListProps {
  /** Empty: all files. */
  readonly file: string;
  readonly onOpen: (theorem: Statement) => void;
}

export function TheoremList({ file, onOpen }: TheoremListProps) {
  const words = useSignal('');
  const build = useBuild();
  const asked = useAsked(
    (signal) =>
      call(
        'proof_statements',
        { ...(file !== '' && { paths: [file] }), words: words.value, limit: 10_000 },
        { signal },
      ),
    [file, words.value],
  );
  useFileChanges(asked.again, () => true, []);
  const theorems = (asked.value?.statements ?? []).filter(
    (one) => one.file.endsWith('.v') && (one.state === 'proved' || one.state === 'open'),
  );
  const chosen = useChosenRow(theorems, keyOf);
  return (
    <section class="theorem-list" aria-label="Theorems">
      <div class="pane-title">
        <input
          type="search"
          aria-label="Search theorems"
          placeholder="Which proof? Words of its name or its statement"
          value={words.value}
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
            chosen.choose(undefined);
          }}
          onKeyDown={(event) =>
            searchKeys(event, { rows: theorems, at: chosen.index, choose: chosen.choose, open: onOpen })
          }
        />
        <small>{counted(theorems.length, 'theorem')}</small>
      </div>
      {asked.state === 'failed' && <ErrorNote error={asked.error} again={asked.again} />}
      {asked.value === undefined && asked.state === 'asking' && <Working text="Reading statements" />}
      <div
        class="theorem-rows"
        onKeyDown={({ key }) => {
          if (key === 'Enter' && chosen.row !== undefined) onOpen(chosen.row);
        }}
      >
        <VirtualList
          rows={theorems}
          rowHeight={28}
          label="Theorems; Enter shows the proof"
          keyOf={keyOf}
          chosen={chosen.index}
          onChoose={chosen.choose}
          render={(one) => (
            <span class="theorem-row" onClick={() => onOpen(one)}>
              <SaidBadge said={stateSaid(one, build)} inList />
              <GroundsBelow one={one} inList />
              <strong {...cutText(one.name)} />
              {file === '' && <small {...cutText(one.file)} />}
              <code {...cutText(statementLine(one.statement, one.name), 'faint')} />
            </span>
          )}
        />
      </div>
    </section>
  );
}

function keyOf({ file, name, line }: Statement): string {
  return `${file}:${line}:${name}`;
}
