/**
 * The holes that a text shows, for all four languages and without any prover: `Admitted`, `cheat`, `admit ()`, `sorry`.
 * What a hole hides behind (a macro, an option of a build) only a prover sees, so no hole here is no claim that
 * there is none.
 */
import { scanText } from '../../provers/fstar/audit/scan.ts';
import { parseScript } from '../../provers/hol4/syntax/script.ts';
import { leanHoles } from '../../provers/lean/syntax/holes.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { holesOf } from '../rocq/check/holes-of-file.ts';
import { gapsByName, type FoundHole } from '../files/check-report.ts';
import { cheatsOf as holesOfScript } from '../hol4/check-script.ts';
import type { SourceLanguage } from '../files/source-language.ts';

/** In the order of the text. */
export function visibleHoles(language: SourceLanguage, text: string): readonly FoundHole[] {
  const holes = holesIn(language, text).toSorted((one, other) => one.span.start - other.span.start);
  return language === 'rocq' ? holes : gapsByName(holes);
}

function holesIn(language: SourceLanguage, text: string): FoundHole[] {
  switch (language) {
    case 'rocq':
      return holesOf(outlineOf(text));
    case 'hol4':
      return holesOfScript(parseScript(text));
    case 'fstar':
      return scanText(text)
        .filter(({ severity }) => severity === 'unsound')
        .map(({ text: kind, span, declaration, affects }) => ({
          theorem: declaration ?? (affects.join(', ') || 'options'),
          kind,
          span: span ?? { start: 0, end: 0 },
        }));
    case 'lean':
      return leanHoles(text).map(({ word, span, declaration }) => ({
        theorem: declaration,
        kind: word,
        span,
      }));
  }
}
