import type { ComponentChildren } from 'preact';

export type Tone = 'plain' | 'good' | 'open' | 'bad' | 'live';

export function Badge({ tone = 'plain', title, children }: BadgeProps) {
  return (
    <span class={`badge ${tone}`} title={title}>
      {children}
    </span>
  );
}

interface BadgeProps {
  readonly tone?: Tone;
  readonly title?: string;
  readonly children: ComponentChildren;
}
