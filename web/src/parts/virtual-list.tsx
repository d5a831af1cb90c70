/** A list of rows of one height, of which only those in view are in the page. The arrow keys go through it. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface VirtualListProps<Row> {
  readonly rows: readonly Row[];
  /** CSS pixels. */
  readonly rowHeight: number;
  readonly label: string;
  readonly keyOf: (row: Row, index: number) => string;
  readonly render: (row: Row, index: number) => ComponentChildren;
  /** The row that is marked and kept in view; -1 for none. */
  readonly chosen?: number;
  readonly onChoose?: (row: Row, index: number) => void;
  /** By a double click, or Enter on the row that is chosen. */
  readonly onOpen?: (row: Row) => void;
}

const BEYOND = 8;

export function VirtualList<Row>({
  rows,
  rowHeight,
  label,
  keyOf,
  render,
  chosen = -1,
  onChoose,
  onOpen,
}: VirtualListProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(400);
  const id = useRef(`list-${Math.random().toString(36).slice(2)}`).current;
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => (height.value = element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (element === null || chosen < 0) return;
    const at = chosen * rowHeight;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = at + rowHeight - element.clientHeight;
  }, [chosen, rowHeight, height.value]);
  const first = Math.max(0, Math.floor(top.value / rowHeight) - BEYOND);
  const end = Math.min(rows.length, Math.ceil((top.value + height.value) / rowHeight) + BEYOND);
  const move = (to: number): void => {
    const index = Math.min(rows.length - 1, Math.max(0, to));
    const row = rows[index];
    if (row !== undefined) onChoose?.(row, index);
  };
  return (
    <div
      ref={box}
      class="virtual-list"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={chosen >= first && chosen < end ? `${id}-${chosen}` : undefined}
      onScroll={({ currentTarget }) => (top.value = currentTarget.scrollTop)}
      onKeyDown={(event) => {
        const row = rows[chosen];
        if (event.key === 'Enter' && row !== undefined) onOpen?.(row);
        const page = Math.max(1, Math.floor(height.value / rowHeight) - 1);
        const to = {
          ArrowDown: chosen + 1,
          ArrowUp: chosen - 1,
          PageDown: chosen + page,
          PageUp: chosen - page,
          Home: 0,
          End: rows.length - 1,
        }[event.key];
        if (to === undefined || onChoose === undefined) return;
        event.preventDefault();
        move(to);
      }}
    >
      <div class="virtual-space" role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(first, end).map((row, offset) => {
          const index = first + offset;
          return (
            <div
              key={keyOf(row, index)}
              id={`${id}-${index}`}
              class="virtual-row"
              role="option"
              aria-selected={index === chosen}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{
                ...{ transform: `translateY(${index * rowHeight}px)` },
                ...{ height: `${rowHeight}px`, lineHeight: `${rowHeight}px` },
              }}
              onClick={() => onChoose?.(row, index)}
              onDblClick={() => onOpen?.(row)}
            >
              {render(row, index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
