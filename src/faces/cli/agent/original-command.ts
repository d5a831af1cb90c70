/** `quod run original`: the bytes of a file, which a terminal's answer could not keep. */
import { resolve } from 'node:path';
import { foldRun } from '../../../agent/runs/fold.ts';
import { findRun, readRun, runsFolder } from '../../../agent/runs/run-log.ts';
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { foreignName } from '../../../core/foreign-text.ts';
import { sha256 } from '../../../core/sha256.ts';
import { BYTE_ORDER_MARK } from '../../../process/foreign-folder/byte-order-mark.ts';
import type { ExitCode } from '../exit/exit-codes.ts';

/** The file as it was before the run, byte for byte as text. */
export function originalCommand(wanted: string, { file }: { readonly file?: string }): ExitCode {
  const runs = runsFolder(process.cwd());
  const name = findRun(runs, wanted);
  const state = foldRun(readRun(runs, name));
  const worked = state?.files ?? [];
  // The hand-offs of a task are written into it.
  const files = [...worked, ...(state?.task == null ? [] : [state.task])];
  const found =
    file === undefined && worked.length === 1
      ? worked[0]
      : files.find((one) => one.file === resolve(orNothing(file)));
  if (found === undefined) {
    const names = files.map((one) => foreignName(one.file)).join(', ');
    const said =
      file === undefined
        ? `Run ${name} worked on ${files.length === 0 ? 'no file that its log has' : 'several files'}.`
        : `Run ${name} did not work on ${foreignName(file)}.`;
    throw new QuodError('invalid-input', said, {
      remedy: names === '' ? 'Start a new run.' : `Name one that it worked on with --file: ${names}.`,
    });
  }
  process.stdout.write(bytesOf(found));
  return 0;
}

/** A log has the text without the byte order mark that the file may have had; its hash is of the bytes. */
function bytesOf({
  text,
  fileHash,
}: {
  readonly text: string;
  readonly fileHash?: string | undefined;
}): string {
  const marked = `${BYTE_ORDER_MARK}${text}`;
  return sha256(marked) === fileHash ? marked : text;
}
