/**
 * Every face at which Quod says of a Rocq proof that it counts, as somebody outside reaches it: operations over MCP
 * and over REST from a server on this machine, the agent with a model that answers what it is told, what the agent
 * believes of files that another program wrote, and what the offline prover asks. For attacks and their innocent twins.
 */
import { OWN_SETTINGS } from '../../agent/configuration/reach.ts';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { runAgent } from '../../agent/run.ts';
import { mergeSettings } from '../../agent/settings.ts';
import { MemoryLog } from '../../agent/testing/memory-log.ts';
import { startModelServer, type ScriptedModelServer } from '../../agent/testing/scripted-model-server.ts';
import { QuodError } from '../../core/errors.ts';
import { replaced } from '../../core/replacement.ts';
import type { GatePolicy } from '../../gate/policy.ts';
import { CATALOGUE, operationNamed } from '../../operations/catalogue.ts';
import { judgeFoundProof } from '../../operations/proof/judge-found-proof.ts';
import { splice } from '../../operations/rocq/proof/splice.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { openRocqTargets } from '../../agent-targets/rocq/rocq-targets.ts';
import { openHost, type Host } from '../host.ts';
import { quodSurface } from '../mcp/quod-surface.ts';
import { callRemotely } from '../rest/remote-call.ts';
import { makeToken, serveHttp, type HttpServer } from '../server/serve.ts';

/** Faces that are given a whole file, and those that are given the proof of one statement of a file. */
export const FILE_FACES = ['gate_verify over MCP', 'gate_verify over REST', 'agent with a driver'] as const;
export const PROOF_FACES = [
  ...(['rocq_fill over MCP', 'rocq_fill over REST'] as const),
  ...(['rocq_check_proof over MCP', 'rocq_check_proof over REST'] as const),
  ...(['agent with a model', 'prove'] as const),
] as const;

export type FileFace = (typeof FILE_FACES)[number];
export type ProofFace = (typeof PROOF_FACES)[number];

export interface FaceAnswer {
  readonly accepted: boolean;
  /** Of the proof that was accepted: what it rests on that is open. */
  readonly restsOnOpen: readonly string[];
  /** In the face's own words, when it was not accepted. */
  readonly said: string;
  /** The file as it is afterwards; what a driver is believed of its file: the target with the proofs that count. */
  readonly text: string;
}

export interface SentFile {
  readonly target: string;
  readonly submission: string;
  readonly policy?: GatePolicy;
}

export interface SentProof {
  readonly target: string;
  readonly theorem: string;
  readonly proof: string;
}

type Answer = Record<string, unknown>;
type Call = (operation: string, input: Answer) => Promise<Answer>;

const NAME = 'Target.v';
const never = new AbortController().signal;
const words = z.array(z.string());
const verifySchema = z.looseObject({
  verdict: z.string(),
  message: z.string().nullable(),
  findings: z.array(z.looseObject({ kind: z.string(), message: z.string() })),
  statements: z.array(z.looseObject({ open_statements: words })),
});
const fillSchema = z.looseObject({ written: z.boolean(), findings: words, rests_on_open: words });
const checkSchema = z.looseObject({ outcome: z.string(), message: z.string(), rests_on_open: words });

export class AttackedFaces {
  readonly #folder: string;
  readonly #host: Host;
  readonly #server: HttpServer;
  readonly #mcp: Client;
  readonly #token: string;
  /** What the model says to each theorem's proof. */
  readonly #model: ScriptedModelServer;
  #proof = '';
  #cases = 0;

  private constructor(
    folder: string,
    host: Host,
    { server, token, mcp }: { server: HttpServer; token: string; mcp: Client },
    model: (proof: () => string) => ScriptedModelServer,
  ) {
    this.#folder = folder;
    this.#host = host;
    this.#server = server;
    this.#token = token;
    this.#mcp = mcp;
    this.#model = model(() => this.#proof);
  }

