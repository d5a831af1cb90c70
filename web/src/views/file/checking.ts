/** What is known of one version of a text, as the prover answers of it piece by piece. */
import type { Text } from '@codemirror/state';
import type { OutputOf } from '../../server/client.ts';
import type { Place } from './place.ts';
import { offsetOf } from './positions.ts';

type CheckAnswer = OutputOf<'rocq_text_check'>;
type SentenceAnswer = CheckAnswer['sentences'][number];

export interface Checking extends Pick<Place, 'text' | 'restsOn'> {
  readonly version: string | undefined;
  readonly sessionId: string | undefined;
  readonly sentences: readonly (SentenceAnswer & { readonly from: number; readonly to: number })[];
  readonly total: number;
  readonly state: 'waiting' | 'running' | 'complete' | 'failed';
  readonly error: unknown;
}

/** @param restsOn Of the text before: until the first answer it counts. */
export function nothingOf(text: Text, restsOn?: Place['restsOn']): Checking {
  return {
    ...{ text, restsOn, version: undefined, sessionId: undefined },
    ...{ sentences: [], total: 0, state: 'waiting', error: undefined },
  };
}

/** @param answer Of the same version, with the sentences behind those that are known. */
export function joined(known: Checking, answer: CheckAnswer): Checking {
  const { text } = known;
  return {
    ...known,
    version: answer.version,
    sessionId: answer.session_id,
    sentences: [
      ...known.sentences,
      ...answer.sentences.map((sentence) => ({
        ...sentence,
        from: offsetOf(text, sentence),
        to: offsetOf(text, { line: sentence.end_line, column: sentence.end_column }),
      })),
    ],
    total: answer.sentences_total,
    restsOn: answer.rests_on,
    state: answer.complete ? 'complete' : 'running',
  };
}
