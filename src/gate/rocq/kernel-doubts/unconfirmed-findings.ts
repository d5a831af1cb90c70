/** Findings about what the kernel takes for right in ways in which it has been wrong. They can only refuse. */
import { allowsFlag, type GatePolicy } from '../../policy.ts';
import { type Finding, naming } from '../../verdict.ts';
import type { ComparisonWork } from '../comparison/comparison-work.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import type { RequiredLibraries } from '../libraries/required-libraries.ts';
import { placeOf, recursionFindings } from '../recursion/recursion-findings.ts';
import type { Script } from '../text/script.ts';
import { type Doubt, unconfirmedTypes } from './unconfirmed-types.ts';

const SAID: Readonly<Record<Doubt, string>> = {
  'in-module-type':
    'It is an inductive type in a module type, and what Rocq takes for the same type in a module has been another one: it has accepted proofs of False so.',
  'polymorphic-let':
    'It is a universe polymorphic type with a `let`, which Rocq has computed with the wrong universes: it has accepted proofs of False so.',
  'let-behind-module-type':
    'It has a `let`, and a module type requires a type of this name: Rocq compares the two without it, and has accepted proofs of False so.',
};
const REMEDY: Readonly<Record<Doubt, string>> = {
  'in-module-type': 'Declare it outside of module types',
  'polymorphic-let': 'Write what the `let` stands for in its place',
  'let-behind-module-type': 'Write what the `let` stands for in its place',
};

interface Compared {
  readonly target: CompiledFile;
  readonly submission: CompiledFile;
  readonly work: ComparisonWork;
}

/** @throws MalformedValue, TooMuchWork */
export async function unconfirmedFindings(
  { work, ...files }: Compared,
  required: RequiredLibraries,
  script: Script,
  policy: GatePolicy,
): Promise<readonly Finding[]> {
  const means = { findLibrary: required.find, work };
  const findings = [...(await recursionFindings(files, means, script, policy))];
  if (allowsFlag(policy, 'unconfirmed-type')) return findings;
  for (const [name, doubt] of await unconfirmedTypes(files, required.contents)) {
    const sentence = placeOf(name, script);
    findings.push({
      kind: 'unconfirmed-type',
      file: script.source.path,
      subject: name,
      ...(sentence !== undefined && { position: script.positionOf(sentence) }),
      message: naming(name, SAID[doubt]),
      remedy: `${REMEDY[doubt]}, or have the policy allow it (flags: "unconfirmed-type").`,
    });
  }
  return findings;
}
