/** What the turns of another agent cost: as it tells, else by the tokens that it told, else by what was said. */
import { QuodError } from '../../core/errors.ts';
import { believedUsage } from '../models/believed-usage.ts';
import {
  costOf,
  dearestPrice,
  priceSetting,
  tokensOfLength,
  type Price,
  type Usage,
} from '../models/prices.ts';
import type { Settings } from '../settings.ts';
import { DRIVER_PROGRAMS } from './driver-command.ts';
import type { DriverName } from './driver-stream.ts';

/** A program tells its model what it wants, and may start others. */
const OF_A_PROGRAM = { input: Number.POSITIVE_INFINITY, output: Number.POSITIVE_INFINITY };

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

  /**
   * @param told US dollars.
   * @param reported What the program tells of tokens, which is believed as a server is (`believedUsage`).
   * @param said How often its model was called, the characters that the model wrote, and those of all that was said. With each
   *   call all is read again that was said before.
   */
  ofTurn(
    told: number | null,
    reported: Usage,
    { calls, written, characters }: Record<'calls' | 'written' | 'characters', number>,
  ): {
    readonly usage: Usage;
    readonly usageEstimated?: true;
    readonly cost: number | null;
    readonly estimated?: true;
  } {
    const ofSaid = {
      inputTokens: tokensOfLength(characters) * calls,
      cachedTokens: 0,
      outputTokens: tokensOfLength(written),
    };
    const isTold = reported.inputTokens + reported.outputTokens > 0;
    const { usage, isEstimated } = believedUsage(isTold ? reported : undefined, ofSaid, OF_A_PROGRAM);
    const used = { usage, ...(isEstimated && { usageEstimated: true as const }) };
    if (told !== null) return { ...used, cost: told };
    const cost = costOf(this.#price, usage);
    const isCounted = !isEstimated && this.#driver === 'codex';
    return { ...used, cost, ...(cost !== null && !isCounted && { estimated: true }) };
  }

  get #title(): string {
    return DRIVER_PROGRAMS[this.#driver].title;
  }
}
