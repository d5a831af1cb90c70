/** What a failed request means: in words for people, whether the history was too long, and what to do about it. */
import { APICallError } from '@ai-sdk/provider';
import { RUN_REMEDIES } from '../../core/remedies/run-remedies.ts';
import { textWithoutCredentials, withoutCredentials } from '../address-credentials.ts';
import { errorText } from '../../core/errors.ts';
import { isRecord } from '../../core/json.ts';
import { answerFault, causes } from './answer-fault.ts';
import { AnswerTooLong } from './received.ts';
import { refusalText } from './refusal-text.ts';
import { UnreadAnswer } from './unread-answer.ts';

/** The server closed the connection in the middle of an answer. */
export class CutStream extends Error {
  override readonly name = 'CutStream';

  constructor(cause?: unknown) {
    super('The answer was cut off before the model had finished.', { cause });
  }
}

/** Whether the connection broke in an answer, or fewer bytes came than were announced, as Node tells it. */
export function isBroken(error: unknown): boolean {
  return causes(error).some((cause) => cause instanceof TypeError && cause.message === 'terminated');
}

/**
 * Whether the connection broke while an answer to a request was waited for: the server has it, and may charge for what it
 * made of it.
 */
export function isDropped(error: unknown): boolean {
  return causes(error).some((cause) => {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (code === 'ECONNRESET') return syscall === 'read';
    return code === 'UND_ERR_SOCKET' || code === 'UND_ERR_HEADERS_TIMEOUT';
  });
}

/** Where servers tell the kind of an error: in words, or as a status of HTTP. */
const KINDS = ['type', 'code', 'status'] as const;

/**
 * What a server says of its failure where an answer should be: inside of a stream instead of going on with it, or with a
 * good status in the place of one.
 */
export class ToldFailure extends Error {
  override readonly name = 'ToldFailure';
  readonly type: string;
  /** The status of HTTP that it would have had, where the server tells. */
  readonly status: number | undefined;
  /** The model has written nothing then. */
  readonly isWhole: boolean;

  /** @param said By the server: its `type`, `code` and `status` count, whichever it has. */
  constructor(said: Readonly<Record<string, unknown>>, message: string, isWhole = false) {
    const kinds = KINDS.map((name) => said[name]);
    const type = kinds.find((kind) => typeof kind === 'string') ?? 'error';
    const status = kinds.map(Number).find((kind) => Number.isInteger(kind) && kind >= 400 && kind < 600);
    const told = status === undefined || type === String(status) ? type : `${type}, ${status}`;
    super(`${message} (${told}, said in ${isWhole ? 'the place of an' : 'the middle of the'} answer)`);
    this.type = type;
    this.status = status;
    this.isWhole = isWhole;
  }

  /** @param answer Which is none of a model. Undefined where it tells no error. */
  static inPlaceOf(answer: unknown): ToldFailure | undefined {
    const said = typeof answer === 'string' ? parsed(answer) : answer;
    const error = isRecord(said) ? said['error'] : undefined;
    const message = error == null ? '' : refusalText(JSON.stringify(error));
    if (message === '') return undefined;
    return new ToldFailure(isRecord(error) ? error : {}, message, true);
  }

  /** Undefined where the server said nothing that can be read. */
  static of(error: unknown): ToldFailure | undefined {
    const said = typeof error === 'string' ? parsed(error) : error;
    if (typeof said === 'string') return new ToldFailure({}, said);
    if (!isRecord(said)) return undefined;
    const inner = isRecord(said['error']) ? said['error'] : said;
    const { message } = inner;
    return typeof message === 'string' ? new ToldFailure(inner, message) : undefined;
  }

  /** Overload and faults of the server pass; what it refuses it will refuse again. */
  get mayPass(): boolean {
    if (this.status !== undefined) return statusMayPass(this.status);
    return !/invalid|auth|permission|not_found|too_large/iu.test(this.type);
  }
}

