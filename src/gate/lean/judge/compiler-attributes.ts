/**
 * Which definitions a module compiles to something else than what the kernel checks: `implemented_by`, `extern`, `csimp`,
 * and which it does not compile (`noncomputable`). Lean stores this in entries of environment extensions. They do not
 * matter for what is proved; they matter to those who run what was proved correct.
 */
import type { Name } from '../name.ts';
import type { CompiledModule } from '../olean/module.ts';
import type { ObjectAddress, Slot } from '../olean/object-graph.ts';
import { MAX_CONSTRUCTOR_TAG } from '../olean/object-graph.ts';
import type { CompilerAttribute } from './lean-policy.ts';

export interface AttributeUse {
  readonly attribute: CompilerAttribute;
  /** The declaration that has the attribute. */
  readonly name: Name;
}

/** By the last component of the extension's name: prefixes changed over the versions of Lean. */
const EXTENSIONS: ReadonlyMap<string, CompilerAttribute> = new Map([
  ['implementedByAttr', 'implemented_by'],
  ['externAttr', 'extern'],
  ['noncomputableExt', 'noncomputable'],
]);

export function compilerAttributes(module: CompiledModule): AttributeUse[] {
  const uses = new Map<string, AttributeUse>();
  for (const { extension, slots, array } of module.extensionEntries()) {
    const attribute = attributeOf(extension);
    if (attribute === undefined) continue;
    for (const slot of slots) {
      const name = firstName(module, slot, array);
      if (name !== undefined) uses.set(`${attribute} ${name.toString()}`, { attribute, name });
    }
  }
  return [...uses.values()];
}

function attributeOf(extension: Name): CompilerAttribute | undefined {
  const { component, prefix } = extension;
  if (component === 'ext' && prefix?.component === 'CSimp') return 'csimp';
  return typeof component === 'string' ? EXTENSIONS.get(component) : undefined;
}

/**
 * The first name in an entry: the entry itself, or the first field of a pair or structure, looked for in depth. All
 * four extensions begin their entries with the declaration that has the attribute; scoped entries of `csimp` with the
 * namespace, which is told instead.
 */
function firstName(module: CompiledModule, slot: Slot, below: ObjectAddress): Name | undefined {
  const { graph, terms } = module;
  let at = slot;
  let owner = below;
  while (!graph.isBoxed(at)) {
    const object = graph.pointer(at, owner, 'an entry');
    if (graph.tag(object) > MAX_CONSTRUCTOR_TAG) return undefined;
    const tag = graph.anyConstructor(object, 'an entry');
    const fields = graph.fieldCount(object);
    if ((tag === 1 || tag === 2) && fields === 2 && graph.size(object) === 32) return terms.name(at, owner);
    if (fields === 0) return undefined;
    at = graph.field(object, 0);
    owner = object;
  }
  return undefined;
}
