import fc from 'fast-check';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ConstantDeclaration } from '../declaration.ts';
import type { Expression } from '../expression.ts';
import { TermStore } from '../term-store.ts';
import { FileBytes } from './file-bytes.ts';
import { CompiledModule } from './module.ts';
import { arbitraryConstant, arbitraryTerm } from './testing/arbitrary-terms.ts';
import { moduleBytes, unpackModules } from './testing/module-files.ts';
import { ObjectWriter, type WriterSettings, writeModule } from './testing/olean-writer.ts';

const modules = unpackModules();
afterAll(modules.remove);

const open = (bytes: Uint8Array, store: TermStore): CompiledModule =>
  new CompiledModule([FileBytes.of(bytes, 'test.olean')], store);

describe('modules that Lean compiled', () => {
  it.each([
    ['Base', '4.35.0-rc3', [], 33],
    ['Top', '4.35.0-rc3', ['Base'], 24],
    ['Extra', '4.35.0-rc3', [], 50],
    ['AxeyumProbe', '4.30.0', [], 8],
    ['Prop', '4.29.1', ['Init'], 166],
    ['Semantics', '4.29.1', ['Init', 'PropLogicDSL.Prop'], 61],
    ['PrettyPrint', '4.29.1', ['Init', 'PropLogicDSL.Prop'], 10],
  ])('%s is read whole', (name, version, imports, count) => {
    const module = CompiledModule.open(join(modules.folder, `${name}.olean`), new TermStore());
    expect(module.graph.header).toMatchObject({ layout: 2, leanVersion: version });
    expect(module.imports.map((one) => one.module.toString())).toEqual(imports);
    const constants = [...module.constants()];
    expect(constants).toHaveLength(count);
    for (const constant of constants) expect(module.find(constant.name)).toBe(constant);
    expect([...module.extensionEntries()].length).toBeGreaterThan(10);
  });

  it('has all three parts of a module: proofs, private bodies and numbers of 97 bits', () => {
    const store = new TermStore();
    const module = CompiledModule.open(join(modules.folder, 'Extra.olean'), store);
    const naturals = new Set<bigint>();
    const look = (term: Expression): void => {
      if (term.kind === 'natural') naturals.add(term.natural);
      if (term.kind === 'application') [term.fn, term.argument].forEach(look);
    };
    for (const constant of module.constants()) if ('value' in constant) look(constant.value);
    expect([...naturals].some((value) => value >= 1n << 96n)).toBe(true);
    expect(module.files).toHaveLength(3);
  });

  it('is refused when a part is missing, and says which', () => {
    const other = unpackModules();
    try {
      rmSync(join(other.folder, 'Extra.olean.private'));
      expect(() => CompiledModule.open(join(other.folder, 'Extra.olean'), new TermStore())).toThrow(
        /lacks .*Extra\.olean\.private/,
      );
    } finally {
      other.remove();
    }
  });

  it('does not show the exported part of a module as the module', () => {
    expect(() => open(moduleBytes('Extra.olean'), new TermStore())).toThrow(/do not agree/);
  });

  it('reads little of a large file to answer for one constant', () => {
    const store = new TermStore();
    const module = CompiledModule.open(join(modules.folder, 'Prop.olean'), store);
    expect(module.find(store.names.parse('PropLogic.no.such.constant'))).toBeUndefined();
    const [file] = module.files;
    expect(file?.size).toBeGreaterThan(700_000);
    expect(file?.bytesRead).toBeLessThan(200_000);
  });
});

