import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram, launchChromium } from '../support/chromium.ts';
import { openDashboard, seriousFindings } from '../support/dashboard.ts';
import { SCENES } from '../support/dashboard-scenes.ts';
import { openStage, type Stage } from '../support/dashboard-stage.ts';
import { overlaps } from '../support/overlaps.ts';

const DESKTOP = { width: 1920, height: 1080 };
const VIEWPORTS = [
  { width: 1280, height: 800 },
  DESKTOP,
  { width: 2560, height: 1440 },
  { width: 390, height: 844 },
];
const THEMES = ['light', 'dark', 'contrast'] as const;
const PHONE = 390;
/** These scenes have every colour between them. */
const COLOURED: ReadonlySet<string> = new Set(['busy', 'killed']);

const width = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth');

describe.runIf(chromiumProgram() !== null)('a dashboard', () => {
  let browser: Browser;
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    stage.close();
  });

  async function opened(
    name: keyof typeof SCENES,
    viewport: { width: number; height: number },
  ): Promise<Page> {
    stage.show(SCENES[name]);
    const { page } = await openDashboard(browser, stage.link, { viewport, bypassCSP: true });
    await page.locator('.sentence').waitFor();
    if (name !== 'empty') await page.locator('a.event').nth(1).click();
    if (name !== 'empty') await page.locator('.ladder tbody').first().waitFor();
    if (name === 'stale') await page.locator('main.hatched').waitFor();
    return page;
  }

  it('is known to lie over itself where a style makes it so', async () => {
    const page = await opened('busy', DESKTOP);
    await page.addStyleTag({ content: '.choices h2 { margin-right: -60px }' });
    expect((await overlaps(page)).some((each) => each.includes('Events'))).toBe(true);
    await page.addStyleTag({ content: '.choices h2 { margin-right: 0 } .events { min-width: 3000px }' });
    expect(await width(page)).toBeGreaterThan(DESKTOP.width);
    await page.context().close();
  });

  it('resizes panels by a drag and by keys, and remembers the sizes', async () => {
    const page = await opened('busy', DESKTOP);
    const bar = page.getByRole('separator', { name: 'Width of the side' });
    const side = async (): Promise<number> => (await page.locator('.side').boundingBox())?.width ?? 0;
    const first = await side();
    const at = await bar.boundingBox();
    if (at === null) throw new Error('the bar has no place');
    await page.mouse.move(at.x + 4, at.y + 200);
    await page.mouse.down();
    await page.mouse.move(at.x - 96, at.y + 200, { steps: 5 });
    await page.mouse.up();
    await expect.poll(side).toBe(first + 100);
    await bar.press('ArrowRight');
    await expect.poll(side).toBe(first + 96);
    const ladders = page.getByRole('separator', { name: 'Height of the ladders' });
    const rows = (): Promise<number> => page.locator('.ladder').first().locator('tbody tr').count();
    const before = (await page.locator('.ladder .rows').first().boundingBox())?.height ?? 0;
    await ladders.press('Shift+ArrowDown');
    await expect
      .poll(async () => (await page.locator('.ladder .rows').first().boundingBox())?.height)
      .toBe(before + 5 * 24);
    expect(await rows()).toBeGreaterThanOrEqual(22);
    await page.reload();
    await page.locator('.own').first().waitFor();
    expect(await side()).toBe(first + 96);
    await page.getByRole('separator', { name: 'Width of the side' }).press('Home');
    await expect.poll(side).toBe(first);
    await page.context().close();
  });

  it('zooms all charts at once, and saves a chart as a picture and as a table', async () => {
    const page = await opened('busy', DESKTOP);
    const price = page.locator('.chart', { hasText: 'Price of' });
    await price.locator('canvas').waitFor();
    const save = async (name: string): Promise<string> => {
      const saved = page.waitForEvent('download');
      await price.getByRole('button', { name }).click();
      return (await saved).suggestedFilename();
    };
    expect(await save('PNG')).toMatch(/^price-of-.*\.png$/);
    expect(await save('CSV')).toMatch(/^price-of-.*\.csv$/);
    const zoomed = (): Promise<string[]> => page.locator('.chart .zoomed').allTextContents();
    expect(await zoomed()).toEqual([]);
    // The chart of the profit: half an hour.
    const box = await page.locator('.chart .u-over').first().boundingBox();
    if (box === null) throw new Error('the chart has no place');
    await page.mouse.move(box.x + box.width / 4, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 20, { steps: 4 });
    await page.mouse.up();
    await expect.poll(zoomed).toHaveLength(3);
    const [first, ...others] = await zoomed();
    expect(others).toEqual([first, first]);
    await price.getByRole('button', { name: 'zoom in' }).click();
    await expect.poll(async () => (await zoomed())[0]).not.toBe(first);
    await page.locator('.chart .u-over').first().dblclick();
    await expect.poll(zoomed).toEqual([]);
    await page.context().close();
  });

  it('cancels all of the market of the first ladder by its key, and nothing while a person types', async () => {
    const page = await opened('busy', DESKTOP);
    const asked: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && !request.url().endsWith('/session'))
        asked.push([new URL(request.url()).pathname, JSON.parse(request.postData() ?? '{}')]);
    });
    await page.getByRole('searchbox', { name: 'Find events' }).focus();
    await page.keyboard.press('x');
    expect(asked).toEqual([]);
    await page.getByRole('searchbox', { name: 'Find events' }).fill('');
    await page.locator('.ladder .rows').first().focus();
    await page.keyboard.press('x');
    await expect
      .poll(() => asked)
      .toEqual([[expect.any(String), expect.objectContaining({ state: 'halted' })]]);
    await page.context().close();
  });

  describe.each(Object.keys(SCENES) as (keyof typeof SCENES)[])('that is %s', (name) => {
    it('fits every size in every colour, and nothing lies over another', async () => {
      const page = await opened(name, DESKTOP);
      for (const viewport of VIEWPORTS) {
        await page.setViewportSize(viewport);
        await expect
          .poll(async () => (await page.locator('.top').boundingBox())?.height)
          .toBe(viewport.width === PHONE ? 88 : 48);
        for (const theme of THEMES) {
          const place = `${viewport.width} × ${viewport.height}, ${theme}`;
          await page.getByLabel('Colours').selectOption(theme);
          expect([place, await width(page)]).toEqual([place, viewport.width]);
          expect([place, await overlaps(page)]).toEqual([place, []]);
        }
      }
      await page.context().close();
    });

    it('has no serious finding of axe', async () => {
      const page = await opened(name, DESKTOP);
      for (const theme of COLOURED.has(name) ? THEMES : ['light']) {
        await page.getByLabel('Colours').selectOption(theme);
        expect([theme, await seriousFindings(page)]).toEqual([theme, []]);
      }
      await page.context().close();
    });
  });
});
