import { describe, expect, it } from 'vitest';
import { betslipId, betType, eventId, sport } from '../../src/domain/ids.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import { selectionId } from '../../src/domain/selection.ts';
import type { StreamEntry } from '../../src/domain/stream.ts';
import {
  AGAINST,
  EVENT,
  eventEntry,
  FB,
  FILL,
  FIXTURE,
  FOR,
  HOME,
  offer,
  offerEntry,
  prices,
  quoteEntry,
  type Rig,
  rig,
  STALE_MS,
} from './support.ts';

const removeOffer = (name: string): StreamEntry => ({
  tag: 'remove_offer',
  sport: FB,
  eventId: EVENT,
  betType: betType(name),
});

describe('offers', () => {
  it('replace per bet type and give both directions of a selection', () => {
    const { market, frame } = rig();
    const change = frame([eventEntry(), offerEntry('for,h', FOR), offerEntry('against,h', AGAINST)]);
    expect(change).toEqual({ cause: 'frame', epoch: 1, events: [FIXTURE] });
    expect(market.marketOf(HOME)).toEqual({ for: FOR, against: AGAINST });
    const next = prices([1.95, 10]);
    expect(frame([offerEntry('for,h', next)])).toMatchObject({ events: [FIXTURE] });
    expect(market.marketOf(HOME)).toEqual({ for: next, against: AGAINST });
  });

  it('resolve to the named bet type, and to nothing else', () => {
    const { market, frame } = rig();
    frame([offerEntry('for,h', FOR)]);
    expect(market.resolve(HOME, 'odds-for')).toEqual({ sport: FB, eventId: EVENT, betType: 'for,h' });
    expect(market.resolve(HOME, 'lay-for')).toBeNull();
    frame([removeOffer('for,h')]);
    expect(market.resolve(HOME, 'odds-for')?.betType).toBe('for,h');
  });

  it('only count as seen when they are the identical object', async () => {
    const { market, frame, clock } = rig();
    const same = offer('for,h', FOR);
    frame([{ tag: 'offer', offer: same }]);
    await clock.advance(STALE_MS - 1);
    expect(frame([{ tag: 'offer', offer: same }])).toBeNull();
    await clock.advance(STALE_MS);
    expect(market.marketOf(HOME).for).toEqual(FOR);
    await clock.advance(1);
    expect(market.marketOf(HOME).for).toBeNull();
    expect(frame([{ tag: 'offer', offer: same }])?.events).toEqual([FIXTURE]);
    expect(market.marketOf(HOME).for).toEqual(FOR);
  });

  it('go stale by the monotonic clock, whatever the wall clock does', async () => {
    const { market, frame, clock } = rig();
    frame([offerEntry('for,h', FOR)]);
    clock.jumpWall(3_600_000);
    expect(market.marketOf(HOME).for).toEqual(FOR);
    clock.jumpWall(-7_200_000);
    await clock.advance(STALE_MS + 1);
    expect(market.marketOf(HOME).for).toBeNull();
    expect(market.selection(HOME)?.offers.for?.freshness).toBe('stale');
  });

  it('are gone when their event’s broadcast omits them, once it can have arrived in full', async () => {
    const { market, frame, clock } = rig({ absentAfterMs: 1_500 });
    const same = offer('against,h', AGAINST);
    frame([offerEntry('for,h', FOR), { tag: 'offer', offer: same }]);
    await clock.advance(5_000);
    frame([offerEntry('for,h', FOR)]);
    await clock.advance(1_500);
    expect(market.marketOf(HOME).against).toEqual(AGAINST);
    await clock.advance(1);
    expect(market.marketOf(HOME)).toEqual({ for: FOR, against: null });
    expect(market.selection(HOME)?.offers.against?.freshness).toBe('absent');
    expect(frame([{ tag: 'offer', offer: same }])?.events).toEqual([FIXTURE]);
    expect(market.marketOf(HOME).against).toEqual(AGAINST);
  });

  it('were never gone when they come in the second part of a broadcast', async () => {
    const { market, frame, clock } = rig({ absentAfterMs: 1_500 });
    const parts = [[offerEntry('for,h', FOR)], [offerEntry('against,h', AGAINST)]];
    for (let round = 0; round < 3; round++) {
      for (const part of parts) {
        frame(part);
        await clock.advance(900);
        if (round > 0) expect(market.marketOf(HOME)).toEqual({ for: FOR, against: AGAINST });
      }
      await clock.advance(200);
    }
  });

  it('with an empty price list are a market without liquidity, not an unknown one', () => {
    const { market, frame } = rig();
    frame([offerEntry('for,h', [])]);
    expect(market.marketOf(HOME)).toEqual({ for: [], against: null });
  });

  it('of an unknown direction are kept but belong to no selection', () => {
    const { market, frame } = rig();
    frame([eventEntry(), offerEntry('sideways,h', FOR)]);
    expect(market.candidates({ sport: FB, eventId: EVENT })).toEqual([]);
  });
});

