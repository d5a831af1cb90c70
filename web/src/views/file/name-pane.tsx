/** What a name is: its type, its definition, and where in the project it is stated. */
import { useSignal } from '@preact/signals';
import { Term } from '../../parts/goal.tsx';
import { Empty, ErrorNote, Working } from '../../parts/notes.tsx';
import { useAsked } from '../../parts/asked.ts';
import { addressOf } from '../../shell/route.ts';
import { call } from '../../server/client.ts';
import type { OpenDocument } from './open-document.ts';

interface NamePaneProps {
  readonly open: OpenDocument;
  readonly name: string;
  readonly onName: (name: string) => void;
}

export function NamePane({ open, name, onName }: NamePaneProps) {
  const typed = useSignal(name);
  return (
    <div class="pane-body">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          onName(typed.value.trim());
        }}
      >
        <input
          aria-label="Name"
          placeholder="A name"
          value={typed.value}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        />
        <button>Ask</button>
      </form>
      {name === '' ? (
        <Empty title="Ask about a name">Click a name in a goal, or Ctrl+click one in the text.</Empty>
      ) : (
        <About key={name} open={open} name={name} onName={onName} />
      )}
    </div>
  );
}

function About({ open, name, onName }: NamePaneProps) {
  const asked = useAsked(
    (gone) =>
      open.atCursor(gone, async (place, { goals: [goal] }) => {
        const hypothesis = goal?.hypotheses.find((known) => known.name === name);
        if (hypothesis !== undefined)
          return { about: [`A hypothesis of the goal.\n${name} : ${hypothesis.type}`], body: [], places: [] };
        const last = name.split('.').at(-1) ?? name;
        const options = { signal: gone };
        const [about, body, places] = await Promise.all([
          call('rocq_about', { ...place, name }, options),
          call('rocq_print', { ...place, name }, options).catch(() => undefined),
          call('proof_statements', { words: last, limit: 200 }, options).catch(() => undefined),
        ]);
        return {
          about: about.results,
          body: body?.results ?? [],
          places: (places?.statements ?? []).filter((found) => found.name === last),
        };
      }),
    [name],
  );
  if (asked.state === 'failed') return <ErrorNote error={asked.error} />;
  if (asked.value === undefined) return <Working text={`Asking about ${name}`} />;
  const { about, body, places } = asked.value;
  return (
    <div class="about-name">
      <h2>
        <code>{name}</code>
      </h2>
      {about.map((text) => (
        <Term key={text} text={text} onName={onName} />
      ))}
      {places.map(({ file, line }) => (
        <p key={`${file}:${line}`}>
          <a href={addressOf('file', file, { line: String(line) })}>
            {file}:{line}
          </a>
        </p>
      ))}
      {body.map((text) => (
        <Term key={text} text={text} onName={onName} />
      ))}
    </div>
  );
}
