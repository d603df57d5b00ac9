import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reasonInWords } from '../../src/read-model/reason-words.ts';
import { refusalCount } from '../../src/research/refusals.ts';
import { FIGURES } from '../../src/research/report/figures.ts';
import { usdtOf } from '../../src/domain/money.ts';
import { PAGE, TERMINAL } from '../../src/lib/formats.ts';
import { explainResults } from '../../src/research/report/words.ts';
import { compareHtml, reportHtml } from '../../src/research/report/html.ts';
import { generatedReport } from '../support/backtest-report.ts';
import { chromiumProgram } from '../support/chromium.ts';
import { type Pages, pagesInBrowser } from '../support/opened-pages.ts';
import { shellText } from '../support/report-shell.ts';

const HAS_CHROMIUM = chromiumProgram() !== null;
if (!HAS_CHROMIUM) console.log('chromium is not installed: the report is not opened in a browser');

const report = generatedReport({ events: 40, fillsPerEvent: 30 });
const other = generatedReport({ events: 40, fillsPerEvent: 20, seed: 2 });
const partly = generatedReport({ events: 40, fillsPerEvent: 30, unsettled: 15 });
const [, queue] = report.result.scenarios;
const queueFills = queue?.fills ?? [];

describe.runIf(HAS_CHROMIUM)('the report in a browser', () => {
  let pages: Pages;
  beforeAll(async () => {
    const shell = await shellText();
    pages = await pagesInBrowser({
      'report.html': reportHtml(report, shell),
      'real.html': reportHtml({ ...report, real: queueFills.slice(10) }, shell),
      'partly.html': reportHtml(partly, shell),
      'compare.html': compareHtml(report, other, shell),
    });
  });
  afterAll(() => pages.close());

  const cells = (page: Page, region: string): Promise<string[][]> =>
    page
      .getByRole('region', { name: region, exact: true })
      .locator('tbody tr:not(.space)')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));

  it.each(['report.html', 'real.html', 'compare.html'])(
    'shows %s without an error and asks no host',
    async (name) => {
      const { page, noise } = await pages.open(name);
      expect(await page.locator('.warnings').isVisible()).toBe(true);
      expect(noise).toEqual([pages.address(name)]);
      await page.close();
    },
  );

  it('shows the figures of the result', async () => {
    const { page } = await pages.open('report.html');
    const expected = FIGURES.map((figure) => [
      figure.name,
      ...report.summaries.map((summary) => figure.text(summary)),
    ]);
    expect(await cells(page, 'Figures by scenario')).toEqual(expected);
    const warnings = await page.locator('.warnings li').allTextContents();
    expect(warnings).toEqual(report.warnings);
    const refusals = report.summaries.map(({ budgets }) => PAGE.whole(refusalCount(budgets.refusals)));
    expect(await cells(page, 'Refusals by reason')).toEqual([
      [reasonInWords('event_worst_case'), ...refusals],
    ]);
    const parameters = await cells(page, 'Parameters of the strategy');
    expect(parameters).toContainEqual(['note', '</script><b>\u2028']);
    const [event] = queue?.events ?? [];
    const [shown] = await cells(page, 'Table of events');
    expect(shown).toContain(PAGE.cents(usdtOf(event?.stakeMicros ?? 0)));
    expect(shown).toContain(PAGE.gainInCents(usdtOf(event?.settledMicros ?? null)));
    await page.close();
  });

  it.each([
    ['report.html', report, 'profit after commission'],
    ['partly.html', partly, 'profit with open bets'],
  ])('ends the equity of %s at its headline, and says what has no result', async (name, shown, title) => {
    const { page } = await pages.open(name);
    const text = (await page.locator('section[aria-labelledby=equity] .figure').allTextContents()).join('\n');
    for (const [at, { scenario, profit }] of shown.summaries.entries()) {
      const end = shown.result.scenarios[at]?.equity.at(-1)?.markedMicros ?? NaN;
      expect(text).toContain(
        `${title}, ${scenario}${PAGE.gainInCents(usdtOf(end))}${explainResults(profit, PAGE)};`,
      );
    }
    const warnings = await page.locator('.warnings li').allTextContents();
    const told = shown.summaries.map(
      ({ scenario, profit }) => `${scenario}: ${explainResults(profit, TERMINAL)}.`,
    );
    expect(warnings.filter((warning) => told.includes(warning))).toEqual(shown === partly ? told : []);
    await page.close();
  });

  it('sorts and filters fills by keyboard, and explains one', async () => {
    const { page } = await pages.open('report.html');
    const table = page.getByRole('region', { name: 'Table of fills', exact: true });
    const status = page.locator('#fills ~ .bar [role=status]');
    expect(await status.textContent()).toBe(`${PAGE.whole(queueFills.length)} of 840 fills`);
    await table.getByRole('button', { name: 'stake' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const largest = Math.max(...queueFills.map(({ stakeMicros }) => stakeMicros));
    expect((await cells(page, 'Table of fills'))[0]?.[6]).toBe(PAGE.cents(usdtOf(largest)));
    await page.getByRole('combobox', { name: 'Side' }).selectOption('against');
    const against = queueFills.filter(({ direction }) => direction === 'against');
    expect(await status.textContent()).toBe(`${against.length} of 840 fills`);
    expect(new Set((await cells(page, 'Table of fills')).map((row) => row[4]))).toEqual(new Set(['against']));
    await table.getByRole('button', { name: /^why/ }).first().focus();
    await page.keyboard.press('Enter');
    const explanation = page.getByRole('region', { name: 'Explanation of a fill' });
    expect(await explanation.textContent()).toMatch(
      /began to rest.*stood ahead.*traded.*It counts under queue/s,
    );
    expect(await explanation.textContent()).toMatch(/touch.*through/s);
    await page.close();
  });

  it('keeps few of many rows in the page', async () => {
    const { page } = await pages.open('report.html');
    const table = page.getByRole('region', { name: 'Table of fills', exact: true });
    expect(await table.locator('table').getAttribute('aria-rowcount')).toBe('841');
    expect((await cells(page, 'Table of fills')).length).toBeLessThan(60);
    await table.focus();
    await page.keyboard.press('End');
    const last = queueFills.at(-1);
    const shown = table.locator('tr[aria-rowindex="841"]');
    await shown.waitFor();
    expect(await shown.textContent()).toContain(PAGE.cents(usdtOf(last?.stakeMicros ?? 0)));
    await page.close();
  });

  it.each(['report.html', 'compare.html'])('fits %s into 390 px without scrolling sideways', async (name) => {
    const { page } = await pages.open(name, {
      viewport: { width: 390, height: 800 },
      reducedMotion: 'reduce',
    });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.close();
  });

  it('zooms a chart and changes the colours', async () => {
    const { page, noise } = await pages.open('report.html');
    const chart = page.getByRole('region', { name: 'Drawdown', exact: true });
    const picture = (): Promise<string> =>
      chart.locator('canvas').evaluate((canvas: { toDataURL(): string }) => canvas.toDataURL());
    const whole = await picture();
    await chart.getByRole('button', { name: 'Drawdown: zoom in' }).press('Enter');
    await expect.poll(picture).not.toBe(whole);
    await chart.getByRole('button', { name: 'Drawdown: all' }).press('Enter');
    await expect.poll(picture).toBe(whole);
    await page.getByRole('combobox', { name: 'Colours' }).selectOption('dark');
    await expect.poll(picture).not.toBe(whole);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(20, 23, 26)');
    expect(noise).toHaveLength(1);
    await page.close();
  });
});
