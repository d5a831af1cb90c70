/**
 * Sources as an editor opens and saves them: the text with the hash of the bytes, and back only where the file is still
 * what was opened. Only files that a prover reads by their name are handed out or written.
 */
import { writeFile } from 'node:fs/promises';
import { Hono } from 'hono';
import type { z } from 'zod';
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/sha256.ts';
import { withLineEndsOf, withNewlines } from '../../../operations/files/line-ends.ts';
import { replaceFile } from '../../../operations/files/replace-file.ts';
import { sourcePlace } from '../../../operations/files/required-source.ts';
import { encode, readEditedFile, requireOpenable } from '../../../operations/files/source-file.ts';
import type { SourceFile } from '../../../operations/files/source-file.ts';
import { sourceMadeWith } from '../../../operations/gate/source-made-with.ts';
import type { SourceLanguage } from '../../../operations/files/source-language.ts';
import { codeOf, unwritableFile } from '../../../process/foreign-folder/unreadable-file.ts';
import type { Host } from '../../host.ts';
import { problemOf } from '../../problem.ts';
import { sourceSave, type sourceSchema } from '../../rest/live-paths.ts';
import { sentInput } from './sent-input.ts';

export type OpenedSource = Readonly<z.output<typeof sourceSchema>>;

export function sourceRoutes(host: Host): Hono {
  const { workspace } = host;
  const routes = new Hono();
  routes.onError((thrown, { req, json }) => {
    if (req.query('refusal') !== 'told') throw thrown;
    const refused = problemOf(thrown);
    // A defect of the server is told as one, to its operator, too.
    if (refused.reason === 'internal') throw thrown;
    return json({ refused });
  });
  routes.get('/api/source', async ({ req, json }) => {
    const { path, language } = await sourcePlace(workspace, orNothing(req.query('file')));
    return json(opened(await readEditedFile(workspace.nameOf(path), path), language));
  });
  routes.get('/api/source/rests-on', async ({ req, json }) =>
    json(await sourceMadeWith(host, orNothing(req.query('file')))),
  );
  routes.put('/api/source', async ({ req, json }) => {
    const { file, text, hash } = await sentInput(sourceSave, req);
    const { path, language } = await sourcePlace(workspace, file);
    if (hash === null) {
      requireOpenable(file, Buffer.from(text));
      // `wx`: a file that came into being meanwhile is left alone.
      await writeFile(path, text, { flag: 'wx' }).catch((cause: unknown) => {
        throw notMade(file, cause);
      });
      return json(opened(await readEditedFile(file, path), language));
    }
    const source = await readEditedFile(workspace.nameOf(path), path);
    if (source.hash !== hash)
      throw new QuodError('file-changed', 'The file was changed by somebody else meanwhile.', {
        place: { file },
        remedy: 'Nothing was written. Look at both, and save again.',
      });
    // A text with returns in it comes from who sees to the line ends.
    const bytes = encode(
      source,
      text.includes('\r') ? text : withLineEndsOf(source.text, text, source.lineEnd),
    );
    requireOpenable(file, bytes);
    await replaceFile(source, bytes);
    return json({ file: workspace.nameOf(path), language, text, hash: sha256(bytes) });
  });
  return routes;

  function opened({ path, text, hash }: SourceFile, language: SourceLanguage): OpenedSource {
    return { file: workspace.nameOf(path), language, text: withNewlines(text), hash };
  }
}

function notMade(file: string, cause: unknown): QuodError {
  const place = { file };
  switch (codeOf(cause)) {
    case 'EEXIST':
      return new QuodError('file-changed', 'There is such a file already.', {
        ...{ place, cause },
        remedy: 'Open it, and decide what to keep.',
      });
    case 'ENOENT':
    case 'ENOTDIR':
      return new QuodError('not-found', 'There is no such folder for the file.', {
        ...{ place, cause },
        remedy: 'Make the folder first, or name a file in one that is there.',
      });
    default:
      return unwritableFile(file, cause);
  }
}
