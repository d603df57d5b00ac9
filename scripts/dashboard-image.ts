/**
 * Makes docs/images/dashboard.png and docs/images/dashboard-phone.png from a simulated run, with Chromium:
 *
 *     node scripts/dashboard-image.ts
 */
import path from 'node:path';
import process from 'node:process';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startChild } from './soak/child.ts';
import { launchChromium } from '../test/support/chromium.ts';

const IMAGES = path.join(import.meta.dirname, '../docs/images');
const MAIN = path.join(import.meta.dirname, '../src/cli/main.ts');
/** Several sports, some of them in play, so that there soon is something to see. */
const MARKET = ['universe.marketTypes=', 'universe.maxEvents=6', 'universe.maxSelections=24'];
const IN_PLAY = ['universe.inPlay=true', 'risk.inPlay.allowed=true'];
const PLAYED_MS = 60_000;
const STILL: BrowserContextOptions = { reducedMotion: 'reduce' };

const link = Promise.withResolvers<string>();
const take = (line: string): void => {
  const found = /"link":"(http[^"]+)"/.exec(line)?.[1];
  if (found !== undefined) link.resolve(found);
};
const daemon = startChild(
  [MAIN, 'start', '--json', ...[...MARKET, ...IN_PLAY].flatMap((setting) => ['--set', setting])],
  {},
  take,
  take,
);
const browser = await launchChromium();
const page = await browser.newPage({
  ...STILL,
  viewport: { width: 1600, height: 900 },
  colorScheme: 'light',
});
await page.goto(await link.promise);
await page.locator('a.event').first().waitFor();
await page.waitForTimeout(PLAYED_MS);
await page.locator('.payoffs td.now').waitFor();
await page.locator('.own').first().waitFor();
await keep(page, 'dashboard');
await page.setViewportSize({ width: 390, height: 844 });
await page.emulateMedia({ colorScheme: 'dark' });
await page.locator('a.event').first().click();
await page.locator('.own').first().waitFor();
await keep(page, 'dashboard-phone');
await browser.close();
await daemon.stop();
process.exit(0);

async function keep(shown: Page, name: string): Promise<void> {
  const file = path.join(IMAGES, `${name}.png`);
  await shown.screenshot({ path: file });
  console.log(file);
}
