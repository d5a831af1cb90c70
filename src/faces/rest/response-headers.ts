/** The headers of the server's answers: those of every answer, what a page may load, and how long a browser keeps what. */
import type { MiddlewareHandler } from 'hono';

/** Other sites cannot show, read or frame what the server answers, and a browser keeps its type. */
const EVERY_ANSWER: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // What the server tells is of this moment; files of the workbench say otherwise.
  'cache-control': 'no-store',
};

/** Gives every answer its headers, also refusals and failures. What an answer says itself stays. */
export const responseHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  const { headers } = context.res;
  for (const [name, value] of Object.entries(EVERY_ANSWER)) if (!headers.has(name)) headers.set(name, value);
};

/** The workbench loads nothing and speaks to nobody but this server. @param nonce What its own styles are known by. */
export function workbenchHeaders(nonce: string): Record<string, string> {
  return page([
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
}

/** The page of the operations has its script and its styles in itself. @param nonce What these are known by. */
export function documentationHeaders(nonce: string): Record<string, string> {
  return page([
    "default-src 'none'",
    "connect-src 'self'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]);
}

function page(policy: readonly string[]): Record<string, string> {
  return { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy.join('; ') };
}

/** A file of the workbench's build. @param isNamedByContents Whether another content would have another name. */
export function fileHeaders(
  { type, etag }: { readonly type: string; readonly etag: string },
  isNamedByContents: boolean,
): Record<string, string> {
  const cache = isNamedByContents ? 'public, max-age=31536000, immutable' : 'no-cache';
  return { 'content-type': type, etag, 'cache-control': cache };
}
