import { describe, expect, it } from 'vitest';
import { eventId, type SelectionId } from '../../src/domain/ids.ts';
import { selectionId } from '../../src/domain/selection.ts';
import type { StreamEntry } from '../../src/domain/stream.ts';
import { MID_HISTORY_MS, midPoints } from '../../src/domain/mid-history.ts';
import { QuotedSelections } from '../../src/market/quoted-selections.ts';
import {
  AGAINST,
  EVENT,
  eventEntry,
  FB,
  FIXTURE,
  FOR,
  HOME,
  liveOrder,
  offerEntry,
  prices,
  rig,
  sportEvent,
} from './support.ts';

const FLAT = { ifWinMicros: 0, ifLoseMicros: 0 };
const BOTH = [offerEntry('for,h', FOR), offerEntry('against,h', AGAINST)];

describe('the view', () => {
  it('names event, competition, teams and selections', () => {
    const { view, frame } = rig();
    frame([eventEntry({ home: 'Arsenal', away: 'Chelsea', eventName: 'Arsenal v Chelsea' }), ...BOTH]);
    const handicap = selectionId(FB, EVENT, 'ah,a,-3');
    frame([offerEntry('for,ah,a,-3', FOR)]);
    const seen = view([HOME, handicap], FLAT);
    expect(seen).toMatchObject({
      eventName: 'Arsenal v Chelsea',
      competitionName: 'League',
      home: 'Arsenal',
      away: 'Chelsea',
    });
    expect(seen?.selections.map(({ name }) => name)).toEqual(['Arsenal', 'Chelsea +0.75']);
  });

  it('has null for names that the exchange leaves empty', () => {
    const { view, frame } = rig();
    frame([eventEntry({ home: '', away: '', eventName: '', competitionName: '' }), ...BOTH]);
    expect(view([HOME], FLAT)).toMatchObject({
      eventName: null,
      competitionName: null,
      home: null,
      away: null,
    });
    expect(view([HOME], FLAT)?.selections[0]?.name).toBe('Home');
  });

  it('follows a new description of the event', () => {
    const { view, frame } = rig();
    frame([eventEntry({ home: 'Arsenal' }), ...BOTH]);
    expect(view([HOME], FLAT)?.selections[0]?.name).toBe('Arsenal');
    frame([eventEntry({ home: 'Arsenal Women' })]);
    expect(view([HOME], FLAT)?.selections[0]?.name).toBe('Arsenal Women');
  });

  it('has score, red cards and match clock as the exchange last sent them on this connection', () => {
    const { view, frame } = rig();
    const state = (): unknown[] => {
      const { score, redCards, matchClock } = view([HOME], FLAT) ?? {};
      return [score, redCards, matchClock];
    };
    frame([eventEntry(), ...BOTH]);
    expect(state()).toEqual([null, null, null]);
    const live: StreamEntry[] = [
      { tag: 'event_score', ...FIXTURE, score: [1, 0] },
      { tag: 'event_red_cards', ...FIXTURE, redCards: [0, 2] },
      { tag: 'event_time', ...FIXTURE, time: { period: '2h', minutes: 67 } },
    ];
    frame(live);
    expect(state()).toEqual([[1, 0], [0, 2], { period: '2h', minutes: 67 }]);
    frame([eventEntry(), ...BOTH], 2);
    expect(state()).toEqual([null, null, null]);
  });
});

describe('the profit of an event', () => {
  const POSITION = { ifWinMicros: 30_000_000, ifLoseMicros: -10_000_000 };
  const AWAY = selectionId(FB, EVENT, 'a');
  const market = [...BOTH, offerEntry('for,a', FOR), offerEntry('against,a', AGAINST)];
  const expected = ((1 / 2 + 1 / 2.04) / 2) * 40_000_000 - 10_000_000;
  const onHome = { position: (id: SelectionId) => (id === HOME ? POSITION : FLAT), realisedMicros: -7 };

  it('is that of its results, and of open bets at the mid', () => {
    const { view, frame } = rig();
    frame([eventEntry(), ...market]);
    const profit = { realisedMicros: -7, openMicros: Math.round(expected) };
    expect(view([HOME], FLAT, [HOME], onHome)?.profit).toEqual(profit);
    expect(view([AWAY], FLAT, [HOME], onHome)?.profit).toEqual(profit);
    expect(view([AWAY], FLAT)?.profit).toEqual({ realisedMicros: 0, openMicros: 0 });
  });

  it('is not known of open bets while a mid is missing, or the exchange does not list the selection', () => {
    const { view, frame } = rig();
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    expect(view([HOME], FLAT, [HOME], onHome)?.profit).toEqual({ realisedMicros: -7, openMicros: null });
    const unlisted = selectionId(FB, EVENT, 'd');
    const account = { position: (id: SelectionId) => (id === unlisted ? POSITION : FLAT) };
    expect(view([HOME], FLAT, [unlisted], account)?.profit.openMicros).toBeNull();
  });

  it('lists what is held in the order of the market, whatever the order of the positions, and then what the market lacks', () => {
    const { view, frame } = rig();
    frame([eventEntry(), ...market]);
    const unlisted = selectionId(FB, EVENT, 'd');
    const elsewhere = selectionId(FB, eventId('2026-11-21,30,40'), 'h');
    const holdings = view([HOME], POSITION, [unlisted, AWAY, elsewhere, HOME])?.holdings;
    expect(holdings?.map(({ selectionId: id }) => id)).toEqual([HOME, AWAY, unlisted]);
  });

  it('does not touch what is remembered of other makers’ stakes', async () => {
    const held = rig();
    const other = rig();
    for (const each of [held, other]) {
      each.frame([eventEntry(), ...market]);
      each.order(liveOrder({ tick: 99, createdMonotonicMs: each.clock.monotonicMs() }));
      await each.clock.advance(1_000);
      each.frame([offerEntry('for,h', prices([2, 60]))]);
    }
    held.view([AWAY], FLAT, [HOME], onHome);
    for (const each of [held, other]) each.frame([offerEntry('for,h', prices([2, 40]))]);
    expect(held.market.marketOf(HOME)).toEqual(other.market.marketOf(HOME));
  });
});

