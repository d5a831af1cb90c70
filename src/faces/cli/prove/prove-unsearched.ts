/**
 * `quod prove` on a file in a language that Quod does not search: the holes that the text shows, and what can be done
 * about them. Never success, and never that there are no holes: nothing was searched.
 */
import { inertJson } from '../../../core/foreign-text.ts';
import { counted } from '../../../core/counted.ts';
import { QuodError } from '../../../core/errors.ts';
import { foreignName } from '../../../core/foreign-text.ts';
import { LineIndex } from '../../../core/position.ts';
import type { SourceFile } from '../../../operations/files/source-file.ts';
import type { SourceLanguage } from '../../../operations/files/source-language.ts';
import type { FoundHole } from '../../../operations/files/check-report.ts';

export type UnsearchedLanguage = Exclude<SourceLanguage, 'rocq'>;

interface Ways {
  readonly name: string;
  /** What helps with the holes of a file. */
  readonly about: (file: string) => readonly (readonly [command: string, effect: string])[];
}

const WAYS: Readonly<Record<UnsearchedLanguage, Ways>> = {
  hol4: {
    name: 'HOL4',
    about: (file) => [
      [`quod agent ${file}`, 'proves them with a language model of your choice'],
      [`quod check ${file}`, 'runs the script: all errors and cheats'],
      ['quod hol holmake', 'builds the theories and says which rest on cheats'],
    ],
  },
  fstar: {
    name: 'F*',
    about: (file) => [
      [`quod check ${file}`, 'checks every declaration: all errors and what was admitted'],
      ['quod mcp install --client NAME', 'gives an AI client live F* sessions to prove them in'],
    ],
  },
  lean: {
    name: 'Lean',
    about: () => [['quod verify TARGET SUBMISSION', 'judges the compiled proofs (.olean)']],
  },
};

/** Prints the holes on stdout, and answers the error that says why none is proved. */
export async function tellUnsearched(
  source: SourceFile,
  language: UnsearchedLanguage,
  options: { readonly json: boolean },
): Promise<QuodError> {
  const { name, about } = WAYS[language];
  const { visibleHoles } = await import('../../../operations/project/visible-holes.ts');
  const holes = visibleHoles(language, source.text);
  tellHoles(source, holes, { language, message: `Quod does not search ${name}.`, json: options.json });
  const seen =
    holes.length === 0
      ? 'Its text shows none, which is no proof that there is none.'
      : `Its text shows ${counted(holes.length, 'hole')}.`;
  return new QuodError('unsupported', `Quod does not search proofs in ${name}. ${seen}`, {
    place: { file: source.name },
    remedy: `What can be done: ${about(source.name)
      .map(([command, effect]) => `\`${command}\` ${effect}`)
      .join('; ')}.`,
  });
}

/** Where each is, and why it is left alone. */
export function tellHoles(
  source: SourceFile,
  holes: readonly FoundHole[],
  why: { readonly language: string; readonly message: string; readonly json: boolean },
): void {
  const lines = new LineIndex(source.text);
  for (const { theorem, kind, span } of holes) {
    const { line, column } = lines.printedAt(span.start);
    if (why.json)
      console.log(
        inertJson({
          ...{ theorem, line, column, hole: kind },
          ...{ outcome: 'not-proved', reason: 'unsupported', message: why.message },
          rests_on: { prover: why.language, file: source.name, file_hash: source.hash },
        }),
      );
    else {
      const told = `${foreignName(source.name)}:${line}:${column}: hole: ${theorem} (${kind})`;
      if (why.language === 'rocq') console.error(told);
      else console.log(told);
    }
  }
}
