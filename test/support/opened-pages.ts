import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { patient } from './patience.ts';

interface OpenedPage {
  readonly page: Page;
  /** Errors of the page, lines of its console, and addresses that it asked for. */
  readonly noise: string[];
}

/** Pages as files, opened in a browser. */
export interface Pages {
  address(name: string): string;
  /** Opens a page and waits until it shows a table. */
  open(name: string, options?: BrowserContextOptions): Promise<OpenedPage>;
  close(): Promise<void>;
}

/** Writes pages by name into a folder of their own, and starts a browser. */
export async function pagesInBrowser(pages: Readonly<Record<string, string>>): Promise<Pages> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'touchline-report-'));
  for (const [name, html] of Object.entries(pages)) writeFileSync(path.join(folder, name), html);
  const browser = await launchChromium();
  const address = (name: string): string => pathToFileURL(path.join(folder, name)).href;
  return {
    address,
    open: (name, options = {}) => openPage(browser, address(name), options),
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions,
): Promise<OpenedPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.setDefaultTimeout(patient(30_000));
  const noise: string[] = [];
  page.on('console', (message) => noise.push(message.text()));
  page.on('pageerror', (error) => noise.push(error.message));
  page.on('request', (request) => noise.push(request.url()));
  await page.goto(address);
  await page.waitForSelector('main table');
  return { page, noise };
}
