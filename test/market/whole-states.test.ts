import { describe, expect, it } from 'vitest';
import type { AccountChange } from '../../src/account/changes.ts';
import { betId, betslipId, betType, eventId, sport } from '../../src/domain/ids.ts';
import { selectionId } from '../../src/domain/selection.ts';
import type { StreamEntry, StreamSignal } from '../../src/domain/stream.ts';
import { keysFrom } from '../../src/market/index.ts';
import {
  AGAINST,
  EVENT,
  eventEntry,
  FB,
  FILL,
  FIXTURE,
  FOR,
  HOME,
  liveOrder,
  offer,
  offerEntry,
  prices,
  quoteEntry,
  rig,
  sportEvent,
  STALE_MS,
} from './support.ts';

const FLAT = { ifWinMicros: 0, ifLoseMicros: 0 };
const DRAW = selectionId(FB, EVENT, 'd');
const OTHER = { sport: FB, eventId: eventId('2026-11-22,1,2') };
const removeOffer = (name: string): StreamEntry => ({
  tag: 'remove_offer',
  sport: FB,
  eventId: EVENT,
  betType: betType(name),
});
const BOTH = [offerEntry('for,h', FOR), offerEntry('against,h', AGAINST)];

describe('what is told of a market is whole', () => {
  it('a view of an event', async () => {
    const source = { name: 'mine', staleAfterMs: 60_000, keyOf: keysFrom('{home}') };
    const match = { sports: [], competitions: [], marketTypes: [] };
    const { view, frame, order, fill, clock, sourcePrices$ } = rig({ priceSources: [{ ...source, match }] });
    frame([
      eventEntry(),
      ...BOTH,
      { tag: 'event_score', ...FIXTURE, score: [1, 0] },
      { tag: 'event_red_cards', ...FIXTURE, redCards: [0, 1] },
      { tag: 'event_time', ...FIXTURE, time: { period: '1h', minutes: 3 } },
    ]);
    const own = liveOrder({ tick: 50, stakeMicros: 10e6, filledMicros: 4e6 });
    order(own);
    order(liveOrder({ state: 'closed' }));
    fill({ ...FILL, stakeMicros: 3e6, atMs: clock.wallMs() });
    sourcePrices$.next({ source: 'mine', prices: [{ key: 'A', price: 2.5 }] });
    await clock.advance(700);
    const position = { ifWinMicros: 5e6, ifLoseMicros: -3e6 };
    const budgets = { ordersNow: 1, betslipsNow: 2, betslipsToday: 3, generalNow: 4 };
    const mid = (1 / 2 + 1 / 2.04) / 2;
    expect(view([HOME, DRAW], position, [HOME], { realisedMicros: 9, budgets })).toEqual({
      ...FIXTURE,
      eventName: 'A v B',
      competitionName: 'League',
      competitionId: 7,
      home: 'A',
      away: 'B',
      nowMs: clock.wallMs(),
      startsInMs: 3_600_000 - 700,
      inRunning: true,
      score: [1, 0],
      redCards: [0, 1],
      matchClock: { period: '1h', minutes: 3 },
      budgets,
      holdings: [{ selectionId: HOME, position, grid: null }],
      profit: { realisedMicros: 9, openMicros: Math.round(mid * 5e6 - (1 - mid) * 3e6) },
      selections: [
        {
          selectionId: HOME,
          marketType: 'wdw',
          outcome: 'h',
          name: 'A',
          position,
          grid: null,
          market: {
            for: { priceList: FOR, source: 'offer', ageMs: 700 },
            against: { priceList: AGAINST, source: 'offer', ageMs: 700 },
          },
          quotes: [
            { direction: 'against', tick: 50, unfilledMicros: 6e6, phase: 'delayed', aheadMicros: null },
          ],
          recentFills: [{ direction: 'for', price: 2, stakeMicros: 3e6, ageMs: 700 }],
          mids: [clock.wallMs(), mid],
          mid,
          lastTraded: null,
          tradedVolume: null,
          betDelayMs: null,
          betDelayModels: null,
          suspension: 'none',
          sourcePrices: { mine: { price: 2.5, ageMs: 700, latencyMs: null } },
        },
      ],
    });
  });

  it('an event', () => {
    const { market, frame } = rig();
    expect([market.event(FIXTURE), [...market.events()]]).toEqual([undefined, []]);
    frame(BOTH);
    expect([market.event(FIXTURE), [...market.events()]]).toEqual([undefined, []]);
    frame([eventEntry(), { tag: 'event_time', ...FIXTURE, time: { period: 'ht', minutes: null } }]);
    const state = {
      event: sportEvent(),
      current: true,
      inRunning: true,
      score: null,
      scoreAgeMs: null,
      redCards: null,
      time: { period: 'ht', minutes: null },
      suspended: false,
    };
    expect(market.event(FIXTURE)).toEqual(state);
    expect([...market.events()]).toEqual([state]);
  });

  it('a selection', async () => {
    const { market, frame, order, clock } = rig();
    frame([eventEntry(), ...BOTH]);
    const own = liveOrder();
    order(own);
    order(liveOrder({ selectionId: DRAW }));
    await clock.advance(300);
    frame([removeOffer('against,h'), quoteEntry('for,h', prices([2.02, 5]))]);
    await clock.advance(200);
    expect(market.selection(HOME)).toEqual({
      selection: { id: HOME, ...FIXTURE, outcome: 'h' },
      marketType: 'wdw',
      betTypes: { for: 'for,h', against: 'against,h' },
      offers: { for: { priceList: FOR, ageMs: 500, epoch: 1, freshness: 'fresh' }, against: null },
      takenAway: { for: null, against: { ageMs: 200, epoch: 1 } },
      quotes: {
        for: { priceList: prices([2.02, 5]), ageMs: 200, epoch: 1, freshness: 'fresh' },
        against: null,
      },
      orders: [own],
    });
    await clock.advance(STALE_MS - 200);
    expect(market.selection(HOME)?.offers.for).toMatchObject({ ageMs: STALE_MS + 300, freshness: 'stale' });
    expect(market.selection(HOME)?.quotes.for?.freshness).toBe('fresh');
    frame([eventEntry()], 2);
    expect(market.selection(HOME)).toMatchObject({
      offers: { for: { epoch: 1, freshness: 'earlier-epoch' } },
      quotes: { for: { epoch: 1, freshness: 'earlier-epoch' } },
    });
  });
});

