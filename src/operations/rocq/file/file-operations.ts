/** What the files of a project state and prove, read from their text: no prover is needed. */
import { relative } from 'node:path';
import { z } from 'zod';
import { counted } from '../../../core/counted.ts';
import { entryAt, orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { filesBelow } from '../../../process/foreign-folder/files-below.ts';
import { leadsOut } from '../../../process/foreign-folder/leads-out.ts';
import type { TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import { proofSpanOf, proofTextOf } from '../../../provers/rocq/syntax/theorem-text.ts';
import { significantTokens } from '../../../provers/rocq/syntax/lexer.ts';
import { holesOf } from '../check/holes-of-file.ts';
import { READS, defineOperation, type OperationContext } from '../../definition/operation.ts';
import type { Workspace } from '../../definition/workspace.ts';
import { rocqWorkbenchOf } from '../session/place.ts';
import { printedRange, rangeSchema } from '../session/positions.ts';
import type { RocqFile } from '../session/rocq-file.ts';
import { isWithheld } from '../session/withheld-proofs.ts';
import { asSentence } from '../../../provers/rocq/syntax/sentences.ts';

const MOST_FILES = 10_000;

export const rocqFiles = defineOperation({
  name: 'rocq_files',
  area: 'rocq',
  title: 'List Rocq files',
  summary: 'Lists the `.v` files of the workspace.',
  input: z.object({
    folder: z.string().default('.').describe('Only files below this folder.'),
    offset: z.int().nonnegative().default(0),
    limit: z.int().positive().max(MOST_FILES).default(500),
  }),
  output: z.object({ root: z.string(), files: z.array(z.string()), total: z.int() }),
  annotations: READS,
  defaultTimeout: 60,
  positional: ['folder'],
  render: ({ files, total }) => [...files, `${files.length} of ${total}`].join('\n'),
  run: async ({ folder, offset, limit }, { workspace, signal }) => {
    const files = await rocqFilesBelow(workspace, await workspace.resolve(folder), signal);
    return { root: workspace.root, files: files.slice(offset, offset + limit), total: files.length };
  },
});

/**
 * The `.v` files below a folder, as answers call them; not those of builds, packages and hidden folders, nor links that
 * lead out of the workspace.
 */
export async function rocqFilesBelow(
  workspace: Workspace,
  root: string,
  signal: AbortSignal,
): Promise<string[]> {
  const files: string[] = [];
  const border = leadsOut(root, workspace.root) ? root : workspace.root;
  for await (const path of filesBelow(root, border)) {
    if (signal.aborted || files.length > MOST_FILES) break;
    if (path.endsWith('.v')) files.push(relative(workspace.root, path));
  }
  return files.sort();
}

const theoremFields = {
  name: z.string().nullable().describe('Null for `Goal` and most obligations.'),
  kind: z.string().describe('`Lemma`, `Theorem`, `Instance`, …'),
  statement: z.string().describe('As it stands in the file, with its binders.'),
  path: z.array(z.string()).describe('Enclosing sections and modules, outermost first.'),
  proved: z.boolean().describe('False when the proof is missing, unfinished, admitted or has a hole.'),
  hole: z
    .string()
    .nullable()
    .describe('What is missing: admitted, admit, give_up, aborted, empty, unfinished.'),
  closing: z.string().describe('`Qed`, `Defined`, `Admitted`, …, or `none`.'),
  ...rangeSchema.shape,
};

export const rocqOutline = defineOperation({
  name: 'rocq_outline',
  area: 'rocq',
  title: 'Outline of a file',
  summary: 'Lists the statements of a file with kind, place, statement, whether proved, and the holes.',
  input: z.object({
    file: z.string(),
    offset: z.int().nonnegative().default(0),
    limit: z.int().positive().max(5000).default(500),
  }),
  output: z.object({
    file: z.string(),
    file_hash: z.string(),
    sentences: z.int(),
    scopes: z.array(z.object({ kind: z.string(), name: z.string(), path: z.array(z.string()) })),
    requires: z.array(z.string()),
    theorems: z.array(z.object(theoremFields)),
    total: z.int().describe('How many statements there are.'),
    holes: z.array(z.object({ theorem: z.string(), kind: z.string(), ...rangeSchema.shape })),
  }),
  annotations: READS,
  defaultTimeout: 30,
  positional: ['file'],
  render: ({ file, theorems, total, holes }) =>
    [
      `${file}: ${counted(total, 'statement')}, ${counted(holes.length, 'hole')}`,
      ...theorems.map(
        ({ line, kind, name, proved, hole }) =>
          `${String(line).padStart(6)}  ${proved ? ' ' : '!'} ${kind} ${name ?? '(no name)'}${hole === null ? '' : ` (${hole})`}`,
      ),
    ].join('\n'),
  run: async ({ file: path, offset, limit }, context) => {
    const file = await rocqWorkbenchOf(context).file(context.workspace, path);
    const { outline } = file;
    return {
      file: file.name,
      file_hash: file.source.hash,
      sentences: outline.sentences.length,
      scopes: outline.scopes.map(({ kind, name, path: around }) => ({ kind, name, path: [...around] })),
      requires: outline.requires.flatMap(({ from, modules }) =>
        modules.map((module) => (from === undefined ? module : `${from}.${module}`)),
      ),
      theorems: outline.statements.slice(offset, offset + limit).map((item) => theoremOf(file, item)),
      total: outline.statements.length,
      holes: holesOf(outline).map(({ theorem, kind, span }) => ({
        theorem,
        kind,
        ...printedRange(file.lines, span),
      })),
    };
  },
});

function theoremOf(file: RocqFile, item: TheoremItem) {
  const { sentences } = file.outline;
  const sentence = entryAt(sentences, item.sentence, 'sentence');
  const last = sentences[item.closing ?? Math.max(item.sentence, item.body.end - 1)] ?? sentence;
  return {
    name: item.name ?? null,
    kind: item.keyword,
    statement: sentence.text,
    path: [...item.path],
    proved: item.hole === undefined,
    hole: item.hole ?? null,
    closing: item.closingWord,
    ...printedRange(file.lines, { start: sentence.span.start, end: last.span.end }),
  };
}

const targetFields = {
  session_id: z.string().optional().describe('A session: its own target is not listed unless asked for.'),
};

/** The name of the target of a session, when the file is the one it was opened on. */
async function targetOf(
  context: OperationContext,
  sessionId: string | undefined,
  file: RocqFile,
): Promise<string | undefined> {
  if (sessionId === undefined) return undefined;
  return rocqWorkbenchOf(context).sessions.use(context.client, sessionId, (session) =>
    Promise.resolve(session.file?.source.path === file.source.path ? session.target?.item.name : undefined),
  );
}

export const rocqTheorem = defineOperation({
  name: 'rocq_theorem',
  area: 'rocq',
  title: 'Statement and proof of a theorem',
  summary: 'Shows a theorem of a file: its statement and its proof.',
  details:
    'The reference proof is not shown while any of your sessions is proving the theorem, nor by `proof_tree`, `proof_export` and `rocq_print`: write your own.',
  input: z.object({ file: z.string(), theorem: z.string() }),
  output: z.object({
    file: z.string(),
    file_hash: z.string(),
    ...theoremFields,
    proof: z
      .string()
      .nullable()
      .describe('From `Proof` to the closing word; null when it is withheld or there is none.'),
    withheld: z.boolean().describe('True when the theorem is the target of an open session.'),
  }),
  annotations: READS,
  defaultTimeout: 30,
  positional: ['file', 'theorem'],
  render: ({ statement, proof, withheld }) =>
    [
      statement,
      proof ?? (withheld ? '(the proof is withheld: this is the target of a session)' : '(no proof)'),
    ].join('\n'),
  run: async ({ file: path, theorem }, context) => {
    const workbench = rocqWorkbenchOf(context);
    const file = await workbench.file(context.workspace, path);
    const item = file.theorem(theorem);
    const withheld = isWithheld(context, file, item);
    return {
      file: file.name,
      file_hash: file.source.hash,
      ...theoremOf(file, item),
      proof: withheld ? null : proofOf(file, item),
      withheld,
    };
  },
});

function proofOf(file: RocqFile, item: TheoremItem): string | null {
  return proofTextOf(file.outline, item) ?? null;
}

/**
 * The text of a Rocq file as a client may read it: a comment stands in place of each reference proof of what one of
 * its sessions is proving. Errors as reading a source file.
 */
export async function textWithoutTargets(
  context: Pick<OperationContext, 'workspace' | 'services' | 'client'>,
  path: string,
): Promise<string> {
  const workbench = rocqWorkbenchOf(context);
  const file = await workbench.file(context.workspace, path);
  const { text, statements } = file.outline;
  const withheld = statements
    .filter((item) => isWithheld(context, file, item))
    .flatMap((item) => proofSpanOf(file.outline, item) ?? []);
  return withheld
    .toReversed()
    .reduce((shown, { start, end }) => shown.slice(0, start) + WITHHELD + shown.slice(end), text);
}

const WITHHELD = '(* the proof is withheld: this is the target of a session *)';

export const rocqTheoremNames = defineOperation({
  name: 'rocq_theorem_names',
  area: 'rocq',
  title: 'Names of the theorems of a file',
  summary: 'Lists the names of the theorems of a file, with or without the target of a session.',
  input: z.object({
    file: z.string(),
    ...targetFields,
    with_target: z.boolean().default(false).describe('With a session: also list its target.'),
  }),
  output: z.object({ file: z.string(), names: z.array(z.string()), total: z.int() }),
  annotations: READS,
  defaultTimeout: 30,
  positional: ['file'],
  render: ({ names }) => names.join('\n'),
  run: async ({ file: path, session_id, with_target }, context) => {
    const file = await rocqWorkbenchOf(context).file(context.workspace, path);
    const target = with_target ? undefined : await targetOf(context, session_id, file);
    const names = file.outline.statements.flatMap(({ name, otherNames }) =>
      name === undefined || name === target ? [] : [name, ...otherNames],
    );
    return { file: file.name, names, total: names.length };
  },
});

export const rocqNotations = defineOperation({
  name: 'rocq_notations',
  area: 'rocq',
  title: 'Notations in a statement',
  summary:
    'Explains the notations that occur in a theorem’s statement, or in a term: what each stands for and its scope.',
  input: z.object({
    file: z.string(),
    theorem: z.string().optional(),
    term: z.string().optional().describe('Instead of a theorem.'),
  }),
  output: z.object({
    file: z.string(),
    notations: z.array(z.object({ symbol: z.string(), meaning: z.string() })),
  }),
  annotations: READS,
  defaultTimeout: 120,
  positional: ['file', 'theorem'],
  render: ({ notations }) => notations.map(({ symbol, meaning }) => `${symbol}\n${meaning}`).join('\n\n'),
  run: async ({ file: path, theorem, term }, context) => {
    const workbench = rocqWorkbenchOf(context);
    const file = await workbench.file(context.workspace, path);
    const item = theorem === undefined ? undefined : file.theorem(theorem);
    if ((item === undefined) === (term === undefined)) {
      throw new QuodError('invalid-input', 'Give either `theorem` or `term`.');
    }
    const text = term ?? `${orNothing(item?.binders)} ${orNothing(item?.statement)}`;
    const symbols = new Set(
      significantTokens(text)
        .filter(({ kind, text: token }) => kind === 'symbol' && !PUNCTUATION.has(token))
        .map(({ text: token }) => token),
    );
    const state = item === undefined ? file.stateAtEnd : file.stateBefore(item.sentence);
    const pool = await workbench.pool();
    const notations = await pool.at(state, { signal: context.signal }, async ({ session, state: id }) => {
      const found: { symbol: string; meaning: string }[] = [];
      for (const symbol of symbols) {
        const answer = await session.query(id, asSentence(`Locate "${symbol.replaceAll('"', '""')}".`), {
          timeoutMs: 10_000,
          signal: context.signal,
        });
        if (answer.status !== 'done') continue;
        const meaning = answer.messages.map(({ message }) => message.trim()).join('\n');
        if (meaning !== '' && !/^Unknown notation/u.test(meaning)) found.push({ symbol, meaning });
      }
      return found;
    });
    return { file: file.name, notations };
  },
});

const PUNCTUATION = new Set(['(', ')', ',', ':', '.', ';', '@', '=>', ':=', '{', '}', '[', ']']);
