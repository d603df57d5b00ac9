import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FILL_CAUSES } from '../../../src/domain/fill-cause.ts';
import { toMicros } from '../../../src/domain/money.ts';
import { PRICE_TIME } from '../../../src/fills/price-time.ts';
import { FILL_MODELS } from '../../../src/fills/scenarios.ts';
import type { SimulatedFill } from '../../../src/domain/simulated-fill.ts';
import { at, EVENT, Harness, KEY, OTHER_KEY } from './harness.ts';
import { UNLIMITED } from './unlimited.ts';

/** Fills by model: order, stake in USDT, cause. */
const told = (fills: readonly SimulatedFill[]): Record<string, unknown[]> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(fills, ({ model }) => model)).map(([model, own = []]) => [
      model,
      own.map(({ orderId, stakeMicros, cause }) => [orderId, stakeMicros / 1e6, cause]),
    ]),
  );

const beside = (...models: readonly (keyof typeof FILL_MODELS)[]) => ({
  fillModel: FILL_MODELS.queue,
  shadows: models.map((model) => FILL_MODELS[model]),
});

/** `for` rests at 2.30 behind 100 of others. */
function queued(options: ConstructorParameters<typeof Harness>[0] = beside('touch', 'through')) {
  const h = new Harness(options);
  const order = h.place('for,h', 2.3, 10);
  return { h, orderId: order.order_id as number };
}

/** Repeats a recorded trade, and the fall of its level at the same instant. */
function trade(h: Harness, price: number, stake: number, leaves: number): void {
  h.exchange.market.trade(at('h'), 'for', price, toMicros(stake), h.nowMs);
  h.rest('h', 'for', price, leaves);
}

describe('other fill models beside the one of the account', () => {
  it('fill the same order each by its own rule, and change nothing in the account', () => {
    const { h, orderId } = queued();
    trade(h, 2.3, 60, 40);
    expect(told(h.fills)).toEqual({ touch: [[orderId, 10, 'queue ahead traded']] });
    expect(h.order(orderId)).toMatchObject({ status: 'open', bets: [] });
    h.pass(1);
    trade(h, 2.3, 40, 0);
    h.pass(1);
    trade(h, 2.3, 10, 0);
    h.rest('h', 'against', 2.4, 50);
    expect(told(h.fills)).toEqual({
      touch: [[orderId, 10, 'queue ahead traded']],
      queue: [[orderId, 10, 'book jumped']],
      through: [[orderId, 10, 'book jumped']],
    });
  });

  it('leave an order that its account filled in its place, until the next one lands', () => {
    const { h, orderId } = queued(beside('through'));
    h.rest('h', 'for', 2.3, 0);
    h.exchange.market.take(at('h'), 'against', 2.3, toMicros(10), h.nowMs);
    expect(told(h.fills)).toEqual({ queue: [[orderId, 10, 'queue ahead traded']] });
    h.rest('h', 'against', 2.36, 5);
    expect(told(h.fills)['through']).toEqual([[orderId, 5, 'book jumped']]);
    h.place('for,h', 2.5, 10);
    h.rest('h', 'against', 2.38, 5);
    expect(told(h.fills)['through']).toHaveLength(1);
  });

  it.each([
    ['it expires', (h: Harness) => h.pass(700_000)],
    ['its event goes in play', (h: Harness) => h.exchange.market.goInRunning(EVENT, h.nowMs)],
    ['its event is removed', (h: Harness) => h.exchange.market.removeEvent(EVENT, h.nowMs)],
  ])('end it when %s', (_, happens) => {
    const { h } = queued(beside('through'));
    h.rest('h', 'for', 2.3, 0);
    h.exchange.market.take(at('h'), 'against', 2.3, toMicros(10), h.nowMs);
    happens(h);
    h.price();
    h.rest('h', 'against', 2.5, 50);
    expect(told(h.fills)['through']).toBeUndefined();
  });

  it('end an order that its account closes', () => {
    const { h, orderId } = queued();
    h.call('POST', `/v2/orders/${orderId}/close/`);
    trade(h, 2.28, 500, 0);
    h.rest('h', 'against', 2.5, 50);
    expect(h.fills).toEqual([]);
  });
});

