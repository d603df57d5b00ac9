import { describe, expect, it } from 'vitest';
import type { HedgeIntent } from '../../../src/domain/hedge-intent.ts';
import { eventId } from '../../../src/domain/ids.ts';
import { Hedges } from '../../../src/engine/hedging/hedges.ts';
import type { HedgeAnswer, HedgeWish } from '../../../src/engine/hedging/terms.ts';
import { WantedHedges, withHedges } from '../../../src/engine/hedging/wanted-hedges.ts';
import { FIXTURE, HOME, liveOrder } from '../../market/support.ts';

const LEG = { selectionId: HOME, direction: 'against', priceKind: 'lay-for', tick: 100 };
const FLAT: HedgeIntent = { hedge: 'a', goal: { kind: 'flatten', selectionId: HOME } };

/** Planned as one bet, unless `refuses` says why not. */
function world() {
  const asked: HedgeWish[] = [];
  const state: { answer: (Pick<HedgeAnswer & { why: string }, 'why'> & { isNeedless?: true }) | null } = {
    answer: null,
  };
  const plan = (wish: HedgeWish): HedgeAnswer => {
    asked.push(wish);
    if (state.answer !== null) return { kind: 'refused', ...state.answer };
    const planned = { kind: 'planned', ...wish, book: [], legs: [{ leg: LEG, stakeMicros: 5e6 }] };
    return planned as object as HedgeAnswer;
  };
  const hedges = new Hedges();
  const wanted = new WantedHedges({ plan }, hedges);
  const make = (nowMs: number, ...intents: readonly HedgeIntent[]) => wanted.make(FIXTURE, intents, nowMs);
  const takes = (nowMs: number) => hedges.intentsOn(FIXTURE, nowMs).map(({ take }) => take);
  const order = (take: string, is: 'live' | 'closed') =>
    hedges.onOrder(
      liveOrder({
        take: { id: take, hedge: take.split('/')[0] as string, fairProbability: null, reduces: true },
        state: is,
      }),
    );
  return { state, asked, hedges, wanted, make, takes, order };
}

describe('a hedge that a strategy wants', () => {
  it('is planned as a person would have it, and made once', () => {
    const { make, asked, takes } = world();
    expect(make(0, { ...FLAT, way: 'offer' })).toEqual([]);
    expect(asked).toEqual([{ event: FIXTURE, goal: FLAT.goal, way: 'offer' }]);
    expect(takes(0)).toEqual(['a/0']);
    make(1_000, FLAT);
    expect(asked).toHaveLength(1);
  });

  it('ends once it is wanted no more, and is not made again', () => {
    const { make, takes } = world();
    make(0, FLAT);
    make(1_000);
    expect(takes(1_000)).toEqual([]);
    make(2_000, FLAT);
    expect(takes(2_000)).toEqual([]);
  });

  it('leaves the hedges of persons as they are', () => {
    const { hedges, make, takes } = world();
    hedges.take(
      { id: 'p', event: FIXTURE, bets: [{ ...LEG, way: 'take', stakeMicros: 1e6 } as never], lifeMs: 9_000 },
      0,
    );
    make(1_000);
    expect(takes(1_000)).toEqual(['p/0']);
  });

  it('waits until the bets of the one before, or of a person, can no longer be matched', () => {
    const { make, takes, order } = world();
    make(0, FLAT, { ...FLAT, hedge: 'b' });
    expect(takes(0)).toEqual(['a/0']);
    order('a/0', 'live');
    make(40_000, FLAT, { ...FLAT, hedge: 'b' });
    expect(takes(40_000)).toEqual([]);
    order('a/0', 'closed');
    make(41_000, FLAT, { ...FLAT, hedge: 'b' });
    expect(takes(41_000)).toEqual(['b/0']);
  });

  it('is not made again after a restart if an earlier run matched any of it', () => {
    const { hedges, make, asked } = world();
    const take = { id: 'a/0', hedge: 'a', fairProbability: null, reduces: true };
    hedges.onFill({ ...FIXTURE, take });
    make(0, FLAT);
    expect(asked).toEqual([]);
    hedges.forget(FIXTURE);
    make(1_000, FLAT);
    expect(asked).toHaveLength(1);
  });

  it('that is refused says why, and is planned again after a second', () => {
    const { state, make, asked, takes } = world();
    state.answer = { why: 'no price' };
    expect(make(0, FLAT)).toEqual([{ hedge: 'a', why: 'no price' }]);
    expect(make(999, FLAT)).toEqual([{ hedge: 'a', why: 'no price' }]);
    expect(asked).toHaveLength(1);
    state.answer = null;
    expect(make(1_000, FLAT)).toEqual([]);
    expect(takes(1_000)).toEqual(['a/0']);
  });

  it('that is refused on one event is planned on another, whose hedge may have the same id', () => {
    const { state, wanted, asked } = world();
    const other = { ...FIXTURE, eventId: eventId('2026-11-21,30,40') };
    state.answer = { why: 'no price' };
    wanted.make(FIXTURE, [FLAT], 0);
    state.answer = { why: 'it could worsen the event' };
    expect(wanted.make(other, [FLAT], 0)).toEqual([{ hedge: 'a', why: 'it could worsen the event' }]);
    expect(wanted.make(FIXTURE, [FLAT], 500)).toEqual([{ hedge: 'a', why: 'no price' }]);
    expect(asked.map(({ event }) => event)).toEqual([FIXTURE, other]);
  });

  it('is made on each event that wants it, and ends on that alone', () => {
    const { wanted, hedges } = world();
    const other = { ...FIXTURE, eventId: eventId('2026-11-21,30,40') };
    for (const event of [FIXTURE, other]) wanted.make(event, [FLAT], 0);
    const counts = () => [FIXTURE, other].map((event) => hedges.intentsOn(event, 1).length);
    expect(counts()).toEqual([1, 1]);
    wanted.make(other, [], 1);
    expect(counts()).toEqual([1, 0]);
  });

  it('is no fault if there is nothing to hedge', () => {
    const { state, make } = world();
    state.answer = { why: 'within', isNeedless: true };
    expect(make(0, FLAT)).toEqual([]);
  });
});

describe('an answer with hedges', () => {
  const answer = { owner: 'mine', intents: [], problems: [], hedges: [FLAT] };

  it('has their bets beside the quotes, and a fault for each that is refused', () => {
    const made = world();
    expect(withHedges({ hedges: made.hedges, wantedHedges: made.wanted }, FIXTURE, answer, 0)).toMatchObject({
      intents: [{ take: 'a/0', hedge: 'a' }],
      problems: [],
    });
    const refused = world();
    refused.state.answer = { why: 'no price' };
    expect(
      withHedges({ hedges: refused.hedges, wantedHedges: refused.wanted }, FIXTURE, answer, 0),
    ).toMatchObject({
      intents: [],
      problems: [{ kind: 'hedge-refused', strategy: 'mine', message: 'hedge a is not made: no price' }],
    });
  });

  it('makes none where nobody has the event', () => {
    const { hedges, wanted, asked } = world();
    withHedges({ hedges, wantedHedges: wanted }, FIXTURE, { ...answer, owner: null }, 0);
    expect(asked).toEqual([]);
  });
});