describe('written and read again', () => {
  const layouts = fc.record<WriterSettings>({
    layout: fc.constantFrom(0, 1, 2),
    base: fc.bigInt({ min: 0n, max: (1n << 31n) - 1n }).map((page) => page << 16n),
  });

  it('constants are the same, in every layout', () => {
    fc.assert(
      fc.property(fc.integer(), layouts, (seed, settings) => {
        const store = new TermStore();
        const constants = distinct(fc.sample(arbitraryConstant(store), { seed, numRuns: 4 }));
        const imports = [store.names.of('Init'), store.names.of('A', 'B')];
        const module = open(writeModule({ imports, constants }, settings), store);
        expect(module.imports.map((one) => one.module)).toEqual(imports);
        expect([...module.constants()]).toEqual(constants);
      }),
      { numRuns: 150 },
    );
  });

  it('numbers survive as GMP and as native objects', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 1n << 300n }),
        fc.constantFrom('gmp' as const, 'native' as const),
        (value, bigNumbers) => {
          const store = new TermStore();
          const constant = axiom(store, store.natural(value));
          const module = open(writeModule({ constants: [constant] }, { bigNumbers }), store);
          expect([...module.constants()]).toEqual([constant]);
        },
      ),
    );
  });

  it('shares what the file shares: a term with 2^200 paths is read at once', () => {
    const store = new TermStore();
    let term: Expression = store.sort(store.levels.zero);
    for (let depth = 0; depth < 200; depth++) term = store.apply(term, term);
    const module = open(writeModule({ constants: [axiom(store, term)] }), store);
    expect(module.constant(0).type).toBe(term);
  });

  it('a chain of 300,000 applications does not overflow the stack, nor does a name of 50,000 components', () => {
    const store = new TermStore();
    let term: Expression = store.sort(store.levels.zero);
    for (let depth = 0; depth < 300_000; depth++) term = store.apply(term, store.bound(0));
    const written = open(writeModule({ constants: [axiom(store, term)] }), store);
    // Not toBe: it would print the terms.
    expect(Object.is(written.constant(0).type, term)).toBe(true);

    const writer = new ObjectWriter();
    let name = writer.boxed(0);
    const component = writer.string('a');
    for (let depth = 0; depth < 50_000; depth++)
      name = writer.object(1, [name, component], new Uint8Array(8));
    const root = writer.object(
      0,
      [writer.array([]), writer.array([name]), writer.array([name]), writer.array([]), writer.array([])],
      new Uint8Array(1),
    );
    expect(open(writer.finish(root), store).constantName(0).components).toHaveLength(50_000);
  });

  it('cached words of the file are not looked at', () => {
    fc.assert(
      fc.property(fc.integer(), fc.uint8Array({ minLength: 8, maxLength: 8 }), (seed, cached) => {
        const store = new TermStore();
        const [term] = fc.sample(arbitraryTerm(store), { seed, numRuns: 1 });
        const constant = axiom(store, term ?? store.bound(0));
        const bytes = writeModule({ constants: [constant] });
        for (const at of cachedWords(bytes)) bytes.set(cached, at);
        expect([...open(bytes, store).constants()]).toEqual([constant]);
      }),
      { numRuns: 50 },
    );
  });
});

function distinct(constants: readonly ConstantDeclaration[]): ConstantDeclaration[] {
  return [...new Map(constants.map((constant) => [constant.name, constant])).values()];
}

function axiom(store: TermStore, type: Expression): ConstantDeclaration {
  return { kind: 'axiom', name: store.names.of('a'), levelParameters: [], type, isUnsafe: false };
}

/** Where the objects of a written file have their cached word: names, levels and terms have one after their fields. */
function cachedWords(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer);
  const places: number[] = [];
  for (let at = 96; at < bytes.length;) {
    const tag = view.getUint8(at + 7);
    const fields = view.getUint8(at + 6);
    const size = view.getUint16(at + 4, true);
    if (tag === 246) {
      at += 24 + 8 * Number(view.getBigUint64(at + 8, true));
    } else if (tag === 249) {
      at += 32 + Math.ceil(Number(view.getBigUint64(at + 8, true)) / 8) * 8;
    } else {
      // Names and terms of two or more words after the fields begin with the cached one.
      const isCached = tag !== 250 && size >= 16 + 8 * fields && tag >= 1 && tag <= 11 && fields > 0;
      if (isCached) places.push(at + 8 + 8 * fields);
      at += Math.ceil(size / 8) * 8;
    }
  }
  return places;
}
