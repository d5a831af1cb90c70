/**
 * Whether a server can be reached at all. Until it has begun to answer it is asked by one call alone, tries and all; the
 * others wait, and end as that one does where it cannot be reached or refuses whoever asks: such a server is not asked by each
 * of them.
 */
export class FirstContact {
  readonly #reached = new Set<string>();
  readonly #first = new Map<string, Promise<void>>();

  /**
   * @param ask Calls `reached` as soon as the server has begun to answer.
   * @param isAway Whether a failure says that the server cannot be reached, where nothing came from it.
   * @throws what `ask` throws, or what the call threw that could not reach the server.
   */
  async through<Result>(
    server: string,
    ask: (reached: () => void) => Promise<Result>,
    isAway: (failure: unknown) => boolean,
  ): Promise<Result> {
    for (let first = this.#first.get(server); first !== undefined; first = this.#first.get(server)) {
      await first;
      if (this.#reached.has(server)) break;
    }
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const isFirst = !this.#reached.has(server);
    if (isFirst) {
      // Nobody may be waiting.
      promise.catch(() => undefined);
      this.#first.set(server, promise);
    }
    const call = { isAnswered: false };
    const reached = (): void => {
      call.isAnswered = true;
      this.#reached.add(server);
      if (isFirst) this.#end(server, promise, () => resolve(undefined));
    };
    try {
      const result = await ask(reached);
      reached();
      return result;
    } catch (failure) {
      if (!call.isAnswered && isAway(failure)) {
        this.#reached.delete(server);
        if (isFirst) this.#end(server, promise, () => reject(failure));
      } else if (isFirst) this.#end(server, promise, () => resolve(undefined));
      throw failure;
    }
  }

  #end(server: string, promise: Promise<void>, settle: () => void): void {
    if (this.#first.get(server) === promise) this.#first.delete(server);
    settle();
  }
}
