import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../src/domain/events.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import { eventId } from '../../../src/domain/ids.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import { HedgeWatch } from '../../../src/engine/hedging/hedge-watch.ts';
import { Hedges } from '../../../src/engine/hedging/hedges.ts';
import type { HedgeBet, HedgeOrder, HedgeWish } from '../../../src/engine/hedging/terms.ts';
import { type HedgeRules, NO_RULES } from '../../../src/hedge/rules.ts';
import type { BetslipRequest } from '../../../src/domain/orders.ts';
import { FILL, FIXTURE, HOME, liveOrder, prices, sportEvent } from '../../market/support.ts';

const AT = { monotonicMs: 100_000, wallMs: Date.UTC(2026, 10, 21, 15) };
const LEG = {
  selectionId: HOME,
  betType: 'for,h',
  direction: 'for',
  priceKind: 'odds-for',
  tick: 100,
  way: 'take',
};

interface World {
  /** The events with bets, and their worst cases: of those that are not named, `worstMicros`. */
  events: readonly EventName[];
  worstOf: ReadonlyMap<EventName, number>;
  worstMicros: number;
  position: { ifWinMicros: number; ifLoseMicros: number };
  startsInMs: number | null;
  inRunning: boolean;
  minutes: number | null;
  isAtWork: boolean;
  /** Takes the hedges that are made; null: they come to nothing. */
  hedges: Hedges | null;
  nowMs: number;
  owner: string | null;
  refuses: boolean;
}

/** A watch over events with bets, whose limits are 100 USDT. */
function watching(rules: Partial<HedgeRules> = {}, given: Partial<World> = {}) {
  const world: World = {
    events: [FIXTURE],
    worstOf: new Map(),
    worstMicros: 0,
    position: { ifWinMicros: 0, ifLoseMicros: 0 },
    startsInMs: 3_600_000,
    inRunning: false,
    minutes: null,
    isAtWork: false,
    hedges: null,
    nowMs: AT.monotonicMs,
    owner: 'a strategy',
    refuses: false,
    ...given,
  };
  const planned: HedgeWish[] = [];
  const made: {
    readonly why: string;
    readonly order: { readonly id: string; readonly bets: readonly HedgeBet[] };
  }[] = [];
  const ready: (readonly BetslipRequest[])[] = [];
  const answer = (wish: object) =>
    world.refuses
      ? { kind: 'refused', why: 'no' }
      : { kind: 'planned', ...wish, book: [], legs: [{ leg: LEG, stakeMicros: 5e6 }] };
  const core = {
    risk: {
      heldEvents: () => world.events,
      eventRisk: (event: EventName) => ({
        worstMicros: world.worstOf.get(event) ?? world.worstMicros,
        limitMicros: 100e6,
      }),
    },
    hedging: {
      plan: (wish: HedgeWish) => (planned.push(wish), answer(wish)),
      planBet: (event: EventName, bet: HedgeBet) =>
        world.refuses
          ? answer({})
          : { ...answer({ event, way: bet.way }), legs: [{ leg: bet, stakeMicros: bet.stakeMicros }] },
    },
    hedges: {
      isAtWorkOn: (event: EventName, nowMs: number) =>
        world.hedges?.isAtWorkOn(event, nowMs) ?? world.isAtWork,
    },
    ledger: { position: () => world.position, selectionsOn: () => [HOME] },
    market: {
      event: () => ({
        event: sportEvent({ startTimeMs: world.startsInMs === null ? null : AT.wallMs + world.startsInMs }),
        inRunning: world.inRunning,
        time: world.minutes === null ? null : { period: '2h', minutes: world.minutes },
      }),
      marketOf: () => ({ for: prices([1.9, 100]), against: prices([2.1, 100]) }),
    },
    strategies: { ownerOf: () => world.owner },
    apply: (input: (typeof made)[number]) => {
      made.push(input);
      world.hedges?.take(input.order as HedgeOrder, world.nowMs);
    },
  };
  const orders = { standBy: (markets: readonly BetslipRequest[]) => void ready.push(markets) };
  const watch = new HedgeWatch(core as never, orders, { ...NO_RULES, ...rules });
  return { watch, world, planned, made, ready };
}

const goals = (wishes: readonly HedgeWish[]) => wishes.map(({ goal }) => goal.kind);

