import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ceilTick, floorTick, priceOf } from '../../../src/domain/ladder.ts';
import { priceOfLogOdds } from '../../../src/domain/odds.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import type { ExchangeCore, Feed, SimOutcome } from '../../../src/simulator/core/api.ts';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { createExchange } from '../../../src/simulator/core/exchange.ts';
import { loadBetfairRecording } from '../../../src/app/simulated/recorded-market.ts';
import { createBetfairFeed } from '../../../src/simulator/feeds/betfair/index.ts';
import { recordingOf } from '../../support/recorded-file.ts';
import { createModelFeed, type ModelFeed } from '../../../src/simulator/feeds/model/index.ts';

const FILE = path.resolve(import.meta.dirname, '../../../../shared/data/betfair/1.200806927.jsonl.gz');
const present = existsSync(FILE);
if (!present) console.info(`recorded-market test left out: ${FILE} is absent`);

const WALL_MS = Date.parse('2030-01-02T12:00:00Z');

/** An account on an exchange whose time the test sets. */
class Trader {
  readonly exchange: ExchangeCore;
  nowMs = WALL_MS;

  constructor(feed: Feed) {
    this.exchange = createExchange({
      accounts: [{ accountId: 'one', keys: ['key'], balanceMicros: 1e12 }],
      feeds: [feed],
      parseBetType,
      random: seededRandom(1, 'ids'),
      startMs: WALL_MS,
      settings: { priceConvention: 'lay' },
    });
  }

  wait(ms: number): void {
    this.nowMs += ms;
    this.exchange.advance(this.nowMs);
  }

  call(method: string, target: string, body?: object) {
    const text = body === undefined ? '' : JSON.stringify(body);
    const response = this.exchange.request({ method, target, apiKey: 'key', body: text }, this.nowMs);
    response.release?.();
    const answer = JSON.parse(response.body);
    if (answer.status !== 'ok') throw new Error(response.body);
    return answer.data;
  }

  betslip(at: SimOutcome, direction: 'for' | 'against'): string {
    this.wait(150);
    const betslip_type = direction === 'for' ? 'normal' : 'lay';
    const bet_type = `${direction},${at.outcome}`;
    const body = { sport: at.sport, event_id: at.eventId, bet_type, betslip_type };
    return this.call('POST', '/v2/betslips/', body).betslip_id;
  }

  order(betslip_id: string, price: number, stake: number, duration: number, more: object = {}): void {
    this.wait(250);
    this.call('POST', '/v2/orders/', { betslip_id, price, stake: ['USDT', stake], duration, ...more });
  }

  fills() {
    return this.exchange.inspect().orders.flatMap((order) => order.fills);
  }
}

/** Quotes both sides of five selections of the football match in play, a little inside the background makers. */
function quoteForAMinute(trader: Trader, feed: ModelFeed): void {
  const events = trader.call('GET', '/v2/events/?sport=fb&ir_status=in_running');
  const outcomes = ['h', 'd', 'a', 'over,2.5', 'under,2.5'];
  const places: SimOutcome[] = events.flatMap((event: { event_id: string }) =>
    outcomes.map((outcome) => ({ sport: 'fb', eventId: event.event_id, outcome })),
  );
  for (const at of places) {
    const fair = feed.publicFair(at);
    if (fair === null) throw new Error('not traded');
    const low = priceOf(floorTick(priceOfLogOdds(fair + 0.03)) ?? 0);
    const high = priceOf(ceilTick(priceOfLogOdds(fair - 0.03)) ?? 0);
    trader.order(trader.betslip(at, 'against'), low, 100, 60);
    trader.order(trader.betslip(at, 'for'), high, 100, 60);
  }
  trader.wait(60_000);
}

