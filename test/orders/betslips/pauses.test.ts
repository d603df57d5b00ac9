import { beforeEach, describe, expect, it } from 'vitest';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import { BetslipOutage, BetslipPauses, isCapRefusal } from '../../../src/orders/betslips/pauses.ts';

const clock = { nowMs: 0 };
const now = (): number => clock.nowMs;
const MINUTE_MS = 60_000;

beforeEach(() => {
  clock.nowMs = 1_000_000;
});

describe('an outage of betslips', () => {
  const rest = (outage: BetslipOutage): number => {
    outage.failed();
    const sinceMs = clock.nowMs;
    while (outage.forbids(0) && clock.nowMs < sinceMs + 2 * MINUTE_MS) clock.nowMs += 500;
    return clock.nowMs - sinceMs;
  };

  it('pauses all after each failure, each time for twice as long, up to a minute', () => {
    const outage = new BetslipOutage(now);
    expect(Array.from({ length: 8 }, () => rest(outage))).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
    ]);
  });

  it('counts failures during a pause once', () => {
    const outage = new BetslipOutage(now);
    outage.failed();
    clock.nowMs += 999;
    outage.failed();
    expect(outage.forbids(0)).toBe(true);
    clock.nowMs += 1;
    expect(outage.forbids(0)).toBe(false);
    outage.failed();
    clock.nowMs += 1_999;
    expect(outage.forbids(0)).toBe(true);
  });

  it('lets one betslip at a time be tried until one succeeds, and all from then on', () => {
    const outage = new BetslipOutage(now);
    expect([outage.isOn, outage.forbids(5)]).toEqual([false, false]);
    rest(outage);
    expect([outage.isOn, outage.forbids(0), outage.forbids(1)]).toEqual([true, false, true]);
    outage.failed();
    outage.over();
    expect([outage.isOn, outage.forbids(5)]).toEqual([false, false]);
    expect(rest(outage)).toBe(1_000);
  });

  it('is left alone once no market has tried for three minutes after the pause', () => {
    const outage = new BetslipOutage(now);
    expect(outage.isLeftAlone).toBe(false);
    rest(outage);
    clock.nowMs += 3 * MINUTE_MS;
    expect(outage.isLeftAlone).toBe(false);
    clock.nowMs += 1;
    expect(outage.isLeftAlone).toBe(true);
    outage.over();
    expect(outage.isLeftAlone).toBe(false);
  });
});

const FIRST_PAUSE_MS = 30_000;
const pausesOf = (): BetslipPauses => new BetslipPauses(now, () => FIRST_PAUSE_MS);
const rejected = (status: number, code = 'a_code'): VenueRejection =>
  new VenueRejection(code, status, 'refused');

/** How long the market, and how long another market, may have no betslip. Fails if the pauses last for more than two hours. */
function paused(pauses: BetslipPauses, creating = 0, quoteless = 0): { market: number; others: number } {
  const sinceMs = clock.nowMs;
  const lasts = (market: string): number => {
    for (clock.nowMs = sinceMs; pauses.forbids(market, creating, quoteless); clock.nowMs += 500)
      if (clock.nowMs - sinceMs > 120 * MINUTE_MS) throw new Error('without end');
    const ms = clock.nowMs - sinceMs;
    clock.nowMs = sinceMs;
    return ms;
  };
  return { market: lasts('a'), others: lasts('b') };
}

const CAP = rejected(403, 'too_many_open_betslips');

