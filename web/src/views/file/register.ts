import type { View } from '../../shell/view.ts';

export const fileView: View = {
  id: 'file',
  title: 'File',
  goTitle: 'Go to the file',
  keys: 'g f',
  icon: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  load: () => import('./file-view.tsx'),
};
