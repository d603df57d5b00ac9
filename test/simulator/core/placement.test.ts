import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src/simulator/core/settings.ts';
import { at, EVENT, Harness, OTHER_KEY, type Wire } from './harness.ts';

const { placementDelayMs, inPlayDelayMs, confirmationMs } = DEFAULT_SETTINGS;
const [LEAST_MS, MOST_MS] = placementDelayMs;

/** An exchange with its default delays. */
const usual = (seed = 1): Harness =>
  new Harness({ seed, settings: { placementDelayMs, inPlayDelayMs, confirmationMs } });

interface Report {
  readonly ms: number;
  readonly status: string;
  readonly closed: boolean;
  readonly bets: number;
}

/** The stream's reports on an order in this many milliseconds, with their times. */
function reportsOf(h: Harness, place: () => { order_id: number }, forMs: number): readonly Report[] {
  const client = h.connect();
  client.read();
  const fromMs = h.nowMs;
  const { order_id: id } = place();
  const reports: Report[] = [];
  for (let ms = 0; ms <= forMs; ms++) {
    for (const { order_id: about, status, closed, bets } of client.payloads('order') as Wire[])
      if (about === id) reports.push({ ms: h.nowMs - fromMs, status, closed, bets: bets.length });
    h.pass(1);
  }
  return reports;
}

/** The milliseconds from the first entry to the last. */
const lastedMs = (reports: readonly Report[]): number => (reports.at(-1)?.ms ?? 0) - (reports[0]?.ms ?? 0);

describe('an order that takes', () => {
  it('is open, then pending with its bets, then done, at three instants', () => {
    const h = usual();
    const reports = reportsOf(h, () => h.place('for,h', 2.2, 30), 2_000);
    expect(reports.map(({ status, closed, bets }) => [status, closed, bets])).toEqual([
      ['open', false, 0],
      ['pending', false, 1],
      ['done', true, 1],
    ]);
    const [open, pending, done] = reports as [Report, Report, Report];
    expect(pending.ms - open.ms).toBeGreaterThanOrEqual(LEAST_MS);
    expect(pending.ms - open.ms).toBeLessThanOrEqual(MOST_MS);
    expect(done.ms - pending.ms).toBeGreaterThanOrEqual(confirmationMs[0]);
    expect(done.ms - pending.ms).toBeLessThanOrEqual(confirmationMs[1]);
  });

  it('takes the stake that is there when it reaches the book, not when it was accepted', () => {
    const h = usual();
    const { order_id: late } = h.place('for,h', 2.2, 30);
    expect(h.exchange.market.take(at('h'), 'for', 2.1, 200_000_000, h.nowMs)).toBe(200_000_000);
    h.pass(MOST_MS);
    expect(h.order(late)).toMatchObject({ status: 'open', bets: [] });
    h.rest('h', 'against', 2.24, 50);
    expect(h.order(late)).toMatchObject({ status: 'pending', bets: [{ got_stake: ['USDT', 30] }] });
  });

  it('takes longer in play', () => {
    const h = usual();
    h.exchange.market.goInRunning(EVENT, h.nowMs);
    const tookMs = lastedMs(reportsOf(h, () => h.place('for,h', 2.2, 30), 4_000));
    expect(tookMs).toBeGreaterThanOrEqual(LEAST_MS + inPlayDelayMs[0] + confirmationMs[0]);
    expect(tookMs).toBeLessThanOrEqual(MOST_MS + inPlayDelayMs[1] + confirmationMs[1]);
  });

  it('takes a recorded bet delay instead of the drawn one, before play and in play', () => {
    const h = usual();
    const tookMs = (): number => lastedMs(reportsOf(h, () => h.place('for,h', 2.2, 5), 8_000));
    h.exchange.market.setBetDelay(EVENT, ['h'], { delayMs: 5_000, isPassive: false }, h.nowMs);
    const early = tookMs();
    h.exchange.market.goInRunning(EVENT, h.nowMs);
    const late = tookMs();
    for (const each of [early, late]) {
      expect(each).toBeGreaterThanOrEqual(LEAST_MS + 5_000 + confirmationMs[0]);
      expect(each).toBeLessThanOrEqual(MOST_MS + 5_000 + confirmationMs[1]);
    }
    h.exchange.market.setBetDelay(EVENT, ['h'], { delayMs: 0, isPassive: false }, h.nowMs);
    expect(tookMs()).toBeLessThanOrEqual(MOST_MS + inPlayDelayMs[1] + confirmationMs[1]);
  });

  it('takes a recorded bet delay of its own outcome alone', () => {
    const h = usual();
    h.exchange.market.setBetDelay(EVENT, ['d'], { delayMs: 5_000, isPassive: false }, h.nowMs);
    const tookMs = lastedMs(reportsOf(h, () => h.place('for,h', 2.2, 5), 8_000));
    expect(tookMs).toBeLessThanOrEqual(MOST_MS + confirmationMs[1]);
  });

  it('waits under a passive delay, for the stake that is there afterwards', () => {
    const h = usual();
    h.exchange.market.setBetDelay(EVENT, ['h'], { delayMs: 5_000, isPassive: true }, h.nowMs);
    const { order_id: id } = h.place('for,h', 2.2, 30);
    h.pass(MOST_MS);
    expect(h.exchange.market.take(at('h'), 'for', 2.1, 200_000_000, h.nowMs)).toBe(200_000_000);
    h.pass(5_000 - MOST_MS + LEAST_MS - 1);
    h.rest('h', 'against', 2.24, 50);
    expect(h.order(id)).toMatchObject({ status: 'open', bets: [] });
    h.pass(MOST_MS - LEAST_MS + 1);
    expect(h.order(id)).toMatchObject({ bets: [{ got_stake: ['USDT', 30] }] });
  });

  it('takes as long again for the same seed, and differently long for each order', () => {
    const took = (seed: number): readonly number[] => {
      const h = usual(seed);
      return Array.from({ length: 5 }, () => lastedMs(reportsOf(h, () => h.place('for,h', 2.2, 2), 1_000)));
    };
    expect(took(3)).toEqual(took(3));
    expect(took(4)).not.toEqual(took(3));
    expect(new Set(took(3)).size).toBeGreaterThan(1);
  });
});

