/** The files as a tree, with what is proved, open and failing in each; folders can be folded. */
import { useSignal } from '@preact/signals';
import { counted, someOf } from '../../../../src/core/counted.ts';
import { appendAll } from '../../../../src/core/lists/many.ts';
import { Badge, SaidBadge, type Said } from '../../parts/badge.tsx';
import { cut } from '../../parts/cut.ts';
import { useChosenRow } from '../../parts/chosen-row.ts';
import type { Build } from '../../parts/last-build.ts';
import { type Built, isUncompiled, uncompiledSaid } from '../../parts/stated.ts';
import type { Statement } from '../../parts/stated.ts';
import { VirtualList } from '../../parts/virtual-list.tsx';
import type { OutputOf } from '../../server/client.ts';

type StatusFile = OutputOf<'proof_status'>['files'][number];

interface FileTreeProps {
  readonly files: readonly StatusFile[];
  readonly statements: readonly Statement[];
  /** Whether it is worth saying of each file that it is not compiled: not where none is. */
  readonly marksUncompiled: boolean;
  readonly build: Build;
  readonly onOpen: (file: string) => void;
}

type Row =
  | { readonly kind: 'folder'; readonly path: string; readonly depth: number; readonly open: number }
  | { readonly kind: 'file'; readonly path: string; readonly depth: number; readonly file: StatusFile };

export function FileTree({ files, statements, build, marksUncompiled, onOpen }: FileTreeProps) {
  const folded = useSignal<ReadonlySet<string>>(new Set());
  const rows = rowsOf(files, folded.value);
  const chosen = useChosenRow(rows, ({ path }) => path);
  const proved = Map.groupBy(
    statements.filter(({ state }) => state === 'proved'),
    ({ file }) => file,
  );
  const isMarked = ({ file }: StatusFile): boolean =>
    marksUncompiled || build.faults.some((fault) => fault.file === file);
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
                <span aria-hidden="true">{folded.value.has(row.path) ? '▸' : '▾'}</span>{' '}
                <span {...cut(name)}>{name}/</span>
                {row.open > 0 && (
                  <Badge tone="open" title={`${row.open} open in it`}>
                    {row.open}
                  </Badge>
                )}
              </span>
            );
          const said = saidOf(row.file, {
            build,
            proofs: proved.get(row.path) ?? [],
            isMarked: isMarked(row.file),
          });
          return (
            <span
              class="tree-name"
              style={{ paddingInlineStart: `${row.depth * 14}px` }}
              onClick={() => act(row)}
            >
              <span {...cut(name, 'tree-file')}>{name}</span>
              {/* Where there is no room for all of them its title has the others. */}
              <span class="tree-counts" title={said.map(({ word }) => word).join(', ')}>
                {said.map((one) => (
                  <SaidBadge key={one.word} said={one} inList />
                ))}
              </span>
            </span>
          );
        }}
      />
    </div>
  );
}

interface FileSaid {
  readonly build: Built;
  /** What the text of the file has a proof of. */
  readonly proofs: readonly Statement[];
  /** Whether it is worth saying that it is not compiled. */
  readonly isMarked: boolean;
}

/** What is to be said of a file, what is to be done first. */
function saidOf(file: StatusFile, { build, proofs, isMarked }: FileSaid): Said[] {
  const { holes, open, errors, following, compiled, rests_on } = file;
  const said: Said[] = [];
  if (errors !== null && errors > 0) {
    const title = following === 0 ? {} : { title: `and ${following} that follow from them` };
    said.push({ ...counting(errors, 'failing'), sign: 'wrong', tone: 'bad', ...title });
  }
  if (open > 0) {
    // One may have several gaps.
    const title = [...new Set(holes)].join(', ');
    said.push({ ...counting(open, 'open'), sign: 'open', tone: 'open', title });
  }
  if (rests_on.length > 0 && proofs.every(({ rests_on_open }) => rests_on_open.length === 0)) {
    const title = `It requires ${rests_on.map((one) => one.file).join(', ')}`;
    said.push({ word: 'rests on holes', sign: 'below', tone: 'plain', title });
  }
  if (compiled === 'no' ? isMarked : compiled === 'no-module-name') said.push(uncompiledSaid(file, build));
  appendAll(said, proofsSaid(proofs, file, build));
  return said;
}

/** Proved are those that a prover took and that rest on nothing open; of others it is said that there is a proof. */
function proofsSaid(proofs: readonly Statement[], file: StatusFile, build: Built): Said[] {
  const below = proofs.filter(({ rests_on_open }) => rests_on_open.length > 0);
  const onAxioms = proofs.filter((one) => one.rests_on_open.length === 0 && one.rests_on_assumed.length > 0);
  const done = proofs.length - below.length;
  const said: Said[] = [];
  if (done > 0 && isUncompiled(file)) {
    const title = `So it stands in the text. ${uncompiledSaid(file, build).title}`;
    said.push({ word: counted(done, 'proof'), short: String(done), sign: 'done', tone: 'plain', title });
  } else if (done > 0) said.push({ ...counting(done, 'proved'), sign: 'done', tone: 'good' });
  if (below.length > 0)
    said.push({ ...counting(below.length, 'open below'), sign: 'below', tone: 'open', title: named(below) });
  if (onAxioms.length > 0)
    said.push({
      ...{ ...counting(onAxioms.length, 'on axioms'), sign: 'assumed', tone: 'plain' },
      title: `${named(onAxioms)}, proved from what is taken without a proof`,
    });
  return said;
}

function counting(count: number, what: string): Pick<Said, 'word' | 'short'> {
  return { word: `${count} ${what}`, short: String(count) };
}

function named(some: readonly Statement[]): string {
  return someOf(
    some.map(({ name }) => name),
    12,
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
        open: inside.reduce((sum, { open }) => sum + open, 0),
      });
    }
    if (foldedAt < 0) rows.push({ kind: 'file', path: file.file, depth: folders.length, file });
  }
  return rows;
}
