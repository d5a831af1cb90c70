/** Names with dots in them, as provers print them: modules or theories, then the name itself. */

export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** @param qualifier empty for what is in no module. */
export function qualified(qualifier: string, name: string): string {
  return qualifier === '' ? name : `${qualifier}.${name}`;
}

/** What stands before the last part, without the dot; empty for a name without modules. */
export function qualifierOf(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf('.'), 0));
}
