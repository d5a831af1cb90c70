/**
 * How a server shows that it is the one that somebody spoke to before. A port that becomes free can be taken by whoever
 * has an account on the machine: so what admits a page or a program is sent only to a server that answered a number
 * which is new each time with what only that server can make of it. The page computes the same with Web Crypto.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** The path of the question: a POST, which needs nothing that admits anybody. */
export const PROOF_PATH = '/ui/proof';

export const proofQuestionSchema = z.strictObject({ nonce: z.string().regex(/^[\w-]{22,100}$/) });

/** Null where the server cannot say: it asks for no token, or does not know the page. */
export const serverProofSchema = z.object({ page: z.string().nullable(), program: z.string() });

export type ServerProof = z.output<typeof serverProofSchema>;

/** What a secret makes of a number; the page has the same line. */
export function proofOf(secret: string, nonce: string): string {
  return createHmac('sha256', secret).update(`quod-server:${nonce}`).digest('base64url');
}

/** How long a server may think before it counts as silent. */
const PATIENCE_MS = 30_000;

/** Whether the server that wrote `identity` into its file listens at the address; `silent`: nobody does. */
export async function proveServer({
  url,
  identity,
}: {
  readonly url: string;
  readonly identity: string;
}): Promise<'proved' | 'silent' | 'foreign'> {
  const nonce = randomBytes(24).toString('base64url');
  const response = await fetch(new URL(PROOF_PATH, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nonce }),
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);
  if (response === undefined) return 'silent';
  const answer = serverProofSchema.safeParse(await response.json().catch(() => undefined));
  return answer.success && sameText(answer.data.program, proofOf(identity, nonce)) ? 'proved' : 'foreign';
}

/** Compares in a time that tells nothing. */
export function sameText(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
