import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Status } from '../../src/read-model/status.ts';
import { chromiumProgram, launchChromium } from '../support/chromium.ts';
import { holdResume, newLink, patientPage, QUOTING, shown } from '../support/dashboard.ts';
import { adminOf, reported } from '../support/place.ts';
import { type Run, touchline } from '../support/process.ts';

/** What a sleeping laptop or another network leaves: connections that are open and carry nothing. */
interface Relay {
  readonly port: number;
  /** From now on nothing passes, on connections that are open and on new ones, until `speak`. */
  silence(): void;
  /** From now on new connections carry what they are sent. Those that were silent stay so. */
  speak(): void;
  /** Nothing passes on the next connections, so many of them. */
  silenceNext(count: number): void;
  close(): void;
}

async function relayTo(port: number): Promise<Relay> {
  let silent = false;
  let silentNext = 0;
  const pairs = new Set<{ isDead: boolean; ends: Socket[] }>();
  const server: Server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const pair = { isDead: silent || silentNext > 0, ends: [near, far] };
    silentNext = Math.max(0, silentNext - 1);
    pairs.add(pair);
    const pass = (from: Socket, to: Socket): void => {
      from.on('data', (chunk) => (pair.isDead ? null : to.write(chunk)));
      from.on('close', () => (pair.isDead ? null : to.destroy()));
      from.on('error', () => undefined);
    };
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    silence: () => {
      silent = true;
      for (const pair of pairs) pair.isDead = true;
    },
    speak: () => {
      silent = false;
    },
    silenceNext: (count) => {
      silentNext = count;
    },
    close: () => {
      server.close();
      for (const { ends } of pairs) for (const end of ends) end.destroy();
    },
  };
}

describe.runIf(chromiumProgram() !== null)('a dashboard whose connections die without a sign', () => {
  let browser: Browser;
  let daemon: Run;
  let admin: string;
  let relay: Relay;
  beforeAll(async () => {
    daemon = touchline(['start', '--json', '--seed', '7']);
    browser = await launchChromium();
    admin = await adminOf(daemon);
    relay = await relayTo(Number(new URL(admin).port));
    await daemon.until(/order live/);
  });
  afterAll(async () => {
    await browser.close();
    relay.close();
    daemon.kill('SIGTERM');
    await daemon.exit;
  });

  it.each(['with a worker', 'without shared workers'])(
    'kills on a new one, says so, and shows the state again, %s',
    async (how) => {
      const link = (await newLink(admin)).replace(new URL(admin).host, `127.0.0.1:${relay.port}`);
      const context = await browser.newContext();
      if (how === 'without shared workers') await context.addInitScript('delete globalThis.SharedWorker');
      const page = await patientPage(context);
      await page.goto(link);
      await shown(page);
      relay.silence();
      await page.keyboard.press('k');
      await page.keyboard.press('k');
      await page.locator('.notice-line', { hasText: 'KILL: no answer yet, sent 2 times' }).waitFor();
      relay.speak();
      await page
        .locator('.notice-line', {
          hasText: /KILLED: (\d+ orders are being closed|the open order is being closed|no order is open)/,
        })
        .waitFor();
      expect(((await reported(admin, '/status')) as Status).blocked).not.toBeNull();
      await page.locator('.sentence', { hasText: /KILLED: .*, by dashboard/ }).waitFor();
      expect(await page.locator('.stale').count()).toBe(0);
      await holdResume(page);
      await page.locator('.sentence', { hasText: QUOTING }).waitFor();
      await context.close();
    },
  );

  it('opens its link although the first connections carry nothing', async () => {
    const link = (await newLink(admin)).replace(new URL(admin).host, `127.0.0.1:${relay.port}`);
    const context = await browser.newContext();
    const page = await patientPage(context);
    const silenceFirst = async (route: Route): Promise<void> => {
      relay.silenceNext(1);
      await route.continue();
    };
    await page.route('**/session', silenceFirst, { times: 1 });
    await page.goto(link);
    await shown(page);
    await context.close();
  });
});
