/** Names of any length: on one line, with … where there is no room for them. The whole name is the title. */

/** The properties of the element that shows it. @param own Its class besides. */
export function cut(name: string, own = ''): { readonly class: string; readonly title: string } {
  return { class: own === '' ? 'cut' : `cut ${own}`, title: name };
}
