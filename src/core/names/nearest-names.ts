/** "Did you mean …": the names nearest to a misspelt one, by edit distance with transpositions. */

/** At most `limit` of `names`, nearest first; only those that share at least about half of the letters. */
export function nearestNames(wanted: string, names: readonly string[], limit = 3): string[] {
  return [...new Set(names)]
    .map((name) => {
      const distance = editDistance(wanted.toLowerCase(), name.toLowerCase());
      return { name, distance, rank: Math.min(distance, 1 + beginningDistance(wanted, name)) };
    })
    .filter(
      ({ name, distance, rank }) =>
        rank <= Math.floor(wanted.length / 4) ||
        distance <= Math.floor(Math.max(wanted.length, name.length) / 2) ||
        name.includes(wanted) ||
        wanted.endsWith(`.${name}`),
    )
    .sort(
      (left, right) =>
        left.rank - right.rank || left.distance - right.distance || (left.name < right.name ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ name }) => name);
}

/** The file whose name is a slip away from the wanted one, its ending aside; a long name may have one in every four letters, and one letter is no name to miss. */
export function nearestFile(wanted: string, names: readonly string[]): string | undefined {
  const stem = (name: string): string => name.replace(/(?<=.)\.[^.]*$/u, '').toLowerCase();
  const most = Math.max(1, Math.floor(stem(wanted).length / 4));
  return names
    .map((name) => ({ name, distance: editDistance(stem(wanted), stem(name)) }))
    .filter(
      ({ name, distance }) => distance <= most && distance < Math.max(stem(wanted).length, stem(name).length),
    )
    .sort((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1))
    .at(0)?.name;
}

/** To as many words of the name as are wanted: `rocq_chek` is near to `rocq_check_proof`. */
function beginningDistance(wanted: string, name: string): number {
  const beginning = name.split('_').slice(0, wanted.split('_').length).join('_');
  return editDistance(wanted.toLowerCase(), beginning.toLowerCase());
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours cost one each. */
export function editDistance(left: string, right: string): number {
  const from = Array.from(left);
  const to = Array.from(right);
  let beforeLast = new Uint32Array(to.length + 1);
  let last = Uint32Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = new Uint32Array(to.length + 1);
    current[0] = row;
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      }
      current[column] = best;
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