describe('removals', () => {
  it('delete an offer, an event, everything', () => {
    const { market, frame } = rig();
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    expect(frame([removeOffer('for,h')])?.events).toEqual([FIXTURE]);
    expect(market.marketOf(HOME).for).toBeNull();
    expect(frame([removeOffer('for,h')])).toBeNull();
    frame([offerEntry('for,h', FOR)]);
    expect(frame([{ tag: 'remove_event', sport: FB, eventId: EVENT }])?.events).toEqual([FIXTURE]);
    expect([...market.events()]).toEqual([]);
    expect(market.selection(HOME)).toBeUndefined();
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    expect(frame([{ tag: 'clear_events' }])).toMatchObject({ events: [FIXTURE] });
    expect([...market.events()]).toEqual([]);
    expect(market.marketOf(HOME)).toEqual({ for: null, against: null });
  });

  it('of one sport leave the same event id of another sport alone', () => {
    const { market, frame } = rig();
    const half = sport('fb_ht');
    frame([eventEntry(), offerEntry('for,h', FOR), eventEntry({ sport: half })]);
    frame([offerEntry('for,h', AGAINST, { sport: half })]);
    frame([{ tag: 'remove_event', sport: FB, eventId: EVENT }]);
    expect([...market.events()].map(({ event }) => event.sport)).toEqual(['fb_ht']);
    expect(market.marketOf(selectionId(half, EVENT, 'h')).for).toEqual(AGAINST);
    expect(market.marketOf(HOME).for).toBeNull();
  });
});

describe('reconnecting', () => {
  it('makes older data unusable until it arrives again, and drops frames of the old connection', () => {
    const { market, view, frame, signals$, changes } = rig();
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    signals$.next({ kind: 'connecting', epoch: 2 });
    expect(changes.at(-1)).toEqual({
      cause: 'connection',
      epoch: 2,
      events: [FIXTURE],
    });
    expect(market.marketOf(HOME).for).toBeNull();
    expect(market.selection(HOME)?.offers.for?.freshness).toBe('earlier-epoch');
    expect(view([HOME], { ifWinMicros: 0, ifLoseMicros: 0 })).toBeNull();
    expect(frame([offerEntry('for,h', AGAINST)], 1)).toBeNull();
    expect(frame([offerEntry('for,h', FOR)], 2)?.events).toEqual([FIXTURE]);
    expect(market.marketOf(HOME).for).toEqual(FOR);
  });

  it('drops events that the new connection did not describe by its sync, in any order', () => {
    const { market, frame } = rig();
    const other = eventId('2026-11-21,11,21');
    frame([eventEntry(), eventEntry({ eventId: other }), { tag: 'sync', sessionId: null }]);
    const change = frame([{ tag: 'sync', sessionId: null }, eventEntry({ eventId: other })], 2);
    expect([...market.events()].map(({ event }) => event.eventId)).toEqual([other]);
    expect(change?.events).toContainEqual(FIXTURE);
  });

  it('keeps offers of an event that is described only later, and drops those of an event that never is', () => {
    const { market, frame } = rig();
    frame([offerEntry('for,h', FOR)]);
    frame([{ tag: 'sync', sessionId: null }, offerEntry('for,h', AGAINST)], 2);
    frame([eventEntry()], 2);
    expect(market.marketOf(HOME).for).toEqual(AGAINST);
    frame([offerEntry('for,h', FOR, { eventId: eventId('2026-11-21,11,21') })], 2);
    expect(frame([{ tag: 'sync', sessionId: null }, eventEntry()], 3)?.events).toHaveLength(2);
    expect(market.candidates({ sport: FB, eventId: eventId('2026-11-21,11,21') })).toEqual([]);
  });

  it('forgets score, cards and clock until they arrive again', () => {
    const { market, frame } = rig();
    frame([eventEntry(), { tag: 'event_score', sport: FB, eventId: EVENT, score: [1, 0] }]);
    expect([...market.events()][0]?.score).toEqual([1, 0]);
    frame([eventEntry()], 2);
    expect([...market.events()][0]).toMatchObject({ current: true, score: null });
  });
});