describe('the modelled market on the exchange', () => {
  it('fills an account that quotes inside the background makers', () => {
    const feed = createModelFeed({ seed: 3, startWallMs: WALL_MS });
    const trader = new Trader(feed);
    quoteForAMinute(trader, feed);
    const fills = trader.fills();
    expect(fills.filter(({ role }) => role === 'maker').length).toBeGreaterThan(0);
  });

  it('has offers on both sides of every sport at once', () => {
    const trader = new Trader(createModelFeed({ seed: 3, startWallMs: WALL_MS }));
    const events: { sport: string; event_id: string }[] = trader.call('GET', '/v2/events/');
    expect(events.length).toBeGreaterThanOrEqual(12);
    for (const { sport, event_id } of events) {
      const offers = trader.call('GET', `/v2/offers/?sport=${sport}&event_id=${event_id}`);
      const directions = offers.map((offer: { bet_type: string }) => offer.bet_type.split(',')[0]);
      expect(new Set(directions)).toEqual(new Set(['for', 'against']));
    }
  });

  it('sends the same bytes for the same seed', () => {
    const bytes = [1, 2].map(() => {
      const trader = new Trader(createModelFeed({ seed: 8, startWallMs: WALL_MS, speed: 60 }));
      const connected = trader.exchange.connect({ api_key: 'key' }, trader.nowMs);
      if (!connected.ok) throw new Error(connected.body);
      for (const { sport, eventId } of trader.exchange.inspect().events) {
        const command = JSON.stringify(['register_event', sport, eventId]);
        trader.exchange.receive(connected.connection, command, trader.nowMs);
      }
      trader.wait(30_000);
      return JSON.stringify(trader.exchange.drain());
    });
    expect(bytes[0]?.length).toBeGreaterThan(100_000);
    expect(bytes[0]).toBe(bytes[1]);
  });

  it('settles matches and pays for what was matched', () => {
    const feed = createModelFeed({ seed: 3, startWallMs: WALL_MS, speed: 120 });
    const trader = new Trader(feed);
    const [event] = trader.exchange.inspect().events.filter(({ irStatus }) => irStatus === 'pre_event');
    if (event === undefined) throw new Error('no event');
    const at = { sport: event.sport, eventId: event.eventId, outcome: 'h' };
    trader.order(trader.betslip(at, 'for'), 1.01, 10, 20);
    trader.wait(120_000);
    const [order] = trader.exchange.inspect().orders;
    const shown = trader.call('GET', `/v2/orders/${order?.orderId}/`);
    expect(order?.fills.length).toBeGreaterThan(0);
    expect(shown.status).toBe('reconciled');
    const { ft_home: home, ft_away: away } = shown.event_info.result;
    const [, profit] = shown.profit_loss;
    expect(Math.sign(profit)).toBe(home > away ? 1 : -1);
  });
});

/** The recording shows these stakes at one price to back, 100 s apart. */
function shownStakes(...stakes: readonly number[]): Feed {
  const startMs = Date.parse('2024-05-01T12:00:00Z');
  const marketDefinition = {
    eventTypeId: '2',
    marketType: 'MATCH_ODDS',
    marketTime: '2024-05-01T18:00:00Z',
    inPlay: false,
    status: 'OPEN',
    numberOfWinners: 1,
    runners: [1, 2].map((id) => ({ id, status: 'ACTIVE', sortPriority: id, name: `Player ${id}` })),
  };
  const lines = stakes.map((stake, at) =>
    JSON.stringify({
      op: 'mcm',
      pt: startMs + 100_000 * at,
      mc: [
        { id: '1.5', marketDefinition, img: at === 0, rc: [{ id: 1, atb: [[1.9, stake]], atl: [[2, 500]] }] },
      ],
    }),
  );
  return createBetfairFeed({
    recording: recordingOf(lines),
    fromMs: startMs,
    speed: 1,
    startWallMs: WALL_MS,
  });
}

describe('the recorded market on the exchange', () => {
  it('gives recorded stake once, however often it is shown', () => {
    const trader = new Trader(shownStakes(100, 101, 106, 0, 40));
    trader.wait(1_000);
    const [event] = trader.exchange.inspect().events;
    const at = { sport: 'tennis', eventId: event?.eventId ?? '', outcome: 'h' };
    const taken = (): number => trader.fills().reduce((sum, { stakeMicros }) => sum + stakeMicros, 0) / 1e6;
    trader.order(trader.betslip(at, 'for'), 1.9, 100, 3_600, { exchange_mode: 'take_only' });
    trader.wait(30_000);
    expect(taken()).toBe(100);
    trader.order(trader.betslip(at, 'for'), 1.9, 500, 3_600, { exchange_mode: 'take_only' });
    const afterEach = [1, 2, 3, 4].map(() => {
      trader.wait(100_000);
      return taken();
    });
    // Once the recording showed less, what it shows is there anew.
    expect(afterEach).toEqual([101, 106, 106, 146]);
  });

  it.runIf(present)('fills a resting order from recorded volume, and settles it', async () => {
    const recording = await loadBetfairRecording(FILE);
    const fromMs = Date.parse('2022-07-11T10:30:00Z');
    const feed = createBetfairFeed({ recording, fromMs, speed: 60, startWallMs: WALL_MS });
    const trader = new Trader(feed);
    const [event] = trader.exchange.inspect().events;
    const at = { sport: 'cricket', eventId: event?.eventId ?? '', outcome: 'h' };
    const best = trader.exchange.market.levels(at, 'against')[0]?.price ?? 0;
    trader.order(trader.betslip(at, 'against'), best, 50, 25);
    trader.wait(28_000);
    const [order] = trader.exchange.inspect().orders;
    expect(order?.filledMicros).toBeGreaterThan(0);
    expect(order?.fills.every(({ role, price }) => role === 'maker' && price === best)).toBe(true);
    trader.wait(300_000);
    const shown = trader.call('GET', `/v2/orders/${order?.orderId}/`);
    // Home won, and the order was against it.
    expect(shown.profit_loss[1]).toBeLessThan(0);
  });
});
