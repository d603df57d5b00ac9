/**
 * Makes the pictures of the dashboard, with Chromium: docs/images/dashboard.png and docs/images/dashboard-phone.png from a simulated run, and
 * those of docs/images/dashboard from the scenes of its tests.
 *
 *     node scripts/dashboard-image.ts [run|scenes]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startChild } from './soak/child.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { SCENES } from '../test/support/dashboard-scenes.ts';
import { openStage } from '../test/support/dashboard-stage.ts';

const IMAGES = path.join(import.meta.dirname, '../docs/images');
const MAIN = path.join(import.meta.dirname, '../src/cli/main.ts');
const PLAYED_MS = 60_000;
/** A busy machine quotes less than is wanted now and then. */
const CALM_WITHIN_MS = 240_000;
/** The charts and the legends follow the first messages. */
const QUALITY = 0.7;
const SETTLED_MS = 2_500;
const STILL: BrowserContextOptions = { reducedMotion: 'reduce' };

type Theme = 'light' | 'dark' | 'contrast';

const SIZES = {
  phone: { width: 390, height: 844 },
  laptop: { width: 1280, height: 800 },
  desktop: { width: 1920, height: 1080 },
  large: { width: 2560, height: 1440 },
} as const;

const PICTURES: readonly (readonly [keyof typeof SCENES, keyof typeof SIZES, Theme])[] = [
  ['busy', 'laptop', 'light'],
  ['busy', 'desktop', 'dark'],
  ['busy', 'large', 'contrast'],
  ['busy', 'phone', 'dark'],
  ['in play', 'laptop', 'dark'],
  ['in play', 'phone', 'light'],
  ['killed', 'laptop', 'light'],
  ['killed', 'phone', 'contrast'],
  ['stale', 'laptop', 'dark'],
  ['paused', 'laptop', 'light'],
  ['empty', 'laptop', 'contrast'],
  ['forty events', 'laptop', 'dark'],
];

const what = process.argv[2];
const browser = await launchChromium();
if (what !== 'scenes') await takeRun(browser);
if (what !== 'run') await takeScenes(browser);
await browser.close();
process.exit(0);

/** The dashboard of `npm start` after a minute. */
async function takeRun(chromium: Browser): Promise<void> {
  const link = Promise.withResolvers<string>();
  const take = (line: string): void => {
    const found = /"link":"(http[^"]+)"/.exec(line)?.[1];
    if (found !== undefined) link.resolve(found);
  };
  const daemon = startChild([MAIN, 'start', '--json'], {}, take, take);
  const page = await chromium.newPage({ ...STILL, viewport: SIZES.desktop, colorScheme: 'light' });
  page.setDefaultTimeout(CALM_WITHIN_MS);
  await page.goto(await link.promise);
  await page.locator('a.event').first().waitFor();
  await page.waitForTimeout(PLAYED_MS);
  await page.locator('.payoffs td.now').waitFor();
  await page.locator('.own').first().waitFor();
  await page.locator('.sentence.tone-good').waitFor();
  await keep(page, 'dashboard');
  await page.setViewportSize(SIZES.phone);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('a.event').first().click();
  await page.locator('.own').first().waitFor();
  await page.locator('.sentence.tone-good').waitFor();
  await keep(page, 'dashboard-phone');
  await page.context().close();
  await daemon.stop();
}

async function takeScenes(chromium: Browser): Promise<void> {
  mkdirSync(path.join(IMAGES, 'dashboard'), { recursive: true });
  const stage = await openStage();
  const converter = await chromium.newPage();
  for (const [name, size, theme] of PICTURES) {
    stage.show(SCENES[name]);
    const page = await chromium.newPage({ ...STILL, viewport: SIZES[size] });
    await page.goto(stage.link);
    await page.getByLabel('Colours').selectOption(theme);
    if (name !== 'empty') await page.locator('a.event').nth(1).click();
    await page.waitForTimeout(SETTLED_MS);
    const file = path.join(IMAGES, `dashboard/${name.replace(' ', '-')}-${size}-${theme}.webp`);
    writeFileSync(file, await webpOf(converter, await page.screenshot()));
    console.log(file);
    await page.context().close();
  }
  stage.close();
}

/** The same picture in a quarter of the bytes: the package holds all of them. */
async function webpOf(converter: Page, png: Buffer): Promise<Buffer> {
  const source = `data:image/png;base64,${png.toString('base64')}`;
  const address = await converter.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = ${JSON.stringify(source)};
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', ${QUALITY});
  })()`);
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
}

async function keep(shown: Page, name: string): Promise<void> {
  const file = path.join(IMAGES, `${name}.png`);
  await shown.screenshot({ path: file });
  console.log(file);
}
