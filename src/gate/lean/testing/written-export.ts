/** Makes the text of an export from the steps and edits of an attack. */
import { constantsInDependencyOrder } from '../dependency-order.ts';
import { NdjsonWriter } from '../export/write-ndjson.ts';
import { ModuleBuilder } from '../judge/testing/module-builder.ts';
import { declareLibrary } from '../judge/testing/small-library.ts';
import type { ConstantDeclaration } from '../declaration.ts';

/** `theorem NAME TYPE VALUE LEVELS`, and so on: the arguments of `ModuleBuilder`. */
export type Step =
  | readonly [
      'theorem' | 'definition' | 'opaque' | 'unsafe definition' | 'partial definition',
      name: string,
      type: string,
      value: string,
      levels?: string,
    ]
  | readonly ['axiom', name: string, type: string, levels?: string]
  | readonly [
      'inductive',
      name: string,
      type: string,
      constructors: Readonly<Record<string, string>>,
      settings?: { readonly levels?: string; readonly parameters?: number },
    ]
  /** Leaves out a constant of the library, with its constructors and recursors. */
  | readonly ['remove', name: string];

/** A change of the text of the export, in which the last line that a declaration needs is its own. */
export type Edit =
  | { readonly kind: 'cut-before'; readonly declaration: string }
  | { readonly kind: 'cut-bytes'; readonly bytes: number }
  | { readonly kind: 'append'; readonly text: string }
  | { readonly kind: 'repeat'; readonly declaration: string }
  /** The lines of one declaration, with those that it needs, stand before another one. */
  | { readonly kind: 'move'; readonly declaration: string; readonly before: string }
  | { readonly kind: 'insert'; readonly before: string; readonly text: string }
  /** In the line of a declaration itself; `from` must be there. */
  | { readonly kind: 'change'; readonly declaration: string; readonly from: string; readonly to: string }
  | { readonly kind: 'meta'; readonly line: string };

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
    const placeOf = (declaration: string): number => {
      const place = pieces.findIndex(({ declares }) => declares.includes(declaration));
      if (place < 0) throw new Error(`There is no ${declaration}.`);
      return place;
    };
    switch (edit.kind) {
      case 'cut-before':
        pieces = pieces.slice(0, placeOf(edit.declaration));
        text = joined();
        break;
      case 'cut-bytes':
        text = text.slice(0, -edit.bytes);
        break;
      case 'append':
        text += edit.text;
        break;
      case 'repeat':
        text += `${ownLine(pieces[placeOf(edit.declaration)])}\n`;
        break;
      case 'move': {
        const [moved] = pieces.splice(placeOf(edit.declaration), 1);
        if (moved !== undefined) pieces.splice(placeOf(edit.before), 0, moved);
        text = joined();
        break;
      }
      case 'insert':
        pieces.splice(placeOf(edit.before), 0, { declares: [], lines: [edit.text] });
        text = joined();
        break;
      case 'change': {
        const place = placeOf(edit.declaration);
        const line = ownLine(pieces[place]);
        if (!line.includes(edit.from)) throw new Error(`${edit.from} is not in ${line}`);
        const changed = line.replace(edit.from, () => edit.to);
        pieces = pieces.map((piece, at) =>
          at === place ? { ...piece, lines: [...piece.lines.slice(0, -1), changed] } : piece,
        );
        text = joined();
        break;
      }
      case 'meta':
        text = [...(edit.line === '' ? [] : [edit.line]), ...text.split('\n').slice(1)].join('\n');
        break;
    }
  }
  return text;
}

/** The line that declares: those before it are what it needs. */
function ownLine(piece: Piece | undefined): string {
  const line = piece?.lines.at(-1);
  if (line === undefined) throw new Error('A declaration has no line.');
  return line;
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
      own.theorem(...withoutKind(step));
      break;
    case 'opaque':
      own.opaque(step[1], step[2], step[3]);
      break;
    case 'definition':
    case 'unsafe definition':
    case 'partial definition': {
      const [kind, name, type, value, levels] = step;
      const safety = kind === 'definition' ? 'safe' : kind === 'unsafe definition' ? 'unsafe' : 'partial';
      own.definition(name, type, value, { safety, ...(levels !== undefined && { levels }) });
      break;
    }
    case 'axiom':
      own.axiom(step[1], step[2], step[3]);
      break;
    case 'inductive':
      own.inductive({ name: step[1], type: step[2], constructors: step[3] }, step[4]);
      break;
    case 'remove':
      break;
  }
}

function withoutKind([, name, type, value, levels]: Extract<Step, { readonly 3: string }>): [
  name: string,
  type: string,
  value: string,
  levels?: string,
] {
  return levels === undefined ? [name, type, value] : [name, type, value, levels];
}

/** The library in an order in which it can be read, then what an attack declares, in its own order. */
function piecesOf(library: readonly ConstantDeclaration[], own: readonly ConstantDeclaration[]): Piece[] {
  const pieces: Piece[] = [];
  let lines: string[] = [];
  const writer = new NdjsonWriter(META, (line) => lines.push(line));
  pieces.push({ declares: [], lines });
  for (const constants of [library, ...groups(own)]) {
    const ordered = constantsInDependencyOrder(constants);
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
