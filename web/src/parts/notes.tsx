/** What is shown where there is nothing yet, or where something went wrong. */
import type { ComponentChildren } from 'preact';
import { CallError } from '../server/client.ts';

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children !== undefined && <div>{children}</div>}
    </div>
  );
}

/** What happened, where, what to do, and the reason code. */
export function ErrorNote({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const problem = error instanceof CallError ? error.problem : undefined;
  const place =
    problem?.file === undefined
      ? ''
      : `${problem.file}${problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 0}`}`;
  return (
    <div class="error-note" role="alert">
      {place !== '' && <code>{place}</code>}
      <p class="printed">{problem?.message ?? (error instanceof Error ? error.message : String(error))}</p>
      {problem?.remedy !== undefined && <p>{problem.remedy}</p>}
      <div class="row">
        {problem !== undefined && <small>{problem.reason}</small>}
        {again !== undefined && <button onClick={again}>Try again</button>}
      </div>
    </div>
  );
}

export function Working({ text, done, total }: WorkingProps) {
  return (
    <div class="working" role="status">
      <span class="spinner" aria-hidden="true" />
      <span>{text}</span>
      {total !== undefined && total !== null && <progress value={done ?? 0} max={total} aria-label={text} />}
    </div>
  );
}

interface WorkingProps {
  readonly text: string;
  readonly done?: number | null | undefined;
  readonly total?: number | null | undefined;
}
