/**
 * What a search has told so far: a graph of goals for each theorem, since several may be searched, one after the other or at
 * once, and what became of them.
 */
import { orZero } from '../../../../../src/core/entry.ts';
import type { JudgedSentence } from '../../../../../src/provers/rocq/syntax/judged-text.ts';
import type { OutputOf } from '../../../server/client.ts';
import type { JobDetail } from '../../../server/job-details.ts';
import type { RestsOn } from '../../../parts/rests-on.ts';
import { addNews, emptyGraph, textOf } from './search-graph.ts';
import type { SearchGraph } from './search-graph.ts';

/** What became of one theorem. */
export type SearchResult = OutputOf<'proof_search'>['results'][number];

/** Those that the gate has accepted: all of them in one text. */
export function acceptedOf(results: readonly SearchResult[]): readonly SearchResult[] {
  return results.filter(({ outcome }) => outcome === 'proved' || outcome === 'proved-but');
}

/** One theorem's part of it. */
export interface TheoremSearch {
  readonly graph: SearchGraph;
  /** How long its goals were searched until `since`, in milliseconds. */
  searchedMs: number;
  /** Since when they are, by the server's clock; undefined: they are not. */
  since: number | undefined;
  /** What is done about it; undefined: nothing any more. */
  phase: string | undefined;
  /** Its proof, while the gate judges that. */
  unjudged: string | undefined;
}

export interface SearchNews {
  /** In the order in which they were begun. */
  readonly theorems: Map<string, TheoremSearch>;
  /** The text that is searched; undefined where the server has forgotten it. */
  searched: readonly JudgedSentence[] | undefined;
  /** What it is searched with; undefined, too, until it is read. */
  restsOn: RestsOn | undefined;
  /** What became of the theorems that were searched before. */
  readonly finished: SearchResult[];
  /** What was open above the theorem that was begun last: a proof may use it. */
  openAbove: readonly string[];
  /** Theorems with an accepted proof that is told when what it rests on was searched, too; with what that is. */
  readonly waiting: Map<string, readonly string[]>;
}

export function noNews(): SearchNews {
  return {
    theorems: new Map(),
    searched: undefined,
    restsOn: undefined,
    finished: [],
    openAbove: [],
    waiting: new Map(),
  };
}

export function addSearchNews(all: SearchNews, news: JobDetail): void {
  switch (news['kind']) {
    case 'begun':
      // The server wrote both by what the types come from.
      all.searched = news['sentences'] as readonly JudgedSentence[];
      all.restsOn = news['rests_on'] as RestsOn;
      return;
    case 'started':
      all.openAbove = textsOf(news['open_above']);
      return;
    case 'phase': {
      const search = searchOf(all, news);
      search.phase = textOf(news['phase']);
      noteTime(search, news, search.phase === 'search');
      return;
    }
    case 'found':
      searchOf(all, news).unjudged = textOf(news['script']);
      return;
    case 'waits':
      endWork(searchOf(all, news));
      all.waiting.set(textOf(news['theorem']), textsOf(news['rests_on_open']));
      return;
    case 'again':
      all.waiting.delete(textOf(news['theorem']));
      searchOf(all, news).unjudged = undefined;
      return;
    case 'finished': {
      // The server wrote it by the same definition from which the type comes.
      const result = news['result'] as SearchResult;
      all.finished.push(result);
      all.waiting.delete(result.theorem);
      const search = all.theorems.get(result.theorem);
      if (search === undefined) return;
      endWork(search);
      noteTime(search, news, false);
      return;
    }
    default:
      addNews(searchOf(all, news).graph, news);
  }
}

function searchOf(all: SearchNews, news: JobDetail): TheoremSearch {
  const theorem = textOf(news['theorem']);
  const known = all.theorems.get(theorem);
  if (known !== undefined) return known;
  const begun = {
    graph: emptyGraph(theorem),
    searchedMs: 0,
    since: undefined,
    phase: undefined,
    unjudged: undefined,
  };
  all.theorems.set(theorem, begun);
  return begun;
}

function endWork(search: TheoremSearch): void {
  search.phase = undefined;
  search.unjudged = undefined;
}

/** What else is done about a theorem (the file is run, the gate judges) is no time of its search. */
function noteTime(search: TheoremSearch, { at }: JobDetail, isSearching: boolean): void {
  if (typeof at !== 'number') return;
  if (search.since !== undefined) search.searchedMs += at - search.since;
  search.since = isSearching ? at : undefined;
}

/** @param now By the server's clock, or when all ended. */
export function searchedSeconds({ searchedMs, since }: TheoremSearch, now: number): number {
  return (searchedMs + (since === undefined ? 0 : now - since)) / 1000;
}

/** Where several are worked on at once, what says most: the file may be run for one while another is searched. */
const TELLING = ['search', 'refute', 'lemmas', 'judge', 'file'] as const;

/** What is done now; empty: nothing yet, and `between`: something that is about none of the theorems. */
export function phaseOf({ theorems }: Pick<SearchNews, 'theorems'>): string {
  const phases = new Set([...theorems.values()].map(({ phase }) => phase));
  return TELLING.find((phase) => phases.has(phase)) ?? (theorems.size > 0 ? 'between' : '');
}

/** Those of which there is a graph. */
export function withGraph({ theorems }: SearchNews): TheoremSearch[] {
  return [...theorems.values()].filter(({ graph }) => graph.goals.size > 0);
}

/** Whether anything of a proof could be taken from the graph of a theorem. */
export function hasWay({ theorems }: Pick<SearchNews, 'theorems'>, theorem: string): boolean {
  return orZero(theorems.get(theorem)?.graph.goals.size) > 1;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}
