/** A constant that costs something to make: it is made when it is first asked for, and is the same ever after. */

/** What `make` throws is not kept: it is called again the next time. */
export function lazyConstant<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
