/** Promises of the drawings: nothing overlaps, nothing is lost by folding, nothing of a proof's text becomes markup. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, drawTree, wrapped } from './box-text.ts';
import type { DrawnNode, DrawnProof } from './drawn-proof.ts';
import { NODE_STATUSES, PROOF_OUTCOMES, changedHypotheses } from './drawn-proof.ts';
import { foldTree } from './fold-tree.ts';
import { outlineText } from './outline-text.ts';
import { proofPage } from './proof-page.ts';
import { proofPicture } from './proof-picture.ts';
import { layoutForest, type Box } from './tree-layout.ts';

/** A forest by the parent of each node, which comes before it; depth first, as a proof has its nodes. */
function depthFirst(parents: readonly (number | null)[]): { parent: number | null; children: number[] }[] {
  const childrenOf = (place: number | null): number[] =>
    parents.flatMap((parent, at) => (parent === place ? [at] : []));
  const nodes: { parent: number | null; children: number[] }[] = [];
  const visit = (old: number, parent: number | null): number => {
    const place = nodes.push({ parent, children: [] }) - 1;
    for (const child of childrenOf(old)) nodes[place]?.children.push(visit(child, place));
    return place;
  };
  for (const root of childrenOf(null)) visit(root, null);
  return nodes;
}

const forest = fc
  .array(fc.nat(1_000_000), { minLength: 1, maxLength: 60 })
  .map((choices) =>
    depthFirst(
      choices.map((choice, place) => (choice % (place + 1) === place ? null : choice % (place + 1))),
    ),
  );

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '<img src=x onerror=alert(1)>',
    '</title><script>alert(1)</script>',
    '"><svg onload=alert(1)>',
    "' style='x",
    ']]>&amp;&#60;',
    '\u202eevil\u0000\ud800',
    '</style><b>',
  ),
);

const proof: fc.Arbitrary<DrawnProof> = fc
  .record({
    nodes: forest,
    texts: fc.array(nasty, { minLength: 4, maxLength: 8 }),
    statuses: fc.array(fc.constantFrom(...NODE_STATUSES), { minLength: 1, maxLength: 9 }),
    outcome: fc.constantFrom(...PROOF_OUTCOMES),
  })
  .map(({ nodes, texts, statuses, outcome }) => {
    const text = (place: number): string => texts[place % texts.length] ?? '';
    return {
      ...{ file: text(0), theorem: text(1), statement: text(2), outcome, error: text(3) },
      hypotheses: texts.map((name) => ({ name, type: name, body: name })),
      goals: nodes.map((_, place) => ({ hypotheses: [place % texts.length], conclusion: text(place) })),
      nodes: nodes.map(({ parent, children }, place): DrawnNode => {
        const isLeaf = children.length === 0;
        return {
          ...{ goal: place, parent, children, sentence: 0, seconds: 0 },
          status: isLeaf ? (statuses[place % statuses.length] ?? 'open') : 'closed',
          tactic: isLeaf && place % 2 === 0 ? null : text(place + 1),
        };
      }),
      sentences: nodes.map((_, place) => ({
        ...{ text: text(place), line: 1, column: 0, goals: [place] },
        ...{ elsewhere: 0, shelved: 1, given_up: 0, seconds: 0 },
      })),
    };
  });

