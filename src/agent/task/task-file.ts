/**
 * A task file: Markdown that says what is to be proved. Its targets are the list under `## Targets`, or without one the
 * files of provers that the text names. A section `## Handoff` with Quod's mark is its own: what the next context should
 * know. Nothing else of the file is ever changed, a section of the same name that the user wrote included.
 */
import { dirname, isAbsolute, relative } from 'node:path';
import { orNothing } from '../../core/entry.ts';
import { inert } from '../../core/foreign-text.ts';
import { QuodError } from '../../core/errors.ts';
import { nextHeading, outlineOf, withSmallHeadings, withoutBlocks } from './headings.ts';
import { listedTargets, type TargetList, type TaskTarget } from './listed-targets.ts';

/** With what may close a heading behind it. */
const TARGETS = /^targets\s*:?\s*#*$/iu;
const HANDOFF = 'Handoff';
const MARK = '<!-- Quod writes this section anew with each hand-off. -->';

/**
 * @param isTarget Whether a word names a file that there is and that can be proved in.
 * @throws QuodError `invalid-input` when the text names none.
 */
export function taskTargets(
  text: string,
  file: string,
  isTarget: (name: string) => boolean,
): readonly TaskTarget[] {
  const lists = targetLists(text);
  if (lists.length === 0) requireNamed(text, file, isTarget);
  const found =
    lists.length === 0 ? mentioned(text, isTarget) : lists.flatMap((list) => listedTargets(list, file));
  if (found.length > 0) return found;
  throw new QuodError('invalid-input', 'The task names no file to prove in.', {
    place: { file },
    remedy: 'Write a section `## Targets` with lines such as `- theory.v: lemma_1, lemma_2`.',
  });
}

/** A target as models and people are told of it: its file by the way from the task, not by where the user keeps both. */
export function namedTarget(
  { theorem, file }: { readonly theorem: string; readonly file: string },
  task: { readonly file: string },
): string {
  return `${theorem} (${isAbsolute(file) ? relative(dirname(task.file), file) : file})`;
}

/** Files of provers that stand as code in the text are meant: one that cannot be proved in is not left out in silence. */
function requireNamed(text: string, file: string, isTarget: (name: string) => boolean): void {
  const named = spansOf(text).filter((span) => /^\S+\.(?:v|lean|fsti?|sml)$/u.test(span));
  const missing = [...new Set(named)].filter((name) => !isTarget(name));
  if (missing.length === 0) return;
  throw new QuodError(
    'invalid-input',
    `The task names ${missing.join(', ')}, in which nothing can be proved here.`,
    {
      place: { file },
      remedy:
        'Files have to be there, and be Rocq files (.v) or HOL4 scripts (…Script.sml). Mend the names, or list what is meant in a section `## Targets`.',
    },
  );
}

function mentioned(text: string, isTarget: (name: string) => boolean): readonly TaskTarget[] {
  // One that stands as code is told whole, blanks included.
  const code = spansOf(text).filter(isTarget);
  const prose = code.reduce((rest, name) => rest.replaceAll(`\`${name}\``, ' '), withoutHandoff(text));
  const words = prose.match(/[\p{L}\p{M}\p{N}_./-]+\.(?:v|sml)(?![\p{L}\p{N}_])/gu) ?? [];
  return [...new Set([...code, ...words.filter(isTarget)])].map((file) => ({ file, theorems: undefined }));
}

