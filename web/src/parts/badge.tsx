import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

export type Tone = 'plain' | 'good' | 'open' | 'bad' | 'live';

export function Badge({ tone = 'plain', title, children }: BadgeProps) {
  return (
    <span class={`badge ${tone}`} title={title}>
      {children}
    </span>
  );
}

/** What a badge says, in words, by a sign, and in colour alike. */
export interface Said {
  readonly word: string;
  readonly sign: Sign;
  readonly tone: Tone;
  /** More than the word says. */
  readonly title?: string;
  /** What is left of the word beside the sign where there is no room for it. */
  readonly short?: string;
}

/** Outlines of signs; each stands for one thing, whatever its colour. */
const SIGNS = {
  /** Nothing is left to be done for it. */
  done: 'M5 12.5l4.5 4.5L19 7',
  /** A hole. */
  open: 'M12 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14',
  /** A hole below something. */
  below: 'M12 4v15M6 13l6 6l6-6',
  /** Taken without a proof. */
  assumed: 'M12 5L20 19H4z',
  defined: 'M5 9.5h14M5 14.5h14',
  wrong: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  /** It follows from what is wrong elsewhere. */
  follows: 'M6 5v7a3 3 0 0 0 3 3h9M14.5 11.5L18 15l-3.5 3.5',
  /** Nothing is known of it as it is now. */
  unknown: 'M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .6-1.5 1.1-1.5 2.3M12 18.5v.2',
} as const;

export type Sign = keyof typeof SIGNS;

/** @param inList Among others in the rows of a list, where names have the room. */
export function SaidBadge({ said, inList = false }: SaidBadgeProps) {
  const { word, sign, tone, title, short } = said;
  if (!inList)
    return (
      <Badge tone={tone} {...(title !== undefined && { title })}>
        {word}
      </Badge>
    );
  return (
    <span class={`badge ${tone} state`} title={title === undefined ? word : `${word}: ${title}`}>
      <Icon outline={SIGNS[sign]} size={11} />
      <span class="badge-word">{word}</span>
      {short !== undefined && (
        <span class="badge-short" aria-hidden="true">
          {short}
        </span>
      )}
    </span>
  );
}

interface SaidBadgeProps {
  readonly said: Said;
  readonly inList?: boolean;
}

interface BadgeProps {
  readonly tone?: Tone;
  readonly title?: string;
  readonly children: ComponentChildren;
}
