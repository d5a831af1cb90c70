/** How far the text is checked, and what came of it: green only where that is said of the text as it is now, by who answers now. */
import { counted } from '../../../../src/core/counted.ts';
import { Badge } from '../../parts/badge.tsx';
import { whyUnsure } from '../../parts/rests-on.ts';
import { connection, isAway } from '../../server/connection.ts';
import { faultsText, ownFaults } from './faults.ts';
import type { OpenDocument } from './open-document.ts';

interface CheckBadgeProps {
  readonly open: OpenDocument;
  readonly onFault: () => void;
}

export function CheckBadge({ open, onFault }: CheckBadgeProps) {
  const { text, state, sentences, total, restsOn, error } = open.checking.value;
  const faults = ownFaults(sentences);
  const why = whyUnsure(restsOn, 'check again');
  // What is typed is checked as soon as it can be.
  const isAtWork = state === 'running' || state === 'waiting' || !text.eq(open.text.value);
  const isWaited = isAtWork && !isAway(connection.value);
  const stale = restsOn?.stale ?? [];
  const slow = open.slow.value;
  return (
    <>
      {state === 'failed' && !isWaited && (
        <Badge tone="bad" title={error instanceof Error ? error.message : ''}>
          not checked
        </Badge>
      )}
      {isWaited && (
        <Badge tone="live" {...(slow !== undefined && { title: slow.message })}>
          {howFar(open)}
        </Badge>
      )}
      {faults.length > 0 && (
        <button
          class={isWaited || why !== undefined ? 'badge' : 'badge bad'}
          title={why ?? `${faultsText(faults)}. Go to the next (F8)`}
          onClick={onFault}
        >
          {counted(faults.length, 'error')}
        </button>
      )}
      {!isWaited && state !== 'failed' && faults.length === 0 && (
        <Badge tone={why === undefined ? 'good' : 'plain'} {...(why !== undefined && { title: why })}>
          <span class={stale.length > 0 ? 'words' : ''}>
            {isAtWork ? `${sentences.length} of ${total}` : counted(total, 'sentence')} checked
            {stale.length > 0 && ' against '}
          </span>
          {stale.length > 0 && 'older files'}
        </Badge>
      )}
    </>
  );
}

function howFar({ checking, slow }: OpenDocument): string {
  const { state, sentences, total } = checking.value;
  const { done, total: all } = slow.value ?? {};
  if (done !== undefined && all !== undefined) return `${done} of ${all}`;
  if (total === 0) return 'starting Rocq';
  return state === 'complete' ? 'checking' : `${sentences.length} of ${total}`;
}
