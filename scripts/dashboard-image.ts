/**
 * Makes docs/images/dashboard.png and docs/images/dashboard-night.png from a simulated run, with Chromium:
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
/** A quick market, in which there soon is something to see. */
const MARKET = ['--seed', '7', '--speed', '20'];
const PLAYED_MS = 60_000;

const link = Promise.withResolvers<string>();
const take = (line: string): void => {
  const found = /"link":"(http[^"]+)"/.exec(line)?.[1];
  if (found !== undefined) link.resolve(found);
};
const daemon = startChild([MAIN, 'start', '--json', ...MARKET], {}, take, take);
const browser = await launchChromium();
const options: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' };
const page = await browser.newPage({ ...options, colorScheme: 'light' });
await page.goto(await link.promise);
await page.locator('a.event').first().waitFor();
await page.waitForTimeout(PLAYED_MS);
await keep(page, 'dashboard-night');
await page.locator('a.event').first().click();
await page.locator('.payoffs td.now').waitFor();
await page.locator('.own').first().waitFor();
await keep(page, 'dashboard');
await browser.close();
await daemon.stop();
process.exit(0);

async function keep(shown: Page, name: string): Promise<void> {
  const file = path.join(IMAGES, `${name}.png`);
  await shown.screenshot({ path: file });
  console.log(file);
}