describe('the cause of a fill', () => {
  const causeOf = ({ fills }: Harness): unknown => fills.map(({ role, cause }) => [role, cause]);

  it('is the queue before it, for a trade at its price, and the price for one beyond', () => {
    const { h } = queued({ fillModel: FILL_MODELS.queue });
    trade(h, 2.3, 110, 0);
    expect(causeOf(h)).toEqual([]);
    const passed = queued({ fillModel: FILL_MODELS.queue }).h;
    passed.exchange.market.trade(at('h'), 'for', 2.32, toMicros(50), passed.nowMs);
    expect(causeOf(passed)).toEqual([['maker', 'price crossed']]);
  });

  it('is that others crossed its price, by a tick or by a jump', () => {
    const near = new Harness();
    near.place('for,h', 2.3, 10);
    near.rest('h', 'against', 2.3, 20, 'other');
    expect(causeOf(near)).toEqual([['maker', 'price crossed']]);
    const far = new Harness();
    far.place('for,h', 2.3, 10);
    far.rest('h', 'against', 2.5, 20, 'other');
    expect(causeOf(far)).toEqual([['maker', 'book jumped']]);
  });

  it('is that it took what was shown, or less than that', () => {
    const h = new Harness({ settings: { placementDelayMs: [300, 300] } });
    h.place('for,h', 2.2, 10);
    h.pass(300);
    h.place('for,h', 2.2, 80);
    h.rest('h', 'against', 2.2, 30);
    h.pass(300);
    expect(causeOf(h)).toEqual([
      ['taker', 'price crossed'],
      ['taker', 'size shown but gone'],
    ]);
  });

  it.each([
    [0, 'latency'],
    [2_000, 'bet delay'],
  ])('is that prices came to it on its way, with a bet delay of %s ms: %s', (betDelayMs, cause) => {
    const h = new Harness({ settings: { placementDelayMs: [300, 300] } });
    h.exchange.market.setBetDelay(EVENT, ['h'], { delayMs: betDelayMs, isPassive: false }, h.nowMs);
    h.place('for,h', 2.25, 10);
    h.rest('h', 'against', 2.26, 50);
    h.pass(5_000);
    expect(causeOf(h)).toEqual([['taker', cause]]);
  });

  it('is a jump for what a suspension ends with, and a rule for a forced price', () => {
    const h = new Harness();
    h.place('for,h', 2.25, 10);
    h.exchange.market.setSuspended(EVENT, true, h.nowMs);
    h.rest('h', 'against', 2.26, 50);
    h.exchange.market.setSuspended(EVENT, false, h.nowMs);
    h.place('for,h', 2.1, 10, { force_want_price: true });
    expect(causeOf(h)).toEqual([
      ['taker', 'book jumped'],
      ['taker', 'price rule'],
    ]);
  });

  it('is shown in the state of the exchange, and is the void of a voided bet', () => {
    const h = new Harness();
    h.place('for,h', 2.2, 10);
    const causes = () => h.exchange.inspect().orders.flatMap(({ fills }) => fills.map(({ cause }) => cause));
    expect(causes()).toEqual(['price crossed']);
    const [bet] = h.fills;
    h.exchange.markBet(bet?.betId ?? 0, 'void', h.nowMs);
    expect(causes()).toEqual(['voided']);
  });
});

const PRICES = [1.98, 1.99, 2, 2.02, 2.1];
const direction = fc.constantFrom('for' as const, 'against' as const);
const price = fc.constantFrom(...PRICES);
const stake = fc.integer({ min: 0, max: 60 });
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      key: fc.constantFrom(KEY, OTHER_KEY),
      type: fc.constantFrom('normal', 'lay'),
      mode: fc.constantFrom('make_and_take', 'take_only', 'dark'),
      partial: fc.boolean(),
      force: fc.boolean(),
      direction,
      price,
      stake,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('level' as const, 'offer' as const, 'trade' as const, 'take' as const),
      direction,
      price,
      stake,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'pass',
        'suspend',
        'resume',
        'in play',
        'delay',
        'pause',
        'close',
        'clear',
        'remove',
        'void',
      ),
      nth: fc.nat(20),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function act(h: Harness, each: Step): void {
  const { market } = h.exchange;
  if (each.kind === 'place') return place(h, each);
  if ('nth' in each) return happen(h, each.kind, each.nth);
  const stakeMicros = toMicros(each.stake);
  const offer = { price: each.price, stakeMicros, minBetMicros: 0 };
  if (each.kind === 'level') h.rest('h', each.direction, each.price, each.stake);
  if (each.kind === 'offer') market.setOffer('maker', EVENT, `${each.direction},h`, offer, h.nowMs);
  if (each.kind === 'trade') market.tradeOffer(EVENT, `${each.direction},h`, offer, h.nowMs);
  if (each.kind === 'take') market.take(at('h'), each.direction, each.price, stakeMicros, h.nowMs);
}

function place(h: Harness, each: Extract<Step, { kind: 'place' }>): void {
  const body = { sport: EVENT.sport, event_id: EVENT.eventId, bet_type: `${each.direction},h` };
  const slip = h.call('POST', '/v2/betslips/', { ...body, betslip_type: each.type }, each.key);
  if (slip.status !== 201) return;
  const order = {
    betslip_id: slip.data.betslip_id,
    price: each.price,
    stake: ['USDT', each.stake],
    exchange_mode: each.mode,
    accept_partial_fill: each.partial,
    force_want_price: each.force,
    duration: 60,
  };
  h.call('POST', '/v2/orders/', order, each.key);
}

