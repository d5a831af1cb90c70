/**
 * A run that would send a key to an address that only the folder names: the address is shown, and a person decides.
 * Nothing is allowed in passing: each address has a button of its own, which says who gets what.
 */
import { useSignal } from '@preact/signals';
import { useAsked } from '../../parts/asked.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import { CallError, call, type InputOf } from '../../server/client.ts';

interface AllowNoteProps {
  readonly error: unknown;
  /** Of a run that is gone on with, whose log has the settings. */
  readonly run?: string;
  readonly onAllowed: () => void;
}

/** An error of a run that could not begin. */
export function StartError({ error, run, onAllowed }: AllowNoteProps) {
  const isRefused = error instanceof CallError && error.problem.reason === 'not-allowed';
  if (!isRefused) return <ErrorNote error={error} />;
  return <AllowNote error={error} onAllowed={onAllowed} {...(run !== undefined && { run })} />;
}

function AllowNote({ error, run, onAllowed }: AllowNoteProps) {
  const asked = useAsked(
    (signal) => call('agent_reaches', run === undefined ? {} : { run }, { signal }),
    [run],
  );
  const refused = useSignal<unknown>(undefined);
  const open = asked.value?.reaches.filter(({ allowed }) => !allowed) ?? [];
  const allow = (input: InputOf<'agent_allow'>): void => {
    call('agent_allow', input).then(onAllowed, (thrown: unknown) => (refused.value = thrown));
  };
  if (asked.state === 'failed') return <ErrorNote error={error} />;
  return (
    <div class="error-note" role="alert">
      <p>
        Nothing was sent yet. {run === undefined ? 'The settings of this folder' : 'The log of this run'} (
        <code>{run === undefined ? '.quod/agent.json' : run}</code>) and not yours name where to send it.
        Allow it only if you know who is there.
      </p>
      <ul class="reaches" aria-label="Not allowed yet">
        {open.map(({ address, host, key_variable, program }) => (
          <li key={`${address ?? ''} ${key_variable ?? ''} ${program ?? ''}`}>
            <p>
              {program !== null ? (
                <>
                  Run the program <code>{program}</code>
                </>
              ) : (
                <>
                  {key_variable === null ? 'Send statements and proofs to ' : 'Send the key in '}
                  {key_variable !== null && (
                    <>
                      <code>{key_variable}</code>
                      {', statements and proofs to '}
                    </>
                  )}
                  <strong>{host ?? ''}</strong> <small>{address ?? ''}</small>
                </>
              )}
            </p>
            <button
              type="button"
              onClick={() =>
                allow({
                  ...(address !== null && { address }),
                  ...(key_variable !== null && { key_variable }),
                  ...(program !== null && { program }),
                })
              }
            >
              Allow {host ?? program ?? ''}
            </button>
          </li>
        ))}
      </ul>
      {refused.value !== undefined && <ErrorNote error={refused.value} />}
    </div>
  );
}
