/** What to do about files of which nothing is known but what their texts show. */
import { counted } from '../../core/counted.ts';
import { foreignName } from '../../core/foreign-text.ts';
import type { CompiledState } from '../../provers/rocq/build/compiled-state.ts';
import type { Saying } from '../definition/operation.ts';

interface KnownByText {
  readonly file: string;
  readonly language: string;
  /** Null where nothing is compiled of such files. */
  readonly compiled: CompiledState | null;
}

/**
 * Lines; none where there are no such files.
 * @param isUnchecked Whether these, without those of Lean, are the files in which nobody looked for errors.
 */
export function knownByTextText(
  files: readonly KnownByText[],
  isUnchecked: (count: number) => boolean,
  say: Saying,
): readonly string[] {
  const isLean = ({ language }: KnownByText): boolean => language === 'lean';
  const others = files.filter((file) => !isLean(file));
  return [
    ...(others.length === 0 ? [] : byTextAlone(others, isUnchecked(others.length))),
    ...leanText(files.filter(isLean).length, say),
  ];
}

/** Nothing here runs a Lean file. */
function leanText(count: number, say: Saying): readonly string[] {
  if (count === 0) return [];
  return [
    `${counted(count, 'Lean file')} known by the text alone, which does not show all that is open: no command runs Lean files; ${say('what Lean compiled of them (.olean) is judged by `gate_verify`')}`,
  ];
}

function byTextAlone(files: readonly KnownByText[], isUnchecked: boolean): readonly string[] {
  const those = files.length === 1 ? 'it' : 'them';
  const canBe = files.some(({ compiled }) => compiled !== 'no-module-name');
  const named = (state: CompiledState): string =>
    files.flatMap(({ file, compiled }) => (compiled === state ? [foreignName(file)] : [])).join(', ');
  const [misnamed, unknown] = [named('no-module-name'), named('not-known')];
  return [
    `${counted(files.length, 'file')} known by the text alone, which does not show all that is open${isUnchecked ? ', nor errors' : ''}: ${canBe ? `compile ${those}, or ` : ''}ask with --check`,
    ...(misnamed === ''
      ? []
      : [
          `No module of Rocq can be called so, and none is compiled: ${misnamed}. Rename what has other characters than letters, digits, _ and ' in its name.`,
        ]),
    ...(unknown === ''
      ? []
      : [
          `From which text this was compiled is not known (no .glob beside it, or a file that it loads is not found): ${unknown}. Delete the .vo and build it again.`,
        ]),
  ];
}
