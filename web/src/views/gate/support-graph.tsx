/** What statements rest on, as a graph: statements on one side, axioms on the other. Said as a list beside it. */
import { restsOnAxiomsText, restsOnOpenText } from '../../../../src/core/rests-on.ts';
import { shownText } from '../../../../src/drawing/box-text.ts';

interface Statement {
  readonly name: string;
  /** As the prover prints it. */
  readonly printed: string | null;
  readonly assumptions: readonly string[];
  readonly open_statements: readonly string[];
}

const ROW = 26;
const WIDTH = 640;
const SIDE = 250;
const MOST_LINES = 60;

export function SupportGraph({ statements }: { readonly statements: readonly Statement[] }) {
  const axioms = [...new Set(statements.flatMap(({ assumptions }) => assumptions))].sort();
  const shown = statements.slice(0, MOST_LINES);
  const rows = Math.max(shown.length, axioms.length, 1);
  const yOf = (index: number, count: number): number => ((index + 0.5) * rows * ROW) / count;
  if (axioms.length === 0) {
    const open = [...new Set(statements.flatMap(({ open_statements }) => open_statements))];
    const also = open.length === 0 ? '' : ` What is proved ${restsOnOpenText(open)}.`;
    return (
      <p class="support-none">
        {statements.length === 1
          ? `It ${restsOnAxiomsText([])}.`
          : `All ${statements.length} statements rest on no axiom.`}
        {also}
      </p>
    );
  }
  return (
    <figure class="support">
      <svg
        viewBox={`0 0 ${WIDTH} ${rows * ROW}`}
        role="img"
        aria-label="Statements and the axioms that they rest on"
      >
        {shown.flatMap(({ name, assumptions }, index) =>
          assumptions.map((axiom) => {
            const [from, to] = [yOf(index, shown.length), yOf(axioms.indexOf(axiom), axioms.length)];
            return (
              <path
                key={`${name} ${axiom}`}
                class="edge"
                d={`M${SIDE} ${from}C${WIDTH / 2} ${from} ${WIDTH / 2} ${to} ${WIDTH - SIDE} ${to}`}
              />
            );
          }),
        )}
        {shown.map(({ name, assumptions }, index) => (
          <text key={name} class="statement" x={SIDE - 8} y={yOf(index, shown.length) + 4} text-anchor="end">
            <title>{shownText(name)}</title>
            {`${short(name)} ${assumptions.length === 0 ? '✓' : ''}`}
          </text>
        ))}
        {axioms.map((axiom, index) => (
          <text key={axiom} class="axiom" x={WIDTH - SIDE + 8} y={yOf(index, axioms.length) + 4}>
            <title>{shownText(axiom)}</title>
            {short(axiom)}
          </text>
        ))}
      </svg>
      {statements.length > shown.length && (
        <small>{`The first ${shown.length} of ${statements.length} statements.`}</small>
      )}
      <details>
        <summary>As a list</summary>
        <ul>
          {statements.map(({ name, printed, assumptions, open_statements }) => (
            <li key={name}>
              <code>{printed ?? name}</code>{' '}
              {open_statements.length > 0 && `${restsOnOpenText(open_statements)}; `}
              {restsOnAxiomsText(assumptions)}
            </li>
          ))}
        </ul>
      </details>
    </figure>
  );
}

const LONGEST = 34;

/** The end of a long name tells more than its beginning. */
function short(name: string): string {
  const characters = Array.from(shownText(name));
  return characters.length <= LONGEST ? characters.join('') : `…${characters.slice(1 - LONGEST).join('')}`;
}
