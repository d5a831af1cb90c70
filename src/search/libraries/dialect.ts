/** In which of Rocq's two tactic languages a file is written. */

const SSREFLECT = /\b(?:ssreflect|mathcomp|ssrbool)\b|\bmove\s*=>|^\s*(?:by\s+)?case\s*:/mu;

export function speaksSsreflect(text: string): boolean {
  return SSREFLECT.test(text);
}
