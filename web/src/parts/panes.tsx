/**
 * Two or three panes side by side whose borders can be moved, by mouse and by arrow keys; one above the other where
 * it is narrow.
 */
import { useSignal } from '@preact/signals';
import { toChildArray } from 'preact';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface PanesProps {
  /** Under which the widths are kept. */
  readonly name: string;
  /** Shares of the width, one for each pane. */
  readonly shares: readonly number[];
  readonly children: ComponentChildren;
}

const STEP = 0.02;
const LEAST = 0.12;

export function Panes({ name, shares, children }: PanesProps) {
  const kept = useSignal(readShares(name, shares));
  const box = useRef<HTMLDivElement>(null);
  const panes = toChildArray(children);
  const set = (next: readonly number[]): void => {
    kept.value = next;
    localStorage.setItem(`quod.panes.${name}`, JSON.stringify(next));
  };
  const move = (border: number, by: number): void => {
    const [left, right] = [kept.value[border], kept.value[border + 1]];
    if (left === undefined || right === undefined) return;
    const step = Math.min(right - LEAST, Math.max(LEAST - left, by));
    set(kept.value.with(border, left + step).with(border + 1, right - step));
  };
  return (
    <div
      ref={box}
      class="panes"
      style={{ '--columns': kept.value.map((share) => `minmax(0, ${share}fr)`).join(' 1px ') }}
    >
      {panes.flatMap((pane, index) =>
        index === 0
          ? [pane]
          : [
              <div
                key={`border-${index}`}
                class="border"
                role="separator"
                aria-orientation="vertical"
                aria-label="Border between panes"
                aria-valuenow={Math.round((kept.value[index - 1] ?? 0) * 100)}
                tabIndex={0}
                onKeyDown={({ key }) => {
                  if (key === 'ArrowLeft') move(index - 1, -STEP);
                  if (key === 'ArrowRight') move(index - 1, STEP);
                }}
                onPointerDown={(event) => {
                  const border = event.currentTarget;
                  const width = box.current?.clientWidth ?? 1;
                  border.setPointerCapture(event.pointerId);
                  let at = event.clientX;
                  border.onpointermove = (moved) => {
                    move(index - 1, (moved.clientX - at) / width);
                    at = moved.clientX;
                  };
                  border.onpointerup = () => (border.onpointermove = null);
                }}
              />,
              pane,
            ],
      )}
    </div>
  );
}

function readShares(name: string, shares: readonly number[]): readonly number[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(`quod.panes.${name}`) ?? 'null');
    if (Array.isArray(kept) && kept.length === shares.length && kept.every(Number.isFinite))
      return kept as readonly number[];
  } catch {
    // What is kept is not ours: the page begins as it comes.
  }
  return shares;
}
