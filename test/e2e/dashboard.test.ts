import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Status } from '../../src/read-model/status.ts';
import { chromiumProgram, launchChromium } from '../support/chromium.ts';
import {
  holdResume,
  linkOf,
  numberIn,
  openDashboard,
  openFirstEvent,
  QUOTING,
  shown,
} from '../support/dashboard.ts';
import { adminOf, reported } from '../support/place.ts';
import { type Run, touchline } from '../support/process.ts';
import { patient } from '../support/patience.ts';

const LIVE_WITHIN_MS = patient(2_000);

const NUMBERS = ['Profit today', 'Worst case', 'Orders open', 'Balance'];

const numberOf = async (page: Page, name: string): Promise<number> =>
  numberIn(await page.locator(`[data-number="${name}"]`).textContent());

describe.runIf(chromiumProgram() !== null)('the dashboard', () => {
  let browser: Browser;
  let daemon: Run;
  beforeAll(async () => {
    daemon = touchline(['start', '--json', '--seed', '7']);
    browser = await launchChromium();
    await daemon.until(/order live/);
  });
  afterAll(async () => {
    await browser.close();
    daemon.kill('SIGTERM');
    await daemon.exit;
  });

  it('is live soon after it is opened, agrees with the status, and stops trading', async () => {
    const admin = await adminOf(daemon);
    const link = await linkOf(daemon);
    // A clone builds the page when it is first asked for.
    await fetch(admin);
    const { page, noise } = await openDashboard(browser, link);
    await page.locator('a.event').first().waitFor({ timeout: LIVE_WITHIN_MS });
    expect(page.url()).toBe(`${admin}/`);
    await expect
      .poll(async () => {
        const status = (await reported(admin, '/status')) as Status;
        const open = await page.locator('[data-number="Orders open"]').textContent();
        const first = await page.locator('a.event b').first().textContent();
        return [open, status.events.some(({ name }) => name === first)];
      })
      .toEqual([expect.stringMatching(/^\d+$/), true]);
    await expect
      .poll(async () => {
        const status = (await reported(admin, '/status')) as Status;
        return Number(await page.locator('[data-number="Orders open"]').textContent()) - status.ordersOpen;
      })
      .toBe(0);

    await openFirstEvent(page);
    await page.getByRole('button', { name: 'PAUSE', exact: true }).click();
    await page.locator('.sentence', { hasText: /PAUSED: .*, by dashboard/ }).waitFor();
    await expect.poll(async () => ((await reported(admin, '/status')) as Status).ordersOpen).toBe(0);
    await page.getByRole('link', { name: 'Events' }).click();
    await expect
      .poll(async () => {
        const { profit, limits, ordersOpen, account } = (await reported(admin, '/status')) as Status;
        const worst = limits.find(({ name }) => name === 'worstCase.accountUsdt')?.use ?? NaN;
        const shownNow = await Promise.all(NUMBERS.map((name) => numberOf(page, name)));
        return shownNow.map((each, at) =>
          Math.abs(each - ([profit.today?.settled, 0 - worst, ordersOpen, account.balance][at] ?? NaN)),
        );
      })
      .toEqual(NUMBERS.map(() => expect.closeTo(0, 0)));
    await holdResume(page);
    await page.locator('.sentence', { hasText: QUOTING }).waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await page.locator('.sentence', { hasText: /KILLED: .*, by dashboard \(control token/ }).waitFor();
    await expect.poll(async () => ((await reported(admin, '/status')) as Status).ordersOpen).toBe(0);
    await shown(page);
    expect(noise).toEqual([]);
    await page.context().close();
  });
});
