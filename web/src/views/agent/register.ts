import type { View } from '../../shell/view.ts';

export const agentView: View = {
  id: 'agent',
  title: 'Agent',
  goTitle: 'Go to the runs of the agent',
  keys: 'g a',
  icon: 'M5 8h14v10H5zM12 4v4M9 12v2M15 12v2M3 12v3M21 12v3',
  load: () => import('./agent-view.tsx'),
};
