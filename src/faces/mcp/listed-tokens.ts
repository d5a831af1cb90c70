/** How many tokens of a model's context the list of tools takes, for every list and for machines with other provers. */
import type { Tool } from '@modelcontextprotocol/server';
import { CATALOGUE } from '../../operations/catalogue.ts';
import { PROVER_AREAS } from '../../sessions/installed-provers.ts';
import type { ProverArea } from '../../sessions/installed-provers.ts';
import { findingTools } from './finding-tools.ts';
import { toolListing } from './operation-tool.ts';
import { shownOperations } from './tool-choice.ts';
import type { ToolList } from './tool-choice.ts';

/** `o200k_base` needs 4.05 to 4.24 for these lists (`bench/mcp/tool-tokens.ts`): the estimate is on the safe side. */
const CHARACTERS_PER_TOKEN = 4;

export function listedTokens(tools: readonly Tool[]): number {
  return Math.ceil(JSON.stringify({ tools }).length / CHARACTERS_PER_TOKEN);
}

export interface Listing {
  readonly name: string;
  readonly tools: readonly Tool[];
}

export function listings(): readonly Listing[] {
  const machines = [
    ...PROVER_AREAS.map((area) => ({ title: area, installed: [area] })),
    { title: 'all provers', installed: PROVER_AREAS },
  ];
  return [
    { name: 'all, with output schemas', tools: listed('all', PROVER_AREAS, true) },
    { name: 'all', tools: listed('all', PROVER_AREAS, false) },
    ...machines.flatMap(({ title, installed }) =>
      (['installed', 'core'] as const).map((list) => ({
        name: `${list}, ${title}`,
        tools: listed(list, installed, false),
      })),
    ),
  ];
}

/** What an AI may call: `quod mcp` offers nothing that is for people alone. */
const OFFERED = CATALOGUE.filter(({ forPeople }) => !forPeople);

function listed(list: ToolList, installed: readonly ProverArea[], outputSchemas: boolean): readonly Tool[] {
  const shown = shownOperations(list, OFFERED, installed);
  const finding = findingTools({ operations: OFFERED, installed, tools: new Map() });
  return [
    ...shown.map((operation) => toolListing(operation, outputSchemas)),
    ...(shown.length === OFFERED.length ? [] : finding.map(({ listing }) => listing)),
  ];
}
