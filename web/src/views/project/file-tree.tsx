/** The files as a tree, with what is proved, open and failing in each; folders can be folded. */
import { useSignal } from '@preact/signals';
import { Badge } from '../../parts/badge.tsx';
import { useChosenRow } from '../../parts/chosen-row.ts';
import { stateBadge } from '../../parts/stated.ts';
import { VirtualList } from '../../parts/virtual-list.tsx';
import type { OutputOf } from '../../server/client.ts';

type StatusFile = OutputOf<'proof_status'>['files'][number];
type Statement = OutputOf<'proof_statements'>['statements'][number];

interface FileTreeProps {
  readonly files: readonly StatusFile[];
  readonly statements: readonly Statement[];
  /** Whether it is worth saying of each file that it is not compiled: not where none is. */
  readonly marksUncompiled: boolean;
  /** What did not compile in the last build, and why. */
  readonly broken: ReadonlyMap<string, string>;
  readonly onOpen: (file: string) => void;
}

type Row =
  | { readonly kind: 'folder'; readonly path: string; readonly depth: number; readonly holes: number }
  | { readonly kind: 'file'; readonly path: string; readonly depth: number; readonly file: StatusFile };

export function FileTree({ files, statements, broken, marksUncompiled, onOpen }: FileTreeProps) {
  const folded = useSignal<ReadonlySet<string>>(new Set());
  const rows = rowsOf(files, folded.value);
  const chosen = useChosenRow(rows, ({ path }) => path);
  const proved = Map.groupBy(
    statements.filter(({ state }) => state === 'proved'),
    ({ file }) => file,
  );
  const act = (row: Row | undefined): void => {
    if (row === undefined) return;
    if (row.kind === 'file') onOpen(row.path);
    else {
      const next = new Set(folded.value);
      if (!next.delete(row.path)) next.add(row.path);
      folded.value = next;
    }
  };
  return (
    <div
      class="file-tree"
      onKeyDown={({ key }) => {
        if (key === 'Enter') act(chosen.row);
      }}
    >
      <VirtualList
        rows={rows}
        rowHeight={28}
        label="Files; Enter opens one"
        keyOf={({ path }) => path}
        chosen={chosen.index}
        onChoose={chosen.choose}
        render={(row) => {
          const name = row.path.split('/').at(-1) ?? row.path;
          if (row.kind === 'folder')
            return (
              <span
                class="tree-name"
                style={{ paddingInlineStart: `${row.depth * 14}px` }}
                onClick={() => act(row)}
              >
                <span aria-hidden="true">{folded.value.has(row.path) ? '▸' : '▾'}</span> {name}/
                {row.holes > 0 && <Badge tone="open">{row.holes}</Badge>}
              </span>
            );
          const { holes, errors, compiled, rests_on } = row.file;
          return (
            <span
              class="tree-name"
              style={{ paddingInlineStart: `${row.depth * 14}px` }}
              onClick={() => act(row)}
            >
              <span class="tree-file">{name}</span>
              <span class="tree-counts">
                {errors !== null && errors > 0 && <Badge tone="bad">{errors} failing</Badge>}
                {holes.length > 0 && (
                  <Badge tone="open" title={holes.join(', ')}>
                    {holes.length} open
                  </Badge>
                )}
                {rests_on.length > 0 && (
                  <Badge title={`It requires ${rests_on.map(({ file }) => file).join(', ')}`}>
                    rests on holes
                  </Badge>
                )}
                {broken.get(row.path) === 'failed' && (
                  <Badge tone="bad" title="In the last build. What is wrong is said above.">
                    does not compile
                  </Badge>
                )}
                {broken.get(row.path) === 'hindered' && (
                  <Badge title="It, or what is made of it, could not be read or written in the last build: why is said above.">
                    not compiled
                  </Badge>
                )}
                {broken.get(row.path) === 'changed' && (
                  <Badge title="In the last build it did not compile; it was changed since.">
                    changed since the build
                  </Badge>
                )}
                {broken.get(row.path) === 'left-out' && (
                  <Badge title="Something that it requires did not compile.">left out</Badge>
                )}
                {compiled === 'no' && marksUncompiled && !broken.has(row.path) && (
                  <Badge title="What was compiled is older, or is not there.">not compiled</Badge>
                )}
                {compiled === 'no-module-name' && (
                  <Badge title="Rocq compiles nothing under this name: the name of a module has letters, digits, _ and ' in it. Rename it.">
                    cannot be compiled
                  </Badge>
                )}
                {proved.has(row.path) && !broken.has(row.path) && (
                  <Proved those={proved.get(row.path) ?? []} compiled={compiled} file={row.path} />
                )}
              </span>
            </span>
          );
        }}
      />
    </div>
  );
}

interface ProvedProps extends Pick<StatusFile, 'compiled' | 'file'> {
  readonly those: readonly Statement[];
}

/** Those with something open below are not finished, and the file is not green for them. */
function Proved({ those, compiled, file }: ProvedProps) {
  const below = those.filter(({ rests_on_open }) => rests_on_open.length > 0);
  const badge = stateBadge({ state: 'proved', compiled, file });
  return (
    <>
      <Badge {...badge} {...(below.length > 0 && { tone: 'plain' })}>
        {those.length} proved
      </Badge>
      {below.length > 0 && (
        <Badge tone="open" title={below.map(({ name }) => name).join(', ')}>
          {below.length} with open below
        </Badge>
      )}
    </>
  );
}

function rowsOf(files: readonly StatusFile[], folded: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const shown = new Set<string>();
  for (const file of files.toSorted((one, other) => (one.file < other.file ? -1 : 1))) {
    const parts = file.file.split('/');
    const folders = parts.slice(0, -1).map((_, depth) => parts.slice(0, depth + 1).join('/'));
    const foldedAt = folders.findIndex((path) => folded.has(path));
    const visible = foldedAt < 0 ? folders : folders.slice(0, foldedAt + 1);
    for (const [depth, path] of visible.entries()) {
      if (shown.has(path)) continue;
      shown.add(path);
      const inside = files.filter((one) => one.file.startsWith(`${path}/`));
      rows.push({
        kind: 'folder',
        path,
        depth,
        holes: inside.reduce((sum, { holes }) => sum + holes.length, 0),
      });
    }
    if (foldedAt < 0) rows.push({ kind: 'file', path: file.file, depth: folders.length, file });
  }
  return rows;
}
