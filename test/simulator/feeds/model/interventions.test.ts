import { beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/lib/random.ts';
import type { ExchangeCore, Intervention, SimEventName } from '../../../../src/simulator/core/api.ts';
import type { EventResult } from '../../../../src/domain/bet-types/result.ts';
import { parseBetType } from '../../../../src/domain/bet-types/index.ts';
import { isSameEvent } from '../../../../src/simulator/core/catalogue.ts';
import { createExchange } from '../../../../src/simulator/core/exchange.ts';
import { createModelFeed, type ModelFeed } from '../../../../src/simulator/feeds/model/index.ts';
import { INSTANT } from '../../../support/instant.ts';

const WALL_MS = Date.parse('2030-01-02T12:00:00Z');
const SECOND_MS = 1000;
/** By then a quick match is over, whenever it began. */
const QUICK_MS = 240 * SECOND_MS;
/** By then a goal has been announced, and the market has reopened. */
const AFTER_GOAL_MS = 60 * SECOND_MS;

const RESULT: EventResult = { kind: 'score', home: 7, away: 5, halfTimeHome: 6, halfTimeAway: 0 };

/** A modelled exchange whose time the test sets, and its interventions. */
class Match {
  readonly feed: ModelFeed;
  readonly exchange: ExchangeCore;
  nowMs = WALL_MS;

  constructor({ seed = 5, speed = 1, events = 7 } = {}) {
    this.feed = createModelFeed({ seed, speed, events, startWallMs: WALL_MS });
    this.exchange = createExchange({
      accounts: [{ accountId: 'one', keys: ['key'], balanceMicros: 1e12 }],
      feeds: [this.feed],
      parseBetType,
      random: seededRandom(1, 'ids'),
      startMs: WALL_MS,
      // These tests are about the state of bets, not about how long placement takes.
      settings: { ...INSTANT, broadcastIntervalMs: 60_000 },
    });
  }

  pass(ms: number): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; this.nowMs += SECOND_MS) {
      this.exchange.advance(this.nowMs + SECOND_MS);
    }
  }

  /** The first event of a sport that is under way, or that is not. */
  event(sport: string, irStatus: string): SimEventName {
    const found = this.exchange
      .inspect()
      .events.find((event) => event.sport === sport && event.irStatus === irStatus);
    if (found === undefined) throw new Error(`no ${sport} that is ${irStatus}`);
    return { sport, eventId: found.eventId };
  }

  of(event: SimEventName) {
    const found = this.exchange.inspect().events.find((each) => isSameEvent(each, event));
    if (found === undefined) throw new Error('gone');
    return found;
  }

  do(event: SimEventName, act: Intervention): void {
    this.exchange.intervene(event, act, this.nowMs);
  }

  fair(event: SimEventName, outcome: string): number {
    return this.feed.publicFair({ ...event, outcome }) ?? NaN;
  }

  offers(event: SimEventName, outcome: string): number {
    const at = { ...event, outcome };
    return this.exchange.market.levels(at, 'against').length + this.exchange.market.levels(at, 'for').length;
  }

  order({ sport, eventId }: SimEventName, bet_type: string, price: number) {
    const call = (target: string, body: object) => {
      const text = JSON.stringify(body);
      return JSON.parse(
        this.exchange.request({ method: 'POST', target, apiKey: 'key', body: text }, this.nowMs).body,
      ).data;
    };
    const slip = call('/v2/betslips/', { sport, event_id: eventId, bet_type, betslip_type: 'normal' });
    return call('/v2/orders/', { betslip_id: slip.betslip_id, price, stake: ['USDT', 10], duration: 5 });
  }

  orderOf(orderId: number) {
    const target = `/v2/orders/${orderId}/`;
    return JSON.parse(
      this.exchange.request({ method: 'GET', target, apiKey: 'key', body: '' }, this.nowMs).body,
    ).data;
  }
}

let match: Match;
let playing: SimEventName;
beforeEach(() => begin({}));

function begin(options: { seed?: number; speed?: number; events?: number }): void {
  match = new Match(options);
  playing = match.event('fb', 'in_running');
  match.pass(10 * SECOND_MS);
}

/** The first half that is traded, and its match. */
function halfAndWhole(): [half: SimEventName, whole: SimEventName] {
  const half = match.event('fb_ht', 'pre_event');
  return [half, { ...half, sport: 'fb' }];
}

