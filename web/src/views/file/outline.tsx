/** What the file states, and what of it is open: the way through a file where no goal is shown. */
import { SaidBadge, type Said } from '../../parts/badge.tsx';
import { useBuild } from '../../parts/build.tsx';
import type { Build } from '../../parts/last-build.ts';
import { cutText } from '../../parts/cut.ts';
import { GroundsBelow } from '../../parts/grounds-below.tsx';
import { useAsked } from '../../parts/asked.ts';
import { useChosenRow } from '../../parts/chosen-row.ts';
import { ErrorNote, Working } from '../../parts/notes.tsx';
import { errorsBelow, inErrorAmong } from '../../parts/in-error.ts';
import { IN_ERROR, isOfSection, stateSaid, statementLine } from '../../parts/stated.ts';
import type { Statement } from '../../parts/stated.ts';
import { counted } from '../../../../src/core/counted.ts';
import { orZero } from '../../../../src/core/entry.ts';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { call } from '../../server/client.ts';
import type { OpenDocument } from './open-document.ts';
import { offsetOf } from './positions.ts';
import { placeOf, statedAt } from './theorem-places.ts';

interface OutlineProps {
  readonly open: OpenDocument;
  readonly onPlace: (at: number) => void;
}

export function Outline({ open, onPlace }: OutlineProps) {
  const build = useBuild();
  const { text, hash } = open.saved.value;
  const asked = useAsked(
    (signal) => call('proof_statements', { paths: [open.file], limit: 10_000 }, { signal }),
    [open, hash],
  );
  const statements = (asked.value?.statements ?? []).filter((one) => !isOfSection(one));
  const keys = keysOf(statements);
  const keyOf = (one: Statement): string => keys.get(one) ?? one.name;
  const chosen = useChosenRow(statements, keyOf);
  if (asked.state === 'failed') return <ErrorNote error={asked.error} again={asked.again} />;
  if (asked.value === undefined) return <Working text="Reading the statements" />;
  const { text: checked, sentences } = open.checking.value;
  const faults = checked.eq(text) ? sentences.filter(({ status }) => status === 'refused') : [];
  const linesOf = (some: typeof faults) => new Map([[open.file, some.map(({ line }) => line)]]);
  const inError = inErrorAmong(
    statements,
    linesOf(faults.filter(({ error }) => typeof error?.follows !== 'string')),
  );
  const below = errorsBelow(statements, inError);
  const following = inErrorAmong(statements, linesOf(faults));
  const refused = (one: Statement): Said | undefined =>
    inError.has(one) ? IN_ERROR : following.has(one) ? FOLLOWS : undefined;
  const holes = statements.filter(({ state }) => state === 'open').length;
  const onHoles = statements.filter(
    ({ state, rests_on_open }) => state === 'proved' && rests_on_open.length > 0,
  ).length;
  /** What was typed meanwhile may have moved it. */
  const movedTo = (name: string, was: number): number => {
    const written = open.text.peek().toString();
    const found = written.indexOf(name);
    return (open.language === 'rocq' ? placeOf(written, name) : undefined) ?? (found < 0 ? was : found);
  };
  const goTo = ({ name, line }: Statement): void => {
    const now = open.text.peek();
    const inLine = offsetOf(text, { line, column: 0 });
    const isRocq = open.language === 'rocq';
    const stated = isRocq ? statedAt(text.toString(), line, name) : undefined;
    const at = Math.min(open.changed.peek() ? movedTo(name, inLine) : (stated ?? inLine), now.length);
    // Behind what is stated, where its goal is shown.
    const sentence = open.checking.peek().sentences.find(({ to }) => to > at);
    onPlace(sentence?.to ?? at);
  };
  return (
    <div class="outline">
      <p class="note">
        {statements.length === 0
          ? 'This file states nothing.'
          : `${counted(statements.length, 'statement')}, ${holes === 0 ? 'nothing open' : `${holes} open (Alt+H goes to the next)`}${onHoles > 0 ? `, ${onHoles} with something open below` : ''}${inError.size > 0 ? `, ${inError.size} in error` : ''}${open.changed.value ? ', as it was saved' : ''}`}
      </p>
      <div
        class="outline-list"
        onKeyDown={({ key }) => {
          if (key === 'Enter' && chosen.row !== undefined) goTo(chosen.row);
        }}
      >
        <VirtualList
          rows={statements}
          rowHeight={26}
          label="Statements of the file; Enter goes there"
          keyOf={keyOf}
          chosen={chosen.index}
          onChoose={chosen.choose}
          render={(one) => (
            <OutlineRow
              {...{ one, build }}
              errors={below.get(one)}
              refused={refused(one)}
              onOpen={() => goTo(one)}
            />
          )}
        />
      </div>
    </div>
  );
}

/** What is typed above a statement moves its line, so it is known by its name, and of one name by which of them it is. */
function keysOf(statements: readonly Statement[]): ReadonlyMap<Statement, string> {
  const counts = new Map<string, number>();
  return new Map(
    statements.map((one) => {
      const count = orZero(counts.get(one.name));
      counts.set(one.name, count + 1);
      return [one, `${one.name}#${count}`];
    }),
  );
}

const FOLLOWS: Said = {
  ...{ word: 'follows', sign: 'follows', tone: 'plain' },
  title: 'Rocq refuses it, maybe since something before it failed.',
};

interface OutlineRowProps {
  readonly one: Statement;
  readonly build: Build;
  /** What it rests on in which an error stands. */
  readonly errors: readonly string[] | undefined;
  readonly refused: Said | undefined;
  readonly onOpen: () => void;
}

function OutlineRow({ one, build, errors, refused, onOpen }: OutlineRowProps) {
  const { name, statement, line } = one;
  return (
    <span class="outline-row" onClick={onOpen}>
      <SaidBadge said={refused ?? stateSaid(one, build)} inList />
      {refused === undefined && <GroundsBelow {...{ one, errors }} inList />}
      <strong {...cutText(name)} /> <code {...cutText(statementLine(statement, name), 'faint')} />
      <small class="spread-end">{line}</small>
    </span>
  );
}
