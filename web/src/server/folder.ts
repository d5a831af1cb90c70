/** The folder that the server serves. */
import { signal } from '@preact/signals';
import { getJson } from './client.ts';

/** The last part of its path; empty until the server told it. */
export const folderName = signal('');

export async function askFolder(): Promise<void> {
  const { workspace } = await getJson<{ readonly workspace: string }>('/api/server');
  folderName.value = workspace.split('/').at(-1) ?? workspace;
}
