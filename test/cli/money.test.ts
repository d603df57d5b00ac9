import { describe, expect, it } from 'vitest';
import type { ReconcileReport } from '../../src/app/operate/money.ts';
import { adminServing } from '../support/admin-serving.ts';
import { commandLine } from '../support/invoked.ts';

const run = commandLine();

const LAST = {
  atMs: Date.parse('2026-03-02T00:00:05Z'),
  sinceMs: Date.parse('2026-03-01T00:00:05Z'),
  balance: 1012.5,
  change: 12.5,
  settled: 3,
  commission: 0.5,
  deposits: 10,
  residual: 0,
};

/** The command against a daemon that answers with these reports, one after the other. */
async function reconciled(reports: readonly ReconcileReport[], ...args: readonly string[]) {
  const left = [...reports];
  const next = (): ReconcileReport => (left.length > 1 ? left.shift() : left[0]) as ReconcileReport;
  const daemon = await adminServing({ reconcile: async () => next(), reconciliation: next });
  try {
    return await run(['reconcile', '--url', daemon.url, ...args]);
  } finally {
    await daemon.close();
  }
}

describe('touchline reconcile', () => {
  it('shows what explains the change of the balance: 0', async () => {
    const { code, stdout } = await reconciled([{ pending: false, why: null, last: LAST }]);
    expect(code).toBe(0);
    expect(stdout).toContain('balance 1012.5 USDT');
    expect(stdout).toMatch(/settled profit +3\ncommission +-0.5\ndeposits +10\nnot explained +0\n/);
    expect(stdout).toContain('the balance is explained');
  });

  it('waits for the result, and tells why', async () => {
    const pending = { pending: true, why: 'results are arriving', last: LAST };
    const { code, stderr } = await reconciled([pending, { pending: false, why: null, last: LAST }], '--json');
    expect([code, stderr]).toEqual([0, 'waiting, up to three minutes after a start: results are arriving\n']);
  });

  it('fails for a residual above a cent, and without a result in time', async () => {
    const off = await reconciled([{ pending: false, why: null, last: { ...LAST, residual: -12.5 } }]);
    expect([off.code, off.stdout.includes('-12.5 USDT are NOT EXPLAINED')]).toEqual([1, true]);
    const rounding = { ...LAST, residual: 0.01 };
    expect((await reconciled([{ pending: false, why: null, last: rounding }])).code).toBe(0);
    const pending = { pending: true, why: 'the stream is not synced', last: LAST };
    const late = await reconciled([pending], '--timeout', '1ms');
    expect([late.code, late.stdout]).toEqual([1, 'not reconciled: the stream is not synced\n']);
  });
});

describe('touchline deposit', () => {
  it.each([
    ['250', 250],
    ['-99.5', -99.5],
  ])('enters %s through the daemon', async (text, amountUsdt) => {
    const entered: unknown[] = [];
    const daemon = await adminServing({ deposit: (wish) => (entered.push(wish), wish) });
    const { code, stdout } = await run(['deposit', text, '--note', 'bank', '--url', daemon.url]);
    await daemon.close();
    expect([code, stdout]).toEqual([0, `entered: ${amountUsdt} USDT; the daemon has it\n`]);
    expect(entered).toEqual([{ amountUsdt, note: 'bank' }]);
  });

  it.each(['0', 'ten', '1e3', '0.0000001', '-'])('refuses %s: 2', async (text) => {
    expect((await run(['deposit', text])).code).toBe(2);
  });

  it('needs a journal if no daemon runs', async () => {
    const set = ['--set', 'journal.path=/nowhere/journal.sqlite'];
    const { code, stderr } = await run(['deposit', '5', '--url', 'http://127.0.0.1:1', ...set]);
    expect([code, stderr.includes('there is no journal at /nowhere/journal.sqlite')]).toEqual([78, true]);
  });
});
