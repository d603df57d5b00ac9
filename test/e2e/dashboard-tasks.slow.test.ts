import path from 'node:path';
import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Status } from '../../src/read-model/status.ts';
import type { RecordedFill, RecordedProfit } from '../../src/read-model/live/records.ts';
import { writtenKey } from '../../src/web/dashboard/stream/keys.ts';
import { chromiumProgram, launchChromium } from '../support/chromium.ts';
import { holdResume, newLink, numberIn, openDashboard, QUOTING } from '../support/dashboard.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { patient } from '../support/patience.ts';
import { adminOf, reported } from '../support/place.ts';
import { PROJECT_ROOT, type Run, touchline } from '../support/process.ts';

const HOUR_MS = 3_600_000;
/** A task that takes more is not at hand. */
const MOST_CLICKS = 4;

/** A browser's words for a request that the daemon refused. */
const REFUSED = /^Failed to load resource: .* 4\d\d /;

/** As `npm start` runs, with a strategy for football and another for the rest. */
const TWO_STRATEGIES = `[[strategy]]
name = "inventory"
[strategy.match]
sports = ["fb"]
[[strategy]]
name = "symmetric"
`;

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Somebody at the page, whose clicks are counted. */
class Person {
  readonly page: Page;
  #clicks = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(what: Locator): Promise<void> {
    this.#clicks += 1;
    await what.click();
  }

  /** A choice of a list is a click that opens it, and one on the choice. */
  async choose(what: Locator, value: string): Promise<void> {
    this.#clicks += 2;
    await what.selectOption(value);
  }

  /** A click into a field, and what is typed. */
  async type(what: Locator, text: string): Promise<void> {
    this.#clicks += 1;
    await what.fill(text);
  }

  /** Presses that were made for the person. */
  pressed(times: number): void {
    this.#clicks += times;
  }

  get clicks(): number {
    return this.#clicks;
  }
}

