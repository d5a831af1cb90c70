import type { View } from '../../shell/view.ts';

export const gateView: View = {
  id: 'gate',
  title: 'Gate',
  goTitle: 'Go to the gate',
  keys: 'g j',
  icon: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM9 12l2 2 4-4',
  load: () => import('./gate-view.tsx'),
};
