import type { Page } from 'playwright-core';

/** Smaller overlaps are those of the line boxes of a font. */
const LEAST_PX = 3;

/**
 * Texts and controls that lie over each other, in words. What a box cuts off does not count, nor what is made to lie over something, as a sticky head and
 * an explanation are: only what lies in one layer is compared.
 */
export const overlaps = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(() => {
    const known = new Map();
    // What an element and all around it leave to be seen, and the layer that it lies in.
    const within = (element) => {
      if (element === null) return { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity, layer: null };
      const earlier = known.get(element);
      if (earlier !== undefined) return earlier;
      const { overflowX, clipPath, visibility, position } = getComputedStyle(element);
      const around = within(element.parentElement);
      const seen = { ...around };
      if (visibility === 'hidden' || clipPath !== 'none') seen.right = -Infinity;
      if (overflowX !== 'visible') {
        const box = element.getBoundingClientRect();
        [seen.left, seen.top] = [Math.max(seen.left, box.left), Math.max(seen.top, box.top)];
        [seen.right, seen.bottom] = [Math.min(seen.right, box.right), Math.min(seen.bottom, box.bottom)];
      }
      if (['sticky', 'fixed', 'absolute'].includes(position)) seen.layer = element;
      known.set(element, seen);
      return seen;
    };
    const found = [];
    const add = (element, rect, text) => {
      const seen = within(element);
      const [left, top] = [Math.max(rect.left, seen.left), Math.max(rect.top, seen.top)];
      const [right, bottom] = [Math.min(rect.right, seen.right), Math.min(rect.bottom, seen.bottom)];
      if (right > left && bottom > top) found.push({ element, text, layer: seen.layer, left, top, right, bottom });
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (node.data.trim() === '') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) add(node.parentElement, rect, node.data.trim());
    }
    for (const element of document.querySelectorAll('button, input, select'))
      add(element, element.getBoundingClientRect(), element.textContent.trim() || element.tagName);
    const over = [];
    found.sort((one, other) => one.top - other.top);
    for (const [at, one] of found.entries())
      for (let next = at + 1; next < found.length && found[next].top < one.bottom; next++) {
        const other = found[next];
        if (one.layer !== other.layer) continue;
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (across > ${LEAST_PX} && down > ${LEAST_PX}) over.push(one.text + ' over ' + other.text);
      }
    return over;
  })()`);
