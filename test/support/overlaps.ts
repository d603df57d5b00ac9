import type { Page } from 'playwright-core';

/** Smaller overlaps are those of the line boxes of a font. */
const LEAST_PX = 3;

/**
 * Texts and controls that lie over each other, in words. What a box cuts off does not count, nor what is made to lie over something, as a sticky head and
 * an explanation are: only what lies in one layer is compared.
 */
export const overlaps = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(() => {
    const cut = (rect, element) => {
      let { left, top, right, bottom } = rect;
      for (let each = element; each !== null; each = each.parentElement) {
        const { overflowX, clipPath, visibility } = getComputedStyle(each);
        if (visibility === 'hidden' || clipPath !== 'none') return null;
        if (overflowX === 'visible') continue;
        const box = each.getBoundingClientRect();
        [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
        [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
      }
      return right > left && bottom > top ? { left, top, right, bottom } : null;
    };
    const layerOf = (element) => {
      for (let each = element; each !== null; each = each.parentElement)
        if (['sticky', 'fixed', 'absolute'].includes(getComputedStyle(each).position)) return each;
      return null;
    };
    const found = [];
    const add = (element, rect, text) => {
      const box = cut(rect, element);
      if (box !== null) found.push({ element, text, layer: layerOf(element), ...box });
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
    for (const [at, one] of found.entries())
      for (const other of found.slice(at + 1)) {
        if (one.layer !== other.layer) continue;
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (across > ${LEAST_PX} && down > ${LEAST_PX}) over.push(one.text + ' over ' + other.text);
      }
    return over;
  })()`);
