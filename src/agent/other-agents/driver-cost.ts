/** What the turns of another agent cost: as it tells, else by the tokens that it told, else by what was said. */
import { QuodError } from '../../core/errors.ts';
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
   * @param said Of a turn that was ended before it told its tokens: how often its model was called, and the characters of what was
   *   said. With each call all is read again that was said before.
   */
  ofTurn(
    told: number | null,
    usage: Usage,
    said: { readonly calls: number; readonly characters: number },
  ): { readonly cost: number | null; readonly estimated?: true } {
    if (told !== null) return { cost: told };
    const isCounted = usage.inputTokens + usage.outputTokens > 0;
    const outputTokens = tokensOfLength(said.characters);
    const estimated = { inputTokens: outputTokens * said.calls, cachedTokens: 0, outputTokens };
    const cost = costOf(this.#price, isCounted ? usage : estimated);
    const isTold = isCounted && this.#driver === 'codex';
    return { cost, ...(cost !== null && !isTold && { estimated: true }) };
  }

  get #title(): string {
    return DRIVER_PROGRAMS[this.#driver].title;
  }
}
