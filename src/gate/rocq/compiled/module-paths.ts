/**
 * Names of modules and of what is in them, from the values that stand for them in compiled files. They are written
 * `Coq.Init.Logic#eq`: the library, and the path inside it.
 */
import { field, listElements, nameText } from './kernel-shape.ts';
import { Block, type OcamlValue } from './ocaml-values.ts';

/** Where the names of a functor's parameters are. */
export const PARAMETER = '<parameter>';

export function inside(module: string, part: string): string {
  return module.includes('#') ? `${module}.${part}` : `${module}#${part}`;
}

export function libraryOf(name: string): string {
  return name.slice(0, name.indexOf('#'));
}

export function insideOf(name: string): string {
  return name.slice(name.indexOf('#') + 1);
}

/** `Coq.Init.Logic` of a directory path, which has the last part first. */
export function logicalName(path: OcamlValue): string {
  return [...listElements(path)].map(nameText).reverse().join('.');
}

/** The module that a value is the path of; undefined when it is none. */
export function modulePath(value: OcamlValue | undefined): string | undefined {
  if (!(value instanceof Block)) return undefined;
  const [first, second] = value.fields;
  if (value.fields.length === 1 && first instanceof Block) {
    if (value.tag === MODULE_PATH.library && isDirectoryPath(first)) return logicalName(first);
    if (value.tag === MODULE_PATH.bound && first.fields.length === 3 && typeof first.fields[0] === 'number')
      return PARAMETER;
    return undefined;
  }
  if (value.tag !== MODULE_PATH.part || value.fields.length !== 2 || typeof second !== 'string')
    return undefined;
  const outer = modulePath(first);
  return outer === undefined ? undefined : inside(outer, nameText(second));
}

/** The constant or the type that a value names; undefined when it names none. */
export function namedBy(value: Block): string | undefined {
  const [path, label] = value.fields;
  if (value.tag !== 0 || value.fields.length !== 3 || typeof label !== 'string') return undefined;
  const module = modulePath(path);
  return module === undefined ? undefined : inside(module, nameText(label));
}

const MODULE_PATH = { library: 0, bound: 1, part: 2 } as const;

/** Of a list of names alone: nothing else of a compiled file looks like one. */
export function isDirectoryPath(value: OcamlValue): boolean {
  let rest = value;
  for (; rest instanceof Block; rest = field(rest, 1))
    if (rest.tag !== 0 || rest.fields.length !== 2 || typeof rest.fields[0] !== 'string') return false;
  return rest === 0 && value !== 0;
}
