/** Words of a shell, as POSIX has it. */

/** Any text as one word: nothing in it means more than itself. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** As {@link singleQuoted}, bare where that is the same: whoever pastes a command with it runs nothing else. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/u.test(text) ? text : singleQuoted(text);
}
