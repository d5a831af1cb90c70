/** Where the page is: `/ui/VIEW/REST?QUERY`. A place can be linked to, reloaded and gone back to. */
import { signal } from '@preact/signals';

export interface Route {
  readonly view: string;
  /** What comes behind the view, decoded: the path of a file, the id of a run. Empty when there is nothing. */
  readonly rest: string;
  readonly query: URLSearchParams;
}

const BASE = '/ui/';

export const route = signal<Route>(read());

/** The address of a place, for links. */
export function addressOf(view: string, rest = '', query: Readonly<Record<string, string>> = {}): string {
  const path = rest.split('/').map(encodeURIComponent).join('/');
  const search = new URLSearchParams(query).toString();
  return `${BASE}${view}${path === '' ? '' : `/${path}`}${search === '' ? '' : `?${search}`}`;
}

export function goTo(address: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  route.value = read();
}

/** Follows the browser's own buttons, and links of this page without loading it anew. */
export function followRoute(): void {
  addEventListener('popstate', () => (route.value = read()));
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (
      link === null ||
      link.origin !== location.origin ||
      link.target !== '' ||
      link.hasAttribute('download')
    )
      return;
    if (!link.pathname.startsWith(BASE)) return;
    event.preventDefault();
    goTo(link.pathname + link.search);
  });
}

function read(): Route {
  const [view = '', ...rest] = location.pathname.slice(BASE.length).split('/');
  return { view, rest: rest.map(decodeText).join('/'), query: new URLSearchParams(location.search) };
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
