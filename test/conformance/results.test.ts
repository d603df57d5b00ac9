import { describe, expect, it } from 'vitest';
import { toMicros } from '../../src/domain/money.ts';
import type { EventResult } from '../../src/domain/bet-types/result.ts';
import type { Client, Wire } from './support/client.ts';
import { event, exchange, type ServedExchange } from './support/exchange.ts';
import { EVENT_ID, START_MS } from './support/names.ts';

const RACE_ID = '2026-03-01,9,1';
const RUNNERS = [501, 502, 503].map((teamId) => ({ teamId, name: `Runner ${teamId}` }));

/** Adds an event of the sport with a price of 2 for one outcome. */
function put(ex: ServedExchange, sport: string, outcome: string, more: object = {}): void {
  const sim = event({ sport, ...more });
  ex.market((market, nowMs) => {
    market.putEvent(sim, nowMs);
    market.setLevel('maker', { sport, eventId: sim.eventId, outcome }, 'against', 2, toMicros(100), nowMs);
  });
}

const RACE = {
  eventType: 'multirunner',
  eventId: RACE_ID,
  teams: RUNNERS,
  home: '',
  away: '',
  homeId: 0,
  awayId: 0,
};
const putRace = (ex: ServedExchange): void =>
  put(ex, 'horse', 'win,501', { ...RACE, endTimeMs: START_MS + 3_780_000 });

async function bet(anna: Client, sport: string, betType: string, eventId: string): Promise<number> {
  const selection = { sport, event_id: eventId, bet_type: betType };
  const { betslip_id: betslipId } = (await anna.post('betslips/', selection)).data;
  const order = { betslip_id: betslipId, price: 2, stake: ['USDT', 10] };
  return (await anna.post('orders/', order)).data.order_id;
}

/** The order on the event, and its result as the order shows it, after the event has ended. */
async function settled(sport: string, result: EventResult): Promise<Wire> {
  const ex = await exchange({ priced: false });
  put(ex, sport, 'h');
  const anna = ex.client();
  const orderId = await bet(anna, sport, 'for,h', EVENT_ID);
  ex.market((market, nowMs) => market.settle({ sport, eventId: EVENT_ID }, result, nowMs));
  const order = await anna.order(orderId);
  expect(order).toMatchObject({ status: 'reconciled', profit_loss: ['USDT', 10] });
  return order.event_info.result;
}

const score = (more: object = {}): EventResult => ({
  kind: 'score',
  home: 2,
  away: 1,
  halfTimeHome: 1,
  halfTimeAway: 0,
  ...more,
});

describe('the result in an order', () => {
  it('has the games of each set in tennis', async () => {
    const periods = [
      [6, 4],
      [4, 6],
      [7, 5],
    ];
    expect(await settled('tennis', score({ periods }))).toMatchObject({
      set1_p1: 6,
      set1_p2: 4,
      set2_p1: 4,
      set2_p2: 6,
      set3_p1: 7,
      set3_p2: 5,
      set4_p1: null,
      set5_p2: null,
      who_retired: null,
    });
  });

  it('has the three periods and their total in ice hockey', async () => {
    const periods = [
      [1, 0],
      [0, 1],
      [1, 0],
    ];
    expect(await settled('ih', score({ periods }))).toMatchObject({
      tp1_home: 1,
      tp2_away: 1,
      tp3_home: 1,
      tall_home: 2,
      tall_away: 1,
      pen_home: null,
    });
  });

  it('has no half-time score in sports of one period', async () => {
    expect(await settled('cricket', score())).toEqual({ ft_home: 2, ft_away: 1 });
    expect(await settled('basket', score())).toEqual({ ht_home: 1, ht_away: 0, ft_home: 2, ft_away: 1 });
  });

  it('has each runner’s position and the number of non-runners in an outright', async () => {
    const ex = await exchange({ priced: false });
    putRace(ex);
    const anna = ex.client();
    const orderId = await bet(anna, 'horse', 'for,win,501', RACE_ID);
    const result = {
      kind: 'places',
      places: new Map([
        [501, 1],
        [502, 2],
      ]),
    } as const;
    ex.market((market, nowMs) => market.settle({ sport: 'horse', eventId: RACE_ID }, result, nowMs));
    expect((await anna.order(orderId)).event_info).toMatchObject({
      event_type: 'multirunner',
      end_time: '2026-03-01T13:03:00.000+00:00',
      result: {
        runner_results: [
          { team_id: 501, position: 1 },
          { team_id: 502, position: 2 },
          { team_id: 503, position: -2 },
        ],
        non_runner_count: 1,
      },
    });
  });
});

describe('an outright', () => {
  it('has its runners and an end time, over REST and on the stream', async () => {
    const ex = await exchange({ priced: false });
    const stream = await ex.client().stream();
    putRace(ex);
    const expected = {
      event_type: 'multirunner',
      teams: RUNNERS.map(({ teamId, name }) => ({ team_id: teamId, name })),
      end_time: '2026-03-01T13:03:00.000Z',
    };
    expect(await stream.until('event')).toMatchObject(expected);
    expect((await ex.client().get('events/')).data).toMatchObject([expected]);
  });
});
