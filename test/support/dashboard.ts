import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Run, touchline } from './process.ts';
import { patient } from './patience.ts';

/** A dashboard in a browser, and what it did that it should not. */
export interface OpenedDashboard {
  readonly page: Page;
  /** Errors of the page, lines of its console, and requests to other hosts. */
  readonly noise: readonly string[];
}

/** The link that a simulated daemon prints at its start. */
export async function linkOf(daemon: Run): Promise<string> {
  const line = /"link":"(http[^"]+)"/;
  return line.exec(await daemon.until(line))?.[1] ?? '';
}

/** A new link of the daemon at this address, as `touchline dashboard` prints it. */
export async function newLink(admin: string, ...options: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await touchline(['dashboard', '--url', admin, ...options]).exit;
  expect(code, stderr).toBe(0);
  return stdout.trim();
}

/** Opens a link in a browser of its own. */
export async function openDashboard(
  browser: Browser,
  link: string,
  options: BrowserContextOptions = {},
): Promise<OpenedDashboard> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  return openTab(context, link);
}

/** An empty page, whose waits are bounded as those of every test. */
export async function patientPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(patient(30_000));
  return page;
}

/** Opens a link in another tab of the same browser. */
export async function openTab(context: BrowserContext, link: string): Promise<OpenedDashboard> {
  const page = await patientPage(context);
  const noise: string[] = [];
  const host = new URL(link).host;
  page.on('console', (message) => noise.push(message.text()));
  page.on('pageerror', (error) => noise.push(error.message));
  page.on('request', (request) => {
    if (new URL(request.url()).host !== host) noise.push(request.url());
  });
  await page.goto(link);
  return { page, noise };
}

/** The number that a page writes so, with its minus of print and spaces between thousands. */
export const numberIn = (text: string | null | undefined): number =>
  text === null || text === undefined || text === ''
    ? NaN
    : Number(text.replace('−', '-').replaceAll('\u2009', ''));

/** The sentence while anything is quoted: all that is wanted, or a part of it with the reason for the rest. */
export const QUOTING = /quoting [1-9]|→ [1-9]\d* quoted/;

/** Waits until the page shows the daemon’s state. */
export const shown = (page: Page): Promise<void> => page.locator('.sentence').waitFor();

/** Presses the left button of the mouse at this place of an element. */
export async function pressAt(page: Page, element: Locator, xFromLeft: number): Promise<void> {
  const box = (await element.boundingBox()) ?? { x: NaN, y: NaN, width: NaN, height: NaN };
  await page.mouse.move(box.x + xFromLeft, box.y + box.height / 2);
  await page.mouse.down();
}

/** Holds RESUME until the page says that it has acted. A busy page needs longer than the second for which a person holds it. */
export async function holdResume(page: Page, xFromLeft = 30): Promise<void> {
  await pressAt(page, page.locator('.resume'), xFromLeft);
  await page.locator('.notice-line', { hasText: 'resumed' }).waitFor();
  await page.mouse.up();
}

/** Opens the screen of the first event. */
export async function openFirstEvent(page: Page): Promise<void> {
  await page.locator('a.event').first().click();
  await page.locator('.ladder').first().waitFor();
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The serious findings of axe on a page. It must have been opened with `bypassCSP`. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  }>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
