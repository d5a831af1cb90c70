/**
 * The contract between `training/`, which writes a ranker's model, and this layer, which runs it: a folder with
 * `ranker.onnx`, `tokenizer.json` and `card.json`. A folder is taken whole or refused: the card names the other two
 * by their hashes, so a model never runs with the tokenizer of another.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { sha256 } from '../../core/sha256.ts';
import { QuodError } from '../../core/errors.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../process/foreign-folder/regular-file.ts';

/** Length of a vector. */
export const DIMENSION = 256;

const FORMAT_VERSION = 1;

/** The first pieces of every vocabulary, in this order. */
export const SPECIAL_PIECES = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'] as const;

export const tokenizerSchema = z.object({
  format: z.literal('quod-tokenizer'),
  version: z.literal(FORMAT_VERSION),
  maximum_length: z.int().min(8).max(4096),
  maximum_conclusion: z.int().min(4),
  /** The id of a piece is its index. */
  pieces: z
    .array(z.string().min(1))
    .refine((pieces) => SPECIAL_PIECES.every((piece, at) => pieces[at] === piece), {
      error: `The first pieces must be ${SPECIAL_PIECES.join(' ')}.`,
    }),
});

export type TokenizerFile = z.infer<typeof tokenizerSchema>;

const hypothesisSchema = z.object({ name: z.string(), type: z.string(), body: z.string().optional() });

/** What Python computed for some goals: whoever loads the model can compare. */
const checkSchema = z.object({
  conclusion: z.string(),
  hypotheses: z.array(hypothesisSchema),
  ids: z.array(z.int()),
  embedding: z.array(z.number()).length(DIMENSION),
});

const hash = z.string().regex(/^[0-9a-f]{64}$/u);

export const cardSchema = z.object({
  format: z.literal('quod-ranker'),
  version: z.literal(FORMAT_VERSION),
  name: z.string().min(1),
  dimension: z.literal(DIMENSION),
  created: z.string(),
  model_sha256: hash,
  tokenizer_sha256: hash,
  licence: z.string(),
  corpus: z.array(z.object({ library: z.string(), licence: z.string(), files: z.int(), items: z.int() })),
  /** Libraries that no training file came from. */
  held_out: z.array(z.string()),
  training: z.record(z.string(), z.unknown()),
  figures: z.record(z.string(), z.unknown()),
  limits: z.array(z.string()),
  /** Names of the columns of the output `tactic_head_logits`, when the model has it. */
  tactic_heads: z.array(z.string()).optional(),
  check: z.array(checkSchema).min(1),
});

export type ModelCard = z.infer<typeof cardSchema>;

export interface RankerModel {
  readonly folder: string;
  readonly card: ModelCard;
  readonly tokenizer: TokenizerFile;
  /** Content of `ranker.onnx`. */
  readonly network: Uint8Array;
}

/** `$QUOD_RANKER_MODEL`, else the model that the package ships. */
export function rankerModelFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const own = environment['QUOD_RANKER_MODEL'];
  if (own) return own;
  return fileURLToPath(new URL('../../../models/ranker', import.meta.url));
}

/** @throws QuodError `not-found` when there is no model, `invalid-input` when it is damaged or of another version. */
export async function readRankerModel(folder: string): Promise<RankerModel> {
  const cardText = await readRegularFile(join(folder, 'card.json'), LARGEST_WRITTEN_BYTES).catch(
    (cause: unknown) => {
      throw new QuodError('not-found', 'There is no model of the learned ranker.', {
        place: { file: folder },
        remedy:
          'Set QUOD_RANKER_MODEL to the folder of a model, make one with `data_train`, or choose another ranker.',
        cause,
      });
    },
  );
  const card = parsePart(folder, 'card.json', cardText, cardSchema);
  const [tokenizerText, network] = await Promise.all([
    readPart(folder, 'tokenizer.json', card.tokenizer_sha256),
    readPart(folder, 'ranker.onnx', card.model_sha256),
  ]);
  return {
    folder,
    card,
    network,
    tokenizer: parsePart(folder, 'tokenizer.json', tokenizerText, tokenizerSchema),
  };
}

async function readPart(folder: string, name: string, expected: string): Promise<Uint8Array> {
  const content = await readRegularFile(join(folder, name), LARGEST_WRITTEN_BYTES).catch((cause: unknown) => {
    throw damaged(folder, name, 'is missing', cause);
  });
  if (sha256(content) !== expected)
    throw damaged(folder, name, 'is not the one that card.json was written for');
  return content;
}

function parsePart<Schema extends z.ZodType>(
  folder: string,
  name: string,
  content: Uint8Array,
  schema: Schema,
): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(content).toString('utf8'));
  } catch (cause) {
    throw damaged(folder, name, 'is not JSON', cause);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw damaged(folder, name, `is not of version ${FORMAT_VERSION}: ${z.prettifyError(parsed.error)}`);
}

function damaged(folder: string, name: string, what: string, cause?: unknown): QuodError {
  return new QuodError('invalid-input', `The model of the learned ranker cannot be used: ${name} ${what}.`, {
    place: { file: join(folder, name) },
    remedy: 'Install Quod again, or make the model again with `data_train`.',
    cause,
  });
}