describe('the layout', () => {
  const sizes = fc.array(
    fc.record({ width: fc.integer({ min: 1, max: 300 }), height: fc.integer({ min: 1, max: 90 }) }),
    {
      minLength: 1,
      maxLength: 7,
    },
  );
  const gaps = { across: 10, down: 20 };
  const arranged = fc.record({ nodes: forest, sizes }).map(({ nodes, sizes: given }) => {
    const boxes = nodes.map(({ children }, place): Box => {
      const { width, height } = given[place % given.length] ?? { width: 1, height: 1 };
      return { width, height, children };
    });
    const roots = nodes.flatMap(({ parent }, place) => (parent === null ? [place] : []));
    return { boxes, roots, layout: layoutForest(boxes, roots, gaps) };
  });

  it('lets no two boxes come nearer to each other than the gap', () => {
    fc.assert(
      fc.property(arranged, ({ boxes, layout: { places, width, height } }) => {
        for (const [one, box] of boxes.entries()) {
          const at = places[one] ?? { x: NaN, y: NaN };
          expect(at.x).toBeGreaterThanOrEqual(-1e-6);
          expect(at.x + box.width).toBeLessThanOrEqual(width + 1e-6);
          expect(at.y + box.height).toBeLessThanOrEqual(height + 1e-6);
          for (let other = one + 1; other < boxes.length; other += 1) {
            const there = places[other] ?? { x: NaN, y: NaN };
            const its = boxes[other] ?? { width: NaN, height: NaN };
            const across = Math.max(there.x - at.x - box.width, at.x - there.x - its.width);
            const down = Math.max(there.y - at.y - box.height, at.y - there.y - its.height);
            expect(across >= gaps.across - 1e-6 || down >= gaps.down - 1e-6).toBe(true);
          }
        }
      }),
    );
  });

  it('puts children below their parent, in order, and the parent in the middle of them', () => {
    fc.assert(
      fc.property(arranged, ({ boxes, roots, layout: { places } }) => {
        const middle = (place: number): number =>
          (places[place]?.x ?? NaN) + (boxes[place]?.width ?? NaN) / 2;
        for (const siblings of [roots, ...boxes.map(({ children }) => children)])
          for (const [index, place] of siblings.slice(1).entries())
            expect(middle(place)).toBeGreaterThan(middle(siblings[index] ?? -1));
        for (const [place, { children, height }] of boxes.entries()) {
          const [first] = children;
          const last = children.at(-1);
          if (first === undefined || last === undefined) continue;
          expect(middle(place)).toBeCloseTo((middle(first) + middle(last)) / 2, 6);
          for (const child of children)
            expect(places[child]?.y).toBeGreaterThanOrEqual((places[place]?.y ?? NaN) + height + gaps.down);
        }
      }),
    );
  });

  it('has no trouble with depth', () => {
    const boxes = Array.from({ length: 50_000 }, (_, place): Box => ({
      ...{ width: 10, height: 10 },
      children: place < 49_999 ? [place + 1] : [],
    }));
    const { places, height } = layoutForest(boxes, [0], gaps);
    expect(places.at(-1)).toEqual({ x: 0, y: 30 * 49_999 });
    expect(height).toBe(30 * 49_999 + 10);
  });
});

describe('folding', () => {
  it('puts every node into one box, keeps the order, and hides nothing open', () => {
    fc.assert(
      fc.property(proof, fc.boolean(), fc.array(fc.nat(59)), (drawn, whole, unfolded) => {
        const { boxes, roots } = foldTree(drawn, { whole, unfolded: new Set(unfolded) });
        const all = boxes.flatMap(({ nodes }) => nodes);
        expect(all.toSorted((one, other) => one - other)).toEqual(drawn.nodes.map((_, place) => place));
        if (whole) expect(boxes.every(({ nodes }) => nodes.length === 1)).toBe(true);
        for (const { kind, nodes } of boxes)
          if (kind === 'branch')
            for (const place of nodes)
              expect(['closed', 'elsewhere', 'together']).toContain(drawn.nodes[place]?.status);
        const boxOf = new Map(boxes.flatMap(({ nodes }, box) => nodes.map((node) => [node, box] as const)));
        for (const [place, { parent, children, nodes }] of boxes.entries()) {
          expect(parent === null).toBe(roots.includes(place));
          const above = drawn.nodes[nodes[0] ?? -1]?.parent ?? null;
          expect(parent).toBe(above === null ? null : boxOf.get(above));
          expect(children.map((child) => boxes[child]?.nodes[0])).toEqual(
            children.map((child) => boxes[child]?.nodes[0]).toSorted((one = 0, other = 0) => one - other),
          );
        }
      }),
    );
  });

  it('a box that is unfolded stays so for each of its nodes', () => {
    const chain = depthFirst([null, 0, 1, 2, 3]);
    const drawn = {
      nodes: chain.map((node) => ({
        ...node,
        goal: 0,
        status: 'closed' as const,
        tactic: 'x',
        sentence: 0,
        seconds: 0,
      })),
    };
    const base = {
      file: '',
      theorem: '',
      statement: '',
      outcome: 'finished',
      error: null,
      hypotheses: [],
      goals: [],
      sentences: [],
    } as const;
    expect(foldTree({ ...base, ...drawn }, { whole: false }).boxes).toHaveLength(1);
    expect(foldTree({ ...base, ...drawn }, { whole: false, unfolded: new Set([0]) }).boxes).toHaveLength(5);
  });
});

