import type { Page } from 'playwright-core';

/** Cells of the raster that is laid over a viewport. */
const [COLUMNS, ROWS] = [60, 34];

/**
 * The share of the viewport's cells in which there is text, a control or a mark of data. Of a canvas, what is drawn in the colour of grid lines
 * does not count; of everything, only what no box cuts off.
 */
export const filledShare = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    const [columns, rows] = [${COLUMNS}, ${ROWS}];
    const [width, height] = [innerWidth / columns, innerHeight / rows];
    const filled = new Set();
    const fill = ({ left, top, right, bottom }) => {
      if (right <= left || bottom <= top) return;
      const last = (edge, size, count) => Math.min(count - 1, Math.ceil(edge / size) - 1);
      for (let row = Math.max(0, Math.floor(top / height)); row <= last(bottom, height, rows); row++)
        for (let column = Math.max(0, Math.floor(left / width)); column <= last(right, width, columns); column++)
          filled.add(row * columns + column);
    };
    const cut = (rect, element) => {
      let { left, top, right, bottom } = rect;
      for (let each = element; each !== null; each = each.parentElement) {
        const { overflowX, clipPath, visibility } = getComputedStyle(each);
        if (visibility === 'hidden' || clipPath !== 'none') return { left: 0, top: 0, right: 0, bottom: 0 };
        if (overflowX === 'visible') continue;
        const box = each.getBoundingClientRect();
        [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
        [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
      }
      return { left, top, right, bottom };
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (node.data.trim() === '') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) fill(cut(rect, node.parentElement));
    }
    for (const element of document.querySelectorAll('button, input, select, polyline, .mark, .track .fill, td.back, td.lay'))
      fill(cut(element.getBoundingClientRect(), element));
    for (const canvas of document.querySelectorAll('canvas')) {
      const box = canvas.getBoundingClientRect();
      const { data, width: across } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const probe = canvas.parentElement.appendChild(document.createElement('span'));
      probe.style.color = 'var(--line)';
      const line = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
      probe.remove();
      const scale = box.width / across;
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] === 0 || line.every((part, of) => Math.abs(part - data[at + of]) < 8)) continue;
        const [x, y] = [box.left + ((at / 4) % across) * scale, box.top + Math.floor(at / 4 / across) * scale];
        fill({ left: x, top: y, right: x + scale, bottom: y + scale });
      }
    }
    return filled.size / (columns * rows);
  })()`);

/** How far the page moved by itself in so many milliseconds: the sum of its layout shifts that follow no press. */
export const shiftOver = (page: Page, ms: number): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value;
    });
    observer.observe({ type: 'layout-shift' });
    setTimeout(() => resolve(sum), ${ms});
  })`);
