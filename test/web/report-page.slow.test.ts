import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareHtml, reportHtml } from '../../src/research/report/html.ts';
import { generatedReport } from '../support/backtest-report.ts';
import { chromiumProgram } from '../support/chromium.ts';
import { type Pages, pagesInBrowser } from '../support/opened-pages.ts';
import { patient } from '../support/patience.ts';
import { shellText } from '../support/report-shell.ts';

const HAS_CHROMIUM = chromiumProgram() !== null;
if (!HAS_CHROMIUM) console.log('chromium is not installed: the report is not opened in a browser');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const MOST_MS = 3000;

describe.runIf(HAS_CHROMIUM)('the report in a browser, at length', () => {
  const report = generatedReport({ events: 40, fillsPerEvent: 30 });
  const large = generatedReport({ events: 100, fillsPerEvent: 455 });
  let pages: Pages;
  beforeAll(async () => {
    const shell = await shellText();
    pages = await pagesInBrowser({
      'report.html': reportHtml(
        { ...report, real: report.result.scenarios[1]?.fills.slice(10) ?? [] },
        shell,
      ),
      'compare.html': compareHtml(report, generatedReport({ events: 40, fillsPerEvent: 20, seed: 2 }), shell),
      'large.html': reportHtml(large, shell),
    });
  });
  afterAll(() => pages.close());

  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    it.each(['report.html', 'compare.html'])('has no finding of axe in %s', async (name) => {
      // The tool is not part of the page, so the page's policy would refuse it.
      const { page } = await pages.open(name, { colorScheme, bypassCSP: true });
      await page.evaluate(AXE);
      const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run()');
      expect(violations.map(({ id }) => id)).toEqual([]);
      await page.close();
    });
  });

  it.each(['report.html', 'compare.html'])(
    'has no table wider than a page of 1280 px in %s',
    async (name) => {
      const { page } = await pages.open(name, {
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
      });
      const tables = await page.locator('.scroll').evaluateAll((boxes) =>
        boxes.map((box) => ({
          name: box.getAttribute('aria-label'),
          isWider: box.scrollWidth > box.clientWidth || box.getBoundingClientRect().right > 1_280,
        })),
      );
      expect(tables.length).toBeGreaterThan(3);
      expect(tables.filter(({ isWider }) => isWider)).toEqual([]);
      await page.close();
    },
  );

  it('begins with the equity, within the first screen of 1280 x 800', async () => {
    const { page } = await pages.open('report.html', { viewport: { width: 1280, height: 800 } });
    const heading = page.locator('main h2:not(.warnings h2)').first();
    expect(await heading.textContent()).toBe('Equity');
    const chart = page.getByRole('region', { name: 'Profit with open bets at the fair value', exact: true });
    const box = await chart.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(800);
    await page.close();
  });

  it(`shows 100,000 fills within ${MOST_MS} ms of an idle machine, and filters them`, async () => {
    const fills = large.result.scenarios.reduce((sum, scenario) => sum + scenario.fills.length, 0);
    expect(fills).toBeGreaterThan(100_000);
    const { page, noise } = await pages.open('large.html');
    const shownMs = await page.evaluate<number>('performance.now()');
    expect(shownMs).toBeLessThan(patient(MOST_MS));
    await page.getByRole('combobox', { name: 'Side' }).selectOption('for');
    const bought =
      large.result.scenarios[1]?.fills.filter(({ direction }) => direction === 'for').length ?? 0;
    const status = page.locator('#fills ~ .bar [role=status]');
    expect((await status.textContent())?.replaceAll('\u2009', '')).toMatch(new RegExp(`^${bought} of `));
    expect(noise).toHaveLength(1);
    await page.close();
  });
});
