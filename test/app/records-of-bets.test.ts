import { describe, expect, it } from 'vitest';
import { recordsOf } from '../../src/app/run/records.ts';
import { payoffOf } from '../../src/app/run/controls.ts';
import { whyOf } from '../../src/app/run/why-control.ts';
import type { Composed } from '../../src/app/compose.ts';
import { markedBy } from '../../src/app/read-model-feed.ts';
import type { ExchangePrices } from '../../src/domain/exchange-prices.ts';
import { betId, eventId, orderId, type SelectionId, sport } from '../../src/domain/ids.ts';
import type { FillRow } from '../../src/history/facts.ts';
import type { HistoryReader } from '../../src/history/history.ts';
import { eventKey } from '../../src/domain/events.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import { type Fact, ReadModel } from '../../src/read-model/read-model.ts';
import type { WhyReport } from '../../src/risk/index.ts';

const ODDS: ExchangePrices = { convention: 'odds', secondSide: 'against' };
const HOME = 'fb|2026-01-01,1,2|h' as SelectionId;

const FILL: FillRow = {
  betId: betId(1),
  orderId: orderId(2),
  sport: sport('fb'),
  eventId: eventId('2026-01-01,1,2'),
  strategy: 'mine',
  selectionId: HOME,
  role: 'maker',
  atMs: 0,
  fair: 0.45,
  title: 'A v B',
  direction: 'against',
  priceKind: 'odds-against',
  price: 1.8,
  stakeMicros: 10e6,
  day: '2026-01-01',
  cause: null,
  voided: false,
  markouts: { 1: 160_000, 10: null, 60: -80_000 },
};

const fillsOf = (fill: FillRow) =>
  recordsOf(
    { fills: () => [fill] } as unknown as HistoryReader,
    () => [],
    () => 0,
  ).fills({ limit: 1 } as never);

describe('the recorded fills of a page', () => {
  it('are at the price and with the stake of the selection, and so are their mark-outs', () => {
    expect(fillsOf(FILL)).toMatchObject([
      {
        direction: 'against',
        price: 2.25,
        stake: 8,
        markout1: 0.02,
        markout10: null,
        markout60: -0.01,
        exchange: { label: 'against', price: 1.8, stake: 10 },
      },
    ]);
  });

  it('stay as they are at prices of the selection', () => {
    const [fill] = fillsOf({ ...FILL, priceKind: 'lay-for', price: 2.25, stakeMicros: 8e6 });
    expect(fill).toMatchObject({ price: 2.25, stake: 8, markout1: 0.02 });
    expect(fill).not.toHaveProperty('exchange');
  });
});

describe('the explanation of a selection', () => {
  const why = (wanted: WhyReport['wanted']): WhyReport => ({
    selectionId: HOME,
    wanted,
    verdicts: [],
    reason: { for: null, against: null },
    alarms: [],
    state: { state: 'active', record: null } as unknown as WhyReport['state'],
  });

  it('shows wanted quotes at the price of the selection', () => {
    const quote = { direction: 'against', level: 0, priceKind: 'odds-against', price: 1.8 } as const;
    expect(whyOf(why([{ ...quote, stakeMicros: 10e6, reason: 'so' }]), ODDS).wanted).toEqual([
      {
        direction: 'against',
        level: 0,
        price: 2.25,
        stakeUsdt: 8,
        reason: 'so',
        exchange: { label: 'against', price: 1.8, stake: 10 },
      },
    ]);
  });

  it('adds nothing at prices of the selection', () => {
    const quote = {
      direction: 'against',
      level: 0,
      priceKind: 'lay-for',
      price: 2.25,
      stakeMicros: 8e6,
    } as const;
    const prices: ExchangePrices = { convention: 'lay', secondSide: 'against' };
    expect(whyOf(why([quote]), prices).wanted).toEqual([
      { direction: 'against', level: 0, price: 2.25, stakeUsdt: 8 },
    ]);
  });
});

describe('the bets behind a final score', () => {
  it('are at the price and with the stake of the selection', () => {
    const event = { sport: sport('fb'), eventId: eventId('2026-01-01,1,2') };
    const bet = { selectionId: HOME, direction: 'against', priceKind: 'odds-against', price: 1.8 };
    const composed = {
      core: {
        market: { event: () => undefined },
        prices: { current: ODDS },
        risk: {
          heldEvents: () => [event],
          betsAtScore: () => [{ ...bet, stakeMicros: 10e6, paysMicros: -10e6 }],
        },
      },
    };
    expect(payoffOf({ ...composed, parts: composed } as unknown as Composed, eventKey(event), 1, 0)).toEqual([
      {
        selectionId: HOME,
        direction: 'against',
        price: 2.25,
        stakeUsdt: 8,
        paysUsdt: -10,
        name: expect.any(String) as string,
        exchange: { label: 'against', price: 1.8, stake: 10 },
      },
    ]);
  });
});

describe('what a fill was worth ten seconds later', () => {
  it('is a share of its stake at the price of the selection', () => {
    const facts: Fact[] = [];
    const model = new ReadModel(0);
    model.take = (fact) => void facts.push(fact);
    const fill = { betId: betId(1), priceKind: 'odds-against', price: 1.8, stakeMicros: 10e6 } as Fill;
    markedBy(model, undefined)(fill, 10, 160_000);
    expect(facts).toEqual([{ kind: 'markout10', betId: 1, ratio: 0.02 }]);
  });
});