/** What stands as code within a line. */
function spansOf(text: string): readonly string[] {
  return [...withoutHandoff(text).matchAll(/`([^`\n]+)`/gu)].map(([, span]) => orNothing(span).trim());
}

/** The text as it is told to a model at first: what an earlier run handed off is not part of the task. */
export function withoutHandoff(text: string): string {
  const section = ownSection(text);
  return section === undefined ? text : text.slice(0, section.start) + text.slice(section.end);
}

/** The targets of a task, with those ticked that are proved. */
export function targetList<Named extends { readonly theorem: string; readonly file: string }>(
  targets: readonly Named[],
  isProved: (target: Named) => boolean,
  task: { readonly file: string },
): string {
  return targets
    .map((target) => `- [${isProved(target) ? 'x' : ' '}] ${namedTarget(target, task)}`)
    .join('\n');
}

/** What is handed off, for Quod's section. @param state Empty where there is none. */
export function handoffText({ list, note, state }: Record<'list' | 'note' | 'state', string>): string {
  return [list, boundedNote(note), ...(state === '' ? [] : [state])].join('\n\n');
}

/** Of a note that a model writes; ten lines are asked for. */
const LONGEST_NOTE = 4000;

/** What of a note goes into a task file, which has to stay one that can be read. */
function boundedNote(note: string): string {
  const text = note.trim();
  if (text === '') return '(no note)';
  if (text.length <= LONGEST_NOTE) return text;
  // A character of two units is not cut in the middle.
  const kept = text.slice(0, LONGEST_NOTE).replace(/[\ud800-\udbff]$/u, '');
  return `${kept}\n\n(Cut: the note went on for ${text.length - kept.length} characters.)`;
}

/** The text with another note in Quod's section. To what is not of the section something is added at most: its end. */
export function withHandoff(text: string, note: string): string {
  const section = ownSection(text);
  // What a model wrote is shown in terminals and committed. A heading of the note must not end the section.
  const inside = withSmallHeadings(inert(note.replaceAll('\r\n', '\n')).trim());
  const written = `## ${HANDOFF}\n\n${MARK}\n\n${closed(inside)}\n`;
  if (section === undefined) {
    const before = closed(text);
    const gap = before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
    return `${before}${gap}${written}`;
  }
  const after = text.slice(section.end);
  return `${text.slice(0, section.start)}${written}${after === '' ? '' : `\n${after}`}`;
}

/**
 * The text without Quod's section, when nothing is left to be handed off. The same text where the section is not what Quod
 * wrote: somebody may have written behind it.
 * @param known what the run knows the file to be, @param begun what it was before the run.
 */
export function withoutKnownHandoff(
  text: string,
  { known, begun }: Record<'known' | 'begun', string>,
): string {
  const section = knownSection(text, known);
  if (section === undefined) return text;
  const rest = withoutHandoff(text);
  // What was added so that the section can stand there is taken away with it.
  const own = withoutHandoff(begun);
  if (own === begun && rest === withoutHandoff(withHandoff(own, ''))) return own;
  return section.end < text.length ? rest : rest.replace(/\n+$/u, '\n');
}

/** The text with another note in Quod's section; the same text where that is not what Quod wrote. */
export function withKnownHandoff(text: string, known: string, note: string): string {
  return knownSection(text, known) === undefined ? text : withHandoff(text, note);
}

function knownSection(text: string, known: string): Section | undefined {
  const [section, before] = [ownSection(text), ownSection(known)];
  if (section === undefined || before === undefined) return undefined;
  const isSame = text.slice(section.start, section.end) === known.slice(before.start, before.end);
  return isSame ? section : undefined;
}

/** What is left open would take in what comes behind it. */
function closed(text: string): string {
  const { closing } = outlineOf(text);
  if (closing === undefined) return text;
  return `${text}${text.endsWith('\n') ? '' : '\n'}${closing}`;
}

interface Section {
  readonly start: number;
  readonly end: number;
}

/** Every section of targets, each to the next heading of the first or second level: one in a fence ends none. */
function targetLists(text: string): readonly TargetList[] {
  const headings = outlineOf(text).headings.filter(({ level, title }) => level === 2 && TARGETS.test(title));
  const outside = withoutBlocks(text);
  return headings.map(({ end: start }) => ({
    body: text.slice(start, start + nextHeading(outside.slice(start))),
    line: text.slice(0, start).split('\n').length,
  }));
}

/** What Quod wrote before: from its heading to the next one of the first or second level, or to the end. */
function ownSection(text: string): Section | undefined {
  const heading = outlineOf(text).headings.find(
    ({ level, title, end }) =>
      level === 2 && title === HANDOFF && text.slice(end).trimStart().startsWith(MARK),
  );
  if (heading === undefined) return undefined;
  const end = heading.end + nextHeading(text.slice(heading.end));
  return { start: heading.start, end };
}
