/** Why Rocq refused an alternative: what is wrong stands first, behind it the rest when somebody asks for it. */
import { behindEnvironment } from '../../../../src/provers/rocq/goals/printed-environment.ts';

const SHOWN_LINES = 8;
const SHOWN_CHARACTERS = 800;

/** What is wrong stands at the end of a long message. */
export function lastOf(error: string): string {
  const lines = behindEnvironment(error).split('\n');
  const last = lines.slice(-SHOWN_LINES).join('\n');
  const shown = last.slice(-SHOWN_CHARACTERS);
  return shown.length < last.length || lines.length > SHOWN_LINES ? `…\n${shown}` : shown;
}

export function WhyRefused({ error }: { readonly error: string }) {
  const shown = lastOf(error);
  return (
    <>
      <pre class="why">{shown}</pre>
      {shown !== error && (
        <details>
          <summary>All that Rocq says</summary>
          <pre class="why">{error}</pre>
        </details>
      )}
    </>
  );
}