describe('a change', () => {
  const EVERY: readonly [string, StreamEntry][] = [
    ['description', eventEntry({ home: 'X' })],
    ['score', { tag: 'event_score', ...FIXTURE, score: null }],
    ['cards', { tag: 'event_red_cards', ...FIXTURE, redCards: [1, 1] }],
    ['clock', { tag: 'event_time', ...FIXTURE, time: null }],
    ['offer', offerEntry('for,h', prices([2, 1]))],
    ['removed offer', removeOffer('for,h')],
    ['quote', quoteEntry('for,h', prices([2, 7]))],
    ['betslip', { tag: 'betslip', betslipId: betslipId('s1'), expiryMs: null }],
    ['closed betslip', { tag: 'betslip_closed', betslipId: betslipId('s1'), closeReason: null }],
    ['removed event', { tag: 'remove_event', ...FIXTURE }],
    ['loss of all', { tag: 'clear_events' }],
  ];

  it.each(EVERY)('names the event of a %s once', (_, entry) => {
    const { frame } = rig();
    frame([eventEntry(), ...BOTH, eventEntry(OTHER), quoteEntry('for,h', FOR)]);
    const events = entry.tag === 'clear_events' ? [FIXTURE, OTHER] : [FIXTURE];
    expect(frame([entry, ...BOTH.slice(1), entry])).toEqual({ cause: 'frame', epoch: 1, events });
  });

  it.each<[string, StreamEntry]>([
    ['removal of an event that is not known', { tag: 'remove_event', ...OTHER }],
    ['removal of an offer that is not known', removeOffer('for,x')],
    ['removal of an offer without a direction', removeOffer('odd')],
    ['betslip of no market', { tag: 'betslip', betslipId: betslipId('x'), expiryMs: 1 }],
    ['closed betslip of no market', { tag: 'betslip_closed', betslipId: betslipId('x'), closeReason: null }],
    ['quote without a direction', quoteEntry('odd', FOR)],
    ['sync', { tag: 'sync', sessionId: null }],
    ['balance', { tag: 'balance', balance: {} as never }],
  ])('is none by a %s', (_, entry) => {
    const { frame } = rig();
    frame([eventEntry(), ...BOTH]);
    expect(frame([entry])).toBeNull();
  });

  it.each<StreamSignal>([
    { kind: 'connecting', epoch: 2 },
    { kind: 'open', epoch: 2 },
    { kind: 'synced', epoch: 2 },
    { kind: 'closed', epoch: 2, reason: '', retryInMs: null },
  ])('by the signal $kind of another connection names the events with markets, and then none', (signal) => {
    const { frame, signals$, changes } = rig();
    frame([eventEntry(), ...BOTH, eventEntry(OTHER)]);
    signals$.next(signal);
    signals$.next(signal);
    expect(changes.slice(-2)).toEqual([
      { cause: 'connection', epoch: 2, events: [FIXTURE] },
      { cause: 'connection', epoch: 2, events: [] },
    ]);
  });

  it('by an order or a bet names its event, known or not, and by other news of the account nothing', () => {
    const { order, fill, changes, account$ } = rig();
    order(liveOrder(OTHER));
    fill({ ...FILL, ...OTHER });
    const own = { cause: 'own', epoch: 0, events: [OTHER] };
    expect(changes).toEqual([own, own]);
    for (const kind of ['balance', 'result', 'moved', 'reopened', 'owned', 'foreign_order', 'other_account'])
      account$.next({ kind } as AccountChange);
    expect(changes).toHaveLength(2);
  });
});

