/**
 * Asks the server for a proof that it is the one that admitted this browser, before the page sends it anything: when a
 * server ends, whoever has an account on the machine can listen on its port. A number that is new each time is answered
 * with what only the holder of the key can make of it (src/faces/access/server-proof.ts has the same line).
 */
import { storedKey } from './access.ts';

/** How long a server may think before it counts as silent. */
const PATIENCE_MS = 30_000;

/** Another than the server of this page answers: a later start of it that did not admit this browser, or a stranger. */
export class ServerUnproved extends Error {
  override readonly name = 'ServerUnproved';
}

/** Of the server that proved itself last; null: this page was admitted by nothing, and has nothing to protect. */
let proved: { readonly key: string | null } | undefined;
let wasAdmitted = false;
let asking: Promise<void> | undefined;

/** Whatever answers from now on must prove itself. */
export function doubtServer(): void {
  proved = undefined;
}

/**
 * The headers of a request to the server, once it has proved itself.
 * @throws ServerUnproved; the error of `fetch` when nobody answers.
 */
export async function provedHeaders(): Promise<Record<string, string>> {
  if (proved === undefined || (proved.key !== null && proved.key !== storedKey())) {
    asking ??= ask().finally(() => (asking = undefined));
    await asking;
  }
  const key = proved?.key;
  return { 'quod-client': 'workbench', ...(key !== undefined && key !== null && { 'quod-page': key }) };
}

async function ask(): Promise<void> {
  const key = storedKey();
  if (key !== undefined && (await knows(key))) {
    proved = { key };
    wasAdmitted = true;
    return;
  }
  // This page's own code came from who answers here now: that one asks for a token, or needs none.
  if (!wasAdmitted) proved = { key: null };
  else throw new ServerUnproved('What answers at this address is not the server of this page.');
}

async function knows(key: string): Promise<boolean> {
  const nonce = textOf(crypto.getRandomValues(new Uint8Array(24)));
  const response = await fetch('/ui/proof', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nonce }),
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (typeof answer !== 'object' || answer === null || !('page' in answer)) return false;
  return answer.page === (await proofOf(key, nonce));
}

async function proofOf(secret: string, nonce: string): Promise<string> {
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign']);
  return textOf(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(`quod-server:${nonce}`))));
}

/** Base 64 for addresses, without padding. */
function textOf(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