describe('a watch over events with bets', () => {
  it('makes no hedge by default, whatever happens', () => {
    const { watch, made } = watching({}, { worstMicros: -1e9, startsInMs: 1, inRunning: true, minutes: 90 });
    watch.look(AT);
    watch.onFill({ ...FILL, requestUuid: 'u' as never, stakeMicros: 10e6 }, AT);
    expect(made).toEqual([]);
  });

  it('bounds an event whose worst case has passed a share of its limit', () => {
    const { watch, world, planned, made } = watching({ boundAtShare: 0.8, boundToShare: 0.4 });
    world.worstMicros = -80e6;
    watch.look(AT);
    expect(made).toEqual([]);
    world.worstMicros = -81e6;
    watch.look(AT);
    expect(planned.at(-1)).toEqual({
      event: FIXTURE,
      goal: { kind: 'bound', boundMicros: 40e6 },
      way: 'take',
    });
    expect(made).toMatchObject([{ kind: 'hedge', why: 'worst case above 0.8 of the limit' }]);
    expect(made[0]?.order).toMatchObject({ isBeside: false });
  });

  it('has one hedge at a time, pauses between them, and gives each a name of its own', () => {
    const { watch, world, made } = watching({ boundAtShare: 0.1 }, { worstMicros: -90e6 });
    watch.look(AT);
    watch.look({ ...AT, monotonicMs: AT.monotonicMs + 9_999 });
    expect(made).toHaveLength(1);
    world.isAtWork = true;
    watch.look({ ...AT, monotonicMs: AT.monotonicMs + 20_000 });
    expect(made).toHaveLength(1);
    world.isAtWork = false;
    watch.look({ ...AT, monotonicMs: AT.monotonicMs + 20_000 });
    expect(new Set(made.map(({ order }) => order.id)).size).toBe(2);
  });

  it('asks again for a refused hedge after ten seconds, not every second', () => {
    const { watch, world, planned, made } = watching(
      { boundAtShare: 0.1 },
      { worstMicros: -20e6, refuses: true },
    );
    const looks = (afterMs: number): void => watch.look({ ...AT, monotonicMs: AT.monotonicMs + afterMs });
    for (const afterMs of [0, 1_000, 9_999]) looks(afterMs);
    expect([planned.length, made]).toEqual([1, []]);
    world.refuses = false;
    looks(10_000);
    expect([planned.length, made.length]).toEqual([2, 1]);
  });

  it('goes on to the next rule when a hedge is refused, and hedges no event that nobody owns', () => {
    const rules = { boundAtShare: 0.1, greenUpBeforeMs: 60_000 };
    const { watch, world, planned, made } = watching(rules, {
      worstMicros: -20e6,
      startsInMs: 30_000,
      refuses: true,
    });
    watch.look(AT);
    expect([goals(planned), made]).toEqual([['bound', 'equalise'], []]);
    Object.assign(world, { refuses: false, owner: null });
    watch.look({ ...AT, monotonicMs: AT.monotonicMs + 60_000 });
    expect(made).toEqual([]);
  });

  it.each([
    ['before the start', { startsInMs: 60_000 }, true],
    ['too early', { startsInMs: 60_001 }, false],
    ['in the minute', { startsInMs: -1, inRunning: true, minutes: 75 }, true],
    ['in an earlier minute', { startsInMs: -1, inRunning: true, minutes: 74 }, false],
    ['in play without a clock', { startsInMs: -1, inRunning: true }, false],
  ])('greens up %s: %o', (_, given, isDue) => {
    const { watch, planned } = watching({ greenUpBeforeMs: 60_000, greenUpMinute: 75 }, given);
    watch.look(AT);
    expect(goals(planned)).toEqual(isDue ? ['equalise'] : []);
  });

  it.each([
    // Backed at 2.05, to be closed at 2.10.
    [{ ifWinMicros: 105e6, ifLoseMicros: -100e6 }, 2, true],
    [{ ifWinMicros: 105e6, ifLoseMicros: -100e6 }, 4, false],
    // Laid at 1.95, to be closed at 1.90.
    [{ ifWinMicros: -95e6, ifLoseMicros: 100e6 }, 5, true],
    [{ ifWinMicros: -95e6, ifLoseMicros: 100e6 }, 6, false],
    [{ ifWinMicros: 10e6, ifLoseMicros: 20e6 }, 1, false],
  ])('stops a position of %o at %d ticks: %s', (position, stopTicks, isStopped) => {
    const { watch, planned } = watching({ stopTicks }, { position });
    watch.look(AT);
    expect(goals(planned)).toEqual(isStopped ? ['flatten'] : []);
  });
});