describe('offers of several events in one frame', () => {
  it('go to the event that they name, though the order of an earlier frame was another', () => {
    const { market, frame } = rig();
    const half = { sport: sport('fb_ht'), eventId: EVENT };
    const names = [FIXTURE, OTHER, half];
    const round = (stakes: readonly number[]): StreamEntry[] =>
      names.flatMap((name, at) =>
        ['for,h', 'against,h'].map((type) => offerEntry(type, prices([2, stakes[at] as number]), name)),
      );
    frame([...names.map((name) => eventEntry(name)), ...round([1, 2, 3])]);
    const [a, b, c, d, e, f] = round([4, 5, 6]) as [StreamEntry, ...StreamEntry[]];
    frame([a, c, e, b, d, f] as StreamEntry[]);
    for (const [at, name] of names.entries()) {
      const list = prices([2, at + 4]);
      const id = selectionId(name.sport, name.eventId, 'h');
      expect(market.marketOf(id)).toEqual({ for: list, against: list });
    }
  });
});

describe('a broadcast', () => {
  /** Both offers at the instant 0, and after that `for` alone; the instants of the second and third frame. */
  async function shown(secondMs: number, thirdMs: number, nowMs: number) {
    const { market, frame, clock } = rig({ absentAfterMs: 1_000 });
    const same = { tag: 'offer', offer: offer('for,h', FOR) } as const;
    frame([eventEntry(), same, offerEntry('against,h', AGAINST)]);
    await clock.advance(secondMs);
    frame([same]);
    await clock.advance(thirdMs - secondMs);
    frame([same]);
    await clock.advance(nowMs - thirdMs);
    return market.marketOf(HOME).against !== null;
  }

  it.each([
    [1_000, 1_000, 1_500, true],
    [1_001, 1_001, 2_001, true],
    [1_001, 1_001, 2_002, false],
    [1_001, 2_001, 2_001, true],
    [1_001, 2_002, 2_002, false],
  ])('with frames at %i and %i ms, seen at %i, still has what the last one lacks: %s', async (...row) => {
    const [second, third, now, isThere] = row;
    expect(await shown(second, third, now)).toBe(isThere);
  });
});

describe('an event in running', () => {
  it('is told by offers that are fresh or stale, and not by those of an earlier connection or that are gone', async () => {
    const { market, frame, clock } = rig();
    const inRunning = (): boolean | undefined => market.event(FIXTURE)?.inRunning;
    frame([eventEntry(), offerEntry('for,h', FOR, { inRunning: true }), offerEntry('against,h', AGAINST)]);
    expect(inRunning()).toBe(true);
    await clock.advance(STALE_MS + 1);
    expect(inRunning()).toBe(true);
    frame([eventEntry()], 2);
    expect(inRunning()).toBe(false);
    frame([offerEntry('for,h', FOR, { inRunning: true })], 2);
    frame([offerEntry('for,d', FOR, { inRunning: true })], 2);
    frame([offerEntry('for,h', FOR)], 2);
    expect(inRunning()).toBe(true);
    frame([removeOffer('for,d')], 2);
    expect(inRunning()).toBe(false);
  });
});

describe('the expiry of a betslip', () => {
  it('is counted from the instant of the frame by the exchange’s clock, and is none where it is not told', async () => {
    const { market, clock, signals$ } = rig();
    const freshness = () => market.selection(HOME)?.quotes.for?.freshness;
    const tell = (expiryMs: number | null, sentMs: number | null): void =>
      signals$.next({
        kind: 'frame',
        epoch: 1,
        sentMs,
        receivedMonotonicMs: clock.monotonicMs(),
        entries: [
          eventEntry(),
          offerEntry('for,h', FOR),
          quoteEntry('for,h', FOR),
          { tag: 'betslip', betslipId: betslipId('s1'), expiryMs },
        ],
      });
    tell(5_000, 3_000);
    await clock.advance(1_999);
    expect(freshness()).toBe('fresh');
    await clock.advance(1);
    expect(freshness()).toBe('expired');
    tell(null, 3_000);
    await clock.advance(5_000);
    expect(freshness()).toBe('fresh');
    tell(clock.wallMs() + 100, null);
    await clock.advance(99);
    expect(freshness()).toBe('fresh');
    await clock.advance(1);
    expect(freshness()).toBe('expired');
  });
});

describe('recent fills', () => {
  it('of one selection stay while another has none left, and a bet of the future is new', async () => {
    const { view, frame, fill, clock } = rig();
    const ages = (id = HOME) => view([id], FLAT)?.selections[0]?.recentFills?.map(({ ageMs }) => ageMs);
    frame([eventEntry(), ...BOTH, offerEntry('for,d', FOR)]);
    fill({ ...FILL, selectionId: DRAW, atMs: clock.wallMs() });
    await clock.advance(300_000);
    fill({ ...FILL, betId: betId(2), atMs: clock.wallMs() + 50_000 });
    expect([ages(), ages(DRAW)]).toEqual([[0], [300_000]]);
    await clock.advance(300_001);
    fill({ ...FILL, selectionId: selectionId(FB, EVENT, 'x'), atMs: clock.wallMs() });
    expect([ages(), ages(DRAW)]).toEqual([[300_001], []]);
  });
});
