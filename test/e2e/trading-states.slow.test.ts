import { afterAll, describe, expect, it } from 'vitest';
import { patient } from '../support/patience.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { adminOf, endBoth, makePlace, nextOrder, operate, runAt } from '../support/place.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('trading states from the command line', () => {
  it('bind, are shown, and are lifted by name', async () => {
    const at = await makePlace(folder, 'states');
    const daemon = runAt(at);
    const url = ['--url', await adminOf(daemon)];
    await daemon.until(/order live/);
    const halted = await operate(at, ['risk', 'state', 'halted', '--reason', 'lunch'], url);
    expect([halted.code, halted.stdout, halted.stderr]).toEqual([0, 'set: halted\n', '']);
    await expect
      .poll(async () => (await operate(at, ['risk', '--json'], url)).stdout, { timeout: patient(20_000) })
      .toContain('"openOrders": 0');
    expect((await operate(at, ['why', '--json'], url)).stdout).toMatch(/"state.halted"[\s\S]*"why": "lunch"/);
    const resumed = await operate(at, ['resume', '--reason', 'x'], url);
    expect(resumed.code).toBe(1);
    expect(resumed.stdout).toContain('lunch; to release: touchline risk state active --reason TEXT');
    const trades = await nextOrder(at);
    expect((await operate(at, ['risk', 'state', 'active', '--reason', 'back'], url)).code).toBe(0);
    await trades();
    const paused = await operate(at, ['pause', '--reason', 'lunch again'], url);
    expect([paused.code, paused.stdout]).toEqual([
      0,
      expect.stringMatching(/^paused: halted by .*: lunch again; touchline resume/),
    ]);
    await expect
      .poll(async () => (await operate(at, ['risk'], url)).stdout, { timeout: patient(20_000) })
      .toMatch(/STOPPED: account halted by .*: lunch again; to release: touchline resume.*\nopen orders 0/s);
    expect((await operate(at, ['why'], url)).stdout).toContain('state.halted');
    const tradesAgain = await nextOrder(at);
    expect((await operate(at, ['resume', '--reason', 'back'], url)).code).toBe(0);
    await tradesAgain();
    await endBoth(at, daemon);
  });

  it('refuse events and selections that the daemon does not know: 2, naming the argument', async () => {
    const at = await makePlace(folder, 'unknown');
    const daemon = runAt(at);
    const url = ['--url', await adminOf(daemon)];
    await daemon.until(/order live/);
    for (const part of [
      ['--event', '2026-01-31,1,2'],
      ['--selection', 'no such'],
    ]) {
      const { code, stderr } = await operate(at, ['risk', 'state', 'halted', '--reason', 'x', ...part], url);
      expect([code, stderr]).toEqual([2, expect.stringContaining(part.join(' '))]);
    }
    await endBoth(at, daemon);
  });
});
