/** What Rocq refuses of a file, each with its place; what follows from it is folded below it. */
import { counted } from '../../../../src/core/counted.ts';
import { faultsText, ownFaults, type Fault } from './faults.ts';
import { lastOf } from './why-refused.tsx';
import type { OpenDocument } from './open-document.ts';

interface FaultListProps {
  readonly open: OpenDocument;
  readonly onPlace: (at: number) => void;
}

export function FaultList({ open, onPlace }: FaultListProps) {
  const { text, sentences } = open.checking.value;
  // What is typed meanwhile moves the places: they are told anew when it is checked.
  const isOfNow = text.eq(open.text.value);
  const faults = ownFaults(sentences);
  if (faults.length === 0) return null;
  const row = (fault: Fault) => (
    <button class="quiet fault-row" disabled={!isOfNow} onClick={() => onPlace(fault.from)}>
      <span class="fault-line">{fault.error.line}</span>
      <span class="printed">{lastOf(fault.error.message)}</span>
    </button>
  );
  return (
    <section class="fault-list" aria-label="Errors">
      <p class="note">
        {faultsText(faults)}
        <small> F8 goes to the next</small>
      </p>
      <ul>
        {faults.map((fault) => (
          <li key={fault.from}>
            {row(fault)}
            {fault.following.length > 0 && (
              <details>
                <summary>{`${counted(fault.following.length, 'error')} may follow from it`}</summary>
                <ul>
                  {fault.following.map((one) => (
                    <li key={one.from}>{row(one)}</li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
