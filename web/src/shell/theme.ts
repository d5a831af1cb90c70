/** Light, dark, or what the system says. */
import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'quod.theme';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = signal<Theme>(THEMES.find((known) => known === localStorage.getItem(KEY)) ?? 'system');

export function followTheme(): void {
  effect(() => {
    localStorage.setItem(KEY, theme.value);
    if (theme.value === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
  });
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
}
