/**
 * What the variables of makefiles stand for: all that is assigned to them in what was read, whichever make would take. Of one
 * that is set in a way that is not understood nobody knows; one that is set nowhere is empty, where all files could be read.
 */
import { orNothing } from '../../../core/entry.ts';
import { appendAll } from '../../../core/lists/many.ts';
import {
  argumentsOf,
  ASSIGNMENT,
  couldBe,
  endOfReference,
  escaped,
  makefileLines,
  MODIFIERS,
  NAMES,
  SETS,
  withoutComment,
} from './makefile-text.ts';

export interface Expansion {
  readonly text: string;
  /** Whether make takes all of it, or some. */
  readonly isChosen: boolean;
}

/** In the place of what nobody knows: no name of a variable has blanks. */
const UNKNOWN = '$(what nobody knows)';
/** Longer values, and deeper ones, are not worked out. */
const LONGEST = 20_000;
const DEEPEST = 50;

/** What make itself, or nearly every environment, sets. */
const ALWAYS_SET = /^(?:MAKE\w*|CURDIR|PWD|HOME|USER|PATH|SHELL|CC|CXX|RM|AR|AS|LD)$/u;

const OF_TARGET = new RegExp(String.raw`^[^\t=][^=]*:${MODIFIERS}([\w.-]+)${SETS}(.*)$`, 'u');

export class MakefileVariables {
  readonly #values = new Map<string, Expansion[]>();
  /** Names that make works out. */
  readonly #computed: string[] = [];
  /** All lines but comments. */
  readonly #code: string;
  readonly #isWhole: boolean;
  readonly #expanded = new Map<string, Expansion>();
  readonly #lookedUp = new Map<string, readonly Expansion[] | undefined>();

  /** @param isWhole whether there is no other text that make reads */
  constructor(texts: readonly string[], isWhole: boolean) {
    this.#isWhole = isWhole;
    const code: string[] = [];
    for (const one of texts.flatMap((text) => makefileLines(text))) {
      code.push(withoutComment(one.line));
      if (one.defined === undefined) this.#assign(withoutComment(one.line), one.isChosen);
      else {
        const { name, body } = one.defined;
        this.#set(name, { text: body.join(' '), isChosen: one.isChosen });
        appendAll(code, [`${name} =`, ...body]);
      }
    }
    this.#code = code.join('\n');
  }

  #assign(line: string, isChosen: boolean): void {
    const assignment = ASSIGNMENT.exec(line);
    const [, name, operator, value = ''] = assignment ?? OF_TARGET.exec(line) ?? [];
    if (name?.includes('$') === true) this.#computed.push(name);
    else if (name !== undefined)
      this.#set(name, {
        text: operator === '!' ? UNKNOWN : value.trim(),
        isChosen: isChosen || assignment === null,
      });
  }

  #set(name: string, value: Expansion): void {
    const values = this.#values.get(name);
    if (values === undefined) this.#values.set(name, [value]);
    else values.push(value);
  }

  /** All that is assigned; undefined where it is not known. */
  of(name: string): readonly Expansion[] | undefined {
    if (!this.#lookedUp.has(name)) this.#lookedUp.set(name, this.#lookUp(name));
    return this.#lookedUp.get(name);
  }

  #lookUp(name: string): readonly Expansion[] | undefined {
    const values = this.#values.get(name) ?? [];
    const isElsewhere = this.#code.matchAll(new RegExp(`(?<![\\w.$({-])${escaped(name)}${SETS}`, 'gu'));
    if ([...isElsewhere].length > values.length) return undefined;
    if (this.#computed.some((written) => couldBe(written, name))) return undefined;
    return values.length > 0 || (this.#isWhole && !ALWAYS_SET.test(name)) ? values : undefined;
  }

  /** With what is known in the place of what stands for it; the variables that say options stay. */
  expand(text: string, within: readonly string[] = []): Expansion {
    let result = '';
    let isChosen = false;
    for (let at = 0; at < text.length;) {
      const end = text.startsWith('$$', at) ? at : endOfReference(text, at);
      if (end === at) {
        const length = text.startsWith('$$', at) ? 2 : 1;
        result += text.slice(at, at + length);
        at += length;
      } else {
        const part = this.#reference(text.slice(at, end), within);
        result += part.text;
        isChosen ||= part.isChosen;
        at = end;
      }
      if (result.length > LONGEST) return { text: UNKNOWN, isChosen };
    }
    return { text: result, isChosen };
  }

  #reference(whole: string, within: readonly string[]): Expansion {
    const inside = whole.slice(2, -1);
    if (within.length > DEEPEST) return { text: UNKNOWN, isChosen: false };
    if (/^[\w.-]+$/u.test(inside)) return this.#variable(inside, whole, within);
    const [, name = '', rest = ''] = /^(if|or|foreach|call)\s+(.*)$/u.exec(inside) ?? [];
    const taken = this.#taken(name, argumentsOf(rest));
    if (taken === undefined) return { text: whole, isChosen: false };
    return { ...this.expand(taken.join(' '), [...within, '']), isChosen: true };
  }

  /** What a function of make gives, or may give. */
  #taken(name: string, parts: readonly string[]): readonly string[] | undefined {
    const variable = orNothing(parts[0]).trim();
    if (name === 'if') return parts.slice(1);
    if (name === 'or') return parts;
    if (name === 'foreach') {
      const own = new RegExp(String.raw`\$(?:[({]${escaped(variable)}[)}]|${escaped(variable)})`, 'gu');
      return [
        parts
          .slice(2)
          .join(',')
          .replaceAll(own, () => UNKNOWN),
      ];
    }
    if (name !== 'call') return undefined;
    return this.of(variable)?.map(({ text }) =>
      text.replaceAll(/\$[({](\d)[)}]/gu, (_, index: string) => orNothing(parts[Number(index)])),
    );
  }

  #variable(name: string, whole: string, within: readonly string[]): Expansion {
    if (NAMES.includes(name) || name.startsWith('COQMF_')) return { text: whole, isChosen: false };
    // What is added to itself; of a longer circle nobody knows what make would take.
    if (within.at(-1) === name) return { text: '', isChosen: false };
    if (within.includes(name)) return { text: UNKNOWN, isChosen: false };
    const before = this.#expanded.get(name);
    if (before !== undefined) return before;
    const values = this.of(name);
    if (values === undefined || values.length === 0) return { text: whole, isChosen: false };
    const parts = values.map(({ text }) => this.expand(text, [...within, name]));
    const found = {
      text: parts.map(({ text }) => text).join(' '),
      isChosen: [...values, ...parts].some(({ isChosen }) => isChosen),
    };
    this.#expanded.set(name, found);
    return found;
  }
}

/** Of a text about which nothing else is known. */
export const NO_VARIABLES = new MakefileVariables([], false);
