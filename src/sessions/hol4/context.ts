/**
 * Executes the beginning of a script in a session, up to a declaration that is to be worked on: modules are loaded
 * first, and a theorem whose proof fails is assumed instead, and named, so that what follows can still be reached.
 */
import { QuodError } from '../../core/errors.ts';
import type { Limits } from '../../process/interrupt-ladder.ts';
import { mlString } from '../../provers/hol4/session/step-code.ts';
import { codeTokens } from '../../provers/hol4/syntax/cheats.ts';
import type { Script, ScriptItem } from '../../provers/hol4/syntax/script-parts.ts';
import { assumedItem, exportsTheory } from './assume.ts';
import { type HolWorkbench, saidBy } from './workbench.ts';

export interface AssumedTheorem {
  readonly name: string;
  readonly why: string;
}

export interface LoadedContext {
  readonly executed: number;
  readonly assumed: readonly AssumedTheorem[];
}

/** A module that can be named in a script: `listTheory`, `wordsLib`. */
const MODULE = /^([A-Za-z][\w']*(?:Theory|Lib|Syntax|Simps|Simpset|_ss))(?:\.|$)/;

/**
 * The modules that a script opens or names, in the order in which they are first named. Those that are part of every
 * session are found loaded already.
 */
function modulesOf(script: Script): readonly string[] {
  const { text, header } = script;
  const names = new Set<string>([
    ...(header?.ancestors ?? []).map((name) => `${name}Theory`),
    ...(header?.libraries ?? []),
  ]);
  for (const { kind, span } of script.items) {
    if (kind === 'theory') continue;
    const words = codeTokens(text, span)
      .filter((token) => token.kind === 'word')
      .map((token) => text.slice(token.span.start, token.span.end));
    if (kind === 'open') for (const word of words.slice(1)) names.add(word.split('.')[0] ?? word);
    // `local open x in …` hides an `open` inside of a declaration.
    const opened = words.indexOf('open');
    if (kind !== 'open' && opened >= 0)
      for (const word of words.slice(opened + 1)) {
        if (word === 'in') break;
        names.add(word);
      }
    for (const word of words) {
      const module = MODULE.exec(word)?.[1];
      if (module !== undefined && word.includes('.')) names.add(module);
    }
  }
  return [...names];
}

/**
 * @param from Items before this one are executed already.
 * @param until The first item that is not executed.
 * @throws QuodError `library-missing`, `does-not-compile`, `timeout`, `interrupted`.
 */
export async function loadContext(
  session: HolWorkbench,
  script: Script,
  {
    from,
    until,
    limits,
    progress = () => undefined,
  }: {
    readonly from: number;
    readonly until: number;
    readonly limits: Limits;
    readonly progress?: ((done: number, total: number) => void) | undefined;
  },
): Promise<LoadedContext> {
  if (from === 0) await loadModules(session, script, limits);
  const assumed: AssumedTheorem[] = [];
  for (let index = from; index < until; index += 1) {
    const item = script.items[index];
    if (item === undefined) break;
    progress(index - from, until - from);
    const why = await loadItem(session, script, item, limits);
    if (why !== undefined) assumed.push(why);
  }
  return { executed: Math.max(0, until - from), assumed };
}

async function loadModules(session: HolWorkbench, script: Script, limits: Limits): Promise<void> {
  const modules = modulesOf(script);
  if (modules.length === 0) return;
  const opened = new Set(
    script.items.flatMap((item) => (item.kind === 'open' ? namesIn(script.text, item) : [])),
  );
  const required = [
    ...(script.header?.ancestors ?? []).map((name) => `${name}Theory`),
    ...(script.header?.libraries ?? []),
    ...opened,
  ];
  const list = modules.map(mlString).join(', ');
  const code = `val () = Quod_Port.load_all [${list}]`;
  const answer = await session.send(code, limits);
  if (answer.status === 'lost') throw new QuodError(answer.reason, answer.message);
  if (answer.stopped !== undefined)
    throw new QuodError(answer.stopped, 'Loading the modules of the file took too long.');
  const missing = readMissing(answer.values[0]).filter(({ module }) => required.includes(module));
  const [first] = missing;
  if (first === undefined) return;
  const names = missing.map(({ module }) => module).join(', ');
  throw new QuodError('library-missing', `HOL cannot load ${names}: ${first.why}`, {
    remedy:
      'Build what the file needs (the operation `holmake` does), or add its folder to INCLUDES in a Holmakefile.',
  });
}

function namesIn(text: string, { span }: ScriptItem): readonly string[] {
  return codeTokens(text, span)
    .filter((token) => token.kind === 'word')
    .map((token) => text.slice(token.span.start, token.span.end))
    .slice(1);
}

function readMissing(value: unknown): readonly { readonly module: string; readonly why: string }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('module' in entry) || !('why' in entry)) return [];
    return [{ module: String(entry.module), why: String(entry.why) }];
  });
}

/** Executes one item; answers the theorem that had to be assumed. */
async function loadItem(
  session: HolWorkbench,
  script: Script,
  item: ScriptItem,
  limits: Limits,
): Promise<AssumedTheorem | undefined> {
  const text = script.text.slice(item.span.start, item.span.end);
  if (exportsTheory(text)) return undefined;
  const answer = await session.send(text, limits);
  if (answer.status === 'lost') throw new QuodError(answer.reason, answer.message);
  const { reply } = answer;
  if (answer.stopped === undefined && reply.status === 'ok') return undefined;
  const why =
    answer.stopped === undefined
      ? reply.error === undefined
        ? reply.output.trim()
        : saidBy(reply.error)
      : 'it took longer than it was given';
  const assumed = assumedItem(script, item);
  if (assumed !== undefined && limits.signal?.aborted !== true) {
    const again = await session.send(assumed.text, limits);
    if (again.status === 'answered' && again.stopped === undefined && again.reply.status === 'ok')
      return { name: assumed.name, why };
  }
  if (answer.stopped !== undefined)
    throw new QuodError(answer.stopped, `${item.name ?? 'A declaration'}: ${why}`);
  const line = script.text.slice(0, item.span.start).split('\n').length;
  throw new QuodError('does-not-compile', `${item.name ?? 'A declaration'} fails: ${why}`, {
    place: { position: { line, column: 0 } },
    remedy: 'Repair the file up to there first.',
  });
}
