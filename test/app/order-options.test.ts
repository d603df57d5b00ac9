import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isCreate } from '../sim/witness.ts';
import { CalmDay } from '../support/calm-day.ts';
import { StillMarket } from '../support/still-market.ts';

const STRATEGY = fileURLToPath(new URL('../support/asking-strategy.ts', import.meta.url));

/** A day with one event, whose strategy asks for something. */
async function dayThatAsks(asks: string, inPlay = true): Promise<{ day: CalmDay; market: StillMarket }> {
  const settings = {
    'strategy.parameters.asks': asks,
    'risk.inPlay.allowed': String(inPlay),
    'risk.inPlay.scoreMaxAgeS': '3600',
  };
  const day = new CalmDay({ world: { events: 0 }, daemon: { strategy: STRATEGY, inPlay }, settings });
  const market = new StillMarket(day.world, 7_200);
  await day.begin(false);
  await day.pass(12_000);
  return { day, market };
}

type Body = Readonly<Record<string, unknown>>;

const bodiesOf = (day: CalmDay): Body[] =>
  day.run.witness.sent.filter(isCreate).map(({ body }) => JSON.parse(body ?? '{}') as Body);

const OPTIONS = [
  'exchange_mode',
  'keep_open_ir',
  'min_taker_want_stake',
  'current_score',
  'exclude_danger',
  'bookie_min_stakes',
] as const;

/** What an order asks for on the wire beside betslip, price, stake and time. */
const askedIn = (body: Body | undefined): Body =>
  Object.fromEntries(OPTIONS.flatMap((name) => (body?.[name] === undefined ? [] : [[name, body[name]]])));

const goInPlay = (market: StillMarket, home: number, away: number): void =>
  market.does((exchange, nowMs) => {
    exchange.goInRunning(market.at, nowMs);
    exchange.setTime(market.at, '1h', 10, nowMs);
    exchange.setScore(market.at, home, away, nowMs);
  });

describe('an option of an intent', () => {
  it.each<[string, Body]>([
    ['nothing', {}],
    ['take', { exchange_mode: 'take_only' }],
    ['dark', { exchange_mode: 'dark', min_taker_want_stake: ['USDT', 8] }],
    ['keep open', { keep_open_ir: true }],
    ['careful', { exclude_danger: true, bookie_min_stakes: { maker: ['USDT', 5] } }],
  ])('is on the wire as asked, and the exchange accepts it: %s', async (asks, expected) => {
    const { day } = await dayThatAsks(asks);
    const sent = bodiesOf(day);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.map(askedIn)).toEqual(sent.map(() => expected));
    const uuids = day.world.exchange.inspect().orders.map(({ requestUuid }) => requestUuid);
    expect(uuids).toEqual(sent.map((body) => body['request_uuid']));
  });

  it('is joined by the score in play, which is that of the view', async () => {
    const { day, market } = await dayThatAsks('dark');
    const before = bodiesOf(day).length;
    goInPlay(market, 1, 0);
    await day.pass(5_000);
    market.move(1.9, 2.1);
    await day.pass(30_000);
    const sent = bodiesOf(day).slice(before);
    expect(sent.length).toBeGreaterThan(0);
    for (const body of sent)
      expect(askedIn(body)).toMatchObject({ exchange_mode: 'dark', current_score: [1, 0] });
  });
});

describe('an order of before the start', () => {
  it.each([
    ['stays open when the event goes in play, if it asks for it', 'keep open', false],
    ['is closed then if it does not', 'nothing', true],
  ])('%s', async (_, asks, isClosed) => {
    const { day, market } = await dayThatAsks(asks);
    const early = day.open().map(({ orderId }) => orderId);
    expect(early).toHaveLength(1);
    market.does((exchange, nowMs) => exchange.goInRunning(market.at, nowMs));
    const { orders } = day.world.exchange.inspect();
    expect(orders.find(({ orderId }) => early.includes(orderId))?.closed).toBe(isClosed);
  });

  it('may not ask to stay open where nothing may be traded in play', async () => {
    const { day } = await dayThatAsks('keep open', false);
    expect(bodiesOf(day)).toEqual([]);
    expect(JSON.stringify(day.controls.why(null))).toContain('keep_open_in_play');
  });
});
