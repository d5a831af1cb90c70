/** A statement in a list: the word for its state with its colour, and the line that stands behind its name. */
import type { OutputOf } from '../server/client.ts';
import type { Said } from './badge.tsx';
import { isHindered, type Build } from './last-build.ts';

export type Statement = OutputOf<'proof_statements'>['statements'][number];

const STATES: Readonly<Record<Statement['state'], Pick<Said, 'sign' | 'tone'>>> = {
  proved: { sign: 'done', tone: 'good' },
  open: { sign: 'open', tone: 'open' },
  assumed: { sign: 'assumed', tone: 'plain' },
  defined: { sign: 'defined', tone: 'plain' },
};

type Titled = Said & Required<Pick<Said, 'title'>>;

const UNKNOWN = { sign: 'unknown', tone: 'plain' } as const;

/** No compiled file is known to be of its text, as it is with all provers but Rocq: what it proves stands there alone. */
export function isUncompiled({ compiled }: Pick<Statement, 'compiled'>): boolean {
  return compiled !== 'yes';
}

export type Built = Pick<Build, 'faults' | 'changed'>;

/** How a file stands of which nothing that is compiled is known to be of its text, after the last build. */
export function uncompiledSaid(
  { file, compiled }: Pick<Statement, 'file' | 'compiled'>,
  build: Built,
): Titled {
  if (compiled === null)
    return {
      word: 'not checked',
      ...UNKNOWN,
      title: `What its prover says of ${file} is not known here.`,
    };
  if (compiled === 'no-module-name')
    return {
      word: 'cannot be compiled',
      ...UNKNOWN,
      title:
        "Rocq compiles nothing under the name of this file: the name of a module has letters, digits, _ and ' in it. Rename it.",
    };
  const fault = compiled === 'no' ? build.faults.find((one) => one.file === file) : undefined;
  if (fault === undefined)
    return {
      word: 'not compiled',
      ...UNKNOWN,
      title: `No compiled file is known to be of ${file} as it is now.`,
    };
  if (build.changed.has(file))
    return {
      word: 'changed since the build',
      ...UNKNOWN,
      title: `In the last build ${file} did not compile; it was changed since.`,
    };
  if (isHindered(fault))
    return {
      word: 'not compiled',
      ...UNKNOWN,
      title: `In the last build ${file}, or what is made of it, could not be read or written.`,
    };
  return fault.kind === 'left-out'
    ? {
        word: 'left out',
        sign: 'follows',
        tone: 'plain',
        title: `Something that ${file} requires did not compile.`,
      }
    : {
        word: 'does not compile',
        sign: 'wrong',
        tone: 'bad',
        title: `In the last build ${file} did not compile.`,
      };
}

/** Rocq refuses something of a statement itself, and not only since something before it failed. */
export const IN_ERROR: Said = {
  ...{ word: 'error', sign: 'wrong', tone: 'bad' },
  title: 'Rocq refuses something of it.',
};

/** The badge of its state. What no prover has taken is not called proved: the text alone has a proof of it. */
export function stateSaid(one: Pick<Statement, 'state' | 'compiled' | 'file'>, build: Built): Said {
  if (one.state !== 'proved' || !isUncompiled(one)) return { word: one.state, ...STATES[one.state] };
  const said = uncompiledSaid(one, build);
  return { ...said, title: `The text has a proof of it. ${said.title}` };
}

const OF_SECTIONS: ReadonlySet<string> = new Set(['Variable', 'Variables', 'Hypothesis', 'Hypotheses']);

/** What a section assumes for itself: many, and nothing that anybody proves or uses elsewhere. */
export function isOfSection({ kind, file }: Statement): boolean {
  return file.endsWith('.v') && OF_SECTIONS.has(kind);
}

/** Names are those of one file. */
export function idOf({ file, name }: Statement): string {
  return `${file}:${name}`;
}

/** What is stated, without the words before it and its name. */
export function statementLine(statement: string, name: string): string {
  const text = statement.replace(/\s+/g, ' ');
  const words = [...text.matchAll(/[\p{L}_][\p{L}\p{N}_']*/gu)];
  const behind = words.find(([word]) => word === name);
  return (behind === undefined ? text : text.slice(behind.index + name.length)).slice(0, 240);
}
