/** The page: header, the view of the address, palette, toasts, and the door for those who were not admitted yet. */
import { useComputed, useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { access } from '../server/access.ts';
import { serverProof } from '../server/client.ts';
import { connection, isAway, isOffline } from '../server/connection.ts';
import { ALL_VIEWS } from '../views/all-views.ts';
import { Empty } from '../parts/notes.tsx';
import { Door } from './door.tsx';
import { Header } from './header.tsx';
import { Palette } from './palette.tsx';
import { addressOf, goTo, route } from './route.ts';
import { ShownView } from './shown-view.tsx';
import { ToastList } from './toast-list.tsx';
import type { ViewProps } from './view.ts';

export function App() {
  const door = useComputed(() => access.value === 'refused');
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header />
      <AwayBanner />
      <main id="main" tabIndex={-1}>
        {door.value ? <Door /> : <CurrentView />}
      </main>
      <Palette />
      <ToastList />
    </>
  );
}

/** Nobody answers, or not the server of this page: why, as far as it is known, and what to do. */
function AwayBanner() {
  if (!isAway(connection.value)) return null;
  const isLost = connection.value === 'lost';
  return (
    <p class="banner" role="status">
      {!isLost
        ? 'The server of this page has ended. Another start of it, or another program, answers here now; this page sends it nothing.'
        : isOffline.value
          ? 'This browser is offline, and the server does not answer. What you typed is kept. The page asks again by itself.'
          : 'The server does not answer. What you typed is kept. The page asks again by itself.'}{' '}
      {isLost && 'Where the server has ended: run '}
      {!isLost && 'Run '}
      <code>quod ui</code> in the folder and open its link in this browser, or run <code>quod serve</code> and
      enter its token at the address that it prints: then this page goes on.
    </p>
  );
}

/** The view of the address. It is kept while only the rest of the address changes. */
function CurrentView() {
  const { view: id, rest, query } = route.value;
  const view = ALL_VIEWS.find((known) => known.id === id);
  const loaded = useSignal<{ id: string; Component: ComponentType<ViewProps> } | undefined>(undefined);
  const failed = useSignal(false);
  const shown = useRef(id);
  useEffect(() => {
    const first = ALL_VIEWS[0];
    if (id === '' && first !== undefined) goTo(addressOf(first.id), { replace: true });
  }, [id]);
  useEffect(() => {
    if (view === undefined) return undefined;
    failed.value = false;
    document.title = `${view.title} · Quod`;
    if (shown.current !== id) document.getElementById('main')?.focus();
    shown.current = id;
    // Who has gone on by then must not get the view that was left: the slower of two loads may come last.
    let left = false;
    // Code, too, is taken from the server of this page only.
    serverProof()
      .then(view.load)
      .then(
        (module) => {
          if (!left) loaded.value = { id: view.id, Component: module.default };
        },
        () => {
          if (!left) failed.value = true;
        },
      );
    return () => {
      left = true;
    };
  }, [view]);
  if (view === undefined && id !== '')
    return <Empty title={`There is no view “${id}”.`}>Choose one above, or press Ctrl+K.</Empty>;
  if (failed.value)
    return <Empty title="This part of the page could not be loaded.">Reload when the server is back.</Empty>;
  if (loaded.value === undefined || loaded.value.id !== id) return null;
  const { Component } = loaded.value;
  return <ShownView key={id} Component={Component} rest={rest} query={query} />;
}
