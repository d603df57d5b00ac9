/** One order with its options over its life, beside a plain reading of the options. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, EVENT, event, football, Harness, OTHER_KEY, type Wire } from './harness.ts';

const SOURCES = ['pin', 'thin'] as const;
type Source = (typeof SOURCES)[number];

interface Options {
  readonly mode: 'make_and_take' | 'take_only' | 'dark';
  readonly stake: number;
  readonly keep: boolean;
  readonly partial: boolean;
  readonly shy: boolean;
  readonly minTaker: number;
  readonly least: Readonly<Partial<Record<Source, number>>>;
}

const options: fc.Arbitrary<Options> = fc
  .record({
    mode: fc.constantFrom('make_and_take' as const, 'take_only' as const, 'dark' as const),
    stake: fc.integer({ min: 8, max: 20 }),
    keep: fc.boolean(),
    partial: fc.nat(3).map((n) => n > 0),
    shy: fc.boolean(),
    minTaker: fc.constantFrom(0, 0, 4, 8),
    least: fc.record(
      { pin: fc.integer({ min: 1, max: 8 }), thin: fc.integer({ min: 1, max: 8 }) },
      { requiredKeys: [] },
    ),
  })
  .map((given) => ({ ...given, minTaker: given.mode === 'dark' ? given.minTaker : 0 }));

const act = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      source: fc.constantFrom(...SOURCES),
      stake: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('danger' as const),
      source: fc.constantFrom(...SOURCES),
      is: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('suspend' as const), is: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'in play' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'close' as const }) },
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

/** What rests against home at the price of the order, in the order of its arrival, and how far the order is. */
class Plain {
  readonly #options: Options;
  readonly #queue: { readonly source: Source; left: number }[];
  readonly #danger = new Set<Source>();
  #isSuspended = false;
  #isInPlay = false;
  #isPlaced = false;
  #isResting = false;
  isOpen = true;
  filled = 0;

  constructor(given: Options, before: readonly { readonly source: Source; readonly stake: number }[]) {
    this.#options = given;
    this.#queue = [];
    for (const { source, stake } of before) this.#append(source, stake);
  }

  place(): void {
    this.#isPlaced = true;
    this.#take(false);
    this.#isResting = this.#options.mode !== 'take_only' && this.#options.partial;
  }

  /** All that a source offers now. */
  restingOf(source: Source): number {
    return this.#queue.reduce((sum, each) => sum + (each.source === source ? each.left : 0), 0);
  }

  apply(each: Act): void {
    if (each.kind === 'danger') {
      if (each.is) this.#danger.add(each.source);
      else this.#danger.delete(each.source);
    } else if (each.kind === 'suspend') {
      const isResumed = this.#isSuspended && !each.is;
      this.#isSuspended = each.is;
      if (isResumed) this.#take(this.#isResting);
    } else if (each.kind === 'in play') {
      // Only the turn itself closes orders.
      if (!this.#isInPlay && !this.#options.keep) this.isOpen = false;
      this.#isInPlay = true;
    } else if (each.kind === 'close') this.isOpen = false;
    else this.#add(each.source, each.stake);
  }

  #append(source: Source, stake: number): void {
    const last = this.#queue.at(-1);
    if (last?.source === source) last.left += stake;
    else this.#queue.push({ source, left: stake });
  }

