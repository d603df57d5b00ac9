import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram, launchChromium } from '../support/chromium.ts';
import {
  holdResume,
  linkOf,
  newLink,
  openDashboard,
  openFirstEvent,
  pressAt,
  QUOTING,
  shown,
} from '../support/dashboard.ts';
import { adminOf } from '../support/place.ts';
import { type Run, touchline } from '../support/process.ts';

/** RESUME must be held for one second. */
const HELD_MS = 1_150;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** Place and size of every command. */
const placesOf = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('.actions button')].map((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return [button.className.split(' ')[0], x, y, width, height];
  })`);

const sentence = (page: Page, text: RegExp | string): Promise<void> =>
  page.locator('.sentence', { hasText: text }).waitFor();

describe.runIf(chromiumProgram() !== null)('a button of the dashboard', () => {
  let browser: Browser;
  let daemon: Run;
  let admin: string;
  beforeAll(async () => {
    daemon = touchline(['start', '--json', '--seed', '7']);
    browser = await launchChromium();
    await linkOf(daemon);
    admin = await adminOf(daemon);
    await daemon.until(/order live/);
  });
  afterAll(async () => {
    await browser.close();
    daemon.kill('SIGTERM');
    await daemon.exit;
  });

  it.each([
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
  ])('keeps its size and place while it is held, on %s', async (_where, viewport) => {
    const { page } = await openDashboard(browser, await newLink(admin), { viewport });
    await shown(page);
    await openFirstEvent(page);
    await page.getByRole('button', { name: 'PAUSE', exact: true }).click();
    await sentence(page, 'PAUSED');
    await page.locator('.notice-line', { hasText: 'paused' }).waitFor();
    const before = await placesOf(page);
    await pressAt(page, page.locator('.resume'), 30);
    await page.locator('.resume.held').waitFor();
    expect(await placesOf(page)).toEqual(before);
    await page.locator('.notice-line', { hasText: 'resumed' }).waitFor();
    expect(await placesOf(page)).toEqual(before);
    await page.mouse.up();
    await sentence(page, QUOTING);
    expect(await placesOf(page)).toEqual(before);
    await page.locator('.kill').click();
    await page.locator('.kill.armed').waitFor();
    expect(await placesOf(page)).toEqual(before);
    await page.context().close();
  });

  it.each([10, 30, 45, 150])('RESUME acts wherever it is pressed, %d px from its left edge', async (x) => {
    const { page } = await openDashboard(browser, await newLink(admin), { viewport: DESKTOP });
    await shown(page);
    await page.getByRole('button', { name: 'PAUSE', exact: true }).click();
    await sentence(page, 'PAUSED');
    await holdResume(page, x);
    await sentence(page, QUOTING);
    await page.context().close();
  });

  it('RESUME does nothing if it is let go early, or left', async () => {
    const { page } = await openDashboard(browser, await newLink(admin), { viewport: DESKTOP });
    await shown(page);
    await page.getByRole('button', { name: 'PAUSE', exact: true }).click();
    await sentence(page, 'PAUSED');
    await pressAt(page, page.locator('.resume'), 30);
    await page.waitForTimeout(HELD_MS / 3);
    await page.mouse.up();
    await pressAt(page, page.locator('.resume'), 30);
    await page.mouse.move(10, 300);
    await page.waitForTimeout(HELD_MS);
    await page.mouse.up();
    await sentence(page, 'PAUSED');
    await page.context().close();
  });

  it('of a moving market keeps its place while it is pressed', async () => {
    const { page } = await openDashboard(browser, await newLink(admin), { viewport: DESKTOP });
    await shown(page);
    await page.getByRole('button', { name: 'PAUSE', exact: true }).hover();
    await page.mouse.down();
    const text = (): Promise<string | null> => page.locator('.top').textContent();
    // What changed before the press is shown first.
    await page.waitForTimeout(200);
    const before = await text();
    await page.waitForTimeout(HELD_MS / 2);
    expect(await text()).toBe(before);
    // A press whose end was missed does not hold the page for ever.
    await expect.poll(text).not.toBe(before);
    await page.mouse.up();
    await page.context().close();
  });
});
