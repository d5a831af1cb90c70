/**
 * "Rocq takes this where `From Coq Require Import Lia.` stands before it.": what to import, or which scope to open, where a
 * sentence is refused for a name, a notation or a reading of numbers that is not there. Rocq itself says which scopes have a
 * notation or belong to a type; the bytes of the libraries that are installed say which of them mention a name. Nothing is
 * told that Rocq did not take: each guess is run before the sentence.
 */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import type { ProverSession, Sentence, StateId, StepResult } from '../../../core/prover.ts';
import { orNothing } from '../../../core/entry.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import { unknownName } from '../../../provers/rocq/failure-causes.ts';
import { asSentence } from '../../../provers/rocq/syntax/sentences.ts';
import { installedLibraries, type Ask, type LibraryBytes } from './installed-libraries.ts';
import { isCalledLike, likelyLibraries, type Missing } from './likely-libraries.ts';

export interface RefusedText {
  readonly session: ProverSession;
  /** The state before it. */
  readonly at: StateId;
  readonly sentence: Sentence;
  readonly error: Diagnostic;
  readonly signal: AbortSignal;
}

/** Rocq inside Node needs several seconds to load a library. */
const TIMEOUT_MS = 60_000;
const MOST_LIBRARIES = 8;
const MOST_INSIDE_NODE = 3;
const MOST_MODULES = 4;
const MOST_SCOPES = 4;
/** A sentence may lack several. */
const MOST_IMPORTS = 3;

/** Of one text: the first few that are asked for. */
const MOST_TOLD = 3;

/** Of one text, however often it is run: nothing is looked for again where the same is refused. */
export class ImportHints {
  readonly #known = new Map<string, Promise<string | undefined>>();

