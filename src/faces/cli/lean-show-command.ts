/** `quod lean show`: a constant of a compiled module for people. */
import { QuodError } from '../../core/errors.ts';
import type { ConstantDeclaration } from '../../gate/lean/declaration.ts';
import { AxiomUse } from '../../gate/lean/judge/axiom-use.ts';
import { ImportGraph } from '../../gate/lean/olean/import-graph.ts';
import { CompiledModule } from '../../gate/lean/olean/module.ts';
import { searchRoots } from '../../gate/lean/olean/search-path.ts';
import { printTerm } from '../../gate/lean/print-term.ts';
import { TermStore } from '../../gate/lean/term-store.ts';
import type { ExitCode } from './exit-codes.ts';

export interface LeanShowOptions {
  readonly searchPath?: readonly string[];
  readonly axioms: boolean;
  readonly json?: boolean;
}

export function leanShowCommand(path: string, text: string, options: LeanShowOptions): ExitCode {
  const store = new TermStore();
  const module = CompiledModule.open(path, store);
  const roots = searchRoots(path, { ...(options.searchPath && { searchPath: options.searchPath }) });
  const imports = new ImportGraph(module, roots, (file) => CompiledModule.open(file, store));
  const name = store.names.parse(text);
  const constant = module.find(name) ?? imports.find(name);
  if (constant === undefined)
    throw new QuodError(
      'not-found',
      `Neither the module nor its imports have a constant ${name.toString()}.`,
      {
        place: { file: path },
        remedy: 'Give the full name, as in Nat.add_comm.',
      },
    );
  const axioms = options.axioms
    ? new AxiomUse([name], (used) => (module.names.has(used) ? module : imports.moduleOf(used)?.module)).of(
        name,
      )
    : undefined;
  const shown = {
    kind: constant.kind,
    name: constant.name.toString(),
    levelParameters: constant.levelParameters.map((parameter) => parameter.toString()),
    type: printTerm(constant.type),
    ...('value' in constant && { value: printTerm(constant.value) }),
    details: details(constant),
    ...(axioms && { axioms: axioms.map((axiom) => axiom.toString()) }),
  };
  console.log(options.json === true ? JSON.stringify(shown) : shownText(shown));
  return 0;
}

interface Shown {
  readonly kind: string;
  readonly name: string;
  readonly levelParameters: readonly string[];
  readonly type: string;
  readonly value?: string;
  readonly details: readonly string[];
  readonly axioms?: readonly string[];
}

function shownText({ kind, name, levelParameters, type, value, details: lines, axioms }: Shown): string {
  const levels = levelParameters.length === 0 ? '' : `.{${levelParameters.join(', ')}}`;
  return [
    `${kind} ${name}${levels} : ${type}`,
    ...(value === undefined ? [] : [`  := ${value}`]),
    ...lines.map((line) => `  ${line}`),
    ...(axioms === undefined ? [] : [`  axioms: ${axioms.length === 0 ? 'none' : axioms.join(', ')}`]),
  ].join('\n');
}

function details(constant: ConstantDeclaration): string[] {
  switch (constant.kind) {
    case 'inductive':
      return [
        `parameters: ${constant.parameterCount}, indices: ${constant.indexCount}`,
        `constructors: ${constant.constructors.map((name) => name.toString()).join(', ') || 'none'}`,
      ];
    case 'constructor':
      return [`number ${constant.index} of ${constant.inductive.toString()}, fields: ${constant.fieldCount}`];
    case 'recursor':
      return constant.rules.map((rule) => `${rule.constructor.toString()} ↦ ${printTerm(rule.value)}`);
    case 'definition':
      return constant.safety === 'safe' ? [] : [constant.safety];
    case 'axiom':
    case 'opaque':
      return constant.isUnsafe ? ['unsafe'] : [];
    case 'theorem':
    case 'quotient':
      return [];
  }
}
