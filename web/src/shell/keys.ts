/**
 * Keys for commands. What is typed into a field or the editor stays there, unless Ctrl, Alt or a function key says
 * otherwise.
 */
import { commands } from './commands.ts';

/** How long the second key of two may take. */
const SECOND_KEY_MS = 1200;

export function followKeys(): void {
  let first: { readonly key: string; readonly until: number } | undefined;
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const pressed = pressedKey(event);
    if (isTyping(event) && !/^(?:(?:ctrl|alt)\+|f\d)/.test(pressed)) return;
    const pair =
      first !== undefined && performance.now() < first.until ? `${first.key} ${pressed}` : undefined;
    const found =
      commands.value.find(({ keys }) => keys !== undefined && keys === pair) ??
      commands.value.find(({ keys }) => keys === pressed);
    first = undefined;
    if (found !== undefined) {
      event.preventDefault();
      found.run();
    } else if (commands.value.some(({ keys }) => keys?.startsWith(`${pressed} `) === true)) {
      first = { key: pressed, until: performance.now() + SECOND_KEY_MS };
    }
  });
}

export function pressedKey(event: KeyboardEvent): string {
  const held = [
    ...(event.ctrlKey || event.metaKey ? ['ctrl'] : []),
    ...(event.altKey ? ['alt'] : []),
    ...(event.shiftKey && event.key.length > 1 ? ['shift'] : []),
  ];
  return [...held, event.key.toLowerCase()].join('+');
}

function isTyping({ target }: Event): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox],[type=radio]), textarea, select'))
  );
}

const ARROWS: Readonly<Record<string, string>> = {
  ...{ arrowup: '↑', arrowdown: '↓', arrowleft: '←', arrowright: '→' },
};

/** For people. */
export function keyText(keys: string): string {
  return keys
    .split(' ')
    .map((key) =>
      key
        .split('+')
        .map((part) => ARROWS[part] ?? part.slice(0, 1).toUpperCase() + part.slice(1))
        .join(' '),
    )
    .join(' then ');
}