describe('a create that fails', () => {
  it.each<[what: string, error: unknown, market: number, others: number, inOutage: boolean]>([
    ['for the cap pauses its market for a moment', CAP, 1_000, 0, false],
    ['for the cap does so whatever the status', rejected(400, CAP.code), 1_000, 0, false],
    ['as invalid pauses its market', rejected(400), FIRST_PAUSE_MS, 0, false],
    ['as unknown pauses its market', rejected(404), FIRST_PAUSE_MS, 0, false],
    ['as too soon pauses all, and not its market for longer', rejected(429), 1_000, 1_000, true],
    ['as forbidden pauses all, and its market for longer', rejected(403), FIRST_PAUSE_MS, 1_000, true],
    ['inside the exchange pauses all, too', rejected(503), FIRST_PAUSE_MS, 1_000, true],
    [
      'unsent pauses all, and not its market for longer',
      new TransportError('not-sent', 'x'),
      1_000,
      1_000,
      true,
    ],
    ['without an answer pauses all, too', new TransportError('unknown', 'x'), FIRST_PAUSE_MS, 1_000, true],
  ])('%s', (_, error, market, others, isInOutage) => {
    const pauses = pausesOf();
    pauses.createFailed('a', error);
    expect(paused(pauses)).toEqual({ market, others });
    clock.nowMs += 1_000;
    expect([pauses.forbids('b', 1, 0), pauses.forbids('b', 0, 1)]).toEqual([isInOutage, false]);
    expect(isCapRefusal(error)).toBe((error as VenueRejection).code === CAP.code);
  });

  /** The market's pauses after failures that follow each other. */
  function repeated(times: number, fail: (pauses: BetslipPauses) => void): number[] {
    const pauses = pausesOf();
    return Array.from({ length: times }, () => {
      fail(pauses);
      const { market } = paused(pauses);
      clock.nowMs += market;
      return market / 1_000;
    });
  }

  it('for its market pauses it for up to an hour, and for another reason for up to a minute', () => {
    const [refused, failing] = [rejected(404), rejected(503)];
    expect(repeated(9, (pauses) => pauses.createFailed('a', refused))).toEqual([
      30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600,
    ]);
    expect(repeated(4, (pauses) => pauses.createFailed('a', failing))).toEqual([30, 60, 60, 60]);
    expect(repeated(3, (pauses) => pauses.createFailed('a', CAP))).toEqual([1, 1, 1]);
  });

  it('pauses a market whose betslip no order used for up to a minute, and no other', () => {
    expect(repeated(3, (pauses) => pauses.unused('a'))).toEqual([30, 60, 60]);
    const pauses = pausesOf();
    pauses.unused('a');
    expect(paused(pauses)).toEqual({ market: FIRST_PAUSE_MS, others: 0 });
  });

  it('pauses a market without quotes for up to an hour if others have quotes, else for up to a minute', () => {
    const unquoted = (isOwnFault: boolean) => (pauses: BetslipPauses) => {
      if (isOwnFault) pauses.quoted();
      pauses.unquoted('a', clock.nowMs - 1);
    };
    expect(repeated(9, unquoted(true)).at(-1)).toBe(3_600);
    expect(repeated(9, unquoted(false)).at(-1)).toBe(60);
  });

  it('matters no more to the others once one succeeds', () => {
    const pauses = pausesOf();
    pauses.createFailed('a', rejected(503));
    pauses.created();
    expect(paused(pauses, 3)).toEqual({ market: FIRST_PAUSE_MS, others: 0 });
  });
});

describe('a betslip without a quote', () => {
  it('is the fault of its market if another had a quote meanwhile, and of all if not', () => {
    const own = pausesOf();
    own.quoted();
    own.unquoted('a', clock.nowMs - 1);
    expect(paused(own, 0, 1)).toEqual({ market: FIRST_PAUSE_MS, others: 0 });
    const all = pausesOf();
    all.quoted();
    all.unquoted('a', clock.nowMs);
    expect(paused(all)).toEqual({ market: FIRST_PAUSE_MS, others: 1_000 });
    clock.nowMs += 1_000;
    expect([all.forbids('b', 1, 0), all.forbids('b', 0, 1)]).toEqual([false, true]);
    all.quoted();
    expect([all.forbids('b', 0, 1), all.forbids('a', 0, 0)]).toEqual([false, true]);
  });

  it('may be replaced if none is in doubt, if others have quotes, or if nobody has tried for long', () => {
    const pauses = pausesOf();
    const sinceMs = clock.nowMs;
    expect(pauses.isReplaceable(sinceMs)).toBe(true);
    pauses.unquoted('a', sinceMs);
    expect(pauses.isReplaceable(sinceMs)).toBe(false);
    clock.nowMs += 1_000 + 3 * MINUTE_MS + 1;
    expect(pauses.isReplaceable(sinceMs)).toBe(true);
    pauses.quoted();
    pauses.unquoted('b', clock.nowMs);
    expect([pauses.isReplaceable(clock.nowMs), pauses.isReplaceable(clock.nowMs - 1)]).toEqual([false, true]);
  });
});

it('forgets what paused long ago', () => {
  const pauses = pausesOf();
  pauses.createFailed('a', rejected(404));
  clock.nowMs += FIRST_PAUSE_MS;
  pauses.sweep();
  pauses.createFailed('a', rejected(404));
  expect(paused(pauses).market).toBe(2 * FIRST_PAUSE_MS);
});
