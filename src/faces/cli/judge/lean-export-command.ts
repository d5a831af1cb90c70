/** `quod lean export`: a compiled module in lean4export's format, written while it is made. */
import { writeSync } from 'node:fs';
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { closureOf } from '../../../gate/lean/closure.ts';
import { constantsInDependencyOrder } from '../../../gate/lean/dependency-order.ts';
import { NdjsonWriter } from '../../../gate/lean/export/write-ndjson.ts';
import { ImportGraph } from '../../../gate/lean/olean/import-graph.ts';
import { CompiledModule } from '../../../gate/lean/olean/module.ts';
import { searchRoots } from '../../../gate/lean/olean/search-path.ts';
import { namesBehindStrings } from '../../../gate/lean/behind-strings.ts';
import { TermStore } from '../../../gate/lean/term-store.ts';
import { readPackageVersion } from '../../../core/installed-package.ts';
import type { ExitCode } from '../exit/exit-codes.ts';

export interface LeanExportOptions {
  readonly closure?: readonly string[];
  readonly searchPath?: readonly string[];
}

export function leanExportCommand(path: string, options: LeanExportOptions): ExitCode {
  const store = new TermStore();
  const module = CompiledModule.open(path, store);
  const constants =
    options.closure === undefined
      ? [...module.constants()]
      : closure(module, store, options.closure, options);
  const ordered = constantsInDependencyOrder(constants);
  if (ordered.kind === 'impossible')
    throw new QuodError('invalid-input', `${ordered.name.toString()} ${ordered.message}`, {
      place: { file: path },
    });
  const { leanVersion, gitHash } = module.graph.header;
  const output = new BufferedOutput();
  const writer = new NdjsonWriter(
    {
      exporter: { name: 'quod', version: readPackageVersion() },
      lean: { version: orNothing(leanVersion), githash: orNothing(gitHash) },
    },
    (line) => output.write(line),
  );
  for (const declaration of ordered.declarations) writer.add(declaration);
  output.flush();
  return 0;
}

function closure(
  module: CompiledModule,
  store: TermStore,
  roots: readonly string[],
  { searchPath }: LeanExportOptions,
): ReturnType<typeof closureOf>['constants'] {
  const imports = new ImportGraph(
    module,
    searchRoots(module.path, { ...(searchPath && { searchPath }) }),
    (file) => CompiledModule.open(file, store),
  );
  const names = roots.map((root) => store.names.parse(root));
  const { constants, missing } = closureOf(
    names,
    (name) => module.find(name) ?? imports.find(name),
    namesBehindStrings(store),
  );
  if (missing.length > 0)
    throw new QuodError(
      'not-found',
      `Neither the module nor its imports have ${missing.map((name) => name.toString()).join(', ')}.`,
      { place: { file: module.path }, remedy: 'Give full names, as in Nat.add_comm.' },
    );
  return constants;
}

/** Lines are gathered, because a write for each of a million lines takes minutes. */
class BufferedOutput {
  #lines: string[] = [];
  #length = 0;

  write(line: string): void {
    this.#lines.push(line, '\n');
    this.#length += line.length;
    if (this.#length > 1 << 20) this.flush();
  }

  flush(): void {
    const bytes = Buffer.from(this.#lines.join(''));
    for (let done = 0; done < bytes.length;) done += writeSome(bytes, done);
    this.#lines = [];
    this.#length = 0;
  }
}

/** A pipe whose reader is slow may be full for a moment. */
function writeSome(bytes: Buffer, start: number): number {
  for (;;) {
    try {
      return writeSync(1, bytes, start);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