  /** As `importHint`; undefined, too, where enough was asked. */
  of(refused: RefusedText): Promise<string | undefined> {
    const key = `${refused.sentence.text}\n${refused.error.message}`;
    const asked = this.#known.get(key);
    if (asked !== undefined) return asked;
    if (!isImportMissing(refused) || this.#known.size >= MOST_TOLD) return Promise.resolve(undefined);
    const asking = importHint(refused);
    this.#known.set(key, asking);
    asking.catch(() => this.#known.delete(key));
    return asking;
  }
}

/** Undefined where nothing that is installed helps. */
export async function importHint(refused: RefusedText): Promise<string | undefined> {
  const commands = await new ImportSearch(refused).commands(refused.at, refused.error, MOST_IMPORTS);
  return commands === undefined
    ? undefined
    : `Rocq takes this where \`${commands.join(' ')}\` stands before it.`;
}

interface Tried {
  readonly commands: readonly string[];
  /** That they require. */
  readonly library?: string;
  /** Behind them. */
  readonly state: StateId;
  /** What Rocq then says of the sentence; undefined where it takes it. */
  readonly error: Diagnostic | undefined;
}

class ImportSearch {
  readonly #refused: RefusedText;
  #installed: Promise<readonly LibraryBytes[]> | undefined;

  constructor(refused: RefusedText) {
    this.#refused = refused;
  }

  /** Behind which the sentence is taken, or behind which there is something else against it that is no mistake in a type. */
  async commands(at: StateId, error: Diagnostic, most: number): Promise<readonly string[] | undefined> {
    if (most === 0) return undefined;
    let further: Tried | undefined;
    for await (const tried of this.#guesses(at, error)) {
      if (this.#refused.signal.aborted) return undefined;
      if (tried.error === undefined) return (await this.#fromItsHome(at, error, tried)).commands;
      if (isFurther(tried.error, error)) further ??= tried;
    }
    if (further?.error === undefined) return undefined;
    const rest = await this.commands(further.state, further.error, most - 1);
    return rest && [...further.commands, ...rest];
  }

  /** A library may only hand on what another declares, which Rocq then names. */
  async #fromItsHome(at: StateId, error: Diagnostic, taken: Tried): Promise<Tried> {
    const name = unknownName(error.message);
    if (name === undefined || (taken.library !== undefined && isCalledLike(taken.library, name)))
      return taken;
    const located = await this.#askAt(taken.state)(`Locate ${name}.`);
    const [, path = ''] = /^\w+ ([^\s]+)/u.exec(located) ?? [];
    const home = (await this.#installed)?.find(({ logical }) => path === `${logical}.${name}`);
    const there = home && (await this.#require(at, home.logical));
    return there?.error === undefined ? (there ?? taken) : taken;
  }

  /** Undefined where it cannot be required. */
  async #require(at: StateId, library: string): Promise<Tried | undefined> {
    const [root = '', ...rest] = library.split('.');
    const byLastName = await this.#try(at, [`From ${root} Require Import ${lastPart(library)}.`]);
    return byLastName ?? this.#try(at, [`From ${root} Require Import ${rest.join('.')}.`]);
  }

  async *#guesses(at: StateId, error: Diagnostic): AsyncGenerator<Tried> {
    for (const scope of await this.#scopesFor(at, error)) {
      const tried = await this.#try(at, [`Open Scope ${scope}.`]);
      if (tried !== undefined) yield tried;
    }
    const missing = missingIn(error, this.#refused.sentence.text);
    if (missing === undefined) return;
    this.#installed ??= installedLibraries(this.#askAt(at), this.#embedded());
    const libraries = await likelyLibraries(await this.#installed, missing);
    const most = this.#embedded() === undefined ? MOST_LIBRARIES : MOST_INSIDE_NODE;
    const scopes = new Set(scopesIn(await this.#askAt(at)('Print Scopes.')).map(({ name }) => name));
    for (const library of libraries.slice(0, most)) {
      const whole = await this.#require(at, library);
      if (whole === undefined) continue;
      yield { ...whole, library };
      if (missing.kind === 'notation')
        for (const module of await this.#modulesIn(library, whole)) {
          const tried = await this.#tryBehind(whole, `Import ${module}.`);
          if (tried !== undefined) yield tried;
        }
      for (const { name } of await this.#newScopes(whole, scopes)) {
        const tried = await this.#tryBehind(whole, `Open Scope ${name}.`);
        if (tried !== undefined) yield tried;
      }
    }
  }

  #embedded(): string | undefined {
    const { backend, location } = this.#refused.session.identity;
    return backend === 'embedded' ? location : undefined;
  }

  #askAt(at: StateId): Ask {
    const { session, signal } = this.#refused;
    return async (question) => {
      const answer = await session.query(at, asSentence(question), { timeoutMs: TIMEOUT_MS, signal });
      return answer.status === 'done' ? answer.messages.map(({ message }) => message).join('\n') : '';
    };
  }

  /** Undefined where the commands themselves are refused. */
  async #try(at: StateId, commands: readonly string[]): Promise<Tried | undefined> {
    let state = at;
    for (const command of commands) {
      const result = await this.#run(state, asSentence(command));
      if (result.status !== 'done') return undefined;
      ({ state } = result);
    }
    const result = await this.#run(state, this.#refused.sentence);
    if (result.status === 'unknown') return undefined;
    return { commands, state, error: result.status === 'failed' ? result.error : undefined };
  }

  async #tryBehind({ commands, state }: Tried, command: string): Promise<Tried | undefined> {
    const tried = await this.#try(state, [command]);
    return tried && { ...tried, commands: [...commands, command] };
  }

  #run(at: StateId, sentence: Sentence): Promise<StepResult> {
    const { session, signal } = this.#refused;
    return session.run(at, sentence, { timeoutMs: TIMEOUT_MS, signal });
  }

  /** Those in which Rocq knows the notation that it has no reading of, or that belong to a type that does not fit. */
  async #scopesFor(at: StateId, { message }: Diagnostic): Promise<readonly string[]> {
    const notation = UNREAD_NOTATION.exec(message)?.[1];
    if (notation !== undefined) {
      const located = await this.#askAt(at)(`Locate "${notation}".`);
      return [...new Set([...located.matchAll(/:\s*(\w+_scope)\b/gu)].flatMap(([, scope]) => scope ?? []))];
    }
    const types = [...message.matchAll(TYPE)].flatMap(([, type = '']) => type.split(/[^\p{L}\p{N}_'.]+/u));
    if (types.length === 0) return [];
    return scopesIn(await this.#askAt(at)('Print Scopes.'))
      .filter(({ classes }) => classes.some((one) => types.includes(one)))
      .map(({ name }) => name)
      .slice(0, MOST_SCOPES);
  }

  async #newScopes({ state }: Tried, known: ReadonlySet<string>): Promise<readonly PrintedScope[]> {
    return scopesIn(await this.#askAt(state)('Print Scopes.'))
      .filter(({ name, classes }) => !known.has(name) && classes.length > 0)
      .slice(0, MOST_SCOPES);
  }

  async #modulesIn(library: string, { state }: Tried): Promise<readonly string[]> {
    const printed = await this.#askAt(state)(`Print Module ${library}.`);
    const inside = [...printed.matchAll(/\bModule\s+(?!Type\b)([\p{L}_][\p{L}\p{N}_']*)/gu)].slice(1);
    return inside.flatMap(([, module]) => module ?? []).slice(0, MOST_MODULES);
  }
}

const TYPE = /\btype\s+"([^"]+)"/gu;

/** Whether it is the kind of refusal that an import may help against. */
function isImportMissing({ error, sentence }: RefusedText): boolean {
  return missingIn(error, sentence.text) !== undefined || [...error.message.matchAll(TYPE)].length > 0;
}

const UNREAD_NOTATION = /Unknown interpretation for notation\s+"([^"]+)"/u;

/** What may be in a library that is not required. */
function missingIn({ message, span }: Diagnostic, sentence: string): Missing | undefined {
  const name = unknownName(message);
  if (name !== undefined) return { kind: 'name', name };
  const literal = /No interpretation for (string|number)\b/u.exec(message)?.[1];
  if (literal !== undefined) return { kind: 'name', name: literal };
  const unread = UNREAD_NOTATION.exec(message)?.[1];
  const symbols =
    unread
      ?.split(' ')
      .filter((part) => part !== '_')
      .slice(0, 1) ?? [];
  if (symbols.length === 0 && /\bSyntax error\b/u.test(message) && span !== undefined)
    appendAll(symbols, symbolsAt(sentence, span.start));
  return symbols.length === 0 ? undefined : { kind: 'notation', symbols };
}

/** What may be one symbol where the prover stopped: it may have read the beginning of it as another. */
function symbolsAt(sentence: string, at: number): readonly string[] {
  const before = /[^\s\p{L}\p{N}_.'"()[\]{}]*$/u.exec(sentence.slice(0, at));
  const [behind = ''] = /^(?:[[({]|[^\s\p{L}\p{N}_.'"()[\]{}]+)/u.exec(sentence.slice(at)) ?? [];
  return [...new Set([orNothing(before?.[0]) + behind, behind])].filter((symbol) => symbol !== '');
}

/** Whether Rocq then asks for something else that may be imported, too. */
function isFurther(error: Diagnostic, before: Diagnostic): boolean {
  if (error.message === before.message && error.span?.start === before.span?.start) return false;
  return (
    unknownName(error.message) !== undefined ||
    UNREAD_NOTATION.test(error.message) ||
    /\bSyntax error\b|\bNo interpretation\b/u.test(error.message)
  );
}

interface PrintedScope {
  readonly name: string;
  /** The types that it belongs to. */
  readonly classes: readonly string[];
}

function scopesIn(printed: string): readonly PrintedScope[] {
  return printed.split(/^Scope /mu).flatMap((part) => {
    const name = /^\S+/u.exec(part)?.[0];
    if (name === undefined) return [];
    const bound = /^Bound to class(?:es)? (.+)$/mu.exec(part)?.[1];
    return [{ name, classes: bound === undefined ? [] : bound.trim().split(/\s+/u) }];
  });
}