it('shows the budgets that it was given', () => {
  const { view, frame } = rig();
  const budgets = { ordersNow: 3, betslipsNow: 7, betslipsToday: 901, generalNow: 50 };
  frame([eventEntry(), ...BOTH]);
  expect(view([HOME], FLAT, [], { budgets })?.budgets).toEqual(budgets);
  expect(view([HOME], FLAT)?.budgets).toBeNull();
});

describe('the course of a mid', () => {
  const middle = (...[low, high]: [number, number]): number => (1 / low + 1 / high) / 2;

  it('is noted at each view, without our own stake', async () => {
    const { view, frame, order, clock } = rig();
    const startMs = clock.wallMs();
    const mids = () => midPoints(view([HOME], FLAT)?.selections[0]?.mids ?? []);
    frame([eventEntry(), ...BOTH]);
    expect(mids()).toEqual([{ atMs: startMs, mid: middle(2, 2.04) }]);
    await clock.advance(8_000);
    order(liveOrder({ direction: 'against', tick: 100, createdMonotonicMs: clock.monotonicMs() }));
    await clock.advance(4_000);
    // Our own order at 2.02 is the best of the market, but not part of the mid.
    frame([offerEntry('for,h', prices([2.02, 10], [2, 100])), offerEntry('against,h', AGAINST)]);
    expect(mids()).toHaveLength(1);
    frame([offerEntry('against,h', prices([2.08, 70]))]);
    expect(mids()).toEqual([
      { atMs: startMs, mid: middle(2, 2.04) },
      { atMs: startMs + 12_000, mid: middle(2, 2.08) },
    ]);
  });

  it('does not go on while a side is missing', async () => {
    const { view, frame, clock } = rig();
    frame([eventEntry(), ...BOTH]);
    expect(view([HOME], FLAT)?.selections[0]?.mids).toHaveLength(2);
    await clock.advance(5_000);
    frame([offerEntry('for,h', []), offerEntry('against,h', prices([3, 10]))]);
    expect(view([HOME], FLAT)?.selections[0]?.mids).toHaveLength(2);
  });

  it('is a copy: what a strategy does to it stays with the strategy', () => {
    const { view, frame } = rig();
    frame([eventEntry(), ...BOTH]);
    const mids = view([HOME], FLAT)?.selections[0]?.mids as number[];
    mids.length = 0;
    expect(view([HOME], FLAT)?.selections[0]?.mids).toHaveLength(2);
  });

  it('begins again when the event was removed', async () => {
    const { view, frame, clock } = rig();
    frame([eventEntry(), ...BOTH]);
    view([HOME], FLAT);
    frame([{ tag: 'remove_event', ...FIXTURE }]);
    await clock.advance(5_000);
    frame([eventEntry(), offerEntry('for,h', prices([1.9, 10])), offerEntry('against,h', AGAINST)]);
    expect(view([HOME], FLAT)?.selections[0]?.mids).toEqual([clock.wallMs(), middle(1.9, 2.04)]);
  });

  it('is kept only of selections that are viewed', () => {
    const quoted = new QuotedSelections();
    const book = (outcome: string) => ({ id: selectionId(FB, EVENT, outcome), outcome });
    const see = (outcome: string, atMs: number) =>
      quoted.view(book(outcome), sportEvent(), 0.5, { monotonicMs: atMs, wallMs: atMs });
    see('h', 0);
    see('a', 0);
    expect(quoted.size).toBe(2);
    see('a', MID_HISTORY_MS);
    see('a', 2 * MID_HISTORY_MS);
    expect(quoted.size).toBe(1);
    quoted.forget(book('a').id);
    expect(quoted.size).toBe(0);
  });
});
