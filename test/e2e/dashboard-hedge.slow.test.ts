import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HedgePreviewReport, HedgeProgressReport } from '../../src/app/operate/hedge.ts';
import { chromiumProgram, launchChromium } from '../support/chromium.ts';
import { newLink, numberIn, openDashboard } from '../support/dashboard.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { patient } from '../support/patience.ts';
import { adminOf, reported } from '../support/place.ts';
import { PROJECT_ROOT, type Run, touchline } from '../support/process.ts';

const STAKE_USDT = 20;
/** Half of what is lost if home does not win: what the dashboard proposes. */
const BOUND_USDT = STAKE_USDT / 2;

/** Matches before their start, with one bet each: the event loses the stake unless home wins. */
const SETTINGS = `[ops]
port = 0
[admin]
port = 0
[strategy]
name = "${path.join(PROJECT_ROOT, 'test/support/taking-strategy.ts')}"
[strategy.parameters]
stake = ${STAKE_USDT}
[universe]
sports = ["fb"]
marketTypes = ["wdw"]
maxEvents = 6
maxSelections = 18
inPlay = false
`;

interface RiskReport {
  readonly exposure: {
    readonly events: readonly { readonly name: string; readonly worstCaseUsdt: number }[];
  };
}

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('an event with a loss', () => {
  let daemon: Run;
  let admin: string;
  beforeAll(async () => {
    daemon = touchline(['start', '--json', '--config', folder.file('taking.toml', SETTINGS)]);
    admin = await adminOf(daemon);
  });
  afterAll(async () => {
    daemon.kill('SIGTERM');
    await daemon.exit;
  });

  const worstOf = async (event: string): Promise<number | undefined> =>
    (await eventsNow()).find(({ name }) => name === event)?.worstCaseUsdt;

  const eventsNow = async (): Promise<RiskReport['exposure']['events']> =>
    ((await reported(admin, '/risk')) as RiskReport).exposure.events;

  /** An event whose bet was matched whole, and that nothing has hedged. */
  async function redEvent(): Promise<string> {
    const found = async (): Promise<string | undefined> =>
      (await eventsNow()).find(({ worstCaseUsdt }) => worstCaseUsdt === -STAKE_USDT)?.name;
    await expect.poll(found, { timeout: patient(30_000), interval: 500 }).toBeDefined();
    return (await found()) ?? '';
  }

  it('is bounded by two commands', { timeout: patient(100_000) }, async () => {
    const event = await redEvent();
    const command = ['hedge', event, '--bound', String(BOUND_USDT), '--json', '--url', admin];
    const shown = await touchline([...command, '--preview']).exit;
    expect(shown.code, shown.stderr).toBe(0);
    const { worstUsdt } = JSON.parse(shown.stdout) as HedgePreviewReport;
    expect(worstUsdt.before).toBe(-STAKE_USDT);
    expect(worstUsdt.after).toBeGreaterThanOrEqual(-BOUND_USDT);
    expect(await worstOf(event)).toBe(-STAKE_USDT);

    const made = await touchline(command).exit;
    expect(made.code, made.stderr).toBe(0);
    const progress = JSON.parse(made.stdout) as HedgeProgressReport;
    expect(progress).toMatchObject({ isOver: true });
    expect(progress.worstUsdt).toBeGreaterThanOrEqual(-BOUND_USDT);
    expect(await worstOf(event)).toBeGreaterThanOrEqual(-BOUND_USDT);
  });

  describe.runIf(chromiumProgram() !== null)('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => (browser = await launchChromium()));
    afterAll(() => browser.close());

    /** The least that the shown grid pays, in whole USDT. */
    async function leastPaid(page: Page): Promise<number> {
      const labels = await page
        .locator('.payoffs tbody button')
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label') ?? ''));
      return Math.min(...labels.map((label) => numberIn(label.split(' pays ')[1])));
    }

    it('is bounded by three clicks', { timeout: patient(100_000) }, async () => {
      const event = await redEvent();
      const { page, noise } = await openDashboard(browser, await newLink(admin));

      await page.locator('a.event', { hasText: event }).click();
      await expect.poll(() => leastPaid(page)).toBe(-STAKE_USDT);
      await page.getByRole('button', { name: 'bound …' }).click();
      await page
        .locator('.hedge .explanation', { hasText: `worst case −${STAKE_USDT}.00, then −` })
        .waitFor();
      await page.getByRole('button', { name: 'CONFIRM' }).click();

      await expect.poll(() => leastPaid(page)).toBeGreaterThanOrEqual(-BOUND_USDT);
      await expect.poll(() => worstOf(event)).toBeGreaterThanOrEqual(-BOUND_USDT);
      expect(noise).toEqual([]);
      await page.context().close();
    });

    it('gives back what a selection has, by two presses', { timeout: patient(100_000) }, async () => {
      const event = await redEvent();
      const { page, noise } = await openDashboard(browser, await newLink(admin));

      await page.locator('a.event', { hasText: event }).click();
      await expect.poll(() => leastPaid(page)).toBe(-STAKE_USDT);
      const [flatten, confirm] = ['button[aria-label^="flatten "]', 'button:text("CONFIRM")'];
      const answer = page.locator('.ladder-head .explanation');
      // The exchange may offer too little of the other side for the moment. The next press takes the refusal away, the one after it asks again.
      await expect
        .poll(
          async () => {
            if ((await page.locator(confirm).count()) > 0) return 'previewed';
            const words = await answer.allTextContents();
            if (!words.includes('Asking …')) await page.locator(flatten).click();
            return words.join();
          },
          { timeout: patient(30_000), interval: 300 },
        )
        .toBe('previewed');
      await page.locator(confirm).click();

      await page.getByRole('status').filter({ hasText: 'the hedge was sent' }).waitFor();
      await expect.poll(() => worstOf(event)).toBeGreaterThan(-STAKE_USDT / 2);
      expect(noise).toEqual([]);
      await page.context().close();
    });
  });
});
