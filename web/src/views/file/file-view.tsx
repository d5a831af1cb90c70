import { Empty } from '../../parts/notes.tsx';

export default function FileView() {
  return <Empty title="File" />;
}
