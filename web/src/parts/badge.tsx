import type { ComponentChildren } from 'preact';

export type Tone = 'plain' | 'good' | 'open' | 'bad' | 'live';

export function Badge({ tone = 'plain', title, isState = false, children }: BadgeProps) {
  return (
    <span class={`badge ${tone}${isState ? ' state' : ''}`} title={title}>
      {children}
    </span>
  );
}

/** What a badge says, in words and colour alike. */
export interface Said {
  readonly word: string;
  readonly tone: Tone;
  readonly title?: string;
}

export function SaidBadge({ said: { word, ...looks }, isState = false }: SaidBadgeProps) {
  return (
    <Badge {...looks} isState={isState}>
      {word}
    </Badge>
  );
}

interface SaidBadgeProps extends Pick<BadgeProps, 'isState'> {
  readonly said: Said;
}

interface BadgeProps {
  readonly tone?: Tone;
  readonly title?: string;
  /** First in the rows of a list: all are of one width. */
  readonly isState?: boolean;
  readonly children: ComponentChildren;
}
