/** Pictures for the documents, what a screen reader would stumble over, and names that are cut without need. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { orNothing } from '../../src/core/entry.ts';

const PICTURES = fileURLToPath(new URL('../../docs/workbench/', import.meta.url));

/** Written only where they are wanted (`QUOD_PICTURES=1`), so that a test run leaves the tree as it is. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['QUOD_PICTURES'] === undefined) return;
  await page.screenshot({
    path: `${PICTURES}${name}.png`,
    animations: 'disabled',
    caret: 'hide',
    scale: 'css',
  });
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const violationsSchema = z.array(
  z.object({
    id: z.string(),
    nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
  }),
);

/** Everything that axe finds, one line each. */
export async function faultsOfAccess(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's own policy does not bind.
  await page.evaluate(readFileSync(axePath, 'utf8'));
  const violations: unknown = await page.evaluate('axe.run().then(({ violations }) => violations)');
  return violationsSchema
    .parse(violations)
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${orNothing(failureSummary)}`),
    );
}

/**
 * Names that are cut though their line has room, or though less of what stands behind them would do. A name that has
 * half of its line leaves the rest to others.
 */
export async function needlesslyCut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const px = (text: string): number => Number.parseFloat(text) || 0;
    const isShown = (one: Element): boolean => one.getClientRects().length > 0;
    /** What stands beside it, in order, itself included. */
    const lineOf = (one: Element): HTMLElement[] => {
      const { top, bottom } = one.getBoundingClientRect();
      return [...(one.parentElement?.children ?? [])].filter((other): other is HTMLElement => {
        const box = other.getBoundingClientRect();
        return other instanceof HTMLElement && isShown(other) && box.top < bottom - 1 && box.bottom > top + 1;
      });
    };
    const innerWidth = (one: HTMLElement): number => {
      const { paddingLeft, paddingRight } = getComputedStyle(one);
      return one.clientWidth - px(paddingLeft) - px(paddingRight);
    };
    const isRow = (one: HTMLElement): boolean => {
      const { display, flexDirection } = getComputedStyle(one);
      return display.endsWith('flex') && flexDirection === 'row';
    };
    const outerWidth = (one: HTMLElement): number => {
      const { marginLeft, marginRight } = getComputedStyle(one);
      // A margin that is auto is room.
      const isAuto = one.computedStyleMap().get('margin-inline-start')?.toString() === 'auto';
      return one.getBoundingClientRect().width + px(marginRight) + (isAuto ? 0 : px(marginLeft));
    };
    /** Of words that stand in a line without an element of their own. */
    const bareWidths = (line: HTMLElement): number[] =>
      [...line.childNodes].flatMap((node) => {
        if (node.nodeType !== Node.TEXT_NODE || node.textContent?.trim() === '') return [];
        const range = document.createRange();
        range.selectNode(node);
        return range.getBoundingClientRect().width;
      });
    /** Of the line that it stands in, what nothing stands in. */
    const room = (one: HTMLElement): number => {
      const line = one.parentElement;
      if (line === null || getComputedStyle(line).display.endsWith('grid')) return 0;
      if (!isRow(line)) return innerWidth(line) - one.getBoundingClientRect().width;
      const widths = [...lineOf(one).map(outerWidth), ...bareWidths(line)];
      const used = widths.reduce((sum, width) => sum + width, 0);
      return innerWidth(line) - used - px(getComputedStyle(line).columnGap) * (widths.length - 1);
    };
    /** Whether a letter of it is: a hundredth of a pixel does. */
    const isCut = (one: HTMLElement): boolean => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getBoundingClientRect().width > one.getBoundingClientRect().width;
    };
    return [...document.querySelectorAll<HTMLElement>('.cut')].flatMap((one) => {
      if (!isShown(one) || !isCut(one)) return [];
      const said = `${one.outerHTML.slice(0, 60)} (${one.clientWidth} of ${one.scrollWidth} px)`;
      const line = one.parentElement;
      const around: HTMLElement[] = [one];
      for (let out = line; out !== null && out.parentElement !== null; out = out.parentElement) {
        if (!isRow(out.parentElement)) break;
        around.push(out);
      }
      const free = around.map(room).find((width) => width > 2);
      if (free !== undefined) return [`${said} has ${Math.round(free)} px of room`];
      // A folder stands before the name that is looked for.
      if (line === null || !isRow(line) || one.matches('.file-folder')) return [];
      if (one.getBoundingClientRect().width >= innerWidth(line) / 2 - 2) return [];
      const beside = lineOf(one);
      const behind = beside.slice(beside.indexOf(one) + 1);
      return behind.flatMap((other) => {
        const { fontSize, minWidth } = getComputedStyle(other);
        const least = Math.max(px(minWidth), 8 * 0.65 * px(fontSize)) + 2;
        return other.getBoundingClientRect().width > least && other.matches('.cut, .faint')
          ? [`${said} is cut for ${other.outerHTML.slice(0, 60)}`]
          : [];
      });
    });
  });
}
