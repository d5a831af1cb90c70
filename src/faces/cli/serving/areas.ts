/** The areas of `--tools rocq,gate`. */
import { QuodError } from '../../../core/errors.ts';
import { AREAS } from '../../../operations/definition/operation.ts';
import type { Area } from '../../../operations/definition/operation.ts';
import { TOOL_LISTS } from '../../mcp/tool-choice.ts';

/** All areas when nothing was chosen. @throws QuodError `invalid-input` when there is no such area. */
export function areasOf(text: string | undefined): readonly Area[] {
  if (text === undefined) return AREAS;
  return text.split(',').map((name) => {
    const area = AREAS.find((known) => known === name.trim());
    if (area === undefined) {
      throw new QuodError('invalid-input', `There are no tools called ${name.trim()}.`, {
        remedy: `Choose from ${TOOL_LISTS.join(', ')}, or from the areas ${AREAS.join(', ')}.`,
      });
    }
    return area;
  });
}