function happen(h: Harness, kind: string, nth: number): void {
  const { market } = h.exchange;
  if (kind === 'pass') h.pass(1_000 * nth);
  if (kind === 'suspend') market.setSuspended(EVENT, true, h.nowMs);
  if (kind === 'resume') market.setSuspended(EVENT, false, h.nowMs);
  if (kind === 'in play' && nth === 0) market.goInRunning(EVENT, h.nowMs);
  if (kind === 'pause') market.setPaused(EVENT, ['h'], nth % 2 === 0, h.nowMs);
  if (kind === 'delay')
    market.setBetDelay(EVENT, ['h'], { delayMs: 100 * (nth % 3), isPassive: nth % 2 === 0 }, h.nowMs);
  if (kind === 'clear') market.clearLevels('maker', at('h'), h.nowMs);
  if (kind === 'remove' && nth === 0) market.removeEvent(EVENT, h.nowMs);
  if (kind === 'void' && nth === 0) market.voidEvent(EVENT, h.nowMs);
  if (kind === 'close') closeNth(h, nth);
}

function closeNth(h: Harness, nth: number): void {
  const { orders } = h.exchange.inspect();
  const order = orders[nth % Math.max(1, orders.length)];
  if (order === undefined) return;
  h.call('POST', `/v2/orders/${order.orderId}/close/`, undefined, order.accountId === 'a' ? KEY : OTHER_KEY);
}

describe('whatever happens', () => {
  const everything = fc.record({
    steps: fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
    isRecorded: fc.boolean(),
    convention: fc.constantFrom('odds' as const, 'lay' as const),
    placementMs: fc.constantFrom(0, 0, 400),
  });
  const run = (
    {
      steps,
      isRecorded,
      convention,
      placementMs,
    }: typeof everything extends fc.Arbitrary<infer T> ? T : never,
    options: ConstructorParameters<typeof Harness>[0],
  ): Harness => {
    const settings = {
      ...UNLIMITED,
      priceConvention: convention,
      placementDelayMs: [placementMs, placementMs] as const,
    };
    const h = new Harness({ ...options, settings });
    if (isRecorded) h.exchange.market.followRecording('maker');
    for (const each of steps) act(h, each);
    return h;
  };

  it.each(Object.keys(FILL_MODELS) as (keyof typeof FILL_MODELS)[])(
    'the model of the account, %s, run beside it fills what the account is filled',
    (name) => {
      let filled = 0;
      fc.assert(
        fc.property(everything, (all) => {
          const model = FILL_MODELS[name];
          const { fills } = run(all, { fillModel: model, shadows: [{ ...model, name: 'same' }] });
          const plain = (of: string) =>
            fills
              .filter((fill) => fill.model === of)
              .map(({ model: _, betId: __, ...fill }) => JSON.stringify(fill))
              .sort();
          expect(plain('same')).toEqual(plain(name));
          filled += fills.length;
        }),
      );
      expect(filled).toBeGreaterThan(0);
    },
  );

  it('other models beside it change no fill of the account, and every fill has a cause', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(everything, (all) => {
        const alone = run(all, { fillModel: FILL_MODELS.queue });
        const together = run(all, beside('touch', 'through'));
        const own = ({ fills }: Harness) =>
          fills
            .filter(({ model }) => model === 'queue')
            .map(({ orderId, price: at_, stakeMicros, atMs, cause }) => [
              orderId,
              at_,
              stakeMicros,
              atMs,
              cause,
            ]);
        expect(own(together)).toEqual(own(alone));
        const wanted = new Map(
          together.exchange.inspect().orders.map((each) => [each.orderId, each.stakeMicros]),
        );
        for (const [key, fills] of Map.groupBy(
          together.fills,
          ({ model, orderId }) => `${model} ${orderId}`,
        )) {
          const filledMicros = fills.reduce((sum, { stakeMicros }) => sum + stakeMicros, 0);
          expect(filledMicros, key).toBeLessThanOrEqual(wanted.get(fills[0]?.orderId ?? 0) ?? 0);
        }
        for (const { cause } of together.fills) seen.add(cause);
      }),
    );
    expect(seen).not.toContain('other');
    expect(FILL_CAUSES).toEqual(expect.arrayContaining([...seen]));
  });

  it('the models of price-time priority agree where nothing is cancelled: they differ in cancellations alone', () => {
    const h = new Harness({ fillModel: PRICE_TIME, shadows: [FILL_MODELS.queue] });
    const { order_id: orderId } = h.place('for,h', 2.3, 10);
    trade(h, 2.3, 100, 0);
    h.pass(1);
    h.exchange.market.take(at('h'), 'against', 2.3, toMicros(10), h.nowMs);
    expect(told(h.fills)).toEqual({
      queue: [[orderId, 10, 'queue ahead traded']],
      'price-time': [[orderId, 10, 'queue ahead traded']],
    });
  });
});