describe('a goal by intervention', () => {
  it('is reported at once, suspends, and moves prices when the market reopens', () => {
    const [home, away] = match.of(playing).score ?? [NaN, NaN];
    const before = match.fair(playing, 'h');
    match.do(playing, { kind: 'goal', side: 'home' });
    expect(match.of(playing).score).toEqual([home + 1, away]);
    match.pass(3 * SECOND_MS);
    expect(match.of(playing).suspended).toBe(true);
    expect(match.offers(playing, 'h')).toBe(0);
    match.pass(AFTER_GOAL_MS);
    expect(match.of(playing)).toMatchObject({ suspended: false, score: [home + 1, away] });
    expect(match.fair(playing, 'h')).toBeGreaterThan(before + 0.5);
    expect(match.offers(playing, 'over,2.5') + match.offers(playing, 'h')).toBeGreaterThan(0);
  });

  it('remains, and later goals add to it', () => {
    let later = 0;
    for (const seed of [5, 6, 7]) {
      begin({ seed, speed: 30 });
      for (const side of ['away', 'away', 'home', 'away'] as const) match.do(playing, { kind: 'goal', side });
      const [home, away] = match.of(playing).score ?? [NaN, NaN];
      const { order_id: id } = match.order(playing, 'for,h', 1.01);
      match.pass(QUICK_MS);
      const { ft_home: homeEnd, ft_away: awayEnd } = match.orderOf(id).event_info.result;
      expect(match.of(playing)).toMatchObject({ phase: 'settled', score: [homeEnd, awayEnd] });
      expect(homeEnd).toBeGreaterThanOrEqual(home);
      expect(awayEnd).toBeGreaterThanOrEqual(away);
      later += homeEnd + awayEnd - home - away;
    }
    expect(later).toBeGreaterThan(0);
  });

  it('counts for a match that has not begun', () => {
    const soon = match.event('fb', 'pre_event');
    const before = match.fair(soon, 'h');
    match.do(soon, { kind: 'goal', side: 'home' });
    match.do(soon, { kind: 'goal', side: 'home' });
    match.pass(10 * SECOND_MS);
    expect(match.of(soon)).toMatchObject({ score: [2, 0], suspended: false, irStatus: 'pre_event' });
    expect(match.fair(soon, 'h')).toBeGreaterThan(before + 1);
    match.pass(5 * 60 * SECOND_MS);
    expect(match.of(soon).irStatus).toBe('in_running');
    expect(match.of(soon).score?.[0]).toBeGreaterThanOrEqual(2);
  });

  it('in the first half counts for the match, whichever of the two it is given for', () => {
    const [half, whole] = halfAndWhole();
    match.do(whole, { kind: 'in_running' });
    expect([match.of(half).irStatus, match.of(whole).irStatus]).toEqual(['in_running', 'in_running']);
    const before = match.fair(half, 'h');
    match.do(half, { kind: 'goal', side: 'home' });
    match.do(whole, { kind: 'goal', side: 'home' });
    for (const event of [half, whole]) expect(match.of(event).score).toEqual([2, 0]);
    match.pass(3 * SECOND_MS);
    for (const event of [half, whole]) expect(match.of(event).suspended).toBe(true);
    match.pass(AFTER_GOAL_MS);
    for (const event of [half, whole])
      expect(match.of(event)).toMatchObject({ suspended: false, score: [2, 0] });
    expect(match.fair(half, 'h')).toBeGreaterThan(before + 1);
  });

  it.each([
    ['tennis', 'in_running', [1, 0]],
    ['basket', 'pre_event', [1, 0]],
  ])('is a set or a point in %s', (sport, irStatus, gain) => {
    const other = new Match({ seed: 8 });
    const event = other.event(sport, irStatus);
    const [home, away] = other.of(event).score ?? [0, 0];
    const before = other.fair(event, 'h');
    other.do(event, { kind: 'goal', side: 'home' });
    expect(other.of(event).score).toEqual([home + (gain[0] ?? 0), away]);
    other.pass(8 * SECOND_MS);
    expect(other.fair(event, 'h')).toBeGreaterThan(before);
  });

  it('does not exist in a race', () => {
    begin({ events: 10 });
    const race = match.event('horse', 'pre_event');
    match.do(race, { kind: 'goal', side: 'home' });
    expect(match.of(race).score).toBeNull();
  });
});

describe('a start by intervention', () => {
  // The public has not learnt all of the last seconds yet.
  it.each([
    [1, 'cricket'],
    [2, 'basket'],
    [3, 'basket'],
  ] as const)('leaves the public fair price as it was (seed %i, %s)', (seed, sport) => {
    begin({ seed, speed: 30 });
    match.pass(34 * SECOND_MS);
    const soon = match.event(sport, 'pre_event');
    const before = match.fair(soon, 'h');
    match.do(soon, { kind: 'in_running' });
    expect(match.of(soon).irStatus).toBe('in_running');
    expect(match.fair(soon, 'h')).toBe(before);
  });
});