  get #left(): number {
    return this.#options.stake - this.filled;
  }

  #fill(stake: number): void {
    this.filled += stake;
    if (this.#left === 0) this.isOpen = false;
  }

  #isShunned(source: Source): boolean {
    return this.#options.shy && this.#danger.has(source);
  }

  /** Stake comes. What rests for home is matched with it first, if it may be. */
  #add(source: Source, stake: number): void {
    const { minTaker, least } = this.#options;
    const meets = Math.min(stake, this.#left);
    const isMatched =
      this.isOpen &&
      this.#isResting &&
      !this.#isSuspended &&
      !this.#isShunned(source) &&
      stake >= minTaker &&
      meets >= (least[source] ?? 0);
    if (isMatched) this.#fill(meets);
    const rest = isMatched ? stake - meets : stake;
    if (rest === 0) return;
    this.#append(source, rest);
    if (!this.#isResting) this.#take(false);
  }

  /** Takes what it may of what rests. `keepsMinimum`: it rested before, so that each counterpart must ask for its minimum. */
  #take(keepsMinimum: boolean): void {
    if (!this.#isPlaced || !this.isOpen || this.#isSuspended) return;
    const { partial, minTaker, least } = this.#options;
    const used = SOURCES.filter(
      (source) =>
        !this.#isShunned(source) && Math.min(this.restingOf(source), this.#left) >= (least[source] ?? 0),
    );
    const entries = this.#queue.filter(
      ({ source, left }) => used.includes(source) && (!keepsMinimum || left >= minTaker),
    );
    const offered = entries.reduce((sum, { left }) => sum + left, 0);
    if (!partial && offered < this.#left) return;
    for (const entry of entries) {
      const stake = Math.min(entry.left, this.#left);
      entry.left -= stake;
      if (stake > 0) this.#fill(stake);
    }
  }
}

const PRICE = 2.2;

/** An exchange on which each source has one settled bet, which can be put in danger. */
function began() {
  const h = new Harness({ priced: false });
  h.exchange.market.putEvent(event(), h.nowMs);
  const bets = SOURCES.map((source) => {
    h.rest('h', 'against', PRICE, 1, source);
    return h.order(h.place('for,h', PRICE, 1, { exchange_mode: 'take_only' }).order_id).bets[0]
      .bet_id as number;
  });
  return { h, betOf: (source: Source): number => bets[SOURCES.indexOf(source)] ?? NaN };
}

const bodyOf = ({ mode, keep, partial, shy, minTaker, least }: Options): Record<string, unknown> => ({
  exchange_mode: mode,
  keep_open_ir: keep,
  accept_partial_fill: partial,
  exclude_danger: shy,
  ...(minTaker > 0 && { min_taker_want_stake: ['USDT', minTaker] }),
  bookie_min_stakes: Object.fromEntries(Object.entries(least).map(([name, usdt]) => [name, ['USDT', usdt]])),
});

const before = fc.array(
  fc.record({ source: fc.constantFrom(...SOURCES), stake: fc.integer({ min: 1, max: 9 }) }),
  { maxLength: 3 },
);

it('is matched, waits and ends as its options say', () => {
  let filled = 0;
  fc.assert(
    fc.property(options, before, fc.array(act, { maxLength: 12, size: 'max' }), (given, offered, acts) => {
      const { h, betOf } = began();
      const plain = new Plain(given, offered);
      const rested = { pin: 0, thin: 0 };
      for (const { source, stake } of offered) {
        rested[source] += stake;
        h.rest('h', 'against', PRICE, rested[source], source);
      }
      const { order_id: id } = h.place('for,h', PRICE, given.stake, bodyOf(given));
      plain.place();
      const check = (what: unknown): void => {
        const { bets, closed } = h.order(id) as Wire;
        const got = bets.reduce((sum: number, { got_stake: [, usdt] }: Wire) => sum + usdt, 0);
        expect([what, got, closed]).toEqual([what, plain.filled, !plain.isOpen]);
      };
      check('placed');
      for (const each of acts) {
        if (each.kind === 'add')
          h.rest('h', 'against', PRICE, plain.restingOf(each.source) + each.stake, each.source);
        else if (each.kind === 'danger')
          h.exchange.markBet(betOf(each.source), each.is ? 'danger' : 'success', h.nowMs);
        else if (each.kind === 'suspend') h.exchange.market.setSuspended(EVENT, each.is, h.nowMs);
        else if (each.kind === 'in play') h.exchange.market.goInRunning(EVENT, h.nowMs);
        else h.call('POST', `/v2/orders/${id}/close/`);
        plain.apply(each);
        check(each);
      }
      filled += plain.filled;
    }),
    { numRuns: 500 },
  );
  expect(filled).toBeGreaterThan(500);
});

describe('the turn in play', () => {
  const OTHER = '2026-03-01,33,44';

  /** Where an order is when its event goes in play. */
  const places: readonly (readonly [string, price: number, stake: number, asked: object])[] = [
    ['that rests', 2.26, 10, {}],
    ['that rests unseen', 2.26, 10, { exchange_mode: 'dark' }],
    ['that waits for something to take', 2.26, 10, { exchange_mode: 'take_only' }],
    ['that waits for its whole stake', 2.2, 150, { accept_partial_fill: false }],
  ];
  const cases = places.flatMap((place) =>
    [false, true].flatMap((keep) =>
      ['at once', 'on its way', 'suspended'].map((when) => [...place, keep, when] as const),
    ),
  );

  it.each(cases)(
    'closes an order %s at %d with %d, %j, unless it is kept: %s, %s',
    (_, price, stake, asked, keep, when) => {
      const h = new Harness(when === 'on its way' ? { settings: { placementDelayMs: [1_000, 1_000] } } : {});
      const { market } = h.exchange;
      market.putEvent(event({ eventId: OTHER }), h.nowMs);
      market.setLevel('maker', at('h', OTHER), 'against', 2.2, 100_000_000, h.nowMs);
      if (when === 'suspended') market.setSuspended(EVENT, true, h.nowMs);
      const { order_id: id } = h.place('for,h', price, stake, { ...asked, keep_open_ir: keep });
      const { order_id: other } = h.call('POST', '/v2/orders/', {
        betslip_id: h.betslip('for,h', undefined, OTHER),
        price: 2.26,
        stake: ['USDT', 5],
      }).data;
      market.goInRunning(football(EVENT.eventId), h.nowMs);
      expect([h.order(id).closed, h.order(other).closed]).toEqual([!keep, false]);
      if (keep) expect(h.order(id).close_reason).toBeNull();
      else expect(h.order(id)).toMatchObject({ status: 'failed', close_reason: 'cancelled', bets: [] });
      market.setSuspended(EVENT, false, h.nowMs);
      h.pass(5_000);
      // What comes then is matched with what was kept, and with what is placed in play.
      const { order_id: late } = h.place('for,h', 2.26, 5, {});
      h.pass(2_000);
      market.goInRunning(EVENT, h.nowMs);
      h.rest('h', 'against', 2.28, 500);
      expect(h.order(id).bets.length > 0).toBe(keep);
      expect(h.order(late).bets.length > 0).toBe(true);
    },
  );
});

const MODES = ['make_and_take', 'take_only', 'dark'] as const;

it.each(MODES.flatMap((older) => MODES.map((younger) => [older, younger] as const)))(
  'the end of a suspension serves the older of two orders first: %s before %s',
  (older, younger) => {
    const h = new Harness();
    h.exchange.market.setSuspended(EVENT, true, h.nowMs);
    const { order_id: first } = h.place('for,h', 2.26, 10, { exchange_mode: older });
    const { order_id: second } = h.place('for,h', 2.26, 10, { exchange_mode: younger }, OTHER_KEY);
    h.rest('h', 'against', 2.26, 15);
    h.exchange.market.setSuspended(EVENT, false, h.nowMs);
    expect([h.order(first).status, h.order(second, OTHER_KEY).bets]).toMatchObject([
      'done',
      [{ got_stake: ['USDT', 5] }],
    ]);
  },
);

describe('a minimum of an order', () => {
  it.each([
    [4, 0],
    [5, 10],
  ])('of a source is in its own stake, at odds against it, too: a taker of %d', (stake, got) => {
    const h = new Harness({ settings: { priceConvention: 'odds' }, priced: false });
    h.exchange.market.putEvent(event(), h.nowMs);
    h.rest('h', 'for', 5, 1);
    // Odds of 1.5 against home: each unit for it at 3 meets two.
    const asked = { bookie_min_stakes: { exchange: ['USDT', 10] } };
    const { order_id: id } = h.place('against,h', 1.5, 40, asked);
    h.place('for,h', 3, stake, { exchange_mode: 'take_only' }, OTHER_KEY);
    const bets: Wire[] = h.order(id).bets;
    expect(bets.reduce((sum: number, { got_stake: [, usdt] }: Wire) => sum + usdt, 0)).toBeCloseTo(got, 6);
  });

  it('of takers counts what an order asked for, not what is left of it', () => {
    const h = new Harness();
    h.place('against,h', 2.26, 25, {}, OTHER_KEY);
    h.place('for,h', 2.26, 10, { exchange_mode: 'take_only' });
    h.exchange.market.setSuspended(EVENT, true, h.nowMs);
    const dark = { exchange_mode: 'dark', min_taker_want_stake: ['USDT', 20] };
    const { order_id: id } = h.place('for,h', 2.26, 40, dark);
    h.exchange.market.setSuspended(EVENT, false, h.nowMs);
    expect(h.order(id).bets).toMatchObject([{ got_stake: ['USDT', 15] }]);
  });

  it.each([
    [10, 201],
    [10.01, 400],
  ])('of takers may be its whole stake of 10, and no more: %d', (least, status) => {
    const h = new Harness();
    const dark = { exchange_mode: 'dark', min_taker_want_stake: ['USDT', least] };
    expect(h.tryPlace('for,h', 2.26, 10, dark).status).toBe(status);
  });
});
