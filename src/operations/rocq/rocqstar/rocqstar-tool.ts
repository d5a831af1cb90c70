/** How a tool of the RocqStar server is defined here: its common fields, and the session that a call means. */
import { z } from 'zod';
import { QuodError } from '../../../core/errors.ts';
import { READS, defineOperation, type Operation, type OperationContext } from '../../definition/operation.ts';
import { rocqWorkbenchOf } from '../session/place.ts';

const CHANGES = { ...READS, readOnly: false, idempotent: false } as const;

const coqSessionId = z
  .string()
  .optional()
  .describe('From start_session; may be left out while you have one session only.');
const proofVersionHash = z
  .string()
  .optional()
  .describe(
    'The proof version to start from, from start_session or check_proof; default: the start of the proof.',
  );
export const filePath = z.string().describe('Path from the root of the project.');
/** That agent gives the session and the version to every tool, whether it takes them or not. */
export const everywhere = { coqSessionId, proofVersionHash };

interface ToolDefinition<Fields extends z.ZodRawShape, Answer extends z.ZodRawShape> {
  readonly name: string;
  readonly summary: string;
  readonly fields: Fields;
  readonly answer: Answer;
  readonly changes?: boolean;
  readonly run: (
    input: z.output<z.ZodObject<Fields>>,
    context: OperationContext,
  ) => Promise<z.output<z.ZodObject<Answer>>>;
}

export function tool<Fields extends z.ZodRawShape, Answer extends z.ZodRawShape>(
  definition: ToolDefinition<Fields, Answer>,
): Operation<string, Fields, Answer> {
  return defineOperation({
    name: definition.name,
    area: 'rocq',
    title: definition.name,
    summary: definition.summary,
    input: z.object(definition.fields),
    output: z.object(definition.answer),
    annotations: definition.changes === true ? CHANGES : READS,
    // The limit of that server for a check.
    defaultTimeout: 150,
    run: definition.run,
  });
}

/** The session that is meant. @throws QuodError `not-found` when none is named and there is not exactly one. */
export function sessionOf(named: string | undefined, context: OperationContext): string {
  if (named !== undefined) return named;
  const [only, another] = rocqWorkbenchOf(context).sessions.of(context.client);
  if (only !== undefined && another === undefined) return only.id;
  throw new QuodError(
    'not-found',
    only === undefined ? 'You have no session.' : 'You have several sessions.',
    {
      remedy: 'Call start_session, and give its `coqSessionId`.',
    },
  );
}
