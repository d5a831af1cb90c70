/** For a browser that was not admitted yet, or not any more. */
import { useSignal } from '@preact/signals';
import { enter } from '../server/access.ts';

export function Door() {
  const token = useSignal('');
  const wrong = useSignal(false);
  return (
    <form
      class="door"
      onSubmit={(event) => {
        event.preventDefault();
        enter(token.value.trim()).then(
          (taken) => (taken ? location.reload() : (wrong.value = true)),
          () => (wrong.value = true),
        );
      }}
    >
      <h1>This browser is not known to the server</h1>
      <p>
        Run <code>quod ui</code> in the folder, which opens a page that is; or enter the token that{' '}
        <code>quod serve</code> printed.
      </p>
      <label>
        Token
        <input
          type="password"
          autocomplete="off"
          value={token.value}
          aria-invalid={wrong.value}
          onInput={({ currentTarget }) => (token.value = currentTarget.value)}
        />
      </label>
      <button class="primary" disabled={token.value.trim() === ''}>
        Enter
      </button>
      {wrong.value && <p role="alert">The server does not take this token.</p>}
    </form>
  );
}
