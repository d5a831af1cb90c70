/** All commands in one list that is searched by typing. */
import { signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useAsked } from '../parts/asked.ts';
import { cut } from '../parts/cut.ts';
import { useChosenRow } from '../parts/chosen-row.ts';
import { call } from '../server/client.ts';
import { commands } from './commands.ts';
import { keyText } from './keys.ts';
import type { Command } from './commands.ts';
import { addressOf, goTo } from './route.ts';

export const paletteOpen = signal(false);

export function Palette() {
  return paletteOpen.value ? <OpenPalette /> : null;
}

function OpenPalette() {
  const wanted = useSignal('');
  const dialog = useRef<HTMLDialogElement>(null);
  const files = useAsked((signal) => call('rocq_files', { limit: 10_000 }, { signal }), []);
  const isTyped = wanted.value.trim() !== '';
  const all = isTyped ? [...commands.value, ...(files.value?.files ?? []).map(opening)] : commands.value;
  const found = matching(all, wanted.value).slice(0, MOST_SHOWN);
  // Commands come and go while the palette is open: a run that ends has others. Enter runs the one that was chosen.
  const chosen = useChosenRow(found, ({ id }) => id);
  const at = Math.max(0, chosen.index);
  // Before the next key can come: what is typed at once is meant for the palette, not for what was in use before.
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    document.getElementById(`command-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const run = (command: Command | undefined): void => {
    paletteOpen.value = false;
    command?.run();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Commands"
      onClose={() => (paletteOpen.value = false)}
      onClick={({ target, currentTarget }) => target === currentTarget && (paletteOpen.value = false)}
    >
      <input
        autofocus
        role="combobox"
        aria-label="Find a command"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={found.length === 0 ? undefined : `command-${at}`}
        placeholder="What do you want to do, or which file to open?"
        value={wanted.value}
        onInput={({ currentTarget }) => {
          wanted.value = currentTarget.value;
          chosen.choose(undefined);
        }}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
          if (step !== 0) {
            event.preventDefault();
            chosen.choose(found[(at + step + found.length) % Math.max(1, found.length)]);
          } else if (event.key === 'Enter') {
            event.preventDefault();
            run(found[at]);
          }
        }}
      />
      <ul id="commands" role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          <li
            key={command.id}
            id={`command-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(command)}
            onMouseMove={() => chosen.choose(command)}
          >
            <span {...cut(command.title)}>{command.title}</span>
            {command.keys !== undefined && <kbd>{keyText(command.keys)}</kbd>}
          </li>
        ))}
        {found.length === 0 && <li class="none">Nothing is called like that.</li>}
      </ul>
    </dialog>
  );
}

/** More are not looked through by eye: another letter finds what is meant. */
const MOST_SHOWN = 100;

function opening(file: string): Command {
  return {
    id: `open.${file}`,
    title: `Open ${file}`,
    run: () => goTo(addressOf('file', file)),
  };
}

/** Those whose title or words have all that was typed; better places of the words come first. */
function matching(all: readonly Command[], typed: string): Command[] {
  const parts = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '');
  return all
    .filter(({ title, words = '' }) => {
      const text = `${title} ${words}`.toLowerCase();
      return parts.every((part) => text.includes(part));
    })
    .sort((left, right) => placeOf(left, parts) - placeOf(right, parts));
}

function placeOf({ title }: Command, parts: readonly string[]): number {
  const text = title.toLowerCase();
  return parts.reduce((sum, part) => sum + (text.includes(part) ? text.indexOf(part) : 100), 0);
}
