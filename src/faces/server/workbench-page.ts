/**
 * The workbench: the files of its build, and how a browser is admitted to it. What is not a file of the
 * build is one of its views.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import { z } from 'zod';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { isOwnPage } from '../access/page-session.ts';
import type { PageSessions } from '../access/page-session.ts';
import { PROOF_PATH, proofOf, proofQuestionSchema } from '../access/server-proof.ts';
import type { ServerProof } from '../access/server-proof.ts';
import { problemResponse } from '../problem.ts';
import { fileHeaders, workbenchHeaders } from '../rest/response-headers.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Where in the page the number stands that its own styles are known by. */
const NONCE_PLACE = '__NONCE__';

interface PageFile {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly type: string;
  readonly etag: string;
}

/** @param sessions Null when nobody has to be admitted. @param identity What programs know this server by. */
export function workbenchRoutes(sessions: PageSessions | null, identity: string): Hono {
  const routes = new Hono();
  let files: ReadonlyMap<string, PageFile> | undefined;
  routes.get('/ui', (context) => context.redirect('/ui/'));
  routes.post('/ui/session', async (context) => {
    if (sessions === null) return context.json({ key: 'none' });
    const request = entrySchema.safeParse(await context.req.json().catch(() => undefined));
    const host = orNothing(context.req.header('host'));
    const admission =
      request.success && isOwnPage(context.req.raw.headers)
        ? sessions.enter(request.data.token, host)
        : undefined;
    if (admission === undefined)
      return problemResponse(
        new QuodError('unauthorized', 'The token is wrong, or was used already.', {
          remedy: 'Run `quod ui` again, or take the token that `quod serve` printed.',
        }),
      );
    context.header('set-cookie', admission.cookie);
    return context.json({ key: admission.key });
  });
  routes.post(PROOF_PATH, async (context) => {
    const question = proofQuestionSchema.safeParse(await context.req.json().catch(() => undefined));
    if (!question.success)
      return problemResponse(
        new QuodError('invalid-input', 'The question for a proof is none.', {
          remedy: 'Send `nonce`: 22 to 100 letters, digits, hyphens and underscores.',
        }),
      );
    const { nonce } = question.data;
    const page = sessions?.prove(context.req.raw.headers, nonce) ?? null;
    return context.json({ page, program: proofOf(identity, nonce) } satisfies ServerProof);
  });
  routes.get('/ui/*', ({ req }) => {
    files ??= builtFiles();
    const path = req.path.slice('/ui/'.length);
    const file = files.get(path);
    if (file !== undefined && path !== 'index.html')
      return fileResponse(file, path, req.header('if-none-match'));
    const page = files.get('index.html');
    return page === undefined ? notBuilt() : pageResponse(page);
  });
  return routes;
}

const entrySchema = z.strictObject({ token: z.string().max(200) });

function pageResponse({ bytes }: PageFile): Response {
  const nonce = randomBytes(16).toString('base64');
  return new Response(bytes.toString('utf8').replace(NONCE_PLACE, nonce), {
    headers: workbenchHeaders(nonce),
  });
}

function fileResponse(file: PageFile, path: string, known: string | undefined): Response {
  // Vite puts a digest of the contents into these names.
  const headers = fileHeaders(file, path.startsWith('assets/'));
  return known === file.etag
    ? new Response(null, { status: 304, headers })
    : new Response(file.bytes, { headers });
}

function notBuilt(): Response {
  return problemResponse(
    new QuodError('not-found', 'The workbench was not built.', {
      remedy: 'Run `npm run build` in the folder of Quod.',
    }),
  );
}

/** The folder of the build, seen from the sources as well as from the build itself. */
function buildFolder(): string | undefined {
  return ['../../web/', '../../../dist/web/']
    .map((way) => fileURLToPath(new URL(way, import.meta.url)))
    .find((folder) => existsSync(join(folder, 'index.html')) && existsSync(join(folder, 'assets')));
}

function builtFiles(): ReadonlyMap<string, PageFile> {
  const folder = buildFolder();
  if (folder === undefined) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        const bytes = readFileSync(path);
        const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
        const type = TYPES[extname(name)] ?? 'application/octet-stream';
        return [relative(folder, path).replaceAll('\\', '/'), { bytes, type, etag }] as const;
      }),
  );
}
