/** A proof as a file may have it: provers put their own words around a script. */
export function spoken(text: string): string;
export function spoken(text: string | undefined): string | undefined;
export function spoken(text: string | undefined): string | undefined {
  return text?.replace(/\b(?:Proof|Qed|Defined)\s*\.|\s+/gu, '');
}
