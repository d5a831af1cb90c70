/** One line of a recording. Bytes are written as characters of Latin-1. */
export type Recorded = { readonly in: string } | { readonly out: string } | { readonly signal: 'SIGINT' };
