import type { View } from '../../shell/view.ts';

export const proofView: View = {
  id: 'proof',
  title: 'Proof',
  goTitle: 'Go to the tree of a proof',
  keys: 'g t',
  icon: 'M12 3v5M12 8H6v4M12 8h6v4M3 12h6v5H3zM15 12h6v5h-6z',
  load: () => import('./proof-view.tsx'),
};
