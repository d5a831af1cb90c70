import { useMemo } from 'preact/hooks';
import { diffOf } from './line-diff.ts';

/** What would change, line by line. */
export function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  // It stands beside figures that change ten times a second.
  const lines = useMemo(() => diffOf(before, after), [before, after]);
  return (
    <div class="diff" role="figure" aria-label="Difference" tabIndex={0}>
      {lines.map(({ kind, text }, index) => (
        <div key={index} class={kind}>
          <span aria-hidden="true">{SIGNS[kind]}</span>
          {kind !== 'same' && kind !== 'gap' && <span class="unseen">{kind}: </span>}
          {text}
        </div>
      ))}
    </div>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '−', gap: ' ' };