describe('a result by intervention', () => {
  it('ends the match with that result for good, and another match replaces it', () => {
    begin({ speed: 30 });
    const { order_id: id } = match.order(playing, 'for,h', 1.01);
    const live = () => match.exchange.inspect().events.filter(({ phase }) => phase === 'live').length;
    const before = live();
    match.do(playing, { kind: 'end', result: RESULT });
    expect(match.orderOf(id)).toMatchObject({ status: 'reconciled', event_info: { result: { ft_home: 7 } } });
    const [, profit] = match.orderOf(id).profit_loss;
    match.pass(QUICK_MS);
    expect(match.orderOf(id)).toMatchObject({
      status: 'reconciled',
      profit_loss: ['USDT', profit],
      event_info: { result: { ht_home: 6, ht_away: 0, ft_home: 7, ft_away: 5 } },
    });
    expect(match.of(playing).phase).toBe('settled');
    expect(live()).toBeGreaterThanOrEqual(before);
  });

  it('voids', () => {
    begin({ speed: 30 });
    const { order_id: id } = match.order(playing, 'for,h', 1.01);
    match.do(playing, { kind: 'end', result: null });
    match.pass(QUICK_MS);
    expect(match.orderOf(id)).toMatchObject({ status: 'full_void', profit_loss: ['USDT', 0] });
    expect(match.of(playing).phase).toBe('void');
  });

  it('can be corrected, also after the model gave its own', () => {
    begin({ speed: 30 });
    const { order_id: id } = match.order(playing, 'for,h', 1.01);
    match.pass(QUICK_MS);
    expect(match.of(playing).phase).toBe('settled');
    match.do(playing, { kind: 'end', result: RESULT });
    expect(match.orderOf(id).event_info.result).toMatchObject({ ft_home: 7, ft_away: 5 });
  });

  it('of a match settles the first half that is still open on the half-time score', () => {
    const [half, whole] = halfAndWhole();
    const { order_id: id } = match.order(half, 'for,h', 1.01);
    match.do(whole, { kind: 'end', result: RESULT });
    expect(match.of(half).phase).toBe('settled');
    match.pass(AFTER_GOAL_MS);
    expect(match.orderOf(id)).toMatchObject({ status: 'reconciled', event_info: { result: { ft_home: 6 } } });
  });

  it('of a first half leaves the match alone', () => {
    const half = match.event('fb_ht', 'pre_event');
    match.do(half, { kind: 'end', result: { ...RESULT, home: 6, away: 0 } });
    match.pass(AFTER_GOAL_MS);
    expect(match.of(half).phase).toBe('settled');
    const others = match.exchange.inspect().events.filter(({ sport }) => sport === 'fb');
    expect(others.every(({ phase }) => phase === 'live')).toBe(true);
  });
});

describe('a suspension by intervention', () => {
  it('lasts, through goals, until it is lifted', () => {
    match.do(playing, { kind: 'suspend' });
    match.do(playing, { kind: 'goal', side: 'home' });
    for (let i = 0; i < 10; i++) {
      match.pass(AFTER_GOAL_MS);
      expect(match.of(playing).suspended).toBe(true);
      expect(match.offers(playing, 'h')).toBe(0);
    }
    match.do(playing, { kind: 'resume' });
    expect(match.of(playing).suspended).toBe(false);
    match.pass(5 * SECOND_MS);
    expect(match.offers(playing, 'over,2.5') + match.offers(playing, 'd')).toBeGreaterThan(0);
  });

  it('before the start lasts through the start', () => {
    const soon = match.event('fb', 'pre_event');
    match.do(soon, { kind: 'suspend' });
    match.pass(6 * 60 * SECOND_MS);
    expect(match.of(soon)).toMatchObject({ irStatus: 'in_running', suspended: true });
    match.do(soon, { kind: 'resume' });
    match.pass(5 * SECOND_MS);
    expect(match.of(soon).suspended).toBe(false);
    expect(match.offers(soon, 'h')).toBeGreaterThan(0);
  });

  it('may cut short that of the model, which does not come back by itself', () => {
    match.do(playing, { kind: 'goal', side: 'away' });
    match.pass(3 * SECOND_MS);
    expect(match.of(playing).suspended).toBe(true);
    match.do(playing, { kind: 'resume' });
    match.pass(5 * SECOND_MS);
    expect(match.of(playing).suspended).toBe(false);
    expect(match.offers(playing, 'd') + match.offers(playing, 'over,2.5')).toBeGreaterThan(0);
  });

  it('in the middle of one of the model lasts to the result, too', () => {
    begin({ speed: 30 });
    match.do(playing, { kind: 'goal', side: 'away' });
    match.pass(2 * SECOND_MS);
    expect(match.of(playing).suspended).toBe(true);
    match.do(playing, { kind: 'suspend' });
    match.pass(2 * QUICK_MS);
    expect(match.of(playing).phase).toBe('settled');
  });

  it('before the end lasts to the result', () => {
    begin({ speed: 30 });
    match.do(playing, { kind: 'suspend' });
    for (let s = 0; s < QUICK_MS && match.of(playing).phase === 'live'; s += SECOND_MS) {
      expect(match.of(playing).suspended).toBe(true);
      match.pass(SECOND_MS);
    }
    expect(match.of(playing).phase).toBe('settled');
  });
});

describe('an intervention that the model does not know', () => {
  it('is left to the exchange', () => {
    const suspend = (event: SimEventName) =>
      match.feed.intervene?.(match.exchange.market, event, { kind: 'suspend' }, match.nowMs);
    expect(suspend({ ...playing, eventId: 'other' })).toBe(false);
    expect(suspend({ ...playing, sport: 'fb_corn' })).toBe(false);
  });
});
