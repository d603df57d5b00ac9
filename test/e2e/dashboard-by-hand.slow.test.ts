import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumProgram, launchChromium } from '../support/chromium.ts';
import { newLink, openDashboard, openFirstEvent, seriousFindings } from '../support/dashboard.ts';
import { patient } from '../support/patience.ts';
import { adminOf } from '../support/place.ts';
import { type Run, touchline } from '../support/process.ts';

const WITHIN = { timeout: patient(30_000) };

describe.runIf(chromiumProgram() !== null)('by hand', () => {
  let browser: Browser;
  let daemon: Run;
  let admin: string;
  beforeAll(async () => {
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

  const opened = async (...options: readonly string[]): Promise<Page> => {
    const link = await newLink(admin, ...options);
    const { page } = await openDashboard(browser, link, { bypassCSP: true });
    await openFirstEvent(page);
    await page.locator('.own').first().waitFor();
    return page;
  };

  it('half the stakes of an event are quoted for a while, shown with who and until when, and ended', async () => {
    const page = await opened();
    await page.getByRole('button', { name: 'by hand …' }).click();
    await page
      .getByLabel(/ v |until it is changed/)
      .first()
      .waitFor();
    await page.locator('.by-hand select').selectOption('for 15 min');
    await page.getByRole('button', { name: 'stake × ½' }).click();
    const adjusted = page.locator('.adjusted');
    await adjusted.getByText(/STAKE × 0\.5, until .* left\), by dashboard/).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await adjusted.getByRole('button', { name: /^end: STAKE/ }).click();
    await expect.poll(() => adjusted.count(), WITHIN).toBe(0);
    await page.context().close();
  });

  it('a quote is placed by two presses, moved by a key and by the pointer, and withdrawn by a key', async () => {
    const page = await opened();
    const ladder = page.locator('.ladder').first();
    await ladder.getByRole('button', { name: /by hand$/ }).click();
    await ladder.getByLabel('stake').fill('3');
    const there = ladder.getByRole('button', { name: /^(press again to )?quote 3 for at / });
    // The highest price: nobody takes there.
    await there.first().click();
    await ladder.getByText(/^again: 3\.00 for at /).waitFor();
    expect(await ladder.locator('.hand-pill').count()).toBe(0);
    await page.waitForTimeout(500);
    await there.first().click();
    const pill = ladder.locator('.hand-pill');
    await pill.waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const at = async (): Promise<string> => (await pill.getAttribute('aria-label')) ?? '';
    const highest = await at();
    const lower = async (): Promise<void> => {
      await pill.focus();
      await page.keyboard.press('ArrowDown');
      await expect.poll(at, WITHIN).not.toBe(highest);
    };
    await lower();
    await pill.dragTo(there.first());
    await expect.poll(at, WITHIN).toBe(highest);
    // A row at the edge is out of view if the market moves before the page is there again.
    await lower();
    await page.reload();
    await pill.waitFor();
    await ladder.getByRole('button', { name: /by hand$/ }).click();
    await pill.focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => pill.count(), WITHIN).toBe(0);
    await page.context().close();
  });

  it('a link that may only reduce can halve, and neither double nor quote', async () => {
    const page = await opened('--share', '--scope', 'reduce');
    await page.getByRole('button', { name: 'by hand …' }).click();
    await page.getByRole('button', { name: 'stake × ½' }).waitFor();
    expect(await page.getByRole('button', { name: 'stake × 2' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Quote on / }).count()).toBe(0);
    await page.context().close();
  });
});
