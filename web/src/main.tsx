/** Starts the page: first the token that the address may bring, then everything that asks the server. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { startBuild } from './parts/build.tsx';
import { drawEverythingInert } from './parts/drawn-text.ts';
import { access, enter, takeTokenFromAddress, watchOtherWindows } from './server/access.ts';
import { connection, followNetwork, isAway } from './server/connection.ts';
import { askFolder } from './server/folder.ts';
import { followJobs } from './server/jobs.ts';
import { followLive } from './server/live.ts';
import { App } from './shell/app.tsx';
import { addCommands } from './shell/commands.ts';
import { followKeys } from './shell/keys.ts';
import { shownProof } from './shell/shown-proof.ts';
import { paletteOpen } from './shell/palette.tsx';
import { addressOf, followRoute, goTo } from './shell/route.ts';
import { followTheme, nextTheme } from './shell/theme.ts';
import { toast } from './shell/toasts.ts';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import './style/badges.css';
import { ALL_VIEWS } from './views/all-views.ts';

async function start(): Promise<void> {
  drawEverythingInert();
  followTheme();
  followNetwork();
  followRoute();
  followKeys();
  addCommands([
    { id: 'palette', title: 'Show all commands', keys: 'ctrl+k', run: () => (paletteOpen.value = true) },
    { id: 'build', title: 'Build the project', words: 'compile', run: () => startBuild() },
    {
      id: 'search',
      title: 'Search statements',
      keys: '/',
      words: 'find theorems lemmas',
      run: () => searchStatements(),
    },
    { id: 'theme', title: 'Change the colours', words: 'dark light theme', run: nextTheme },
    ...ALL_VIEWS.map(({ id, goTitle, keys }) => ({
      id: `go.${id}`,
      title: goTitle,
      keys,
      words: id === 'file' ? 'open a file' : '',
      run: () => goTo(id === 'proof' ? (shownProof() ?? addressOf(id)) : addressOf(id)),
    })),
  ]);
  const token = takeTokenFromAddress();
  if (token !== undefined) await enter(token).catch(() => false);
  const root = document.getElementById('workbench');
  if (root !== null) render(<App />, root);
  // A page that was admitted before goes on by itself: it asks for the server's proof again and again.
  watchOtherWindows(() => {
    if (access.value === 'refused') location.reload();
  });
  tellOfConnection();
  await askFolder().catch(() => undefined);
  // Who enters at the door loads the page anew: until then one refusal is enough.
  if (access.value === 'refused') return;
  followJobs();
  void followLive();
}

/** Where the field is in the page already, what was searched before stays in it. */
function searchStatements(): void {
  const field = document.getElementById('statement-words');
  if (field !== null) field.focus();
  else goTo(addressOf('project', '', { focus: 'words' }));
}

function tellOfConnection(): void {
  let before = connection.value;
  effect(() => {
    if (connection.value === before) return;
    if (connection.value === 'connected' && isAway(before)) toast('The server is back.', { tone: 'good' });
    before = connection.value;
    document.documentElement.classList.toggle('away', isAway(before));
  });
}

void start();
