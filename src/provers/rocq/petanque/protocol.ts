/**
 * Petanque's replies as values (coq-lsp's `petanque/json/protocol.ml` and `jAgent.ml`, versions 0.2.3 to 0.2.5).
 * Pure. A reply of another shape is an error, since every request sent here is one whose answer Quod needs.
 */
import { z } from 'zod';
import type { Diagnostic, Severity } from '../../../core/diagnostic.ts';
import type { AllGoals, Goal, Hypothesis } from '../../../core/proof-state.ts';
import { explained } from '../prover-rights.ts';

/** What the server said about one request. */
export type Reply =
  | { readonly status: 'answered'; readonly result: unknown }
  | { readonly status: 'refused'; readonly refusal: Refusal };

export interface Refusal {
  readonly code: number;
  readonly message: string;
  /** Messages of the command before it failed. */
  readonly messages: readonly Diagnostic[];
}

export type Incoming =
  | { readonly kind: 'reply'; readonly id: number; readonly reply: Reply }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown };

export const ERRORS = {
  /** Rocq refused the command: syntax, typing, a tactic that failed. */
  rocq: -32003,
  anomaly: -32004,
  interrupted: -32001,
  unknownMethod: -32601,
} as const;

/** Levels of feedback, as in the language server protocol and one more. */
const SEVERITIES: readonly (Severity | undefined)[] = [
  undefined,
  'error',
  'warning',
  'notice',
  'info',
  'debug',
];

const messageSchema = z.object({ level: z.number(), text: z.unknown() });

const incomingSchema = z.union([
  z.object({ id: z.number(), result: z.unknown() }).refine((message) => 'result' in message),
  z.object({
    id: z.number(),
    error: z.object({
      code: z.number(),
      message: z.string(),
      data: z.array(messageSchema).nullish().catch(null),
    }),
  }),
  z.object({ method: z.string(), params: z.unknown() }),
]);

/** One message of the server. @throws when it is not one. */
export function readIncoming(text: string): Incoming {
  const message = parse(incomingSchema, JSON.parse(text));
  if ('method' in message) return { kind: 'notification', method: message.method, params: message.params };
  const { id } = message;
  if (!('error' in message))
    return { kind: 'reply', id, reply: { status: 'answered', result: message.result } };
  const { code, message: said, data } = message.error;
  const messages = (data ?? []).map(({ level, text: spoken }) => diagnosticOf(level, spoken));
  return { kind: 'reply', id, reply: { status: 'refused', refusal: { code, message: said, messages } } };
}

const runSchema = z.object({ st: z.int(), feedback: z.array(z.tuple([z.number(), z.unknown()])) });

/**
 * The result of everything that leads to a state. `proof_finished` is left alone: it does not mean that `Qed`
 * passed.
 */
export function readState(result: unknown): {
  readonly id: number;
  readonly messages: readonly Diagnostic[];
} {
  const { st, feedback } = parse(runSchema, result);
  const messages = feedback.filter(([, text]) => !isServersOwn(text));
  return { id: st, messages: messages.map(([level, text]) => diagnosticOf(level, text)) };
}

/** Said by coq-lsp about its own plugins, not by Rocq about the command. */
function isServersOwn(text: unknown): boolean {
  return typeof text === 'string' && text.startsWith('Serlib plugin: ');
}

function diagnosticOf(level: number, text: unknown): Diagnostic {
  const message = typeof text === 'string' ? text : JSON.stringify(text);
  const severity = SEVERITIES[level] ?? 'notice';
  const said = message.trim();
  return { severity, message: severity === 'error' ? explained(said) : said };
}

/** What Rocq itself said, without the word for the kind of error that petanque puts before it. */
export function refusalDiagnostic({ code, message }: Refusal): Diagnostic {
  const said = code === ERRORS.rocq ? message.replace(/^Coq: /, '') : message;
  return { severity: 'error', message: explained(said.trim()) };
}

const hypothesisSchema = z.object({ names: z.array(z.string()), def: z.string().nullish(), ty: z.string() });
const goalSchema = z.object({
  info: z.object({ evar: z.tuple([z.string(), z.number()]) }),
  hyps: z.array(hypothesisSchema),
  ty: z.string(),
});
const goalListSchema = z.array(goalSchema);
const goalsSchema = z
  .object({
    goals: goalListSchema,
    stack: z.array(z.tuple([goalListSchema, goalListSchema])),
    shelf: goalListSchema,
    given_up: goalListSchema,
  })
  .nullable();

/** What `petanque/goals` answers; null when no proof is open. */
export function readPetanqueGoals(result: unknown): AllGoals | null {
  const goals = parse(goalsSchema, result ?? null);
  return (
    goals && {
      focused: goals.goals.map(goalOf),
      // Each level holds the goals before the focus, nearest first, and those after it.
      unfocused: goals.stack.map(([before, after]) => [...before.toReversed(), ...after].map(goalOf)),
      shelved: goals.shelf.map(goalOf),
      givenUp: goals.given_up.map(goalOf),
    }
  );
}

function goalOf({ info, hyps, ty }: z.infer<typeof goalSchema>): Goal {
  return { id: String(info.evar[1]), hypotheses: hyps.flatMap(hypothesesOf), conclusion: ty };
}

function hypothesesOf({ names, def, ty }: z.infer<typeof hypothesisSchema>): readonly Hypothesis[] {
  return names.map((name) => (def == null ? { name, type: ty } : { name, type: ty, body: def }));
}

function parse<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`unexpected ${JSON.stringify(value).slice(0, 300)}`);
}
