/** Which operations a server offers: those of some areas, or the tools of another server under their own names. */
import { QuodError } from '../../../core/errors.ts';
import { CATALOGUE, COMPATIBLE_CATALOGUES, operationsOf } from '../../../operations/catalogue.ts';
import type { AnyOperation } from '../../../operations/definition/operation.ts';
import type { Host } from '../../host.ts';
import { compatibleSurface, isCompatibleServer } from '../../mcp/compatible-surface.ts';
import { OFFER_ALL, quodSurface } from '../../mcp/quod-surface.ts';
import type { Offer } from '../../mcp/quod-surface.ts';
import { isToolList } from '../../mcp/tool-choice.ts';
import type { McpSurface } from '../../mcp/surface.ts';
import { areasOf } from './areas.ts';

export interface OfferedChoice {
  readonly tools?: string;
  /** Areas of which nothing is offered, whatever else is: `agent,data`. */
  readonly without?: string;
  readonly compat?: string;
  readonly outputSchemas?: boolean;
}

/** @throws QuodError `invalid-input` for a server that Quod does not stand in for. */
export function offeredOperations({ tools, without, compat }: OfferedChoice): readonly AnyOperation[] {
  if (compat === undefined) {
    const chosen = tools !== undefined && isToolList(tools) ? CATALOGUE : operationsOf(areasOf(tools));
    const kept = without === undefined ? [] : areasOf(without);
    return chosen.filter(({ area }) => !kept.includes(area));
  }
  const operations = COMPATIBLE_CATALOGUES[compat];
  if (operations === undefined) {
    throw new QuodError('invalid-input', `Quod cannot take the place of ${compat}.`, {
      remedy: `Choose from ${Object.keys(COMPATIBLE_CATALOGUES).join(', ')}.`,
    });
  }
  return operations;
}

export function offeredSurface(choice: OfferedChoice, host: Host, client: string): McpSurface {
  const { compat } = choice;
  return isCompatibleServer(compat)
    ? compatibleSurface(compat, quodSurface(host, client, OFFER_ALL))
    : quodSurface(host, client, offerOf(choice));
}

/** Whoever names areas sees all of them; nobody is shown everything who did not ask for it. */
function offerOf({ tools = 'core', outputSchemas = false }: OfferedChoice): Offer {
  return { list: isToolList(tools) ? tools : 'all', outputSchemas };
}
