import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram, launchChromium } from '../support/chromium.ts';
import { newLink, openDashboard, openFirstEvent, seriousFindings } from '../support/dashboard.ts';
import { patient } from '../support/patience.ts';
import { adminOf } from '../support/place.ts';
import { filledShare, shiftOver } from '../support/raster.ts';
import { type Run, touchline } from '../support/process.ts';

const DESKTOP = { width: 1920, height: 1080 };
const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  DESKTOP,
  { width: 2560, height: 1440 },
];
const [SETTLED_MS, MINUTE_MS] = [30_000, 60_000];

const width = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth');

const heightOf = async (page: Page, selector: string): Promise<number | undefined> =>
  (await page.locator(selector).first().boundingBox())?.height;

describe.runIf(chromiumProgram() !== null)('the workspace', () => {
  let browser: Browser;
  let daemon: Run;
  let admin: string;
  beforeAll(async () => {
    // As `npm start` does.
    daemon = touchline(['start', '--json']);
    browser = await launchChromium();
    admin = await adminOf(daemon);
    await daemon.until(/order live/);
  });
  afterAll(async () => {
    await browser.close();
    daemon.kill('SIGTERM');
    await daemon.exit;
  });

  it('fills six tenths of a screen with text, controls and marks of data, and moves nothing in a minute', async () => {
    const { page, noise } = await openDashboard(browser, await newLink(admin), { viewport: DESKTOP });
    await page.locator('.own').first().waitFor();
    await page.waitForTimeout(SETTLED_MS);
    expect(await filledShare(page)).toBeGreaterThanOrEqual(0.6);
    expect(await shiftOver(page, MINUTE_MS)).toBeLessThan(0.02);
    expect(noise).toEqual([]);
    await page.context().close();
  });

  it.each(VIEWPORTS)('is not wider than $width × $height, and keeps its bar', async (viewport) => {
    const { page } = await openDashboard(browser, await newLink(admin), { viewport });
    await page.locator('a.event').first().waitFor();
    expect(await width(page)).toBe(viewport.width);
    await openFirstEvent(page);
    expect(await width(page)).toBe(viewport.width);
    expect(await heightOf(page, '.top')).toBe(viewport.width === 390 ? 88 : 48);
    await page.mouse.wheel(0, 2_000);
    await expect
      .poll(() => page.evaluate(`document.querySelector('.top').getBoundingClientRect().top`))
      .toBe(0);
    await page.context().close();
  });

  it.each(['light', 'dark', 'contrast'])('has no serious finding of axe in %s colours', async (theme) => {
    const options = { viewport: DESKTOP, bypassCSP: true };
    const { page } = await openDashboard(browser, await newLink(admin), options);
    await page.locator('.own').first().waitFor();
    await page.getByLabel('Colours').selectOption(theme);
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
  });

  it('shows what its address names, and names what it shows', async () => {
    const { page } = await openDashboard(browser, await newLink(admin), { viewport: DESKTOP });
    await page.locator('.own').first().waitFor();
    await page.getByRole('searchbox', { name: 'Find events' }).fill('no such event');
    await expect.poll(() => page.locator('a.event').count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Find events' }).fill('');
    await page.getByRole('button', { name: 'stake', exact: true }).click();
    await page.locator('.pin').last().click();
    await expect.poll(() => page.url()).toMatch(/#events\?pin=.+&sort=stake$/);
    expect(await page.locator('.pin').first().getAttribute('aria-pressed')).toBe('true');
    const names = (): Promise<string[]> => page.locator('.ladder .name').allTextContents();
    const before = await names();
    await page.locator('.selections button[aria-pressed="false"]').first().click();
    await expect.poll(async () => (await names()).length).toBe(before.length + 1);
    const pinned = await names();
    await page.reload();
    await expect.poll(names).toEqual(pinned);
    await page.context().close();
  });

  it('resizes panels by a drag and by keys, and remembers the sizes', async () => {
    const { page } = await openDashboard(browser, await newLink(admin), { viewport: DESKTOP });
    await page.locator('.own').first().waitFor();
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
    const { page } = await openDashboard(browser, await newLink(admin), { viewport: DESKTOP });
    const price = page.locator('.chart', { hasText: 'Price of' });
    await price.locator('canvas').waitFor();
    const save = async (name: string): Promise<string> => {
      const saved = page.waitForEvent('download');
      await price.getByRole('button', { name }).click();
      return (await saved).suggestedFilename();
    };
    expect(await save('PNG')).toMatch(/^price-of-.*\.png$/);
    expect(await save('CSV')).toMatch(/^price-of-.*\.csv$/);
    const profit = page.locator('.chart', { hasText: 'Profit of the run' });
    await profit.locator('canvas').waitFor();
    const drawn = (): Promise<string> => profit.locator('canvas').evaluate('(canvas) => canvas.toDataURL()');
    // What is shown ends in the past once it is zoomed, so that new points move nothing.
    await price.getByRole('button', { name: 'zoom in' }).click();
    const zoomed = await drawn();
    await price.getByRole('button', { name: 'earlier' }).click();
    await expect.poll(drawn).not.toBe(zoomed);
    await price.getByRole('button', { name: 'all' }).click();
    await page.context().close();
  });

  it('stops an event and allows it again, and says who stopped it', async () => {
    const { page } = await openDashboard(browser, await newLink(admin), { viewport: DESKTOP });
    await openFirstEvent(page);
    const selected = page.locator('.events tr.selected');
    await page.getByRole('button', { name: /^Stop / }).click();
    await expect.poll(() => selected.locator('.column-reason').textContent()).toBe('halted');
    await page.locator('.event-head .fault', { hasText: 'HALTED by dashboard' }).waitFor();
    await expect.poll(() => page.locator('.own').count(), { timeout: patient(10_000) }).toBe(0);
    await page
      .getByRole('button', { name: /^Allow .* again$/ })
      .first()
      .click();
    await expect.poll(() => selected.locator('.column-reason').textContent()).not.toBe('halted');
    await page.locator('.own').first().waitFor();
    await page.context().close();
  });

  it('holds a ladder still under the pointer, and centres it by a key', async () => {
    const { page } = await openDashboard(browser, await newLink(admin), { viewport: DESKTOP });
    const rows = page.locator('.ladder .rows').first();
    await page.locator('.own').first().waitFor();
    const prices = (): Promise<string[]> => rows.locator('tbody th').allTextContents();
    const before = (await prices()).map((text) => text.replace(/[▸◂]/g, ''));
    await rows.hover();
    await page.waitForTimeout(patient(5_000));
    expect((await prices()).map((text) => text.replace(/[▸◂]/g, ''))).toEqual(before);
    const box = await rows.boundingBox();
    await rows.focus();
    await page.keyboard.press('c');
    expect(await rows.boundingBox()).toEqual(box);
    await page.context().close();
  });

  it('loads less than 150 kB at first', async () => {
    const page = await (await fetch(admin)).text();
    expect(gzipSync(page).length).toBeLessThan(150_000);
  });
});
