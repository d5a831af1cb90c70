/** Turns the error with which the prover refused a submission into a finding. */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import type { Finding } from '../../verdict.ts';
import type { Script } from './script.ts';

const GIVEN_UP = /given up|admitted goals/i;
const UNFINISHED =
  /incomplete proof|pending proofs|open proofs|proof is not complete|remaining open|unresolved existential|non-instantiated existential/i;

/** The prover's compiler stops at the first error. */
const FIRST_OF_ALL = 'There may be more errors behind this one: `proof_check` lists all.';

export function compileFinding(
  submission: Script,
  { error, lacksPlugin }: { readonly error: Diagnostic; readonly lacksPlugin?: string },
): Finding {
  const sentence = submission.sentenceAt(error.span?.start ?? submission.source.text.length);
  const statement = submission.enclosing(sentence);
  const place = {
    file: submission.source.path,
    position: submission.positionAt(error.span?.start ?? submission.source.text.length),
    ...(statement && { subject: statement.name }),
  };
  const message = error.message.split('\n').slice(0, 12).join('\n');
  if (lacksPlugin !== undefined) {
    return {
      ...place,
      kind: 'new-dependency',
      message: `The submission loads the plugin ${lacksPlugin}, which the target does not load: ${message}`,
      remedy:
        'Do without its library, have the target require that, or allow the plugin in the policy: ' +
        `plugins = ["${lacksPlugin}"].`,
    };
  }
  if (GIVEN_UP.test(message)) {
    return {
      ...place,
      kind: 'admitted',
      message: `A goal was given up: ${message}`,
      remedy: `Prove the goals that were left with admit or give_up. ${FIRST_OF_ALL}`,
    };
  }
  if (UNFINISHED.test(message)) {
    return {
      ...place,
      kind: 'unfinished-proof',
      message: `The proof has open goals: ${message}`,
      remedy: `Finish the proof before its closing command. ${FIRST_OF_ALL}`,
    };
  }
  return {
    ...place,
    kind: 'does-not-compile',
    message: `The prover refuses the submission: ${message}`,
    remedy: `Make the file compile in the project of the target, without other files of your own. ${FIRST_OF_ALL}`,
  };
}
