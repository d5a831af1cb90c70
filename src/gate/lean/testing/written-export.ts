/** Makes the text of an export from the steps and edits of an attack. */
import { inDependencyOrder } from '../dependency-order.ts';
import { NdjsonWriter } from '../export/write-ndjson.ts';
import { ModuleBuilder } from '../judge/testing/module-builder.ts';
import { declareLibrary } from '../judge/testing/small-library.ts';
import type { ConstantDeclaration } from '../declaration.ts';
import type { Edit, Step } from './export-attacks.ts';

const META = { exporter: { name: 'quod', version: '0' }, lean: { version: '4.0.0', githash: '' } };

/** The lines of each declaration, the meta line first and alone. */
interface Piece {
  readonly declares: readonly string[];
  readonly lines: readonly string[];
}

export function writtenExport(steps: readonly Step[], edits: readonly Edit[] = []): string {
  const library = new ModuleBuilder();
  declareLibrary(library);
  for (const step of steps) if (step[0] === 'remove') remove(step[1], library);
  const own = new ModuleBuilder([], [library]);
  for (const step of steps) apply(step, own);
  let pieces = piecesOf(library.constants, own.constants);
  let text = '';
  const joined = (): string => pieces.flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join('');
  text = joined();
  for (const edit of edits) {
    switch (edit.kind) {
      case 'cut-before':
        pieces = pieces.slice(
          0,
          pieces.findIndex(({ declares }) => declares.includes(edit.declaration)),
        );
        text = joined();
        break;
      case 'cut-bytes':
        text = text.slice(0, -edit.bytes);
        break;
      case 'append':
        text += edit.text;
        break;
      case 'repeat': {
        const last = pieces.find(({ declares }) => declares.includes(edit.declaration))?.lines.at(-1);
        if (last === undefined) throw new Error(`There is no ${edit.declaration} to be repeated.`);
        text += `${last}\n`;
        break;
      }
      case 'meta':
        text = [...(edit.line === '' ? [] : [edit.line]), ...text.split('\n').slice(1)].join('\n');
        break;
    }
  }
  return text;
}

function remove(name: string, library: ModuleBuilder): void {
  for (const constant of [...library.constants]) {
    const text = constant.name.toString();
    // `Char.ofNat` is no part of the type: it has a line of its own.
    const belongs = constant.kind === 'constructor' || constant.kind === 'recursor';
    if (text === name || (belongs && text.startsWith(`${name}.`))) library.remove(text);
  }
}

function apply(step: Step, own: ModuleBuilder): void {
  switch (step[0]) {
    case 'theorem':
    case 'definition':
    case 'opaque':
      own[step[0]](step[1], step[2], step[3]);
      break;
    case 'axiom':
      own.axiom(step[1], step[2]);
      break;
    case 'inductive':
      own.inductive({ name: step[1], type: step[2], constructors: step[3] });
      break;
    case 'remove':
      break;
  }
}

/** The library in an order in which it can be read, then what an attack declares, in its own order. */
function piecesOf(library: readonly ConstantDeclaration[], own: readonly ConstantDeclaration[]): Piece[] {
  const pieces: Piece[] = [];
  let lines: string[] = [];
  const writer = new NdjsonWriter(META, (line) => lines.push(line));
  pieces.push({ declares: [], lines });
  for (const constants of [library, ...groups(own)]) {
    const ordered = inDependencyOrder(constants);
    if (ordered.kind === 'impossible') throw new Error(`${ordered.name.toString()} ${ordered.message}`);
    for (const declaration of ordered.declarations) {
      lines = [];
      writer.add(declaration);
      const names = declaration.kind === 'inductive-block' ? declaration.types : [declaration];
      pieces.push({ declares: names.map(({ name }) => name.toString()), lines });
    }
  }
  return pieces;
}

/** Constants of an inductive block together, others one by one. */
function groups(constants: readonly ConstantDeclaration[]): ConstantDeclaration[][] {
  const result: ConstantDeclaration[][] = [];
  for (const constant of constants) {
    const last = result.at(-1);
    const isPart = constant.kind === 'constructor' || constant.kind === 'recursor';
    if (isPart && last !== undefined) last.push(constant);
    else result.push([constant]);
  }
  return result;
}
