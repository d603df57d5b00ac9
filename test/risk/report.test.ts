import { describe, expect, it } from 'vitest';
import { betType, eventId } from '../../src/domain/ids.ts';
import { learnGrids } from './support/books.ts';
import { ask, type Bench, bench, EVENT, fillOf, FIXTURE, FOOTBALL, live } from './support/harness.ts';
import { betsOf } from '../support/account.ts';

const OTHER = eventId('2026-11-22,3,4');
const ELSEWHERE = { sport: FOOTBALL, eventId: OTHER };

const hold = ({ risk }: Bench, stake: number, given: Parameters<typeof ask>[0] = {}): void =>
  betsOf(risk).report(fillOf(ask(given), stake));

/** Bets on home and on the score 2-1, one off the grid, an open order on the grid, and a bet on another event. */
function holder(): Bench {
  const world = bench();
  learnGrids(world.risk, ['for,h', 'for,cs,2,1']);
  hold(world, 10, { price: 3 });
  hold(world, 2, { betType: 'against,cs,2,1', price: 11 });
  hold(world, 4, { betType: 'for,dnb,h' });
  world.risk.onOrder(live(ask({ betType: 'for,h', stake: 7 })));
  hold(world, 5, { betType: 'for,x', event: OTHER });
  return world;
}

const home = { selectionId: `fb|${EVENT}|h`, direction: 'for', priceKind: 'odds-for', price: 3 };
const score = { selectionId: `fb|${EVENT}|cs,2,1`, direction: 'against', priceKind: 'lay-for', price: 11 };

describe('the held bets at a final score', () => {
  it('are those that it decides, with what each pays there, the best first', () => {
    const { risk } = holder();
    const at = (goals: number, others: number) => risk.betsAtScore(FIXTURE, goals, others);
    expect(at(2, 1)).toEqual([
      { ...home, stakeMicros: 10e6, paysMicros: 20e6 },
      { ...score, stakeMicros: 2e6, paysMicros: -20e6 },
    ]);
    expect(at(1, 2)).toEqual([
      { ...score, stakeMicros: 2e6, paysMicros: 2e6 },
      { ...home, stakeMicros: 10e6, paysMicros: -10e6 },
    ]);
    expect(risk.betsAtScore(ELSEWHERE, 0, 0)).toEqual([]);
    expect(risk.betsAtScore({ ...FIXTURE, eventId: eventId('none') }, 0, 0)).toEqual([]);
  });
});

describe('the risk of an event', () => {
  it('is what held bets pay in each final score, and the worst with open orders', () => {
    const { risk } = holder();
    const found = risk.eventRisk(FIXTURE);
    const cells = found?.cells ?? [];
    expect(cells).toHaveLength(400);
    // Home wins 1-0, 2-1 pays against the score, and 0-0 loses the stake of home.
    expect([cells[20], cells[41], cells[0]]).toEqual([22e6, 0, -8e6]);
    // The worst is a loss of the order as well, and of the bet that no score decides.
    expect(found).toMatchObject({ worstMicros: -8e6 - 7e6 - 4e6, besidesMicros: -4e6 });
  });

  it('is told for no final score that can no longer be', () => {
    const { risk } = holder();
    risk.onPlay({ ...FIXTURE, inRunning: true, score: [1, 0] });
    const { cells } = risk.eventRisk(FIXTURE) ?? { cells: null };
    expect(cells).toHaveLength(400);
    expect([cells?.[0], cells?.[19], cells?.[20], cells?.[41]]).toEqual([null, null, 22e6, 0]);
    expect(cells?.filter((micros) => micros === null)).toHaveLength(20);
  });

  it('has no final scores where none decides a bet, and is none without bets', () => {
    const { risk } = holder();
    expect(risk.eventRisk(ELSEWHERE)).toEqual({
      worstMicros: -5e6,
      cells: null,
      besidesMicros: -5e6,
      limitMicros: 4_000e6,
    });
    expect(risk.eventRisk({ ...FIXTURE, eventId: eventId('none') })).toBeNull();
  });
});

describe('the held events', () => {
  it('are those with held bets, with the least that these pay', () => {
    const world = holder();
    world.risk.onOrder(live(ask({ event: eventId('2026-11-23,5,6') })));
    expect(world.risk.heldEvents()).toEqual([
      { ...FIXTURE, leastMicros: -8e6 - 4e6 },
      { ...ELSEWHERE, leastMicros: -5e6 },
    ]);
  });
});

describe('the exposure', () => {
  it('names each selection and each bet type off the grid once', () => {
    const world = holder();
    hold(world, 1, { betType: 'for,dnb,h' });
    const [event] = world.risk.exposure().events;
    expect(event).toMatchObject({ ...FIXTURE, openOrders: 1, offGrid: [betType('for,dnb,h')] });
    expect(event?.selections).toEqual([
      { selectionId: home.selectionId, worstMicros: -17e6 },
      { selectionId: score.selectionId, worstMicros: -20e6 },
      { selectionId: `fb|${EVENT}|dnb,h`, worstMicros: -5e6 },
    ]);
    expect(world.risk.accountExposure()).toMatchObject({ openOrders: 1, openMicros: 7e6 });
  });
});
