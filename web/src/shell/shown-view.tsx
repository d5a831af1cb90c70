/** A view, or what went wrong in it: a defect of one view leaves the others, and what was typed, as they are. */
import type { ComponentType } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { ErrorNote } from '../parts/notes.tsx';
import type { ViewProps } from './view.ts';

interface ShownViewProps extends ViewProps {
  readonly Component: ComponentType<ViewProps>;
}

export function ShownView({ Component, rest, query }: ShownViewProps) {
  const boundary: readonly [unknown, () => void] = useErrorBoundary();
  const [thrown, again] = boundary;
  if (thrown === undefined) return <Component rest={rest} query={query} />;
  return (
    <div class="pane-body">
      <h1>This view broke</h1>
      <p>That is a defect of Quod. The other views go on, and what you typed in a file is kept.</p>
      <ErrorNote error={thrown} again={again} />
    </div>
  );
}
