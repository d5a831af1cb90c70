/**
 * Compiles a submission with the plugins that its target loads and those that the policy names, and no others. What a target
 * loads its compiled file tells. Most submissions need none: they are compiled while the target is, with what the policy
 * names, and once more only where that is too little. Whatever plugins do for it, it starts no program: that could exchange the
 * compiled file. Where the target itself starts programs (`QuickChick`), or the policy trusts the author, it may.
 */
import { canForbidPrograms } from '../../process/sandbox.ts';
import { allowsFlag, type GatePolicy } from '../policy.ts';
import type { CompileRequest, CompileResult } from './backends/judge-backend.ts';
import type { ReferenceResult } from './reference-result.ts';
import { mayReachOut } from './text/commands.ts';

export interface PluginsAsked {
  /** The compiled target; undefined where it is not known yet. */
  target(): Promise<ReferenceResult | undefined>;
  /** Whether the target does not compile without starting a program. */
  startsPrograms?(): Promise<boolean>;
}

export class TargetPlugins {
  readonly #asked: PluginsAsked;
  readonly #ofPolicy: readonly string[];
  #allowed: readonly string[];
  #startsPrograms: boolean;

  constructor(policy: GatePolicy, asked: PluginsAsked) {
    this.#asked = asked;
    this.#ofPolicy = policy.plugins ?? [];
    this.#allowed = this.#ofPolicy;
    this.#startsPrograms = (policy.commands ?? []).some(mayReachOut) || allowsFlag(policy, 'native-compute');
  }

  async compiled(
    request: CompileRequest,
    compile: (request: CompileRequest) => Promise<CompileResult>,
  ): Promise<CompileResult> {
    const plugins = this.#allowed;
    // Without plugins there is nothing that starts a program of its own choice.
    const startsPrograms = this.#startsPrograms || plugins.length === 0;
    const result = await compile({ ...request, plugins, limits: { ...request.limits, startsPrograms } });
    if (result.status === 'stopped' && !startsPrograms) {
      const hasStarted = result.incidents.some(({ kind }) => kind === 'started-program');
      if (hasStarted && this.#ofPolicy.length === 0) {
        // It may need none of the plugins that a submission before it needed: it is judged as the first would be.
        const limits = { ...request.limits, startsPrograms: true };
        const alone = await compile({ ...request, plugins: [], limits });
        if (alone.status !== 'failed' || alone.lacksPlugin === undefined) return alone;
      }
      if (!hasStarted || (await this.#asked.startsPrograms?.()) !== true) return result;
      this.#startsPrograms = true;
      return this.compiled(request, compile);
    }
    if (result.status !== 'failed' || result.lacksPlugin === undefined) return result;
    const target = await this.#asked.target();
    if (target?.status !== 'compiled') return result;
    const loaded = await target.reference.unit.plugins?.(request.limits);
    const all = [...new Set([...plugins, ...(loaded ?? [])])];
    if (all.length === plugins.length) return result;
    this.#allowed = all;
    return this.compiled(request, compile);
  }

  /** Whether what submissions run may start programs. */
  get mayStartPrograms(): boolean {
    return (this.#startsPrograms || !canForbidPrograms()) && this.#allowed.length > 0;
  }
}
