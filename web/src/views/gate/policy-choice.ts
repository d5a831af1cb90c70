/** What the form knows of a policy. Entries that it does not know stay in the text as they are. Pure. */
import { parsedJson } from '../../../../src/core/json.ts';

export interface PolicyChoice {
  readonly theorems: readonly string[];
  readonly axioms: 'target' | readonly string[];
  readonly logic: readonly string[];
  readonly flags: readonly string[];
  readonly helperLemmas: boolean;
  readonly requireSandbox: boolean;
}

/** What a policy says when it says nothing. */
export const USUAL: PolicyChoice = {
  theorems: [],
  axioms: 'target',
  logic: [],
  flags: ['vm-compute'],
  helperLemmas: true,
  requireSandbox: false,
};

/** The usual for entries that are absent, and for all of them where the text is no JSON object. */
export function readPolicyText(text: string): PolicyChoice {
  const given = objectOf(text);
  const list = (value: unknown): readonly string[] | undefined =>
    Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;
  const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
  return {
    theorems: list(given['theorems']) ?? USUAL.theorems,
    axioms: list(given['axioms']) ?? 'target',
    logic: list(given['logic']) ?? USUAL.logic,
    flags: list(given['flags']) ?? USUAL.flags,
    helperLemmas: flag(given['helperLemmas']) ?? USUAL.helperLemmas,
    requireSandbox: flag(given['requireSandbox']) ?? USUAL.requireSandbox,
  };
}

/** The text with the choice in it; what is as usual is left out. */
export function policyText(text: string, choice: PolicyChoice): string {
  const known = new Set<string>(Object.keys(USUAL));
  const others = Object.entries(objectOf(text)).filter(([name]) => !known.has(name));
  const said = Object.entries(choice).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(USUAL[name as keyof PolicyChoice]),
  );
  const all = Object.fromEntries([...said, ...others]);
  return Object.keys(all).length === 0 ? '{}' : JSON.stringify(all, undefined, 2);
}

/** Whether the form can change it: of another text nothing would be left. */
export function isPolicyObject(text: string): boolean {
  return readObject(text) !== undefined;
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  return readObject(text) ?? {};
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parsedJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
