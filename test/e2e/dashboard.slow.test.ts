import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Status } from '../../src/read-model/status.ts';
import { patient } from '../support/patience.ts';
import { generatedReport } from '../support/backtest-report.ts';
import { chromiumProgram, launchChromium } from '../support/chromium.ts';
import {
  holdResume,
  newLink,
  openDashboard,
  openFirstEvent,
  openTab,
  QUOTING,
  seriousFindings,
  shown,
} from '../support/dashboard.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { adminOf, makePlace, reported, runAt } from '../support/place.ts';
import { type Run, touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const sentence = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('.sentence', { hasText: text }).waitFor({ timeout: patient(30_000) });

const statusAt = async (admin: string): Promise<Status> => (await reported(admin, '/status')) as Status;

/** What a script of the page gets for a request with the token of its tab. */
function tries(page: Page, method: string, path: string, body: object = { reason: 'x' }): Promise<number> {
  const sent = method === 'GET' ? '' : `body: ${JSON.stringify(JSON.stringify(body))},`;
  return page.evaluate<number>(`fetch(${JSON.stringify(path)}, {
    method: ${JSON.stringify(method)},
    headers: { authorization: 'Bearer ' + sessionStorage.getItem('touchline-token'), 'content-type': 'application/json' },
    ${sent}
  }).then((answer) => answer.status)`);
}

describe.runIf(chromiumProgram() !== null)('the dashboard', () => {
  let browser: Browser;
  let daemon: Run;
  let admin: string;
  beforeAll(async () => {
    daemon = touchline(['start', '--json', '--seed', '7', '--speed', '20']);
    browser = await launchChromium();
    admin = await adminOf(daemon);
    await daemon.until(/order live/);
  });
  afterAll(async () => {
    await browser.close();
    daemon.kill('SIGTERM');
    await daemon.exit;
  });

  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    it('has no serious finding of axe, and is not wider than a phone', async () => {
      const options = { colorScheme, bypassCSP: true, viewport: { width: 390, height: 844 } };
      const { page } = await openDashboard(browser, await newLink(admin), options);
      await page.locator('a.event').first().waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await openFirstEvent(page);
      expect(await seriousFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.context().close();
    });
  });

  it('is complete by keyboard', async () => {
    const { page } = await openDashboard(browser, await newLink(admin));
    await page.locator('a.event').first().waitFor();
    const focusOn = async (selector: string): Promise<void> => {
      for (let presses = 0; presses < 120; presses++) {
        await page.keyboard.press('Tab');
        if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`))
          return;
      }
      throw new Error(`the key Tab does not reach ${selector}`);
    };
    await focusOn('a.event');
    await page.keyboard.press('Enter');
    await page.locator('.ladder').first().waitFor();
    await focusOn('.selections button');
    await page.keyboard.press('Enter');
    await focusOn('[aria-label^="Why "]');
    await page.keyboard.press('Enter');
    await page.locator('.explanation').first().waitFor();
    await focusOn('.pause');
    await page.keyboard.press('Enter');
    await sentence(page, 'PAUSED');
    await focusOn('.resume');
    await page.keyboard.down('Enter');
    await page.waitForTimeout(1_300);
    await page.keyboard.up('Enter');
    await sentence(page, QUOTING);
    await page.context().close();
  });

  it('shows a reader everything, and lets a script of its page change nothing', async () => {
    const { page } = await openDashboard(browser, await newLink(admin, '--share', '--ttl', '1h'));
    await shown(page);
    await page.locator('.actions', { hasText: 'changes nothing' }).waitFor();
    expect(await page.getByRole('button', { name: 'PAUSE', exact: true }).count()).toBe(0);
    const attempts: [string, string, number, object?][] = [
      ['GET', '/status', 200],
      ['POST', '/kill', 403],
      ['POST', '/pause', 403],
      ['POST', '/resume', 403],
      ['POST', '/codes', 403, { scope: 'control' }],
      ['POST', '/codes', 403, { scope: 'read' }],
      ['GET', '/codes', 403],
    ];
    for (const [method, path, status, body] of attempts)
      expect([method, path, await tries(page, method, path, body)]).toEqual([method, path, status]);
    expect((await statusAt(admin)).blocked).toBeNull();
    await page.context().close();
  });

  it('gives a phone what reduces, and no resume', async () => {
    const link = await newLink(admin, '--share', '--scope', 'reduce', '--ttl', '1h');
    const { page } = await openDashboard(browser, link);
    await page.getByRole('button', { name: 'PAUSE', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
    expect(await tries(page, 'POST', '/resume')).toBe(403);
    await page.getByRole('button', { name: 'CLOSE ALL' }).click();
    await page.locator('.preview', { hasText: /\d+ orders with .* stake/ }).waitFor();
    await page.getByRole('button', { name: 'no', exact: true }).click();
    await page.context().close();
  });

  it('shows nothing more once its link is revoked', async () => {
    const link = await newLink(admin, '--share', '--ttl', '1h');
    const { page } = await openDashboard(browser, link);
    await shown(page);
    const ways = async (): Promise<readonly string[]> => {
      const { stdout } = await touchline(['dashboard', '--url', admin, '--list']).exit;
      return [...stdout.matchAll(/^\s*([\w-]{8})\s/gm)].map(([, id]) => id ?? '');
    };
    let revoked = 0;
    // A link takes the sessions with it that came from it.
    for (let [id] = await ways(); id !== undefined; [id] = await ways()) {
      expect((await touchline(['dashboard', '--url', admin, '--revoke', id]).exit).code).toBe(0);
      revoked++;
    }
    expect(revoked).toBeGreaterThan(0);
    await page.getByRole('heading', { name: 'This page needs a link' }).waitFor({ timeout: patient(15_000) });
    await page.context().close();
  });

  it.each([
    ['with a worker', 'own first'],
    ['with a worker', 'shared first'],
    ['without shared workers', 'own first'],
    ['without shared workers', 'shared first'],
  ])('ends a tab whose link is revoked, and no other tab, %s, %s', async (how, order) => {
    const context = await browser.newContext();
    if (how === 'without shared workers') await context.addInitScript('delete globalThis.SharedWorker');
    const note = `${how}, ${order}`;
    const links = [await newLink(admin), await newLink(admin, '--share', '--ttl', '1h', '--note', note)];
    const [first, second] = order === 'own first' ? links : links.toReversed();
    const tabs = [await openTab(context, first ?? ''), await openTab(context, second ?? '')];
    for (const { page } of tabs) await shown(page);
    const [own, shared] = order === 'own first' ? tabs : tabs.toReversed();
    const { stdout } = await touchline(['dashboard', '--url', admin, '--list']).exit;
    const listed = stdout.split('\n').find((line) => line.includes(note));
    const id = /[\w-]{8}/.exec(listed ?? '')?.[0] ?? '';
    expect((await touchline(['dashboard', '--url', admin, '--revoke', id]).exit).code).toBe(0);
    await shared?.page
      .getByRole('heading', { name: 'This page needs a link' })
      .waitFor({ timeout: patient(15_000) });
    // Longer than a tab shows data before it calls them old.
    await own?.page.waitForTimeout(6_000);
    expect(await own?.page.locator('.frame').count()).toBe(1);
    // A page of a busy machine may be late for a moment; one whose stream has ended stays so.
    await expect.poll(() => own?.page.locator('.stale').count()).toBe(0);
    await context.close();
  });

  it.each(['with a worker', 'without shared workers'])('holds one stream for two tabs, %s', async (how) => {
    const context = await browser.newContext();
    if (how === 'without shared workers') await context.addInitScript('delete globalThis.SharedWorker');
    const [first, second] = [
      await openTab(context, await newLink(admin)),
      await openTab(context, await newLink(admin)),
    ];
    await shown(first.page);
    await shown(second.page);
    await openFirstEvent(second.page);
    await first.page.close();
    // The stream goes on although the tab that opened it is gone.
    await second.page.locator('.ladder').first().waitFor();
    await second.page.waitForTimeout(3_000);
    await expect.poll(() => second.page.locator('.stale').count()).toBe(0);
    await context.close();
  });

  it('shows what happened, and agrees with the records', async () => {
    const { page, noise } = await openDashboard(browser, await newLink(admin), { bypassCSP: true });
    await expect
      .poll(async () => (await statusAt(admin)).fills, { timeout: patient(60_000) })
      .toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Over time' }).click();
    await page
      .locator('.history canvas')
      .first()
      .waitFor({ timeout: patient(30_000) });
    const kept = page.getByRole('region', { name: 'Fills' }).getByRole('status');
    await expect
      .poll(
        async () =>
          (await kept.textContent()) ===
          `${(await statusAt(admin)).fills} of ${(await statusAt(admin)).fills}`,
        {
          timeout: patient(30_000),
        },
      )
      .toBe(true);
    await page.getByRole('region', { name: 'Fills' }).getByRole('searchbox').fill('no such thing');
    await expect.poll(() => kept.textContent()).toMatch(/^0 of [1-9]/);
    const saved = page.waitForEvent('download');
    await page
      .getByRole('region', { name: 'Orders of this run' })
      .getByRole('button', { name: 'CSV' })
      .click();
    expect((await saved).suggestedFilename()).toBe('orders.csv');
    expect(await seriousFindings(page)).toEqual([]);
    expect(noise.filter((line) => !line.startsWith('blob:'))).toEqual([]);
    await page.context().close();
  });

  it('shows the log, and opens a report', async () => {
    const { page } = await openDashboard(browser, await newLink(admin), { bypassCSP: true });
    await page.getByRole('link', { name: 'Log' }).click();
    await page.getByRole('searchbox').fill('order live');
    await page.locator('.log tbody tr').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Reports' }).click();
    const report = generatedReport({ events: 3, fillsPerEvent: 4 });
    await page.getByLabel('Open backtest.json').setInputFiles({
      name: 'backtest.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(report)),
    });
    await page.getByRole('heading', { name: `Backtest of ${report.result.strategy}` }).waitFor();
    await page
      .getByLabel('Open backtest.json')
      .setInputFiles({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    await page.getByRole('alert').filter({ hasText: 'other.json is not the result' }).waitFor();
    await page.context().close();
  });

  it('changes a parameter, after a look at the difference, and with it the quotes', async () => {
    const { page } = await openDashboard(browser, await newLink(admin));
    await page.getByRole('link', { name: 'Strategies' }).click();
    const stake = page.getByRole('textbox', { name: 'stake', exact: true });
    await stake.fill('-1');
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByRole('alert').filter({ hasText: 'stake = -1' }).waitFor();
    await stake.fill('3');
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.locator('.difference', { hasText: /strategy\.parameters\.stake: .*3/ }).waitFor();
    await page.getByRole('textbox', { name: 'Why' }).fill('less while I sleep');
    await page.getByRole('button', { name: 'CHANGE', exact: true }).click();
    await page.locator('.changed').waitFor();
    const stakes = async (): Promise<number[]> =>
      (await statusAt(admin)).recentOrders
        .filter(({ state }) => state === 'live')
        .map((order) => order.stake);
    await expect
      .poll(async () => (await stakes()).some((each) => each > 0 && each <= 3.5), {
        timeout: patient(60_000),
      })
      .toBe(true);
    await page.getByRole('button', { name: 'drop the change' }).click();
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByRole('textbox', { name: 'Why' }).fill('as it was');
    await page.getByRole('button', { name: 'CHANGE', exact: true }).click();
    await expect.poll(() => page.locator('.changed').count()).toBe(0);
    await page.context().close();
  });

  it('kills from the eighth tab', async () => {
    const context = await browser.newContext();
    const tabs: Page[] = [];
    for (let tab = 0; tab < 8; tab++) tabs.push((await openTab(context, await newLink(admin))).page);
    for (const page of tabs) await shown(page);
    const last = tabs.at(-1);
    await last?.getByRole('button', { name: 'Kill' }).dblclick();
    await expect.poll(async () => (await statusAt(admin)).ordersOpen, { timeout: patient(10_000) }).toBe(0);
    expect((await statusAt(admin)).blocked).not.toBeNull();
    for (const page of tabs) await sentence(page, 'KILLED');
    await holdResume(last as Page);
    await sentence(tabs[0] as Page, QUOTING);
    await context.close();
  });
});

describe.runIf(chromiumProgram() !== null)('the dashboard of a service', () => {
  it('survives a restart, and shows old data as old meanwhile', async () => {
    const browser = await launchChromium();
    const place = await makePlace(folder, 'restart');
    const port = ['--set', 'admin.port=19465'];
    const options = { ...place, options: [...place.options, ...port] };
    const first = runAt(options);
    const admin = await adminOf(first);
    await first.until(/order live/);
    const { page } = await openDashboard(browser, await newLink(admin, ...place.options, ...port));
    await page.locator('a.event').first().waitFor();
    const runOf = async (): Promise<string> => (await statusAt(admin)).runId;
    const firstRun = await runOf();
    first.kill('SIGTERM');
    await first.exit;
    await page.locator('main.hatched').waitFor();
    await sentence(page, 'NO CONTACT');
    expect(await page.getByRole('button', { name: 'PAUSE', exact: true }).isEnabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Resume' }).isEnabled()).toBe(false);
    const second = runAt(options);
    await adminOf(second);
    await sentence(page, QUOTING);
    expect(await page.locator('main.hatched').count()).toBe(0);
    expect(await runOf()).not.toBe(firstRun);
    second.kill('SIGTERM');
    await second.exit;
    place.exchange.run.kill('SIGTERM');
    await browser.close();
  });
});
