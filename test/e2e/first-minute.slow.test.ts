import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { chromiumProgram, launchChromium } from '../support/chromium.ts';
import { linkOf, openDashboard, QUOTING } from '../support/dashboard.ts';
import { launch } from '../support/process.ts';

const MINUTE_MS = 60_000;

/** The command of the README's first example, for a clone that is installed and a machine without a desktop. */
function firstCommand(): string {
  const readme = readFileSync('README.md', 'utf8');
  const line = /```sh\nnpm ci +#.*\n(npm start.*?)\s*#/.exec(readme)?.[1] ?? '';
  expect(line).toBe('npm start -- --open');
  return line.replace(' -- --open', '');
}

describe.runIf(chromiumProgram() !== null)('the first minute', () => {
  const browser = launchChromium();
  afterAll(async () => (await browser).close());

  it('brings a clone to a dashboard that is live and quotes', async () => {
    const startedMs = systemClock.monotonicMs();
    const daemon = launch('sh', ['-c', `exec ${firstCommand()}`]);
    const { page } = await openDashboard(await browser, await linkOf(daemon));
    await page.locator('.sentence', { hasText: QUOTING }).waitFor({ timeout: MINUTE_MS });
    await page.locator('a.event').first().click();
    await page.locator('.own').first().waitFor({ timeout: MINUTE_MS });
    expect(systemClock.monotonicMs() - startedMs).toBeLessThan(MINUTE_MS);
    daemon.kill('SIGTERM');
    expect((await daemon.exit).code).toBe(0);
  });
});
