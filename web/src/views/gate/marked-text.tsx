/** A judged text with the findings at their lines. Lines are drawn as they come into view. */
import { useComputed, useSignal } from '@preact/signals';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { useEffect } from 'preact/hooks';

export interface MarkedFinding {
  readonly kind: string;
  readonly message: string;
  readonly line: number | null;
}

interface MarkedTextProps {
  readonly text: string;
  readonly label: string;
  readonly findings: readonly MarkedFinding[];
  /** The line that was asked for, from 1; 0: none. */
  readonly line: number;
}

const ROW_HEIGHT = 20;

export function MarkedText({ text, label, findings, line }: MarkedTextProps) {
  const chosen = useSignal(-1);
  const lines = useComputed(() => text.split(/\r?\n/u));
  useEffect(() => {
    if (line > 0) chosen.value = line - 1;
  }, [line]);
  const at = new Map<number, readonly MarkedFinding[]>();
  for (const finding of findings)
    if (finding.line !== null) at.set(finding.line, [...(at.get(finding.line) ?? []), finding]);
  return (
    // A row more than there are, for the bar below that scrolls sideways.
    <div class="marked-text" style={{ height: `${(lines.value.length + 1) * ROW_HEIGHT}px` }}>
      <VirtualList
        rows={lines.value}
        rowHeight={ROW_HEIGHT}
        label={label}
        keyOf={(_, index) => String(index)}
        chosen={chosen.value}
        onChoose={(_, index) => (chosen.value = index)}
        render={(row, index) => {
          const found = at.get(index + 1);
          return (
            <>
              <span class="where">{index + 1}</span>
              <code class={found === undefined ? '' : 'found'}>{row}</code>
              {found !== undefined && (
                <span class="finding-note">
                  {found.map(({ kind, message }) => `${kind}: ${message}`).join('; ')}
                </span>
              )}
            </>
          );
        }}
      />
    </div>
  );
}
