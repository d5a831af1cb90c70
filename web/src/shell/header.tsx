/** Where one is, where one can go, and what the server is doing. */
import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { connection } from '../server/connection.ts';
import { jobs, stopJob } from '../server/jobs.ts';
import { folderName } from '../server/folder.ts';
import { ALL_VIEWS } from '../views/all-views.ts';
import { cut } from '../parts/cut.ts';
import { Icon } from '../parts/icon.tsx';
import { paletteOpen } from './palette.tsx';
import { shownProof } from './shown-proof.ts';
import { addressOf, route } from './route.ts';
import { nextTheme, theme } from './theme.ts';
import { toastError } from './toasts.ts';

/** Where each view was last: going back to it is going back there. */
const lastAddress = new Map<string, string>();

export function Header() {
  const { view } = route.value;
  if (view !== '') lastAddress.set(view, location.pathname + location.search);
  return (
    <header class="header">
      <a class="brand" href={addressOf('project')}>
        <img src="/ui/icon.svg" alt="Quod" width="20" height="20" />
        <span {...cut(folderName.value, 'folder')}>{folderName.value}</span>
      </a>
      <nav class="views" aria-label="Views">
        {ALL_VIEWS.map(({ id, title, icon, keys }) => (
          <a
            key={id}
            href={lastAddress.get(id) ?? addressOf(id)}
            aria-current={id === view ? 'page' : undefined}
            title={`${title} (${keys})`}
            onClick={({ currentTarget }) => {
              const meant = id === 'proof' ? shownProof() : undefined;
              if (meant !== undefined) currentTarget.setAttribute('href', meant);
            }}
          >
            <Icon outline={icon} />
            <span>{title}</span>
          </a>
        ))}
      </nav>
      <div class="header-end">
        <JobsMenu />
        <button class="quiet find" title="All commands (Ctrl+K)" onClick={() => (paletteOpen.value = true)}>
          <Icon outline="M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.5 15.5L20 20" />
          <span>Commands</span>
          <kbd>Ctrl K</kbd>
        </button>
        <button
          class="quiet"
          title={`Colours: ${theme.value}`}
          aria-label={`Colours: ${theme.value}. Change.`}
          onClick={nextTheme}
        >
          <Icon outline={THEME_ICONS[theme.value]} />
        </button>
        <span
          class={`lamp ${connection.value}`}
          role="img"
          aria-label={CONNECTION_WORDS[connection.value]}
          title={CONNECTION_WORDS[connection.value]}
        />
      </div>
    </header>
  );
}

const CONNECTION_WORDS = {
  asking: 'Asking for the server',
  connected: 'Connected',
  lost: 'Connection lost',
  stranger: 'Another program answers',
};

const THEME_ICONS = {
  system: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  light:
    'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5',
  dark: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z',
};

function JobsMenu() {
  const running = jobs.value.filter(({ state }) => state === 'running');
  const open = useSignal(false);
  useEffect(() => {
    if (running.length === 0) open.value = false;
  }, [running.length]);
  if (running.length === 0) return null;
  return (
    <div class="jobs">
      <button
        class="quiet"
        aria-label={`${running.length} at work`}
        aria-expanded={open.value}
        onClick={() => (open.value = !open.value)}
      >
        <span class="spinner" aria-hidden="true" /> {running.length}
        <span class="words"> at work</span>
      </button>
      {open.value && (
        <ul class="menu">
          {running.map(({ id, title, progress }) => (
            <li key={id}>
              <div>
                <strong {...cut(title)}>{title}</strong>
                <small {...cut(progress.message)}>{progress.message}</small>
              </div>
              <button onClick={() => void stopJob(id).catch(toastError)}>Stop</button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
