import { dismiss, toasts } from './toasts.ts';

export function ToastList() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, tone, action }) => (
        <div key={id} class={`toast ${tone}`}>
          <span>{text}</span>
          {action !== undefined && (
            <button
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.title}
            </button>
          )}
          <button class="quiet" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