describe('private quotes', () => {
  const QUOTE = prices([2.02, 30]);
  const SLIP = betslipId('s1');

  it('replace the offer while fresh', async () => {
    const { market, frame, clock } = rig();
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    frame([quoteEntry('for,h', QUOTE)]);
    expect(market.marketOf(HOME).for).toEqual(QUOTE);
    await clock.advance(STALE_MS);
    frame([offerEntry('for,h', FOR)]);
    await clock.advance(1);
    expect(market.marketOf(HOME).for).toEqual(FOR);
    expect(market.selection(HOME)?.quotes.for?.freshness).toBe('stale');
  });

  it('cause no wake-up when they only repeat the quote in use', async () => {
    const { market, frame, clock } = rig();
    frame([eventEntry(), offerEntry('for,h', FOR), quoteEntry('for,h', QUOTE)]);
    await clock.advance(2_000);
    expect(frame([quoteEntry('for,h', [...QUOTE])])).toBeNull();
    expect(market.selection(HOME)?.quotes.for?.ageMs).toBe(0);
    expect(frame([quoteEntry('for,h', prices([2.02, 31]))])?.events).toEqual([FIXTURE]);
    expect(frame([quoteEntry('for,h', prices([2.02, 31], [2, 5]))])?.events).toEqual([FIXTURE]);
    expect(frame([quoteEntry('for,h', QUOTE, { totalMicros: 1 })])?.events).toEqual([FIXTURE]);
    expect(frame([quoteEntry('for,h', QUOTE, { statusCode: 'unavailable' })])?.events).toEqual([FIXTURE]);
    expect(frame([quoteEntry('for,h', QUOTE)])?.events).toEqual([FIXTURE]);
    await clock.advance(3_001);
    expect(frame([quoteEntry('for,h', QUOTE)])?.events).toEqual([FIXTURE]);
    expect(frame([quoteEntry('for,h', QUOTE)], 2)?.events).toEqual([FIXTURE]);
    expect(frame([quoteEntry('for,h', QUOTE, { betslipId: betslipId('s2') })], 2)?.events).toEqual([FIXTURE]);
  });

  it('give way to the offers when they lag them', async () => {
    const { market, frame, clock } = rig();
    frame([eventEntry(), offerEntry('for,h', FOR), quoteEntry('for,h', QUOTE)]);
    await clock.advance(5_000);
    frame([offerEntry('for,h', FOR)]);
    expect(market.marketOf(HOME).for).toEqual(QUOTE);
    await clock.advance(1);
    frame([offerEntry('for,h', FOR)]);
    expect(market.marketOf(HOME).for).toEqual(FOR);
    frame([removeOffer('for,h')]);
    expect(market.marketOf(HOME).for).toBeNull();
  });

  it('count only with status success', () => {
    const { market, frame } = rig();
    frame([offerEntry('for,h', FOR), quoteEntry('for,h', QUOTE)]);
    frame([quoteEntry('for,h', QUOTE, { statusCode: 'unavailable' })]);
    expect(market.marketOf(HOME).for).toEqual(FOR);
  });

  it('end with their betslip: closed, or past its expiry on the exchange’s own clock', async () => {
    const { market, frame, clock } = rig();
    frame([offerEntry('for,h', FOR), quoteEntry('for,h', QUOTE)]);
    frame([{ tag: 'betslip_closed', betslipId: SLIP, closeReason: null }]);
    expect(market.marketOf(HOME).for).toEqual(FOR);
    const expiryMs = clock.wallMs() + 4_000;
    frame([{ tag: 'betslip', betslipId: SLIP, expiryMs }, quoteEntry('for,h', QUOTE)]);
    clock.jumpWall(3_600_000);
    await clock.advance(3_999);
    expect(market.marketOf(HOME).for).toEqual(QUOTE);
    await clock.advance(1);
    expect(market.marketOf(HOME).for).toEqual(FOR);
    expect(market.selection(HOME)?.quotes.for?.freshness).toBe('expired');
  });

  it('of a later betslip survive the closing of an earlier one', () => {
    const { market, frame } = rig();
    frame([quoteEntry('for,h', FOR), quoteEntry('for,h', QUOTE, { betslipId: betslipId('s2') })]);
    frame([{ tag: 'betslip_closed', betslipId: SLIP, closeReason: null }]);
    expect(market.marketOf(HOME).for).toEqual(QUOTE);
  });
});