/** The names of tags and attributes in a document; throws where it is not well formed in the little that we write. */
function markupOf(document: string): { tags: Set<string>; attributes: Set<string> } {
  const tags = new Set<string>();
  const attributes = new Set<string>();
  let rest = document.replace(/<style>[^<]*<\/style>/gu, '');
  const tag = /<(?<close>\/?)(?<name>[a-z0-9!]+)(?<inner>(?: +[a-zA-Z:-]+(?:="[^"<>]*")?)*) *\/?>/gu;
  for (const { groups } of rest.matchAll(tag)) {
    tags.add(groups?.['name'] ?? '');
    for (const [, name] of (groups?.['inner'] ?? '').matchAll(/ ([a-zA-Z:-]+)(?:="[^"]*")?/gu))
      attributes.add(name ?? '');
  }
  rest = rest.replace(tag, '');
  expect(rest).not.toMatch(/[<>]/u);
  return { tags, attributes };
}

describe('what is written of a proof', () => {
  const TAGS = new Set(
    '!doctype html head meta title body main article h1 h2 p pre code div svg a g rect text path ol li details summary span hr mark'.split(
      ' ',
    ),
  );
  const ATTRIBUTES = new Set(
    'html lang charset http-equiv content name class tabindex id xmlns role aria-label viewBox width height x y rx d href'.split(
      ' ',
    ),
  );

  it('is text: whatever the names are, the documents have our own tags and attributes only', () => {
    fc.assert(
      fc.property(proof, fc.boolean(), (drawn, whole) => {
        const exported = {
          drawn,
          assumptions: drawn.theorem,
          errorsBefore: [drawn.statement],
          stale: [drawn.theorem],
        };
        for (const document of [
          proofPicture(drawn, { whole, foot: [drawn.theorem, drawn.statement] }),
          proofPage([exported], { whole }),
          proofPage([exported, exported], { whole }),
        ]) {
          const { tags, attributes } = markupOf(document);
          for (const name of tags) expect(TAGS).toContain(name);
          for (const name of attributes) expect(ATTRIBUTES).toContain(name);
          for (const [, link] of document.matchAll(/href="([^"]*)"/gu)) expect(link).toMatch(/^#p\d-\d+$/u);
          expect(document.isWellFormed()).toBe(true);
          expect(document).not.toMatch(
            /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u,
          );
        }
        expect(outlineText(drawn)).not.toMatch(/[\u0000-\u0008\u001b\u202e]/u);
      }),
      { numRuns: 60 },
    );
  });

  it('boxes are as large as their lines', () => {
    fc.assert(
      fc.property(proof, (drawn) => {
        for (const { lines, width, height } of drawTree(drawn, foldTree(drawn, { whole: false })).boxes) {
          expect(height).toBeGreaterThan(lines.length * 15);
          for (const { text } of lines) {
            expect(text).not.toContain('\n');
            expect(columnsOf(text) * 7.2).toBeLessThan(width);
          }
        }
      }),
    );
  });

  it('cuts lines at blanks, loses nothing before the last, and says where something is cut', () => {
    expect(wrapped('forall n : nat, n + 0 = n', { most: 3, lead: '⊢ ' })).toEqual([
      '⊢ forall n : nat, n + 0 = n',
    ]);
    const text = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ');
    const lines = wrapped(text, { most: 3 });
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toMatch(/…$/u);
    expect(text.startsWith(lines.slice(0, 2).join(' '))).toBe(true);
    expect(wrapped(text, { most: 100 }).join(' ')).toBe(text);
  });

  it('marks what a step brought', () => {
    const tables = {
      hypotheses: [],
      goals: [
        { hypotheses: [0, 1], conclusion: '' },
        { hypotheses: [0, 2, 3], conclusion: '' },
      ],
    };
    expect([...changedHypotheses(tables, 0, 1)]).toEqual([2, 3]);
    expect([...changedHypotheses(tables, null, 1)]).toEqual([]);
  });
});
