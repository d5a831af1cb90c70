/**
 * Texts of any length: on one line, with … where there is no room for them. The whole text is the title. Of those that
 * stand beside each other the first, which is the name, has the room, and the last gives way first (`.cut` of the style).
 */

interface Cut {
  readonly class: string;
  readonly title: string;
}

/** The properties of the element that shows it. @param own Its class besides. */
export function cut(name: string, own = ''): Cut {
  return { class: own === '' ? 'cut' : `cut ${own}`, title: name };
}

/** The same, with the text in the element. */
export function cutText(text: string, own = ''): Cut & { readonly children: string } {
  return { ...cut(text, own), children: text };
}
