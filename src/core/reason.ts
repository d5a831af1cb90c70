/**
 * The closed list of reasons why Quod did not do what was asked. Every error and every `unknown` outcome carries one.
 * Adding a code is a change of the public interface: document it here and in docs/prove/reason-codes.md.
 */
export const REASON_CODES = {
  timeout: 'The step ran longer than it was given.',
  interrupted: 'Somebody cancelled the step.',
  'prover-crashed': 'The prover died or stopped answering and could not be brought back.',
  'protocol-error': 'The prover answered with something that is not its protocol.',
  'memory-exceeded': 'The prover used more memory than it was given.',
  'stale-state': 'The state belongs to a session that no longer exists.',
  'not-found': 'No such file, theorem or state.',
  'invalid-input': 'The request does not make sense as it stands.',
  'outside-workspace': 'The path leads out of the workspace.',
  'prover-missing': 'No prover that can do this is on the machine.',
  'no-sandbox': 'Foreign code was to be run, and there is no sandbox for it on the machine.',
  'library-missing': 'A library that is needed is not there, or cannot be used as it is.',
  'does-not-compile': 'The file has an error at the place given.',
  'file-changed': 'The file changed on disk while Quod worked on it.',
  'file-unreadable': 'The file cannot be read, or is not text in UTF-8.',
  'file-unwritable': 'The file cannot be written.',
  'too-large': 'The input is larger than Quod accepts.',
  'budget-exhausted': 'The search used up its time or its nodes.',
  'search-exhausted': 'The search tried everything that it knows.',
  'not-verified': 'A proof was found, but a fresh prover did not accept it.',
  'not-replayed': 'Nothing speaks against the proofs, but no kernel other than the prover’s repeated them.',
  unauthorized: 'The token of the server is missing or wrong.',
  'foreign-origin': 'The request names another host, or comes from the page of another site.',
  'not-allowed': 'Only the user may allow this, and has not.',
  unsupported: 'This backend cannot do that.',
  internal: 'A defect in Quod.',
} as const;

export type ReasonCode = keyof typeof REASON_CODES;

/** Those that say that a proof was looked for as far as was asked, and none was found; after all others nobody could look. */
export const LOOKED_IN_VAIN: ReadonlySet<string> = new Set<ReasonCode>([
  'budget-exhausted',
  'search-exhausted',
  'not-verified',
  'timeout',
]);
