import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { examine, type Finding } from '../../../src/app/doctor/doctor.ts';
import type { ExchangeClient } from '../../../src/app/exchange/connect.ts';
import { hurriedClock } from '../../support/hurried-clock.ts';

type Estimate = ReturnType<ExchangeClient['clockOffset']>;

/** What the doctor says of the clock, if the exchange’s echoes give these estimates one after the other; the last one stays. */
async function clockBy(...estimates: readonly Estimate[]): Promise<Finding | undefined> {
  let asked = 0;
  const exchange = {
    account: {
      xrates: () => Promise.resolve([]),
      balance: () => Promise.resolve({ balanceMicros: 1e9, openStakeMicros: 0, smartCreditMicros: null }),
    },
    stream$: of({ kind: 'synced', epoch: 1 }),
    clockOffset: () => estimates[Math.min(asked++, estimates.length - 1)] ?? null,
  } as unknown as ExchangeClient;
  const known = {
    openBetslips: 9,
    perDay: 1_980,
    dailyReserve: 50,
    paperShare: null,
    remembered: null,
    betslipsAtMs: null,
  };
  const options = {
    known,
    daemon: null,
    probe: false,
    actsOnAccount: true,
    takeSignals: () => () => undefined,
  };
  for await (const finding of examine(exchange, hurriedClock(), options))
    if (finding.check === 'clock') return finding;
  return undefined;
}

const estimate = (offsetMs: number, errorMs: number): NonNullable<Estimate> => ({
  ...({ offsetMs, errorMs } as NonNullable<Estimate>),
});

/** So far off a clock may be. */
const MOST_MS = 1_000;

describe('the doctor’s look at the clock', () => {
  const cases = [1, -1].flatMap((sign) =>
    [0, 30, 500].flatMap((errorMs) =>
      [
        [0, true],
        [MOST_MS + errorMs, true],
        [MOST_MS + errorMs + 1, false],
        [90_000, false],
        [86_400_000, false],
      ].map(([offsetMs, isFine]) => [sign * (offsetMs as number), errorMs, isFine as boolean] as const),
    ),
  );

  it.each(cases)('says of %d ms, give or take %d: %s', async (offsetMs, errorMs, isFine) => {
    expect(await clockBy(estimate(offsetMs, errorMs))).toMatchObject({
      ok: isFine,
      found: `${offsetMs.toFixed(0)} ms off, give or take ${errorMs} ms`,
      advice: isFine ? null : 'let NTP keep this machine’s clock',
    });
  });

  it('waits for the first echo', async () => {
    expect(await clockBy(null, null, null, estimate(-2_000, 10))).toMatchObject({ ok: false });
    expect(await clockBy(null, null, null, estimate(-20, 10))).toMatchObject({ ok: true });
  });

  it('says that no echo came', async () => {
    expect(await clockBy(null)).toMatchObject({ ok: false, found: 'the exchange answered no echo' });
  });
});
