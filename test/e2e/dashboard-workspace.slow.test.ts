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

  it('stops an event and allows it again, and says who stopped it', async () => {
    const { page } = await openDashboard(browser, await newLink(admin), { viewport: DESKTOP });
    await openFirstEvent(page);
    const selected = page.locator('.events tr.selected');
    await page.getByRole('button', { name: /^stop / }).click();
    await expect.poll(() => selected.locator('.column-reason').textContent()).toBe('halted');
    await page.locator('.event-head .fault', { hasText: /HALTED: .*, by dashboard/ }).waitFor();
    await expect.poll(() => page.locator('.own').count(), { timeout: patient(10_000) }).toBe(0);
    await page
      .getByRole('button', { name: /^allow again/ })
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
