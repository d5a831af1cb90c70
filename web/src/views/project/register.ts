import type { View } from '../../shell/view.ts';

export const projectView: View = {
  id: 'project',
  title: 'Project',
  goTitle: 'Go to the project',
  keys: 'g p',
  icon: 'M4 5h6l2 2h8v12H4z',
  load: () => import('./project-view.tsx'),
};