  static async open(): Promise<AttackedFaces> {
    const folder = await mkdtemp(join(tmpdir(), 'quod-faces-'));
    const host = await openHost({ folder, confined: true, operations: CATALOGUE });
    const token = makeToken();
    const server = await serveHttp({
      host,
      surface: (client) => quodSurface(host, client),
      port: 0,
      token,
      onError: (error) => {
        throw error;
      },
      onClientError: () => undefined,
    });
    const mcp = new Client({ name: 'attacker', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await mcp.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit }));
    let proof = (): string => '';
    const model = await startModelServer((request) =>
      request.tools === undefined
        ? { text: '{"score": 5, "winner": "pro", "plan": "as it is sent"}' }
        : {
            calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof: proof() }) }],
          },
    );
    return new AttackedFaces(folder, host, { server, token, mcp }, (sent) => {
      proof = sent;
      return model;
    });
  }

  async close(): Promise<void> {
    await this.#model.close();
    await this.#mcp.close();
    await this.#server.close();
    await this.#host.services.close();
    await rm(this.#folder, { recursive: true });
  }

  async sendFile(face: FileFace, sent: SentFile): Promise<FaceAnswer> {
    const folder = await this.#folderWith(sent.target);
    if (face === 'agent with a driver') return this.#compared(folder, sent);
    const call = face.endsWith('MCP') ? this.#overMcp : this.#overRest;
    await writeFile(join(this.#folder, folder, 'Submission.v'), sent.submission);
    await writeFile(join(this.#folder, folder, 'policy.json'), JSON.stringify(sent.policy ?? {}));
    const [target, submission, policy] = [NAME, 'Submission.v', 'policy.json'].map(
      (name) => `${folder}/${name}`,
    );
    const answer = verifySchema.parse(await call('gate_verify', { target, submission, policy }));
    return {
      accepted: answer.verdict === 'accepted',
      restsOnOpen: answer.statements.flatMap(({ open_statements }) => open_statements),
      said: [answer.message, ...answer.findings.map(({ kind, message }) => `${kind}: ${message}`)].join(' '),
      text: await this.#read(folder),
    };
  }

  async sendProof(face: ProofFace, sent: SentProof): Promise<FaceAnswer> {
    const folder = await this.#folderWith(sent.target);
    switch (face) {
      case 'rocq_fill over MCP':
        return this.#filled(this.#overMcp, folder, sent);
      case 'rocq_fill over REST':
        return this.#filled(this.#overRest, folder, sent);
      case 'rocq_check_proof over MCP':
        return this.#checked(this.#overMcp, folder, sent);
      case 'rocq_check_proof over REST':
        return this.#checked(this.#overRest, folder, sent);
      case 'agent with a model':
        return this.#worked(folder, sent);
      case 'prove':
        return this.#found(folder, sent);
    }
  }

  async #folderWith(target: string): Promise<string> {
    const folder = `case${(this.#cases += 1)}`;
    await mkdir(join(this.#folder, folder));
    await writeFile(join(this.#folder, folder, NAME), target);
    return folder;
  }

  #read(folder: string): Promise<string> {
    return readFile(join(this.#folder, folder, NAME), 'utf8');
  }

  readonly #overMcp: Call = async (name, input) => {
    const answer = await this.#mcp.callTool({ name, arguments: input });
    if (answer.isError === true) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
    return z.looseObject({}).parse(answer.structuredContent);
  };

  readonly #overRest: Call = async (name, input) => {
    const operation = operationNamed(name);
    if (operation === undefined) throw new Error(`There is no operation ${name}.`);
    const caller = { client: 'attacker', folder: this.#folder, signal: never, progress: () => undefined };
    const { value } = await callRemotely(
      { url: this.#server.url, token: this.#token },
      operation,
      input,
      caller,
    );
    return value;
  };

  async #filled(call: Call, folder: string, { theorem, proof }: SentProof): Promise<FaceAnswer> {
    const answer = fillSchema.parse(await call('rocq_fill', { file: `${folder}/${NAME}`, theorem, proof }));
    return {
      accepted: answer.written,
      restsOnOpen: answer.rests_on_open,
      said: answer.findings.join(' '),
      text: await this.#read(folder),
    };
  }

  async #checked(call: Call, folder: string, { theorem, proof }: SentProof): Promise<FaceAnswer> {
    const { session_id } = await call('rocq_open', { file: `${folder}/${NAME}`, theorem });
    const answer = checkSchema.parse(await call('rocq_check_proof', { session_id, proof, final: true }));
    await call('rocq_close', { session_id });
    return {
      accepted: answer.outcome === 'proved' || answer.outcome === 'proved-but',
      restsOnOpen: answer.rests_on_open,
      said: `${answer.outcome} ${answer.message}`,
      text: await this.#read(folder),
    };
  }

  async #worked(folder: string, { theorem, proof }: SentProof): Promise<FaceAnswer> {
    this.#proof = proof;
    const log = new MemoryLog();
    const file = await openRocqTargets(
      this.#host,
      { file: `${folder}/${NAME}`, theorems: [theorem] },
      never,
    ).catch((error: unknown) => {
      // Of a hole that no proof may be put into nothing is asked.
      if (error instanceof QuodError && error.reason === 'unsupported') return error;
      throw error;
    });
    if (file instanceof QuodError)
      return { accepted: false, restsOnOpen: [], said: file.message, text: await this.#read(folder) };
    const { outcome, message } = await runAgent({
      log,
      files: [file],
      settings: mergeSettings({
        model: 'scripted/attacker',
        providers: { scripted: { url: this.#model.url, free: true } },
        ...{ planning: 'direct', plans: 1, plansExecuted: 1, toolCallsPerPlan: 1, searchFirst: false },
        write: true,
      }),
      quod: 'test',
      environment: {},
      permissions: OWN_SETTINGS,
      signal: never,
    });
    const ended = log.records.flatMap(({ event }) => (event.kind === 'theorem-ended' ? [event] : []));
    return {
      accepted: outcome === 'proved' || outcome === 'proved-but',
      restsOnOpen: ended.flatMap((event) => event.restsOnOpen),
      said: `${outcome} ${message}`,
      text: await this.#read(folder),
    };
  }

  /** What `quod agent` with another agent's program believes of a file that this program has changed. */
  async #compared(folder: string, { target, submission }: SentFile): Promise<FaceAnswer> {
    const file = await openRocqTargets(this.#host, { file: `${folder}/${NAME}` }, never);
    await writeFile(join(this.#folder, folder, NAME), submission);
    const { clean, accepted, findings } = await file.compare(target, never);
    const outline = outlineOf(target);
    return {
      accepted: file.targets.length > 0 && accepted.length === file.targets.length,
      restsOnOpen: accepted.flatMap(({ restsOnOpen }) => restsOnOpen),
      said: findings.join(' '),
      // Of a file that is wrong elsewhere only the proofs count.
      text: clean
        ? submission
        : replaced(
            target,
            accepted.flatMap(({ theorem, proof }) => {
              const item = outline.statements.find(({ name }) => name === theorem);
              return item === undefined ? [] : [splice(outline, item, proof)];
            }),
          ),
    };
  }

  /** What `quod prove` and `proof_search` ask about a proof that the search has found. */
  async #found(folder: string, { target, theorem, proof }: SentProof): Promise<FaceAnswer> {
    const outline = outlineOf(target);
    const item = outline.statements.find(({ name }) => name === theorem);
    if (item === undefined) throw new Error(`There is no statement ${theorem}.`);
    const text = replaced(target, [splice(outline, item, proof)]);
    const identity = { prover: 'rocq', version: '', backend: 'coqidetop', location: '' } as const;
    const judge = judgeFoundProof(
      { path: join(this.#folder, folder, NAME), isWritten: true },
      { identity },
      never,
    );
    const judged = await judge({ target, text, theorems: [item] });
    return {
      accepted: judged.kind === 'accepted',
      restsOnOpen:
        judged.kind === 'accepted' ? judged.restOn.flatMap(({ openStatements }) => openStatements) : [],
      said: judged.kind === 'accepted' ? '' : judged.message,
      text,
    };
  }
}
