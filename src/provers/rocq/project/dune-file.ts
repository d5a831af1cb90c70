/** Which file of a folder dune reads. */
import { dirname, join } from 'node:path';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { readWithFaults } from '../s-expression.ts';
import { DUNE_FILES } from './project-sayings.ts';
import { isFile } from './project-text.ts';

/** A project may say that `dune-file` is a name of it, too, which then goes before `dune`. */
export async function duneFileIn(folder: string): Promise<string | undefined> {
  for (const name of DUNE_FILES) {
    const file = join(folder, name);
    if (isFile(file) && (name === 'dune' || (await acceptsAlternative(folder)))) return file;
  }
  return undefined;
}

async function acceptsAlternative(folder: string): Promise<boolean> {
  for (let up = folder; ; up = dirname(up)) {
    const file = join(up, 'dune-project');
    if (isFile(file)) {
      const text = await readRegularText(file).catch(() => '');
      return readWithFaults(text).expressions.some(
        (stanza) => stanza[0] === 'accept_alternative_dune_file_name' && stanza[1] !== 'false',
      );
    }
    if (dirname(up) === up) return false;
  }
}