describe('an order that rests', () => {
  it.each([
    ['would match nothing', 2.26, false],
    ['would match, but the market does not', 2.2, true],
  ])('waits for no passive delay where it %s', (_, price, isSuspended) => {
    const h = usual();
    h.exchange.market.setBetDelay(EVENT, ['h'], { delayMs: 5_000, isPassive: true }, h.nowMs);
    h.exchange.market.setSuspended(EVENT, isSuspended, h.nowMs);
    h.place('for,h', price, 30);
    h.pass(MOST_MS);
    expect(h.exchange.market.levels(at('h'), 'for')[0]).toEqual({ price, stakeMicros: 30_000_000 });
  });

  it('waits for a passive delay by what it would match once it has reached the book, not when it was accepted', () => {
    const passive = (): Harness => {
      const h = usual();
      h.exchange.market.setBetDelay(EVENT, ['h'], { delayMs: 5_000, isPassive: true }, h.nowMs);
      return h;
    };
    const gone = passive();
    const { order_id: resting } = gone.place('for,h', 2.2, 30);
    expect(gone.exchange.market.take(at('h'), 'for', 2.1, 200_000_000, gone.nowMs)).toBe(200_000_000);
    gone.pass(MOST_MS);
    expect(gone.order(resting)).toMatchObject({ status: 'open', bets: [] });
    expect(gone.exchange.market.levels(at('h'), 'for')[0]).toEqual({ price: 2.2, stakeMicros: 30_000_000 });

    const come = passive();
    const { order_id: taking } = come.place('for,h', 2.26, 30);
    come.rest('h', 'against', 2.28, 50);
    come.pass(5_000 + LEAST_MS - 1);
    expect(come.order(taking)).toMatchObject({ status: 'open', bets: [] });
    come.pass(MOST_MS - LEAST_MS + 1);
    expect(come.order(taking)).toMatchObject({ bets: [{ got_stake: ['USDT', 30] }] });
  });

  it.each([0, 5_000])(
    'is in no one’s offers before it has reached the book, a passive delay of %d ms or not',
    (delayMs) => {
      const h = usual();
      h.exchange.market.setBetDelay(EVENT, ['h'], { delayMs, isPassive: delayMs > 0 }, h.nowMs);
      h.place('for,h', 2.26, 30);
      h.pass(LEAST_MS - 1);
      expect(h.exchange.market.levels(at('h'), 'for')[0]?.price).toBe(2.3);
      h.pass(MOST_MS - LEAST_MS + 1);
      expect(h.exchange.market.levels(at('h'), 'for')[0]?.price).toBe(2.26);
    },
  );
});

