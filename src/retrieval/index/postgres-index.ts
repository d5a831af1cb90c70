/**
 * A vector index in PostgreSQL with the extension pgvector: the same promises as the embedded one, kept by
 * transactions. A source is added in one of them, and a table belongs to one model by its name.
 */
import type { Client, QueryResultRow } from 'pg';
import { present } from '../../core/entry.ts';
import { QuodError, errorText } from '../../core/errors.ts';
import { DIMENSION } from '../model/model-format.ts';
import type {
  IndexEntry,
  IndexSource,
  VectorIndex,
  VectorIndexBuilder,
  VectorNeighbour,
} from './vector-index.ts';

export interface PostgresIndexOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** `model_sha256` of the model whose vectors they are. */
  readonly model: string;
}

/** What the names of all tables begin with. */
const TABLES = 'quod_vectors_';

/** Candidates that the graph looks at for each neighbour that is answered; pgvector's default is 40 in all. */
const CANDIDATES = 8;
const FEWEST_CANDIDATES = 64;
const MOST_CANDIDATES = 1000;

/** Of the server's memory for each vector while the graph is built, PostgreSQL's default for all, and the most. */
const GRAPH_KILOBYTES = 2;
const LEAST_GRAPH_KILOBYTES = 64 * 1024;
const MOST_GRAPH_KILOBYTES = 2 * 1024 * 1024 - 1;

/** Opens for searching; needs no right but to read. @throws QuodError `not-found`, `invalid-input` (another model). */
export function openPostgresIndex(options: PostgresIndexOptions): Promise<VectorIndex> {
  return connect(options, requireVectors);
}

/** Opens for adding and makes what is missing. @throws QuodError `not-found`, `unsupported` (no pgvector). */
export function buildPostgresIndex(options: PostgresIndexOptions): Promise<VectorIndexBuilder> {
  return connect(options, prepare);
}