/** Rate limits, overload and faults of the server: the same request may work a moment later. */
export function statusMayPass(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** A server that is asked with a key sends nobody elsewhere. */
export class Redirected extends Error {
  override readonly name = 'Redirected';

  constructor(status: number) {
    super(`The server sends elsewhere (status ${status}), which is not followed`);
  }
}

/** What answers so is no model, but a site, or something on the way to the server. */
export class WebPage extends Error {
  override readonly name = 'WebPage';

  constructor(status: number) {
    super(`The server answered with a web page (status ${status}), not with an answer of a model`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether the failure is what a server answered. */
export function isAnswered(error: unknown): boolean {
  if (error instanceof Redirected || error instanceof WebPage) return true;
  if (error instanceof ToldFailure || error instanceof UnreadAnswer) return true;
  return APICallError.isInstance(error) && error.statusCode !== undefined;
}

/** What happened, with the status and the address where there is one. */
export function modelFailureText(error: unknown): string {
  if (error instanceof UnreadAnswer) return error.message;
  const fault = answerFault(error);
  if (!APICallError.isInstance(error)) return textWithoutCredentials(fault ?? errorText(error));
  const { statusCode, url, message, responseBody = '' } = error;
  const status = statusCode === undefined ? 'no answer' : `status ${statusCode}`;
  const told = fault ?? message.trim();
  // The body of another form than the protocol has is read by nobody else. Of an answer that cannot be read nothing is told.
  const refusal = fault === undefined ? refusalText(responseBody) : '';
  // What the packages of the protocols have read of it is told once.
  const texts = (refusalText(told) === refusal ? [told] : [told, refusal]).filter((text) => text !== '');
  const said = textWithoutCredentials(texts.join(': ')) || 'no reason given';
  return `${said} (${status} from ${withoutCredentials(url)})`;
}

/** The status of a refusal, wherever it is told. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof ToldFailure) return error.status;
  if (!APICallError.isInstance(error)) return undefined;
  const { statusCode, message, responseBody = '' } = error;
  // Google's servers refuse a key as a bad request.
  return statusCode === 400 && SAYS_BAD_KEY.test(`${message} ${responseBody}`) ? 401 : statusCode;
}

const SAYS_BAD_KEY = /API_KEY_INVALID|\bapi.?key\b.{0,20}\b(?:not valid|invalid|incorrect|expired)|\b(?:invalid|incorrect|expired) api.?key\b/iu;

/** Whether the server would refuse whatever it is asked so: the key, the account, the address or the model. */
export function isRefusedAtAll(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && [401, 402, 403, 404].includes(status);
}

/** Who was asked. */
export interface Asked {
  readonly provider: string;
  /** Where the key comes from; null where none is needed. */
  readonly keyVariable: string | null;
}

function keyRemedy({ provider, keyVariable }: Asked): string {
  return keyVariable === null
    ? `The server of the provider ${provider} wants a key: name the variable of the environment that has one as its \`keyVariable\` in the setting \`providers\`.`
    : `The server of the provider ${provider} refuses the key in ${keyVariable}: check it, and that it may use this model.`;
}

/** @param hasBegun The server had begun to answer. */
export function remedyOf(error: unknown, asked: Asked, hasBegun = false): string {
  const goOn = RUN_REMEDIES.nothingLost;
  if (error instanceof AnswerTooLong)
    return `Raise \`max-output-tokens\` or \`max-cost\` where such an answer is wanted. ${goOn}`;
  if (error instanceof Redirected)
    return `Name the address that it leads to as the \`url\` of the provider, if you trust it. ${goOn}`;
  if (error instanceof UnreadAnswer && error.mayPass)
    return `The server was reached, and sent no answer: see whether it, or something on the way to it, is in trouble, and that it speaks the protocol. ${goOn}`;
  if (error instanceof WebPage || error instanceof UnreadAnswer) return NOT_A_MODELS_ANSWER + goOn;
  const isTold = error instanceof ToldFailure;
  if (isTold && error.status === undefined)
    return `The server says that it failed, and why where it does: see to that, or try again later. ${goOn}`;
  if (error instanceof CutStream)
    return `The server, or something on the way to it, breaks answers off: try again later. ${goOn}`;
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `Give it more time with \`call-timeout\`, or see what the server is doing. ${goOn}`;
  switch (statusOf(error)) {
    case 401:
    case 403:
      return `${keyRemedy(asked)} ${goOn}`;
    case 402:
      return `The server wants to be paid: see to the account. ${goOn}`;
    case 404:
      return `The server has no such model, or this is not its address: check the name of the model and the \`url\` of the provider. ${goOn}`;
    case 400:
    case 413:
    case 422:
      return `The server refuses the request: ${RUN_REMEDIES.whatWasSent} ${goOn}`;
    case 429:
      return `The limit of the account is reached: wait, or take another model. ${goOn}`;
    case 200:
      return NOT_A_MODELS_ANSWER + goOn;
    case undefined:
      if (hasBegun || answerFault(error) !== undefined) return NOT_A_MODELS_ANSWER + goOn;
      return `The server could not be reached: check that it runs and its address. ${goOn}`;
    default:
      return `The server is in trouble: try again later. ${goOn}`;
  }
}

const NOT_A_MODELS_ANSWER =
  'The server was reached, but what it answers cannot be read as an answer of a model: check its address and that it speaks the protocol. ';

const SAYS_TOO_LONG =
  /context.?(length|window|size)|too (long|large|many tokens)|maximum (context|prompt|input|number of tokens)|token limit|input.{0,40}exceeds?|exceeds?.{0,40}(context|token|length)/iu;

/** From this many tokens on a refused request may have been refused for its length, whatever the server says. */
const SUSPICIOUS_TOKENS = 4000;

/**
 * Whether a request was refused for its length: `said` by the server, or `perhaps`, since it refused a long one;
 * then one shorter try costs nothing.
 */
export function tooLong(error: unknown, tokens: number): 'said' | 'perhaps' | 'no' {
  if (error instanceof ToldFailure) return SAYS_TOO_LONG.test(error.message) ? 'said' : 'no';
  if (!APICallError.isInstance(error) || isRefusedAtAll(error)) return 'no';
  const { statusCode, message, responseBody = '' } = error;
  if (statusCode === 413) return 'said';
  if (statusCode !== 400 && statusCode !== 422 && statusCode !== 500) return 'no';
  // Some local servers answer 500 then, and say it.
  if (SAYS_TOO_LONG.test(message) || SAYS_TOO_LONG.test(responseBody)) return 'said';
  return statusCode !== 500 && tokens > SUSPICIOUS_TOKENS ? 'perhaps' : 'no';
}
