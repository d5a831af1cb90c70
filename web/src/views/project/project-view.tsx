import { Empty } from '../../parts/notes.tsx';

export default function ProjectView() {
  return <Empty title="Project" />;
}
