/** What the turns of another agent cost: as it tells, else by the tokens that it told. */
import { QuodError } from '../../core/errors.ts';
import { RUN_REMEDIES } from '../../core/remedies/run-remedies.ts';
import { costOf, dearestPrice, priceSetting, type Price, type Usage } from '../models/prices.ts';
import type { Settings } from '../settings.ts';
import { DRIVER_PROGRAMS } from './driver-command.ts';
import type { DriverName } from './driver-stream.ts';

export class DriverCost {
  readonly #driver: DriverName;
  readonly #price: Price | undefined;

  /** @throws QuodError `invalid-input` when a limit could never be kept. */
  constructor(driver: DriverName, { model, prices, maxCost }: Settings) {
    this.#driver = driver;
    const name = `${driver}/${model ?? 'default'}`;
    // Claude Code tells what it cost, unless it is ended before: which model worked is not known then.
    this.#price = prices[name] ?? (driver === 'claude-code' ? dearestPrice('anthropic') : undefined);
    if (this.#price === undefined && maxCost !== null)
      throw new QuodError(
        'invalid-input',
        `${this.#title} does not tell what it costs, so its cost cannot be limited.`,
        {
          remedy: `Say what its tokens cost: ${priceSetting(name)}.`,
        },
      );
  }

  /** @param told US dollars. @param calls Of its model: who was called and tells no tokens tells nothing. */
  ofTurn(
    told: number | null,
    usage: Usage,
    calls: number,
  ): { readonly cost: number | null; readonly estimated?: true } {
    if (told !== null) return { cost: told };
    if (calls > 0 && usage.inputTokens + usage.outputTokens === 0) return { cost: null };
    const cost = costOf(this.#price, usage);
    return { cost, ...(cost !== null && this.#driver === 'claude-code' && { estimated: true }) };
  }

  unknown(limit: number): QuodError {
    return new QuodError(
      'budget-exhausted',
      `${this.#title} did not tell what its last turn cost, so the limit of $${limit} cannot be kept.`,
      {
        remedy: `${RUN_REMEDIES.goOn} Take the limit away with --set max-cost=null, or raise it for one more turn; --max-time limits the time.`,
      },
    );
  }

  get #title(): string {
    return DRIVER_PROGRAMS[this.#driver].title;
  }
}
