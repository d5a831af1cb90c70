/**
 * Statements that Rocq finds by a pattern, as its `Search` does, and those whose proofs are nearest to a goal. Both
 * are asked for with Enter: they run a file, or compare with every proof of the project.
 */
import { useAsked } from '../../parts/asked.ts';
import { SaidBadge } from '../../parts/badge.tsx';
import { useChosenRow } from '../../parts/chosen-row.ts';
import { cut, cutText } from '../../parts/cut.ts';
import { Term } from '../../parts/goal.tsx';
import { GroundsBelow } from '../../parts/grounds-below.tsx';
import type { Build } from '../../parts/last-build.ts';
import { Empty, ErrorNote, Working } from '../../parts/notes.tsx';
import { stateSaid } from '../../parts/stated.ts';
import type { Statement } from '../../parts/stated.ts';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { call } from '../../server/client.ts';
import { addressOf } from '../../shell/route.ts';

export type AskedHow = 'pattern' | 'goal';

interface AskedStatementsProps {
  readonly how: AskedHow;
  /** What was typed when Enter was pressed. */
  readonly text: string;
  /** The file from whose end Rocq looks. */
  readonly file: string;
  readonly all: readonly Statement[];
  readonly build: Build;
}

/** How many results a pattern may have. */
const MOST = 1000;

interface Found {
  readonly name: string;
  readonly statement: string;
  readonly file: string | undefined;
  readonly line: number;
  /** What the project states there, where it is certain. */
  readonly own?: Statement | undefined;
}

export function AskedStatements({ how, text, file, all, build }: AskedStatementsProps) {
  const asked = useAsked(
    async (signal): Promise<readonly Found[]> => {
      if (text === '') return [];
      if (how === 'goal') {
        const input = { file, goal: text, scope: 'project', limit: 50 } as const;
        const { proofs } = await call('rocq_similar_proofs', input, { signal });
        return proofs.map((proof) => ({
          ...{ name: proof.name, file: proof.file, line: proof.line },
          statement: `${proof.statement}\n${proof.proof}`,
          own: all.find(
            (one) => one.file === proof.file && one.line === proof.line && one.name === proof.name,
          ),
        }));
      }
      const { results } = await call('rocq_search', { pattern: text, file, limit: MOST }, { signal });
      return results.map((result) => foundOf(result, all));
    },
    [how, text, file],
  );
  const found = asked.value ?? [];
  const chosen = useChosenRow(found, keyOf);
  if (text === '') return <Empty title={TITLES[how]}>{HINTS[how]}</Empty>;
  if (asked.state === 'failed') return <ErrorNote error={asked.error} again={asked.again} />;
  if (asked.state === 'asking')
    return <Working text={how === 'pattern' ? `Rocq looks from the end of ${file}` : 'Comparing proofs'} />;
  // Until one is chosen, and where the chosen one is not found any more, the first is shown.
  const at = Math.max(0, chosen.index);
  const shown = found[at];
  return (
    <>
      <VirtualList
        rows={found}
        rowHeight={28}
        label="Statements found"
        keyOf={keyOf}
        chosen={at}
        onChoose={chosen.choose}
        render={({ name, statement, own }) => (
          <>
            <Standing own={own} build={build} inList />
            <code {...cutText(name, 'statement-name')} />
            <code {...cutText(statement.replace(/\s+/g, ' ').slice(0, 240), 'faint')} />
          </>
        )}
      />
      <div class="chosen-statement" aria-live="polite">
        {shown === undefined ? (
          <p class="note">Nothing was found.</p>
        ) : (
          <>
            <div class="row spread">
              <span class="row">
                <Standing own={shown.own} build={build} />
                <strong {...cut(shown.name)}>{shown.name}</strong>
              </span>
              {shown.file === undefined ? (
                <small>of a library</small>
              ) : (
                <a
                  {...cut(`${shown.file}:${shown.line}`)}
                  href={addressOf('file', shown.file, { line: String(shown.line) })}
                >
                  {shown.file}:{shown.line}
                </a>
              )}
            </div>
            <Term text={shown.statement} />
          </>
        )}
      </div>
    </>
  );
}

interface StandingProps {
  readonly own: Statement | undefined;
  readonly build: Build;
  readonly inList?: boolean;
}

/** A proof in the text of a file is none that Rocq has taken: how it stands is shown as in the list of statements. */
function Standing({ own, build, inList = false }: StandingProps) {
  if (own === undefined) return null;
  return (
    <>
      <SaidBadge said={stateSaid(own, build)} inList={inList} />
      <GroundsBelow one={own} inList={inList} />
    </>
  );
}

function keyOf({ file, line, name }: Found): string {
  return `${file ?? ''}:${line}:${name}`;
}

const TITLES: Readonly<Record<AskedHow, string>> = {
  pattern: 'A pattern, then Enter',
  goal: 'A statement, then Enter',
};

const HINTS: Readonly<Record<AskedHow, string>> = {
  pattern: 'What stands behind Search in Rocq: (_ + 0 = _), "comm", (_ ++ _) inside List, -negb.',
  goal: 'Finished proofs of the project are ranked by how near they are to it.',
};

/** `app_nil_r: forall …`, with its place where the project states it. */
function foundOf(result: string, all: readonly Statement[]): Found {
  const [, name = result, statement = ''] = /^([^\s:]+)\s*:\s*([^]*)$/u.exec(result) ?? [];
  const last = name.slice(name.lastIndexOf('.') + 1);
  const own = all.find((one) => one.name === last && one.file.endsWith('.v'));
  return { name, statement, file: own?.file, line: own?.line ?? 1 };
}
