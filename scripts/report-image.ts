/**
 * Makes docs/images/report.png from a generated report, with Chromium:
 *
 *     node scripts/report-image.ts
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { reportHtml } from '../src/research/report/html.ts';
import { generatedReport } from '../test/support/backtest-report.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { shellText } from '../test/support/report-shell.ts';

const IMAGE = path.join(import.meta.dirname, '../docs/images/report.png');
const SHOWN = { width: 1280, height: 1100 };

const folder = mkdtempSync(path.join(os.tmpdir(), 'touchline-report-'));
const file = path.join(folder, 'report.html');
writeFileSync(file, reportHtml(generatedReport({ events: 40, fillsPerEvent: 30 }), await shellText()));
const browser = await launchChromium();
const page = await browser.newPage({ viewport: SHOWN, colorScheme: 'light', reducedMotion: 'reduce' });
await page.goto(pathToFileURL(file).href);
await page.waitForSelector('main table');
mkdirSync(path.dirname(IMAGE), { recursive: true });
await page.screenshot({ path: IMAGE });
await browser.close();
rmSync(folder, { recursive: true });
console.log(IMAGE);
