/**
 * The messages of the model in one turn of another agent, as they are told one after the other. A message may be told in
 * parts: it counts once, by its name. One without a name stands for itself.
 */
export class TurnMessages {
  readonly #names = new Set<string>();
  #count = 0;

  /** @param message Whether the model said it. */
  add({ id, message }: { readonly id?: string | undefined; readonly message: boolean }): void {
    if (!message || (id !== undefined && this.#names.has(id))) return;
    if (id !== undefined) this.#names.add(id);
    this.#count++;
  }

  get count(): number {
    return this.#count;
  }

  /** How often the model was asked: a program that tells no message asked it all the same. */
  get calls(): number {
    return Math.max(1, this.#count);
  }
}