describe.runIf(chromiumProgram() !== null)(
  'a new user of the dashboard',
  { timeout: patient(200_000) },
  () => {
    let browser: Browser;
    let daemon: Run;
    let admin: string;
    beforeAll(async () => {
      const likeStart = path.join(PROJECT_ROOT, 'config/simulated.toml');
      const files = ['--config', likeStart, '--config', folder.file('two.toml', TWO_STRATEGIES)];
      daemon = touchline(['start', '--json', '--speed', '3', ...files]);
      browser = await launchChromium();
      admin = await adminOf(daemon);
      await daemon.until(/order live/);
    });
    afterAll(async () => {
      await browser.close();
      daemon.kill('SIGTERM');
      await daemon.exit;
    });

    /** Does a task on the first screen, and fails if it takes too many clicks. The task may name what the page may complain of. */
    async function tries(task: (person: Person, page: Page) => Promise<RegExp | void>): Promise<void> {
      const { page, noise } = await openDashboard(browser, await newLink(admin), { acceptDownloads: true });
      await page.locator('a.event').first().waitFor();
      const person = new Person(page);
      const allowed = await task(person, page);
      expect(person.clicks).toBeLessThanOrEqual(MOST_CLICKS);
      expect(noise.filter((line) => allowed?.test(line) !== true)).toEqual([]);
      await page.context().close();
    }

    const screen = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });

    const asked = async <T>(what: 'fills' | 'profits'): Promise<readonly T[]> => {
      const nowMs = Date.now();
      return (await reported(admin, `/${what}?fromMs=${nowMs - HOUR_MS}&toMs=${nowMs}`)) as readonly T[];
    };

    /** Waits until each strategy has fills whose gain is known, and a profit was read twice. */
    async function somethingHappened(): Promise<void> {
      const kinds = async (): Promise<number> => {
        const fills = await asked<RecordedFill>('fills');
        const profits = await asked<RecordedProfit>('profits');
        const valued = fills.filter(({ markout10 }) => markout10 !== null);
        const ofEvents = profits.filter(({ of }) => of === 'event');
        return Math.min(
          new Set(valued.map(({ strategy }) => strategy)).size,
          new Set(ofEvents.map(({ atMs }) => atMs)).size,
        );
      };
      await expect.poll(kinds, { timeout: patient(180_000), interval: 2_000 }).toBeGreaterThanOrEqual(2);
    }

    it('finds what was lost on an event, and when', async () => {
      await somethingHappened();
      await tries(async (person, page) => {
        await person.click(screen(page, 'Over time'));
        const choice = page.locator('.history select').nth(1);
        await expect.poll(() => choice.locator('option').count()).toBeGreaterThan(1);
        const name = (await choice.locator('option').nth(1).textContent()) ?? '';
        await person.choose(choice, name);
        const chart = page.locator('.chart[aria-label="Profit by event"]');
        await expect.poll(() => chart.locator('.u-legend .u-label').allTextContents()).toEqual(['UTC', name]);
        const events = page
          .getByRole('region', { name: 'Fills', exact: true })
          .last()
          .locator('tbody tr td:nth-child(2)');
        expect(new Set(await events.allTextContents())).toEqual(new Set([name]));

        const saved = page.waitForEvent('download');
        await chart.getByRole('button', { name: 'Profit by event: CSV' }).click();
        const csv = readFileSync(await (await saved).path(), 'utf8');
        expect(csv.split('\r\n')[0]).toBe(`at,${name}`);
      });
    });

    it('compares two strategies', async () => {
      await somethingHappened();
      await tries(async (person, page) => {
        await person.click(screen(page, 'Over time'));
        const rows = page.locator('section[aria-label="Strategies compared"] tbody tr');
        await expect.poll(() => rows.locator('th').allTextContents()).toEqual(['inventory', 'symmetric']);
        // Bets, stake, and what was gained ten seconds later.
        for (const row of await rows.all())
          for (const at of [1, 2, 3])
            expect(numberIn((await row.locator('td').nth(at).textContent())?.replace('+', ''))).not.toBeNaN();
        const legend = page.locator('.chart[aria-label="Profit by strategy"] .u-legend .u-label');
        await expect
          .poll(async () => (await legend.allTextContents()).toSorted())
          .toEqual(['UTC', 'inventory', 'symmetric']);
      });
    });

    it('finds the worst fill of the hour', async () => {
      await somethingHappened();
      await tries(async (person, page) => {
        await person.click(screen(page, 'Over time'));
        await person.click(page.getByRole('button', { name: '10 s, USDT' }));
        const first = page.locator('section[aria-label="Fills"] tbody tr').first();
        const worst = async (): Promise<number> => {
          const fills = await asked<RecordedFill>('fills');
          return Math.min(0, ...fills.map(({ markout10, stake }) => (markout10 ?? 0) * stake));
        };
        await expect
          .poll(async () =>
            Math.abs(numberIn(await first.locator('td').nth(9).textContent()) - (await worst())),
          )
          .toBeLessThan(0.006);
      });
    });

    it('finds why a selection is not quoted', async () => {
      await tries(async (person, page) => {
        await person.click(page.locator('a.event').first());
        // On a page of few selections there may be none: all others must have no reason.
        const rows = page.locator('.selections tbody tr');
        await rows.first().waitFor();
        await expect
          .poll(async () => {
            const told = await rows.evaluateAll((each) =>
              each.map((row) => [
                row.querySelector('.light')?.getAttribute('aria-label') !== 'not quoted',
                row.querySelector('.reason')?.textContent !== '',
              ]),
            );
            return told.filter(([isQuoted, hasReason]) => isQuoted !== true && hasReason !== true).length;
          })
          .toBe(0);
        await person.click(page.getByRole('button', { name: /^Why / }).first());
        await page.locator('.ladder .explanation li, .ladder .explanation p').first().waitFor();
      });
    });

    it('bounds what an event can lose', async () => {
      /** An event, and what it shall lose at most: half of what its bets lose at worst, where others offer the other side. */
      const wish = async (): Promise<readonly [name: string, bound: number] | null> => {
        const { profit } = (await reported(admin, '/status')) as Status;
        for (const { event, eventKey, settled, locked } of profit.byEvent) {
          const bound = Math.ceil((settled - locked) / 2);
          if (bound < 1) continue;
          const asks = { event: writtenKey(eventKey), boundUsdt: String(bound) };
          const preview = (await reported(admin, `/hedge?${new URLSearchParams(asks).toString()}`)) as {
            plan?: string;
          };
          if (preview.plan !== undefined) return [event, bound];
        }
        return null;
      };
      await expect.poll(wish, { timeout: patient(120_000), interval: 2_000 }).not.toBeNull();
      const [name, bound] = (await wish()) ?? ['', 0];
      await tries(async (person, page) => {
        await person.click(page.locator('a.event', { hasText: name }));
        await person.type(page.getByLabel('lose at most'), String(bound));
        const button = page.getByRole('button', { name: /^bound / });
        await person.click(button);
        // Prices move: a preview and what it proposes may be refused. A press takes the words away, and the next one asks again.
        const confirm = page.locator('.bound').getByRole('button', { name: 'CONFIRM' });
        const told = page.locator('.bound .explanation');
        let confirmed = 0;
        const words = async (): Promise<string> => {
          if ((await confirm.count()) === 1) {
            confirmed += 1;
            await confirm.click();
          }
          const said = (await told.allTextContents()).join();
          if (!/^(?:Asking|sent) …$|the hedge was sent/.test(said)) await button.click();
          return said;
        };
        await expect
          .poll(words, { timeout: patient(90_000), interval: 1_000 })
          .toMatch(/the hedge was sent.*; worst case of the matched bets .+ then, .+ now/);
        person.pressed(Math.min(1, confirmed));
        return REFUSED;
      });
    });

    it('pauses one event', async () => {
      await tries(async (person, page) => {
        await person.click(page.locator('a.event').first());
        await person.click(page.getByRole('button', { name: /^stop / }));
        const selected = page.locator('.events tr.selected .column-reason');
        await expect.poll(() => selected.textContent()).toBe('halted');
        await page
          .getByRole('button', { name: /^allow again/ })
          .first()
          .click();
      });
    });

    it('finds what paged at an instant', async () => {
      const { page: before } = await openDashboard(browser, await newLink(admin));
      const kill = before.locator('.kill');
      await kill.click();
      await kill.click();
      await before.locator('.alerts', { hasText: 'Killed' }).waitFor();
      const at = new Date().toISOString().slice(11, 16);
      await holdResume(before);
      await before.context().close();
      await tries(async (person, page) => {
        await person.click(screen(page, 'Log'));
        const alarms = page.getByRole('region', { name: 'Alarms', exact: true }).locator('tbody tr');
        await person.type(page.getByRole('searchbox', { name: 'Find' }), '00:00:99');
        await expect.poll(() => alarms.count()).toBe(0);
        await page.getByRole('searchbox', { name: 'Find' }).fill(at.slice(0, 4));
        await expect.poll(async () => (await alarms.allTextContents()).join()).toMatch(/page.*Killed/);
      });
    });

    it('closes everything', async () => {
      await tries(async (person, page) => {
        await page.locator('.sentence', { hasText: QUOTING }).waitFor({ timeout: patient(60_000) });
        await person.click(page.getByRole('button', { name: 'CLOSE ALL' }));
        await page.locator('.preview', { hasText: 'PAUSE also keeps them closed' }).waitFor();
        await person.click(page.getByRole('button', { name: 'CLOSE THEM' }));
        await page.locator('.notice-line', { hasText: 'orders are being closed' }).waitFor();
        await person.click(page.getByRole('button', { name: 'PAUSE', exact: true }));
        await expect.poll(() => page.locator('.own').count(), { timeout: patient(20_000) }).toBe(0);
      });
    });
  },
);
