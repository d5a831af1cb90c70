/** A constant that costs something to make: it is made when it is first asked for, and is the same ever after. */

/** What `make` throws is not kept: it is called again the next time. */
export function lazyConstant<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The same for each of many keys. */
export function lazyByKey<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}
