/** A proof's tree as SVG. It holds no script and refers to nothing; every text in it is a text node. */
import { greatestOf } from '../core/lists/many.ts';
import { goalAt, type DrawnProof } from './drawn-proof.ts';
import {
  drawTree,
  FONT_SIZE,
  LINE_HEIGHT,
  PADDING,
  shownText,
  textWidth,
  wrapped,
  type DrawnBox,
  type DrawnTree,
} from './box-text.ts';
import { foldTree } from './fold-tree.ts';

export interface PictureChoice {
  /** Nothing is folded. */
  readonly whole: boolean;
  /** In a page: what the link of a box leads to, by the sentence that is run on it. */
  readonly linkOf?: (sentence: number) => string;
  /** Sentences that stand below the tree. */
  readonly foot?: readonly string[];
}

const MARGIN = 12;
const FOOT_COLUMNS = 96;

const PAINT: Readonly<Record<DrawnBox['tone'], { readonly light: string; readonly dark: string }>> = {
  closed: { light: '#2f7d4f', dark: '#6cc48f' },
  pending: { light: '#5b6472', dark: '#9aa5b5' },
  open: { light: '#b35c00', dark: '#f0a54a' },
  'given-up': { light: '#a4262c', dark: '#f0868a' },
  elsewhere: { light: '#5b6472', dark: '#9aa5b5' },
  together: { light: '#5b6472', dark: '#9aa5b5' },
  broken: { light: '#a4262c', dark: '#f0868a' },
};

/** Of the picture, wherever it stands. */
const PICTURE_STYLE = [
  '.pt text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}',
  '.pt{--box:#fff;--text:#1b1f27;--soft:#5b6472;--edge:#8a93a3;--tactic:#2a4fa0}',
  '.pt rect{fill:var(--box);stroke-width:1.5}.pt .goal{fill:var(--text)}.pt .tactic{fill:var(--tactic)}.pt .note{fill:var(--soft)}',
  '.pt path{fill:none;stroke:var(--edge);stroke-width:1.25}.pt a:focus-visible rect,.pt a:hover rect{stroke-width:3}',
  ...Object.entries(PAINT).map(([status, { light }]) => `.pt .s-${status} rect{stroke:${light}}`),
  '@media (prefers-color-scheme:dark){.pt{--box:#1d212a;--text:#e6e9ef;--soft:#9aa5b5;--edge:#6b7485;--tactic:#9db8ff}',
  ...Object.entries(PAINT).map(([status, { dark }]) => `.pt .s-${status} rect{stroke:${dark}}`),
  '}',
].join('\n');

export function proofPicture(proof: DrawnProof, choice: PictureChoice): string {
  const tree = drawTree(proof, foldTree(proof, choice));
  const foot = (choice.foot ?? []).flatMap((text) =>
    wrapped(text, { most: Infinity, longest: FOOT_COLUMNS }),
  );
  const footWidth = greatestOf([0, ...foot.map(textWidth)]);
  const footAt = Math.ceil(tree.layout.height) + 2 * MARGIN;
  const width = Math.ceil(Math.max(tree.layout.width, footWidth)) + 2 * MARGIN;
  const height = footAt + (foot.length === 0 ? 0 : foot.length * LINE_HEIGHT + MARGIN);
  // What is in an image no screen reader tells of, links neither.
  const role = choice.linkOf === undefined ? 'img' : 'group';
  const label = `The proof of ${proof.theorem} as a tree of ${proof.nodes.length} goals`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="pt" role="${role}" aria-label="${markup(label)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<style>${PICTURE_STYLE}</style>`,
    ...edgesOf(tree),
    ...tree.boxes.map((_, place) => boxOf(proof, tree, place, choice)),
    ...foot.map(
      (text, index) =>
        `<text class="note" x="${MARGIN}" y="${footAt + index * LINE_HEIGHT + FONT_SIZE}">${markup(text)}</text>`,
    ),
    '</svg>',
    '',
  ].join('\n');
}

function edgesOf({ folded, boxes, layout }: DrawnTree): string[] {
  return folded.boxes.flatMap(({ children }, place) => {
    const from = layout.places[place];
    const box = boxes[place];
    if (from === undefined || box === undefined) return [];
    return children.flatMap((child) => {
      const to = layout.places[child];
      const other = boxes[child];
      if (to === undefined || other === undefined) return [];
      const [x, y] = [from.x + box.width / 2 + MARGIN, from.y + box.height + MARGIN];
      const [toX, toY] = [to.x + other.width / 2 + MARGIN, to.y + MARGIN];
      const bend = (y + toY) / 2;
      return [
        `<path d="M${fixed(x)} ${fixed(y)}C${fixed(x)} ${fixed(bend)} ${fixed(toX)} ${fixed(bend)} ${fixed(toX)} ${fixed(toY)}"/>`,
      ];
    });
  });
}

function boxOf(
  proof: DrawnProof,
  { folded, boxes, layout }: DrawnTree,
  place: number,
  choice: PictureChoice,
): string {
  const box = boxes[place];
  const at = layout.places[place];
  const own = folded.boxes[place];
  if (box === undefined || at === undefined || own === undefined) return '';
  const [x, y] = [at.x + MARGIN, at.y + MARGIN];
  const [first] = own.nodes;
  const node = first === undefined ? undefined : proof.nodes[first];
  const lines = box.lines.map(
    ({ kind, text }, index) =>
      `<text class="${kind}" x="${fixed(x + PADDING)}" y="${fixed(y + PADDING + index * LINE_HEIGHT + FONT_SIZE)}">${markup(text)}</text>`,
  );
  const drawn = `<g class="s-${box.tone}"><title>${markup(node === undefined ? '' : titleOf(proof, node.goal))}</title><rect x="${fixed(x)}" y="${fixed(y)}" width="${fixed(box.width)}" height="${fixed(box.height)}" rx="5"/>${lines.join('')}</g>`;
  const link = node?.sentence == null ? undefined : choice.linkOf?.(node.sentence);
  return link === undefined ? drawn : `<a href="${markup(link)}">${drawn}</a>`;
}

const LONGEST_TITLE = 2000;

/** The whole goal, which a pointer that rests on the box shows. */
function titleOf(proof: DrawnProof, place: number): string {
  const goal = goalAt(proof, place);
  if (goal === undefined) return '';
  const text = [
    ...goal.hypotheses.map(
      ({ name, type, body }) => `${name}${body === null ? '' : ` := ${body}`} : ${type}`,
    ),
    `⊢ ${goal.conclusion}`,
  ].join('\n');
  return text.length <= LONGEST_TITLE ? text : `${text.slice(0, LONGEST_TITLE)}…`;
}

function fixed(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Text as it is written in HTML and XML, between tags and in attributes. */
export function markup(text: string): string {
  return shownText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
