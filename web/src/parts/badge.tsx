import type { ComponentChildren } from 'preact';

export type Tone = 'plain' | 'good' | 'open' | 'bad' | 'live';

export function Badge({ tone = 'plain', title, isState = false, children }: BadgeProps) {
  return (
    <span class={`badge ${tone}${isState ? ' state' : ''}`} title={title}>
      {children}
    </span>
  );
}

interface BadgeProps {
  readonly tone?: Tone;
  readonly title?: string;
  /** First in the rows of a list: all are of one width. */
  readonly isState?: boolean;
  readonly children: ComponentChildren;
}