describe('a rule over time', () => {
  type Act =
    | { readonly kind: 'look'; readonly afterMs: number }
    | { readonly kind: 'due' | 'refused'; readonly is: boolean }
    | { readonly kind: 'order'; readonly state: 'live' | 'closed'; readonly filledMicros: number }
    | { readonly kind: 'kill' };
  const looks = fc.record({
    kind: fc.constant('look' as const),
    afterMs: fc.constantFrom(1_000, 1_000, 9_000, 9_999, 10_000, 20_000, 30_000),
  });
  const act: fc.Arbitrary<Act> = fc.oneof(
    looks,
    looks,
    fc.record({ kind: fc.constantFrom('due' as const, 'refused' as const), is: fc.boolean() }),
    fc.record({
      kind: fc.constant('order' as const),
      state: fc.constantFrom('live' as const, 'closed' as const),
      filledMicros: fc.constantFrom(0, 2e6, 5e6),
    }),
    fc.constant({ kind: 'kill' as const }),
  );

  it('has one hedge at work, and tries anew ten seconds after the last, whatever became of that', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40, size: 'max' }), (acts) => {
        const hedges = new Hedges();
        const { watch, world, made } = watching({ boundAtShare: 0.8 }, { hedges });
        let [nowMs, triedMs] = [AT.monotonicMs, -Infinity];
        /** The last hedge: until when it is wanted, and how far its bet is. */
        let last: { id: string; untilMs: number; state: 'wanted' | 'live' | 'closed' } | null = null;
        for (const each of acts) {
          if (each.kind === 'due') world.worstMicros = each.is ? -90e6 : -10e6;
          else if (each.kind === 'refused') world.refuses = each.is;
          else if (each.kind === 'kill') {
            hedges.endCommanded(nowMs);
            if (last !== null) last.untilMs = Math.min(last.untilMs, nowMs);
          } else if (each.kind === 'order' && last !== null && last.state !== 'closed') {
            const { id, state } = last;
            last.state = state === 'wanted' && nowMs >= last.untilMs ? state : each.state;
            if (last.state === state && state === 'wanted') continue;
            const take = { id: `${id}/0`, hedge: id, fairProbability: null, reduces: true };
            hedges.onOrder(liveOrder({ take, state: each.state, filledMicros: each.filledMicros }));
          }
          if (each.kind !== 'look') continue;
          world.nowMs = nowMs += each.afterMs;
          const before = made.length;
          watch.look({ monotonicMs: nowMs, wallMs: AT.wallMs + nowMs });
          const isAtWork = last?.state === 'live' || (last?.state === 'wanted' && nowMs < last.untilMs);
          const isTried = world.worstMicros === -90e6 && nowMs >= triedMs + 10_000 && !isAtWork;
          if (isTried) triedMs = nowMs;
          expect(made.length - before).toBe(isTried && !world.refuses ? 1 : 0);
          const id = made.at(-1)?.order.id;
          if (made.length > before && id !== undefined)
            last = { id, untilMs: nowMs + 30_000, state: 'wanted' };
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a watch over several events', () => {
  const OTHER: EventName = { ...FIXTURE, eventId: eventId('2026-11-21,30,40') };
  const QUIET: EventName = { ...FIXTURE, eventId: eventId('2026-11-21,50,60') };
  const both = (rules: Partial<HedgeRules> = {}) =>
    watching(rules, { events: [QUIET, FIXTURE, OTHER], worstMicros: -90e6, worstOf: new Map([[QUIET, 0]]) });
  const later = (ms: number) => ({ ...AT, monotonicMs: AT.monotonicMs + ms });
  const eventsOf = (all: readonly { readonly eventId: string }[]) => all.map((each) => each.eventId);

  it('hedges each of them by itself, and pauses each by itself', () => {
    const { watch, world, planned } = both({ boundAtShare: 0.8 });
    const hedged = () =>
      eventsOf(
        planned
          .filter(({ goal }) => goal.kind === 'bound' && !('mostLegs' in goal))
          .map(({ event }) => event),
      );
    world.worstOf = new Map([
      [QUIET, 0],
      [OTHER, -10e6],
    ]);
    watch.look(AT);
    expect(hedged()).toEqual([FIXTURE.eventId]);
    world.worstOf = new Map([[QUIET, 0]]);
    watch.look(later(5_000));
    expect(hedged()).toEqual([FIXTURE.eventId, OTHER.eventId]);
    watch.look(later(10_000));
    expect(hedged()).toEqual([FIXTURE.eventId, OTHER.eventId, FIXTURE.eventId]);
    watch.look(later(15_000));
    expect(hedged().slice(3)).toEqual([OTHER.eventId]);
  });

  it('keeps a betslip for each that is past half of its limit, and chooses each by itself', () => {
    const { watch, world, planned, ready } = both();
    watch.look(AT);
    expect(eventsOf(ready.at(-1) ?? [])).toEqual([FIXTURE.eventId, OTHER.eventId]);
    expect(eventsOf(planned.map(({ event }) => event))).toEqual([FIXTURE.eventId, OTHER.eventId]);
    world.events = [OTHER];
    watch.look(later(1_000));
    expect(eventsOf(ready.at(-1) ?? [])).toEqual([OTHER.eventId]);
    expect(planned).toHaveLength(2);
    world.events = [];
    watch.look(later(2_000));
    expect(ready.at(-1)).toEqual([]);
    // Of an event that comes back its hedge is chosen anew.
    world.events = [FIXTURE];
    watch.look(later(3_000));
    expect(planned).toHaveLength(3);
  });

  it('bounds first, then stops, then greens up, and makes one hedge of an event at a time', () => {
    const rules = { boundAtShare: 0.8, stopTicks: 1, greenUpBeforeMs: 60_000 };
    const given = {
      worstMicros: -90e6,
      position: { ifWinMicros: 105e6, ifLoseMicros: -100e6 },
      startsInMs: 30_000,
    };
    const refused = watching(rules, { ...given, refuses: true });
    refused.watch.look(AT);
    // The first of them is that of the betslip.
    expect(goals(refused.planned)).toEqual(['bound', 'bound', 'flatten', 'equalise']);
    const { watch, made } = watching(rules, given);
    watch.look(AT);
    expect(made).toHaveLength(1);
  });
});

describe('a fill', () => {
  const fill = (over: Partial<Fill> = {}): Fill => ({
    ...FILL,
    requestUuid: 'u' as never,
    price: 2,
    stakeMicros: 21e6,
    ...over,
  });

  it('is offset by an offer of the other side', () => {
    const { watch, made } = watching({ offsetTicks: 5 });
    watch.onFill(fill(), AT);
    expect(made).toMatchObject([
      {
        why: 'offset of a fill',
        // Other hedges of its event go on.
        order: {
          isBeside: true,
          bets: [{ direction: 'against', tick: tickOf(1.95), stakeMicros: 21.53e6, way: 'offer' }],
        },
      },
    ]);
  });

  it('is not offset if it hedges by itself, or is not ours, or an offer would worsen the event', () => {
    const { watch, world, made } = watching({ offsetTicks: 5 });
    watch.onFill(fill({ take: { id: 'p/0', fairProbability: null, reduces: true } }), AT);
    watch.onFill(fill({ requestUuid: null }), AT);
    world.refuses = true;
    watch.onFill(fill(), AT);
    expect(made).toEqual([]);
  });
});

describe('the betslip of the cheapest hedge', () => {
  it('is kept open while the worst case is past half of the limit, and chosen again after five seconds', () => {
    const { watch, world, planned, ready } = watching({}, { worstMicros: -50e6 });
    watch.look(AT);
    expect(ready).toEqual([]);
    world.worstMicros = -51e6;
    watch.look(AT);
    watch.look({ ...AT, monotonicMs: AT.monotonicMs + 4_999 });
    expect(ready.at(-1)).toEqual([{ sport: 'fb', eventId: FIXTURE.eventId, betType: 'for,h' }]);
    expect(planned).toEqual([
      { event: FIXTURE, goal: { kind: 'bound', boundMicros: 50e6, mostLegs: 1 }, way: 'take' },
    ]);
    world.refuses = true;
    watch.look({ ...AT, monotonicMs: AT.monotonicMs + 5_000 });
    expect(ready.at(-1)).toEqual([]);
  });
});
