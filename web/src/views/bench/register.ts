import type { View } from '../../shell/view.ts';

export const benchView: View = {
  id: 'bench',
  title: 'Bench',
  goTitle: 'Go to benchmarks and data',
  keys: 'g b',
  icon: 'M4 20V4M4 20h16M8 16v-5M12 16V8M16 16v-9',
  load: () => import('./bench-view.tsx'),
};
