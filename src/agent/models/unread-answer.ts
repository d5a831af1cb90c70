/**
 * What a server sent with a good status where an answer of a model should be: nothing, no JSON, or JSON of another form. It is
 * told as that, with its beginning and the address. It was never an answer, so that it is not one that was cut off.
 */
import { foreignName } from '../../core/foreign-text.ts';
import { parsedJson } from '../../core/json.ts';
import { textWithoutCredentials, withoutCredentials } from '../address-credentials.ts';
import { answerFault, causes, isMalformed } from './answer-fault.ts';

/** Characters that are kept to see what was sent; JSON that is longer is looked at no further. */
const LONGEST_KEPT = 64 * 1024;
const LONGEST_TOLD = 120;

/** The first characters of what one request is answered with, and where they come from. */
export class Beginning {
  #text = '';
  #url = '';
  #status = 200;
  /** A part of an answer was read behind it: what cannot be read then is the loss of the rest. */
  isRead = false;

  get text(): string {
    return this.#text;
  }

  get url(): string {
    return this.#url;
  }

  get status(): number {
    return this.#status;
  }

  /** @throws UnreadAnswer where an answer without a word has nothing of an answer. */
  requireAnswer(): void {
    const kind = HAS_AN_ANSWER.test(this.#text) || this.#url === '' ? undefined : kindOf(this.#text, true);
    if (kind !== undefined) throw new UnreadAnswer(kind, this, undefined);
  }

  /** @returns What the bytes of the answer go through. */
  of({ url, status }: Pick<Response, 'url' | 'status'>): TransformStream<Uint8Array, Uint8Array> {
    this.#url = url;
    this.#status = status;
    this.#text = '';
    const decoder = new TextDecoder();
    return new TransformStream({
      transform: (chunk, controller) => {
        const room = LONGEST_KEPT - this.#text.length;
        if (room > 0) this.#text += decoder.decode(chunk.subarray(0, room), { stream: true });
        controller.enqueue(chunk);
      },
    });
  }
}

export class UnreadAnswer extends Error {
  override readonly name = 'UnreadAnswer';
  /**
   * Whatever stands in front of a model sends nothing where it is in trouble, and a model may call a tool otherwise the next
   * time; what has another form will have it again.
   */
  readonly mayPass: boolean;
  /** It has something of an answer in it, for which a provider may charge. */
  readonly isPaid: boolean;

  constructor(kind: Kind, { text, url, status }: Pick<Beginning, 'text' | 'url' | 'status'>, cause: unknown) {
    super(`${whatWasSent(kind, text, cause)} (status ${status} from ${withoutCredentials(url)})`, { cause });
    this.mayPass = kind === 'nothing' || causes(cause).some(isMalformed);
    this.isPaid = HAS_AN_ANSWER.test(text);
  }

  /** An answer that has no body at all. */
  static without({ url, status }: Pick<Response, 'url' | 'status'>): UnreadAnswer {
    return new UnreadAnswer('nothing', { text: '', url, status }, undefined);
  }

  /** @param error With which the reading ended. @returns Undefined where a part of an answer came, or what came cannot be told. */
  static of(error: unknown, beginning: Beginning): UnreadAnswer | undefined {
    if (beginning.url === '' || beginning.isRead) return undefined;
    const kind = kindOf(beginning.text, answerFault(error) !== undefined);
    return kind === undefined ? undefined : new UnreadAnswer(kind, beginning, error);
  }
}

type Kind = 'nothing' | 'no JSON' | 'another form';

/** What the answers of the protocols have in them, whole or as events. */
const HAS_AN_ANSWER = /"(?:choices|candidates|promptFeedback|content|output|delta|response)"\s*:|"type"\s*:\s*"(?:message_|response\.)/u;

/** @param isFaulty A parser or a schema refused what was sent. */
function kindOf(text: string, isFaulty: boolean): Kind | undefined {
  const events = [...text.matchAll(/^data:([^\r\n]*)/gmu)].map(([, data = '']) => data.trim());
  const isStream = events.length > 0;
  const [said, ...more] = isStream ? events.filter((data) => data !== '' && data !== '[DONE]') : [text.trim()];
  if (said === undefined || said === '') return 'nothing';
  // Signs of life, or the name of an event: what they announce did not come.
  if (!isStream && /^(?::|event:|id:|retry:)/u.test(said)) return undefined;
  // An answer that has begun and just stops is cut off.
  if (HAS_AN_ANSWER.test(said) && !isFaulty) return undefined;
  if (text.length >= LONGEST_KEPT) return /^[[{]/u.test(said) ? 'another form' : 'no JSON';
  if (parsedJson(said) === undefined) return 'no JSON';
  const isLater = HAS_AN_ANSWER.test(said) && more.some((data) => parsedJson(data) === undefined);
  return isLater ? undefined : 'another form';
}

function whatWasSent(kind: Kind, text: string, cause: unknown): string {
  switch (kind) {
    case 'nothing':
      return text.trim() === '' ? 'The answer was empty' : 'The answer had nothing in it but its end';
    case 'no JSON':
      return `What it answered is no answer of a model: it is no JSON${beginningOf(text)}`;
    case 'another form': {
      const fault = answerFault(cause);
      const isTold = fault !== undefined && !fault.endsWith('it is no JSON');
      return `${isTold ? fault : 'What it answered is no answer of a model: it has another form'}${beginningOf(text)}`;
    }
  }
}

/** It ends between two words: a key is one, of which no half is told. */
function beginningOf(text: string): string {
  const line = text.trim().replace(/\s+/gu, ' ');
  const told = line.length <= LONGEST_TOLD ? line : line.slice(0, LONGEST_TOLD).replace(/[^\s"',;:{}[\]()<>]*$/u, '');
  if (told === '') return '';
  return `; it begins with ${foreignName(textWithoutCredentials(told))}${told === line ? '' : '…'}`;
}
