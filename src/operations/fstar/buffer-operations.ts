/** Checking buffers, giving F* files that are not on the disk, and asking for names. */
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import type { FullBufferKind } from '../../provers/fstar/protocol/queries.ts';
import { READS, defineOperation } from '../definition/operation.ts';
import { restsOnSchema } from '../definition/rests-on.ts';
import { checkFields, checkHolds, checkFieldsOf, rangeOf, rangeSchema } from './report-schemas.ts';
import { checkText } from './report-text.ts';
import { restsOnBuffer, sessionId } from './session-operations.ts';
import { fstarWorkbenchOf } from './fstar-workbench.ts';
import { requireLanguage } from '../files/required-source.ts';

const KINDS = ['full', 'lax', 'cache', 'reload-deps', 'verify-to-position', 'lax-to-position'] as const;

export const fstarTypecheckBuffer = defineOperation({
  name: 'fstar_typecheck_buffer',
  area: 'fstar',
  title: 'Check an F* buffer',
  summary: 'Checks a text as the contents of the file of a session; only what changed is checked again.',
  details:
    'Kinds: `full` proves everything; `lax` checks types and admits proof obligations; `cache` checks nothing and says what ' +
    'is already checked; `reload-deps` loads the dependencies again and checks the first declaration; `verify-to-position` ' +
    'and `lax-to-position` check the declarations that begin at or before `to_line` and `to_column`. The check stops at the ' +
    'first declaration that fails. When the time is over, what was checked until then is answered and kept. ' +
    '`status: ok` says nothing about `admit` and its like: see `escapes`; `fstar_audit` lists all.',
  input: z.object({
    session_id: sessionId,
    code: z.string().describe('The whole text of the file, from `module` on.'),
    lax: z.boolean().optional().describe('The same as `kind: lax`, and stronger than `kind`.'),
    kind: z.enum(KINDS).default('full'),
    to_line: z.int().positive().optional().describe('For the two kinds with a position: line, from 1.'),
    to_column: z
      .int()
      .nonnegative()
      .optional()
      .describe('For the two kinds with a position: column, from 0.'),
  }),
  output: z.object({
    ...checkFields,
    kind: z.enum(KINDS).describe('What was done.'),
    rests_on: restsOnSchema,
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 300,
  timeoutMeans: 'Seconds that the check may take; after them it is stopped, and the session goes on.',
  positional: ['session_id', 'code'],
  holds: checkHolds,
  render: checkText,
  run: async (input, context) => {
    const kind = input.lax === true ? 'lax' : input.kind;
    const check = kindOf(kind, input.to_line, input.to_column);
    return await fstarWorkbenchOf(context).sessions.use(context.client, input.session_id, async (open) => {
      const session = await open.sessionFor(input.code, context.signal);
      // A little earlier than the call itself, so that the caller gets what was found.
      const timeoutMs = input.timeout * 1000 * 0.98;
      const report = await session.check(input.code, check, {
        timeoutMs,
        signal: context.signal,
        onProgress: context.progress,
      });
      return {
        ...checkFieldsOf(report, input.code, context.workspace),
        kind,
        rests_on: restsOnBuffer(open, input.code, context),
      };
    });
  },
});

function kindOf(
  kind: (typeof KINDS)[number],
  line: number | undefined,
  column: number | undefined,
): FullBufferKind {
  switch (kind) {
    case 'verify-to-position':
    case 'lax-to-position':
      if (line === undefined || column === undefined) {
        throw new QuodError('invalid-input', `${kind} needs both \`to_line\` and \`to_column\`.`, {
          remedy: 'Give both, or check with `full` or `lax`.',
        });
      }
      return { kind, line, column };
    case 'full':
    case 'lax':
    case 'cache':
    case 'reload-deps':
      if (line !== undefined || column !== undefined) {
        throw new QuodError('invalid-input', `${kind} takes no position.`, {
          remedy: 'Use `verify-to-position` or `lax-to-position`, or leave `to_line` and `to_column` out.',
        });
      }
      return { kind };
  }
}

export const fstarUpdateBuffer = defineOperation({
  name: 'fstar_update_buffer',
  area: 'fstar',
  title: 'Give F* a file',
  summary:
    'Gives a session the contents of a file, which count instead of those on the disk. Nothing is written.',
  details:
    'For dependencies that you are editing, the interface of the file among them: afterwards check with `reload-deps`. ' +
    'F* of 2019 finds a dependency only when some file of its name is on the disk.',
  input: z.object({
    session_id: sessionId,
    file_path: z.string().describe('The file, which need not exist.'),
    contents: z.string(),
  }),
  output: z.object({ status: z.literal('ok') }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 300,
  positional: ['session_id', 'file_path', 'contents'],
  render: () => 'The session reads the file so from now on.',
  run: async ({ session_id, file_path, contents }, context) => {
    const path = await context.workspace.resolve(file_path);
    await requireLanguage('fstar', path, file_path);
    await fstarWorkbenchOf(context).sessions.use(context.client, session_id, ({ session }) =>
      session.addVirtualFile(path, contents),
    );
    return { status: 'ok' as const };
  },
});

export const fstarLookupSymbol = defineOperation({
  name: 'fstar_lookup_symbol',
  area: 'fstar',
  title: 'Look up a name',
  summary: 'Tells the type, documentation, definition and place of a name, as it is meant at a place.',
  details:
    'F* answers from what the session has checked: a name below the last checked declaration is not found.',
  input: z.object({
    session_id: sessionId,
    file_path: z.string().describe('The file that has the name in it.'),
    line: z.int().positive().describe('From 1.'),
    column: z.int().nonnegative().describe('From 0.'),
    symbol: z.string().min(1).describe('The name, short or qualified.'),
  }),
  output: z.object({
    kind: z.enum(['symbol', 'module', 'not_found']),
    name: z.string(),
    type_info: z.string().nullable(),
    documentation: z.string().nullable(),
    definition: z.string().nullable(),
    defined_at: rangeSchema.nullable(),
    message: z.string().nullable().describe('What F* said when it found nothing.'),
  }),
  annotations: READS,
  defaultTimeout: 60,
  positional: ['session_id', 'file_path', 'line', 'column', 'symbol'],
  render: ({ kind, name, type_info, documentation, definition, defined_at, message }) =>
    kind === 'not_found'
      ? `${name} was not found${message === null ? '.' : `: ${message.trim()}`}`
      : [
          kind === 'module' ? `module ${name}` : `${name}${type_info === null ? '' : ` : ${type_info}`}`,
          ...(definition === null ? [] : [definition]),
          ...(documentation === null ? [] : [documentation]),
          ...(defined_at === null
            ? []
            : [`defined at ${defined_at.file}:${defined_at.start_line}:${defined_at.start_column}`]),
        ].join('\n'),
  run: async ({ session_id, file_path, line, column, symbol }, context) => {
    const path = await context.workspace.resolve(file_path);
    const answer = await fstarWorkbenchOf(context).sessions.use(context.client, session_id, (open) => {
      const file = path === open.file ? '<input>' : path;
      return open.session.lookup(symbol, { file, line, column }, { signal: context.signal });
    });
    const nothing = {
      name: symbol,
      type_info: null,
      documentation: null,
      definition: null,
      defined_at: null,
      message: null,
    };
    switch (answer.kind) {
      case 'symbol':
        return {
          kind: 'symbol' as const,
          name: answer.name,
          type_info: answer.type,
          documentation: answer.documentation,
          definition: answer.definition,
          defined_at: answer.definedAt && rangeOf(answer.definedAt, context.workspace),
          message: null,
        };
      case 'module':
      case 'namespace':
        return { ...nothing, kind: 'module' as const, name: answer.name };
      case 'option':
        return { ...nothing, kind: 'not_found' as const, message: `${answer.name} is an option.` };
      case 'not-found':
        return { ...nothing, kind: 'not_found' as const, message: answer.message };
    }
  },
});