async function connect(
  { url, model }: PostgresIndexOptions,
  makeReady: (client: Client, table: string) => Promise<void>,
): Promise<PostgresIndex> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  // A connection that breaks between queries must not end the process; the next query reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (cause) {
    throw new QuodError('not-found', `PostgreSQL does not answer: ${errorText(cause)}`, {
      remedy: 'Look at the address, the user and the password in the URL.',
      cause,
    });
  }
  try {
    const table =
      TABLES +
      model
        .replace(/[^0-9a-zA-Z]/gu, '')
        .slice(0, 16)
        .toLowerCase();
    await makeReady(client, table);
    const sources = await client.query<{ name: string; hash: string }>(
      `SELECT name, hash FROM ${table}_sources`,
    );
    const index = new PostgresIndex(
      client,
      table,
      new Map(sources.rows.map(({ name, hash }) => [name, hash])),
    );
    await index.count();
    return index;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Vectors of this model must be there: without any it would look as if nothing were similar. */
async function requireVectors(client: Client, table: string): Promise<void> {
  const { rows: tables } = await client.query<{ relname: string }>(
    `SELECT relname FROM pg_class
     WHERE relkind = 'r' AND starts_with(relname, '${TABLES}') AND relname NOT LIKE '%\\_sources' AND pg_table_is_visible(oid)`,
  );
  const names = tables.map(({ relname }) => relname);
  // The tables of other models, which the user may have no right to read, are asked for the message alone.
  if (names.includes(table) && (await hasRows(client, table))) return;
  let others = 0;
  for (const name of names)
    if (name !== table && (await hasRows(client, name).catch(() => true))) others += 1;
  if (others === 0)
    throw new QuodError('not-found', 'There is no vector index in this PostgreSQL.', {
      remedy: 'Build one from a data set first.',
    });
  throw new QuodError('invalid-input', 'The vector index in this PostgreSQL was made with another model.', {
    remedy:
      'Build the index again, or set QUOD_RANKER_MODEL to the model that it was made with; both may stand side by side.',
  });
}

async function hasRows(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM ${client.escapeIdentifier(table)} LIMIT 1`);
  return rows.length > 0;
}

async function prepare(client: Client, table: string): Promise<void> {
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS vector');
  } catch (cause) {
    throw new QuodError('unsupported', `This PostgreSQL has no vectors: ${errorText(cause)}`, {
      remedy: 'Install pgvector for it and let the user create extensions, or use the embedded index.',
      cause,
    });
  }
  // Two processes may come at once, and `IF NOT EXISTS` is no lock.
  await transaction(client, async () => {
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [table]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${table}_sources (name text PRIMARY KEY, hash text NOT NULL)`,
    );
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${table} (
         id bigserial PRIMARY KEY,
         source text NOT NULL REFERENCES ${table}_sources (name) ON DELETE CASCADE,
         item jsonb NOT NULL,
         vector vector(${DIMENSION}) NOT NULL)`,
    );
  });
}

async function transaction<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // What broke the work is what matters, also when the connection is gone.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

class PostgresIndex implements VectorIndex, VectorIndexBuilder {
  readonly #client: Client;
  readonly #table: string;
  readonly #sources: Map<string, string>;
  #size = 0;

  constructor(client: Client, table: string, sources: Map<string, string>) {
    this.#client = client;
    this.#table = table;
    this.#sources = sources;
  }

  get size(): number {
    return this.#size;
  }

  async count(): Promise<void> {
    const [row] = await this.#rows<{ count: string }>(`SELECT count(*) AS count FROM ${this.#table}`, []);
    this.#size = Number(present(row, 'count').count);
  }

  async nearest(vector: Float32Array, count: number): Promise<VectorNeighbour[]> {
    const candidates = Math.min(MOST_CANDIDATES, Math.max(FEWEST_CANDIDATES, count * CANDIDATES));
    return transaction(this.#client, async () => {
      await this.#client.query(`SET LOCAL hnsw.ef_search = ${candidates}`);
      return this.#rows<{ item: unknown; similarity: number }>(
        `SELECT item, 1 - (vector <=> $1) AS similarity FROM ${this.#table} ORDER BY vector <=> $1 LIMIT $2`,
        [literal(vector), count],
      );
    });
  }

  has({ name, hash }: IndexSource): boolean {
    const known = this.#sources.get(name);
    if (known === undefined || known === hash) return known === hash;
    throw new QuodError('invalid-input', `The index has an older version of ${name}.`, {
      place: { file: this.#table },
      remedy: `Drop the tables ${this.#table} and ${this.#table}_sources, and build the index again.`,
    });
  }

  async add(source: IndexSource, entries: readonly IndexEntry[]): Promise<void> {
    if (this.has(source)) return;
    await transaction(this.#client, async () => {
      await this.#client.query(`INSERT INTO ${this.#table}_sources (name, hash) VALUES ($1, $2)`, [
        source.name,
        source.hash,
      ]);
      await this.#client.query(
        `INSERT INTO ${this.#table} (source, item, vector)
         SELECT $1, entry.item::jsonb, entry.vector::vector
         FROM unnest($2::text[], $3::text[]) AS entry (item, vector)`,
        [
          source.name,
          entries.map(({ item }) => JSON.stringify(item)),
          entries.map(({ vector }) => literal(vector)),
        ],
      );
    });
    this.#sources.set(source.name, source.hash);
    this.#size += entries.length;
  }

  async finish(): Promise<void> {
    const kilobytes = Math.round(
      Math.min(MOST_GRAPH_KILOBYTES, Math.max(LEAST_GRAPH_KILOBYTES, this.#size * GRAPH_KILOBYTES)),
    );
    await transaction(this.#client, async () => {
      // A graph that does not fit is built several times more slowly. Workers would want all of it as shared
      // memory, which containers have little of.
      await this.#client.query(`SET LOCAL maintenance_work_mem = '${kilobytes}kB'`);
      await this.#client.query('SET LOCAL max_parallel_maintenance_workers = 0');
      await this.#client.query(
        `CREATE INDEX IF NOT EXISTS ${this.#table}_nearest ON ${this.#table}
         USING hnsw (vector vector_cosine_ops) WITH (m = 16, ef_construction = 128)`,
      );
    });
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #rows<Row extends QueryResultRow>(query: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.#client.query<Row>(query, [...values])).rows;
  }
}

function literal(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
