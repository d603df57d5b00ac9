import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventName } from '../../src/domain/events.ts';
import { type EventId, eventId, type SelectionId, sport } from '../../src/domain/ids.ts';
import { DIRECTIONS, selectionId } from '../../src/domain/selection.ts';
import {
  type Candidate,
  chooseUniverse,
  EMPTY_UNIVERSE,
  type EventState,
  type QuoteRules,
  type Universe,
} from '../../src/market/index.ts';
import { eventEntry, FB, HOME, liveOrder, offerEntry, prices, rig, sportEvent, STALE_MS } from './support.ts';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;

const RULES: QuoteRules = {
  sports: ['fb'],
  competitions: [],
  marketTypes: ['wdw'],
  startsWithinMs: 6 * HOUR,
  leaveBeforeStartMs: 60_000,
  inPlay: false,
  minLiquidityMicros: 100e6,
  maxEvents: 2,
  maxSelections: 3,
};

const idOf = (n: number): EventId => eventId(`2026-11-21,${n},1`);

function event(
  n: number,
  changes: Partial<EventState['event']> = {},
  state: Partial<EventState> = {},
): EventState {
  return {
    event: sportEvent({ eventId: idOf(n), startTimeMs: NOW + n * HOUR, ...changes }),
    current: true,
    inRunning: false,
    score: null,
    scoreAgeMs: null,
    redCards: null,
    time: null,
    suspended: null,
    ...state,
  };
}

function candidate(
  n: number,
  outcome: string,
  stake: number | null,
  changes: Partial<Candidate> = {},
): Candidate {
  const micros = stake === null ? null : stake * 1e6;
  return {
    selectionId: selectionId(FB, idOf(n), outcome),
    marketType: 'wdw',
    quotable: true,
    liquidityMicros: () => micros,
    ...changes,
  };
}

const choose = (
  events: readonly EventState[],
  candidates: Readonly<Record<string, readonly Candidate[]>> = {},
  current: Universe = EMPTY_UNIVERSE,
  rules: Partial<QuoteRules> = {},
): Universe => chooseUniverse({ ...RULES, ...rules }, events, candidatesIn(candidates), NOW, current);

/** Leaves out as many as it may. */
const candidatesIn =
  (candidates: Readonly<Record<string, readonly Candidate[]>>) =>
  ({ eventId: id }: EventName, leastMicros = -Infinity): readonly Candidate[] =>
    (candidates[id] ?? []).filter(
      (one) => !one.quotable || (one.liquidityMicros('for') ?? Infinity) >= leastMicros,
    );

const isChosen = (state: EventState, rules: Partial<QuoteRules> = {}): boolean =>
  choose([state], {}, EMPTY_UNIVERSE, rules).events.length > 0;

const chosenIds = ({ events }: Universe): readonly EventId[] => events.map((name) => name.eventId);

describe('the choice of events', () => {
  it('is by sport, competition, start and state', () => {
    expect(isChosen(event(1))).toBe(true);
    expect(isChosen(event(1, { sport: sport('tennis') }))).toBe(false);
    expect(isChosen(event(1), { competitions: ['Cup'] })).toBe(false);
    expect(isChosen(event(1), { competitions: ['League'] })).toBe(true);
    expect(isChosen(event(1), { competitions: ['7'] })).toBe(true);
    expect(isChosen(event(7))).toBe(false);
    expect(isChosen(event(7), { startsWithinMs: null })).toBe(true);
    expect(isChosen(event(1, { startTimeMs: NOW + 59_999 }))).toBe(false);
    expect(isChosen(event(1, { startTimeMs: null }))).toBe(false);
    expect(isChosen(event(1, {}, { current: false }))).toBe(false);
    expect(isChosen(event(1, {}, { inRunning: true }))).toBe(false);
    expect(isChosen(event(1, {}, { inRunning: true }), { inPlay: true })).toBe(true);
    expect(isChosen(event(1, { startTimeMs: NOW - HOUR }), { inPlay: true })).toBe(true);
  });

  it('leaves events ahead of their start, also where they are quoted in play from then on', () => {
    const soon = (startsInMs: number): EventState => event(1, { startTimeMs: NOW + startsInMs });
    const before = choose([soon(60_000)], {}, EMPTY_UNIVERSE, { inPlay: true });
    expect(chosenIds(before)).toEqual([idOf(1)]);
    for (const startsInMs of [59_999, 0]) {
      expect(chosenIds(choose([soon(startsInMs)], {}, before, { inPlay: true }))).toEqual([]);
      expect(isChosen(soon(startsInMs), { inPlay: true })).toBe(false);
    }
    expect(isChosen(soon(-1), { inPlay: true })).toBe(true);
    expect(isChosen({ ...soon(30_000), inRunning: true }, { inPlay: true })).toBe(true);
  });

  it('takes those that start first, and keeps them when an earlier one turns up', () => {
    const first = choose([event(3), event(2), event(4)]);
    expect(chosenIds(first)).toEqual([idOf(2), idOf(3)]);
    const second = choose([event(1), event(3), event(2)], {}, first);
    expect(chosenIds(second)).toEqual([idOf(2), idOf(3)]);
  });

  it('keeps a chosen event through a reconnect', () => {
    const before = choose([event(1)]);
    expect(chosenIds(choose([event(1, {}, { current: false })], {}, before))).toEqual([idOf(1)]);
  });

  it('treats each sport of a shared event id as an event by itself', () => {
    const both = [event(1), event(1, { sport: sport('fb_ht') })];
    const chosen = choose(both, {}, EMPTY_UNIVERSE, { sports: [] });
    expect(chosen.events).toEqual(['fb', 'fb_ht'].map((of) => ({ sport: of, eventId: idOf(1) })));
    const one = choose(both, {}, EMPTY_UNIVERSE, { sports: [], maxEvents: 1 });
    expect(one.events).toEqual([{ sport: 'fb', eventId: idOf(1) }]);
  });
});

