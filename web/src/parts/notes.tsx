/** What is shown where there is nothing yet, or where something went wrong. */
import type { ComponentChildren } from 'preact';
import { orNothing } from '../../../src/core/entry.ts';
import { CallError } from '../server/client.ts';
import { addressOf } from '../shell/route.ts';
import { told } from './page-words.ts';

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

/** Why what stands below need not be so any more, and what to do; nothing where it is as it was. */
export function OldNote({ why }: { readonly why: string | undefined }) {
  if (why === undefined) return null;
  return (
    <p class="note" role="status">
      {why}
    </p>
  );
}

/** What Quod says to do, as the page does it. */
export function Remedy({ text }: { readonly text: string | null | undefined }) {
  const parts = told(orNothing(text));
  if (parts.length === 0) return null;
  return (
    <p>
      {parts.map((part, index) => {
        switch (part.kind) {
          case 'words':
            return part.text;
          case 'code':
            return <code key={index}>{part.text}</code>;
          case 'place':
            return (
              <a key={index} href={addressOf(part.view)}>
                {part.text}
              </a>
            );
        }
      })}
    </p>
  );
}

/** What happened, where, what to do, and the reason code. */
export function ErrorNote({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const problem = error instanceof CallError ? error.problem : undefined;
  return (
    <div class="error-note" role="alert">
      {problem?.file !== undefined && <PlaceLink {...problem} file={problem.file} />}
      <p class="printed">{problem?.message ?? (error instanceof Error ? error.message : String(error))}</p>
      <Remedy text={problem?.remedy} />
      <div class="row">
        {problem !== undefined && <small>{problem.reason}</small>}
        {again !== undefined && <button onClick={again}>Try again</button>}
      </div>
    </div>
  );
}

const OPENS_HERE = /^(?!\/|\.\.).*\.(?:v|sml|fsti?|lean)$/u;

/** A place in a file of the folder, which can be gone to; others are only named. */
export function PlaceLink({ file, line, column }: PlaceLinkProps) {
  const place = <code>{typeof line === 'number' ? `${file}:${line}:${column ?? 0}` : file}</code>;
  if (!OPENS_HERE.test(file)) return place;
  return (
    <a href={addressOf('file', file, typeof line === 'number' ? { line: String(line) } : {})}>{place}</a>
  );
}

interface PlaceLinkProps {
  readonly file: string;
  readonly line?: number | null | undefined;
  readonly column?: number | null | undefined;
}

export function Working({ text, done, total }: WorkingProps) {
  return (
    <div class="working" role="status">
      <span class="spinner" aria-hidden="true" />
      <span>{text}</span>
      {total !== undefined && total !== null && (
        <>
          <small class="count">
            {done ?? 0} of {total}
          </small>
          <progress value={done ?? 0} max={total} aria-label={text} />
        </>
      )}
    </div>
  );
}

interface WorkingProps {
  readonly text: string;
  readonly done?: number | null | undefined;
  readonly total?: number | null | undefined;
}