describe('the view', () => {
  const nothing = { ifWinMicros: 0, ifLoseMicros: 0 };
  const codes = (of: (home: number, away: number) => string): string[][] =>
    Array.from({ length: 20 }, (_, home) => Array.from({ length: 20 }, (__, away) => of(home, away)));

  it('has the grid of a bet type in either direction, for every event of the sport', () => {
    const { market, view, frame } = rig();
    frame([eventEntry(), offerEntry('for,h', FOR), offerEntry('for,d', FOR)]);
    const grid = codes((home, away) => (home > away ? 'l' : 'w'));
    expect(market.setGrid(FB, betType('against,h'), grid)).toBe(true);
    expect(
      market.setGrid(
        FB,
        betType('for,d'),
        codes(() => '?'),
      ),
    ).toBe(false);
    const [home, draw] = [HOME, selectionId(FB, EVENT, 'd')];
    const views = view([home, draw], nothing)?.selections;
    expect(views?.[0]?.grid?.won[20]).toBe(1);
    expect(views?.[0]?.grid?.lost[0]).toBe(1);
    expect(views?.[1]?.grid).toBeNull();
  });

  it('includes our position on its event, also of selections that are no longer offered', () => {
    const { market, view, frame } = rig();
    const draw = selectionId(FB, EVENT, 'd');
    const [half, later] = [sport('fb_ht'), eventId('2026-11-21,11,21')];
    const elsewhere = [selectionId(half, EVENT, 'd'), selectionId(FB, later, 'd')];
    frame([eventEntry(), offerEntry('for,h', FOR), offerEntry('for,d', FOR)]);
    market.setGrid(
      FB,
      betType('for,d'),
      codes((home, away) => (home === away ? 'w' : 'l')),
    );
    frame([{ tag: 'clear_events' }]);
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    const position = { ifWinMicros: 5, ifLoseMicros: -3 };
    const holdings = view([HOME], position, [draw, HOME, ...elsewhere])?.holdings;
    expect(holdings?.map(({ selectionId: id }) => id)).toEqual([HOME, draw]);
    expect(holdings?.[1]).toMatchObject({ position, grid: { won: expect.arrayContaining([1]) } });
  });

  const agesOfFills = (view: Rig['view']): number[] | undefined =>
    view([HOME], nothing)?.selections[0]?.recentFills?.map(({ ageMs }) => ageMs);

  it('has our fills of the last ten minutes', async () => {
    const { view, frame, fill, clock } = rig();
    const filled = (changes: Partial<Fill>): void => fill({ ...FILL, atMs: clock.wallMs(), ...changes });
    const ages = (): number[] | undefined => agesOfFills(view);
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    filled({ price: 2 });
    await clock.advance(60_000);
    filled({ price: 2.02, selectionId: selectionId(FB, EVENT, 'd') });
    filled({ price: 2.04 });
    expect(ages()).toEqual([60_000, 0]);
    await clock.advance(541_000);
    expect(ages()).toEqual([541_000]);
    for (let part = 0; part < 501; part++) filled({ price: 2.04 });
    expect(ages()).toHaveLength(500);
  });

  it('has fills that age by the monotonic clock, whatever the wall clock does', async () => {
    const { view, frame, fill, clock } = rig();
    const ages = (): number[] | undefined => agesOfFills(view);
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    // A fill that an earlier run received, and a new one.
    fill({ ...FILL, atMs: clock.wallMs() - 30_000 });
    fill({ ...FILL, atMs: clock.wallMs() });
    clock.jumpWall(3_600_000);
    expect(ages()).toEqual([30_000, 0]);
    clock.jumpWall(-7_200_000);
    await clock.advance(600_000);
    expect(ages()).toEqual([600_000]);
    await clock.advance(1);
    expect(ages()).toEqual([]);
  });
});

describe('the events', () => {
  it('are in running by any sign of it', () => {
    const { market, frame } = rig();
    const running = (): boolean | undefined => [...market.events()][0]?.inRunning;
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    expect(running()).toBe(false);
    expect(frame([offerEntry('for,h', FOR, { inRunning: true })])?.events).toEqual([FIXTURE]);
    expect(running()).toBe(true);
    frame([removeOffer('for,h')]);
    expect(running()).toBe(false);
    frame([{ tag: 'event_time', sport: FB, eventId: EVENT, time: { period: '1H', minutes: 3 } }]);
    expect(running()).toBe(true);
    frame([
      { tag: 'event_time', sport: FB, eventId: EVENT, time: null },
      eventEntry({ irStatus: 'in_running' }),
    ]);
    expect(running()).toBe(true);
  });

  it.each([
    ['pre_event', false],
    ['', false],
    ['in_running', true],
    ['ht', true],
  ])('with the status "%s" are in running: %s, because an unknown status may mean it', (irStatus, is) => {
    const { market, frame } = rig();
    frame([eventEntry({ irStatus })]);
    expect(market.event(FIXTURE)?.inRunning).toBe(is);
  });

  it('are suspended when every market is gone or empty, which stale ones do not show', async () => {
    const { market, frame, clock } = rig();
    const suspended = (): boolean | null | undefined => market.event(FIXTURE)?.suspended;
    expect(suspended()).toBeUndefined();
    frame([eventEntry()]);
    expect(suspended()).toBeNull();
    frame([quoteEntry('for,h', FOR)]);
    expect(suspended()).toBeNull();
    frame([offerEntry('for,h', FOR), offerEntry('against,h', AGAINST)]);
    expect(suspended()).toBe(false);
    frame([offerEntry('for,h', []), removeOffer('against,h')]);
    expect(suspended()).toBe(true);
    await clock.advance(STALE_MS + 1);
    expect(suspended()).toBeNull();
  });
});
