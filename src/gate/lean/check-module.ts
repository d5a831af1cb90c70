/**
 * Checks one compiled module with the kernel, on top of its imports, and then what was asked for. There is no
 * target: what the statements mean, the reader of the answer must judge.
 */
import { QuodError } from '../../core/errors.ts';
import { clause } from '../../core/sentence.ts';
import { AskedStatements } from './asked-statements.ts';
import { type DeepStackLimits, withDeepStack } from '../deep-stack.ts';
import { AxiomUse } from './judge/axiom-use.ts';
import { JudgedFile, ModuleShelf } from './judge/judged-file.ts';
import { isCompilerLeftover, replay } from './judge/replay.ts';
import { cautionOf } from './kernel/inference.ts';
import { type KernelCheck, type KernelCheckRequest, MOST_LISTED, NOTHING_CHECKED } from './kernel-check.ts';
import { TermStore } from './term-store.ts';

export interface ModuleCheckRequest extends KernelCheckRequest {
  readonly searchPath?: readonly string[];
  /** Check the imported modules, too. */
  readonly fresh?: boolean;
}

/** In a thread with a deep stack. @throws QuodError `interrupted`. */
export async function checkLeanModule(
  request: ModuleCheckRequest,
  limits: DeepStackLimits = {},
): Promise<KernelCheck> {
  try {
    return (await withDeepStack(new URL(import.meta.url), 'checkModuleHere', request, limits)) as KernelCheck;
  } catch (error) {
    if (!(error instanceof QuodError) || error.reason === 'interrupted') throw error;
    return { ...NOTHING_CHECKED, kind: 'unknown', reason: error.reason, message: error.toString() };
  }
}

/**
 * @throws QuodError when the module or an import cannot be read.
 * @public The thread calls it by its name.
 */
export function checkModuleHere(request: ModuleCheckRequest): KernelCheck {
  const store = new TermStore();
  const { path, theorems = [], searchPath, fresh = false } = request;
  const file = new JudgedFile(path, new ModuleShelf(store), { ...(searchPath && { searchPath }) });
  file.divideImports(() => !fresh);
  const constants = [...file.module.constants()].filter((constant) => !isCompilerLeftover(constant));
  const safe = constants.filter((constant) => cautionOf(constant) === undefined);
  const known = {
    ...NOTHING_CHECKED,
    constants: constants.length,
    theoremCount: safe.filter(({ kind }) => kind === 'theorem').length,
    declaredAxioms: constants.filter(({ kind }) => kind === 'axiom').map(({ name }) => name.toString()),
    unchecked: constants
      .filter((constant) => cautionOf(constant) !== undefined)
      .map(({ name }) => name.toString()),
    sha256: file.firstDigest.sha256,
    checkedModules: file.checked.map(({ name }) => name.toString()),
    trustedModules: file.trusted.map(({ name }) => name.toString()),
  };
  const named = [...new Set(theorems.map((text) => store.names.parse(text)))];
  const use = new AxiomUse([...file.module.names.keys(), ...named], (name) => file.placeOf(name));
  const asked = new AskedStatements({
    path,
    store,
    find: (name) => file.find(name),
    axiomsOf: (name) => use.of(name),
  });
  const { problem } = replay(file, store, request.steps);
  if (problem?.kind === 'declined')
    return {
      ...known,
      kind: 'unknown',
      reason: 'unsupported',
      message: `The kernel declines ${problem.name?.toString() ?? 'a declaration'}: ${clause(problem.message)}.`,
    };
  if (problem !== undefined) {
    const subject = problem.name?.toString() ?? 'a declaration';
    const message = `the kernel rejects ${subject}: ${problem.message}`;
    asked.find('kernel-rejected', subject, message, 'Compile the file again.');
    return { ...known, kind: 'rejected', findings: asked.findings };
  }
  if (constants.length === 0)
    asked.find('missing', undefined, 'the module declares nothing', 'Name the module with the theorem.');
  const found = named.filter((name) => asked.requireTheorem(name));
  const ofModule = safe.filter(({ kind }) => kind !== 'axiom').map(({ name }) => name);
  const allowedByName = asked.checkAxioms(named.length > 0 ? found : ofModule, request.axioms);
  const listed =
    named.length > 0
      ? found
      : safe
          .filter(({ kind }) => kind === 'theorem')
          .slice(0, MOST_LISTED)
          .map(({ name }) => name);
  return {
    ...known,
    kind: asked.findings.length === 0 ? 'accepted' : 'rejected',
    findings: asked.findings,
    declarations: constants.length,
    statements: listed.map((name) => asked.statement(name)),
    allowedByName,
  };
}
