/** The queries that Quod asks of `fstar.exe --ide`, values in and lines out. */

export type PushKind = 'full' | 'lax';

export type FullBufferKind =
  | { readonly kind: 'full' | 'lax' | 'cache' | 'reload-deps' }
  /** To the declarations that begin at or before the line. F* wants the column and ignores it. */
  | {
      readonly kind: 'verify-to-position' | 'lax-to-position';
      readonly line: number;
      readonly column: number;
    };

export interface LookupPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export type FstarQuery =
  | {
      readonly query: 'push';
      readonly kind: PushKind;
      readonly code: string;
      readonly line: number;
      readonly column: number;
    }
  | { readonly query: 'pop' | 'describe-repl' | 'describe-protocol' | 'restart-solver' | 'exit' }
  | { readonly query: 'full-buffer'; readonly code: string; readonly check: FullBufferKind }
  /** Stops at the next declaration that begins at or behind the place. Nothing answers it. */
  | { readonly query: 'cancel'; readonly line: number; readonly column: number }
  | { readonly query: 'segment' | 'format'; readonly code: string }
  /** Without a file: the buffer itself. */
  | { readonly query: 'vfs-add'; readonly file: string | null; readonly contents: string }
  | {
      readonly query: 'lookup';
      readonly symbol: string;
      readonly context: 'code' | 'symbol-only' | 'set-options' | 'open';
      readonly place?: LookupPlace;
    }
  | { readonly query: 'compute'; readonly term: string }
  | { readonly query: 'search'; readonly terms: string };

/** One line, its end included. The id must be a string: F* answers any other with the id `?`. */
export function encodeQuery(id: string, query: FstarQuery): string {
  return `${JSON.stringify({ 'query-id': id, query: query.query, args: argumentsOf(query) })}\n`;
}

function argumentsOf(query: FstarQuery): Record<string, unknown> {
  switch (query.query) {
    case 'push':
      return { kind: query.kind, code: query.code, line: query.line, column: query.column };
    case 'full-buffer': {
      const { check, code } = query;
      const position = 'line' in check ? { 'to-position': { line: check.line, column: check.column } } : {};
      return { kind: check.kind, 'with-symbols': false, code, line: 1, column: 0, ...position };
    }
    case 'cancel':
      return { 'cancel-line': query.line, 'cancel-column': query.column };
    case 'segment':
    case 'format':
      return { code: query.code };
    case 'vfs-add':
      return { filename: query.file, contents: query.contents };
    case 'lookup': {
      const { symbol, context, place } = query;
      return {
        symbol,
        context,
        'requested-info': ['type', 'documentation', 'defined-at', 'definition'],
        ...(place && { location: { filename: place.file, line: place.line, column: place.column } }),
      };
    }
    case 'compute':
      return { term: query.term };
    case 'search':
      return { terms: query.terms };
    case 'pop':
    case 'describe-repl':
    case 'describe-protocol':
    case 'restart-solver':
    case 'exit':
      return {};
  }
}