describe('an order that is not in the book yet', () => {
  it.each([
    ['a close', (h: Harness, id: number) => h.call('POST', `/v2/orders/${id}/close/`)],
    ['close_many', (h: Harness, id: number) => h.call('POST', '/v2/orders/close_many/', { order_ids: [id] })],
    ['close_all', (h: Harness) => h.call('POST', '/v2/orders/close_all/')],
  ])('is closed by %s, and takes nothing', (_, close) => {
    const h = usual();
    const { order_id: id } = h.place('for,h', 2.2, 30);
    h.pass(LEAST_MS / 2);
    close(h, id);
    const over = { status: 'failed', closed: true, close_reason: 'cancelled', bets: [] };
    expect(h.order(id)).toMatchObject(over);
    h.pass(MOST_MS);
    expect(h.order(id)).toMatchObject(over);
    expect(h.exchange.market.levels(at('h'), 'against')[0]?.stakeMicros).toBe(100_000_000);
  });

  it('reserves what it can lose, and releases it when it is closed', () => {
    const h = usual();
    const { order_id: id } = h.place('for,h', 2.2, 30);
    const openStake = (): unknown => h.call('GET', '/v2/balance/').data.open_stake;
    expect(openStake()).toEqual(['USDT', 30]);
    h.call('POST', `/v2/orders/${id}/close/`);
    expect(openStake()).toEqual(['USDT', 0]);
  });

  it('is closed by an expired heartbeat, by going in play and by the end of its event', () => {
    const h = usual();
    h.call('POST', '/v2/heartbeats/', { timeout: 10 });
    h.pass(9_950);
    const guarded = h.place('for,h', 2.2, 30).order_id;
    h.pass(60);
    expect(h.order(guarded)).toMatchObject({ closed: true, close_reason: 'cancelled', bets: [] });
    const beforeStart = h.place('for,h', 2.2, 30, {}, OTHER_KEY).order_id;
    h.exchange.market.goInRunning(EVENT, h.nowMs);
    expect(h.order(beforeStart, OTHER_KEY)).toMatchObject({ closed: true, bets: [] });
    const last = h.place('for,h', 2.2, 30, {}, OTHER_KEY).order_id;
    h.exchange.market.voidEvent(EVENT, h.nowMs);
    expect(h.order(last, OTHER_KEY)).toMatchObject({ closed: true, close_reason: 'expired', bets: [] });
  });

  it('waits for the end of a suspension in which it arrives', () => {
    const h = usual();
    const { order_id: id } = h.place('for,h', 2.2, 30);
    h.exchange.market.setSuspended(EVENT, true, h.nowMs);
    h.pass(MOST_MS);
    expect(h.order(id)).toMatchObject({ status: 'open', bets: [] });
    h.exchange.market.setSuspended(EVENT, false, h.nowMs);
    expect(h.order(id)).toMatchObject({ status: 'pending' });
  });
});
