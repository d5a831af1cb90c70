const SORTS = ['ind', 'rec', 'rect', 'sind'];

/**
 * What Rocq takes for the eliminators of an inductive type, by their names alone: `lookup_eliminator` in `pretyping/indrec.ml`
 * looks for them in the module of the type, and `tactics/equality.ml` for the reverse of that. Other schemes are registered,
 * not found by name.
 */
export function eliminatorsOf(type: string): readonly string[] {
  return SORTS.flatMap((sort) => [`${type}_${sort}`, `${type}_${sort}_r`]);
}
