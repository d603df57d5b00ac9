import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HedgePreviewReport, HedgeProgressReport } from '../../src/app/operate/hedge.ts';
import { chromiumProgram, launchChromium } from '../support/chromium.ts';
import { newLink, openDashboard } from '../support/dashboard.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { patient } from '../support/patience.ts';
import { adminOf, reported, tokenAt } from '../support/place.ts';
import { type Run, touchline } from '../support/process.ts';

/** Three-way markets before their start: fills come within seconds, and no goal moves what was previewed. */
const CALM = `[ops]
port = 0
[admin]
port = 0
[universe]
marketTypes = ["wdw"]
maxEvents = 4
maxSelections = 12
inPlay = false
`;
/** An event is red once it may lose this much. */
const RED_USDT = 20;

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('an event that may lose much', () => {
  let daemon: Run;
  let admin: string;
  beforeAll(async () => {
    const config = path.join(folder.path, 'calm.toml');
    writeFileSync(config, CALM);
    daemon = touchline(['start', '--json', '--config', config]);
    admin = await adminOf(daemon);
    await daemon.until(/order live/);
  });
  afterAll(async () => {
    daemon.kill('SIGTERM');
    await daemon.exit;
  });

  const read = async <T>(place: string): Promise<T | null> => {
    const answer = await fetch(admin + place, { headers: { authorization: `Bearer ${tokenAt(admin)}` } });
    return answer.ok ? ((await answer.json()) as T) : null;
  };

  /** The first event that may lose so much and that a hedge can bound to half of it, with that hedge's preview. */
  async function redEvent(): Promise<HedgePreviewReport> {
    let found: HedgePreviewReport | null = null;
    const look = async (): Promise<boolean> => {
      const { exposure } = (await reported(admin, '/risk')) as {
        readonly exposure: {
          readonly events: readonly { sport: string; eventId: string; worstMicros: number }[];
        };
      };
      for (const { sport, eventId, worstMicros } of exposure.events) {
        const boundUsdt = Math.floor(-worstMicros / 2e6);
        const event = encodeURIComponent(`${sport}/${eventId}`);
        const preview = await read<HedgePreviewReport>(`/hedge?event=${event}&boundUsdt=${boundUsdt}`);
        const { before = 0, after = 0 } = preview?.worstUsdt ?? {};
        if (before <= -RED_USDT && after >= -boundUsdt) found = preview;
      }
      return found !== null;
    };
    await expect.poll(look, { timeout: patient(90_000), interval: 1_000 }).toBe(true);
    return found as unknown as HedgePreviewReport;
  }

  const progressOf = async (plan: string): Promise<HedgeProgressReport> => {
    const look = () => read<HedgeProgressReport>(`/hedge/progress?plan=${plan}`);
    await expect.poll(async () => (await look())?.isOver, { timeout: patient(60_000) }).toBe(true);
    return (await look()) as HedgeProgressReport;
  };

  const filledUsdt = ({ bets }: Pick<HedgeProgressReport, 'bets'>): number =>
    bets.reduce((sum, bet) => sum + bet.filledUsdt, 0);

  it('is bounded by two commands', { timeout: patient(200_000) }, async () => {
    const { event, worstUsdt } = await redEvent();
    const bound = String(Math.floor(-worstUsdt.before / 2));
    const first = ['hedge', event, '--bound', bound, '--preview', '--json', '--url', admin];
    const shown = await touchline(first).exit;
    expect(shown.code, shown.stderr).toBe(0);
    const preview = JSON.parse(shown.stdout) as HedgePreviewReport;
    expect(preview.worstUsdt.after).toBeGreaterThanOrEqual(-Number(bound));
    const second = ['hedge', '--confirm', preview.plan, '--reason', 'red', '--json', '--url', admin];
    const made = await touchline(second).exit;
    expect(made.code, made.stderr).toBe(0);
    const progress = JSON.parse(made.stdout) as HedgeProgressReport;
    expect(filledUsdt(progress)).toBeGreaterThan(0);
    expect(progress.worstUsdt).toBeGreaterThan(preview.worstUsdt.before);
  });

  describe.runIf(chromiumProgram() !== null)('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => (browser = await launchChromium()));
    afterAll(() => browser.close());

    it('is bounded by three clicks', { timeout: patient(200_000) }, async () => {
      const { page, noise } = await openDashboard(browser, await newLink(admin));
      await page.locator('a.event').first().waitFor();
      const { event } = await redEvent();

      await page.locator('a.event', { hasText: event }).first().click();
      const asked = page.waitForResponse((response) => response.url().includes('/hedge?'));
      await page.getByRole('button', { name: 'bound …' }).click();
      const preview = (await (await asked).json()) as HedgePreviewReport;
      expect(await page.locator('.hedge .explanation').innerText()).toContain('worst case');
      await page.getByRole('button', { name: 'CONFIRM' }).click();

      await expect
        .poll(() => page.locator('.hedge [role=status]').first().innerText())
        .toContain('on its way');
      const progress = await progressOf(preview.plan);
      expect(filledUsdt(progress)).toBeGreaterThan(0);
      expect(progress.worstUsdt).toBeGreaterThan(preview.worstUsdt.before);
      expect(noise).toEqual([]);
      await page.context().close();
    });
  });
});