describe('the choice of selections', () => {
  const offered = (...candidates: readonly Candidate[]): Record<string, readonly Candidate[]> => ({
    [idOf(1)]: candidates,
  });

  it('gives a reason for each selection that is not chosen', () => {
    const candidates = offered(
      candidate(1, 'h', 100),
      candidate(1, 'over', 100, { marketType: 'ou' }),
      candidate(1, 'd', 99),
      candidate(1, 'a', null),
      candidate(1, 'x', 500, { quotable: false }),
    );
    const chosen = choose([event(1)], candidates);
    expect(chosen.selections).toEqual([selectionId(FB, idOf(1), 'h')]);
    const reasons = [...chosen.rejectedSelections.values()];
    expect(reasons).toEqual(['market-type', 'liquidity', 'not-fresh', 'one-sided-bet-types']);
  });

  it('takes the most liquid ones up to the cap', () => {
    const candidates = offered(...[100, 500, 300, 400].map((stake) => candidate(1, `s${stake}`, stake)));
    const chosen = choose([event(1)], candidates);
    expect(chosen.selections.map((id) => id.split('|')[2])).toEqual(['s500', 's400', 's300']);
    expect([...chosen.rejectedSelections.values()]).toEqual(['selection-cap']);
  });

  it('lets a chosen selection stay on half the liquidity, through silence, and against rivals of less than twice its size', () => {
    const before = choose([event(1)], offered(candidate(1, 'h', 100)), EMPTY_UNIVERSE, { maxSelections: 1 });
    const stays = (...candidates: readonly Candidate[]): boolean =>
      choose([event(1)], offered(...candidates), before, { maxSelections: 1 }).selections[0] ===
      before.selections[0];
    expect(stays(candidate(1, 'h', 50))).toBe(true);
    expect(stays(candidate(1, 'h', 49))).toBe(false);
    expect(stays(candidate(1, 'h', null))).toBe(true);
    expect(stays(candidate(1, 'h', 100), candidate(1, 'd', 199))).toBe(true);
    expect(stays(candidate(1, 'h', 100), candidate(1, 'd', 201))).toBe(false);
  });

  it('is of the best by liquidity, quoted ones counting twice, whatever their order', () => {
    const some = fc.record({
      stake: fc.option(fc.constantFrom(49, 50, 99, 100, 101, 199, 200, 201, 400)),
      isHeld: fc.boolean(),
      quotable: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
    });
    fc.assert(
      fc.property(
        fc.array(some, { maxLength: 20, size: 'max' }),
        fc.nat({ max: 6 }),
        // What an earlier choice found may be anything by now.
        fc.constantFrom(-Infinity, 0, 50e6, 100e6, 200e6, 450e6),
        (all, maxSelections, leastMicros) => {
          const shown = all.map(({ stake, quotable, ...rest }, i) => ({
            stake,
            quotable,
            ...rest,
            of: candidate(1 + (i % 2), `s${i}`, stake, { quotable }),
          }));
          const held = shown.flatMap(({ isHeld, of }) => (isHeld ? [of.selectionId] : []));
          const candidates = Object.groupBy(
            shown.map(({ of }) => of),
            ({ selectionId: id }) => idOf(id.includes(',2,1') ? 2 : 1),
          ) as Record<string, Candidate[]>;
          const current = { ...EMPTY_UNIVERSE, selections: held, leastMicros };
          const chosen = choose([event(1), event(2)], candidates, current, { maxSelections });
          const ranked = shown.flatMap(({ stake, isHeld, quotable, of: { selectionId: id } }) => {
            const isAllowed = stake === null ? isHeld : stake >= (isHeld ? 50 : 100);
            return quotable && isAllowed ? [{ id, rank: (stake ?? Infinity) * (isHeld ? 2 : 1) }] : [];
          });
          const best = ranked.sort((a, b) => (a.rank === b.rank ? (a.id < b.id ? -1 : 1) : b.rank - a.rank));
          expect(chosen.selections).toEqual(best.slice(0, maxSelections).map(({ id }) => id));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is stable when repeated, never exceeds the caps, and accounts for every candidate', () => {
    const stakes = fc.array(fc.option(fc.integer({ min: 0, max: 300 })), { maxLength: 12 });
    fc.assert(
      fc.property(stakes, fc.nat({ max: 4 }), fc.nat({ max: 8 }), (all, maxEvents, maxSelections) => {
        const events = [1, 2, 3].map((n) => event(n));
        const candidates: Record<string, Candidate[]> = {};
        all.forEach((stake, i) =>
          (candidates[idOf((i % 3) + 1)] ??= []).push(candidate((i % 3) + 1, `s${i}`, stake)),
        );
        const chosen = choose(events, candidates, EMPTY_UNIVERSE, { maxEvents, maxSelections });
        expect(chosen.events.length).toBeLessThanOrEqual(maxEvents);
        expect(chosen.selections.length).toBeLessThanOrEqual(maxSelections);
        const known = chosen.events.flatMap((name) => candidates[name.eventId] ?? []);
        const accounted: readonly SelectionId[] = [...chosen.selections, ...chosen.rejectedSelections.keys()];
        expect(new Set(accounted)).toEqual(new Set(known.map((one) => one.selectionId)));
        expect(accounted).toHaveLength(known.length);
        const again = choose(events.toReversed(), candidates, chosen, { maxEvents, maxSelections });
        expect([...again.selections].sort()).toEqual([...chosen.selections].sort());
        expect(again.events).toEqual(chosen.events);
      }),
    );
  });
});

describe('the market’s candidates', () => {
  it('are those of one sport only, where several use the event’s id', () => {
    const { market, frame } = rig();
    const half = sportEvent({ sport: sport('fb_ht') });
    frame([eventEntry(), offerEntry('for,h', prices([2, 100])), eventEntry(half)]);
    expect(market.candidates(half)).toEqual([]);
    frame([offerEntry('for,a', prices([3, 100]), { sport: half.sport })]);
    const idsOf = (of: typeof half) => market.candidates(of).map((one) => one.selectionId);
    expect(idsOf(half)).toEqual([selectionId(half.sport, half.eventId, 'a')]);
    expect(idsOf(sportEvent())).toEqual([HOME]);
  });

  it('show liquidity without our own, none where gone, nothing where too old', async () => {
    const { market, frame, order, clock } = rig();
    frame([eventEntry(), offerEntry('for,h', prices([2, 100], [1.99, 50]))]);
    const [found] = market.candidates(sportEvent());
    expect(found).toMatchObject({ selectionId: HOME, marketType: 'wdw', quotable: false });
    expect(liquidity(found)).toEqual([150e6, 0]);
    order(liveOrder({ direction: 'against', tick: 99, stakeMicros: 60e6 }));
    frame([offerEntry('against,h', prices([2.1, 30]))]);
    const [both] = market.candidates(sportEvent());
    expect(both?.quotable).toBe(true);
    expect(liquidity(both)).toEqual([90e6, 30e6]);
    await clock.advance(STALE_MS + 1);
    expect(liquidity(market.candidates(sportEvent())[0])).toEqual([null, null]);
  });

  const liquidity = (of: Candidate | undefined): (number | null | undefined)[] =>
    DIRECTIONS.map((direction) => of?.liquidityMicros(direction));
});
