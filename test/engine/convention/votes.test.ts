import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SportEvent } from '../../../src/domain/events.ts';
import { betType, eventId, sport } from '../../../src/domain/ids.ts';
import { LADDER } from '../../../src/domain/ladder.ts';
import { complement, PRICE_CONVENTIONS } from '../../../src/domain/odds.ts';
import type { StreamEntry } from '../../../src/domain/stream.ts';
import { voteOf, voteOfSet, Votes } from '../../../src/engine/convention/votes.ts';
import { book, books, list, offer, verdictAfter, votesAfter } from './books.ts';

describe('the vote of a selection', () => {
  it.each([
    [[2.2], [2.2], 'lay'],
    [[2.2], [2.18], null],
    [[2.2], [1.83], 'odds'],
    [[2.2], [1.84], null],
    [[2.18], [2.3], null],
    [[2.18], [1.5], null],
    [[3], [1.5], 'odds'],
    [[3], [1.51], null],
    [[26], [1.04], 'odds'],
    [[13.5], [1.08], 'odds'],
    [[3], [], null],
    [[], [3], null],
    // The best of takers: the highest odds, the lowest lay price.
    [[3, 2.9], [1.5, 1.4], 'odds'],
    [[3, 2.9], [1.52, 1.4], null],
    [[3], [3.2, 3.05], 'lay'],
    [[3], [3.2, 2.98], null],
  ])('of %j for and %j against is %s', (forPrices, against, vote) => {
    expect(voteOf(list(...forPrices), list(...against))).toBe(vote);
  });

  const tick = fc.nat(LADDER.length - 1).map((at) => LADDER[at] as number);

  it.each(PRICE_CONVENTIONS)(
    'is never for the other reading in a possible book of %s prices',
    (convention) => {
      const prices = fc.array(tick, { minLength: 1, maxLength: 4 });
      fc.assert(
        fc.property(tick, prices, (forPrice, against) => {
          const possible = against.filter((price) =>
            convention === 'lay' ? price >= forPrice : 1 / forPrice + 1 / price >= 1 - 1e-12,
          );
          const vote = voteOf(list(forPrice), list(...new Set(possible)));
          expect(vote === null || vote === convention).toBe(true);
        }),
        { numRuns: 3_000 },
      );
    },
  );
});

describe('the vote of a set', () => {
  it('is for the reading under which its middles add up to one winner', () => {
    const lay = [
      { for: list(1.9), against: list(1.92) },
      { for: list(3.9), against: list(4) },
      { for: list(4.6), against: list(4.8) },
    ];
    expect(voteOfSet(lay, 1)).toBe('lay');
    const odds = lay.map(({ for: side, against }) => ({
      for: side,
      against: list(complement(against[0] ?? 0)),
    }));
    expect(voteOfSet(odds, 1)).toBe('odds');
  });

  it('is withheld by a set that lacks a price, or is too small to tell', () => {
    expect(
      voteOfSet([{ for: list(3), against: list() }, ...Array(2).fill({ for: list(3), against: list(3) })], 1),
    ).toBeNull();
    expect(voteOfSet(Array(2).fill({ for: list(2), against: list(2) }), 1)).toBeNull();
  });

  const tick = fc.nat(LADDER.length - 1).map((at) => LADDER[at] as number);

  it.each(PRICE_CONVENTIONS)(
    'is never for the other reading in possible books of %s prices',
    (convention) => {
      const possible = fc
        .tuple(tick, tick)
        .filter(([f, a]) => (convention === 'lay' ? a >= f : 1 / f + 1 / a >= 1))
        .map(([f, a]) => ({ for: list(f), against: list(a) }));
      fc.assert(
        fc.property(fc.array(possible, { minLength: 3, maxLength: 6 }), (selections) => {
          const vote = voteOfSet(selections, 1);
          expect(vote === null || vote === convention).toBe(true);
        }),
        { numRuns: 2_000 },
      );
    },
  );

  it('counts for a football match and for an outright whose runners all have prices', () => {
    const match = [
      ...book('h', 1.9, 1.92, '1', 'wdw'),
      ...book('d', 3.9, 4, '1', 'wdw'),
      ...book('a', 4.6, 4.8, '1', 'wdw'),
    ];
    // Two selections, and the set.
    expect(votesAfter(match).tally.votes).toEqual({ odds: 0, lay: 3 });
    expect(votesAfter(match.slice(0, 4)).tally.votes).toEqual({ odds: 0, lay: 1 });
    const teams = [1, 2, 3].map((teamId) => ({ teamId, name: '' }));
    const event = {
      sport: sport('fb'),
      eventId: eventId('9'),
      eventType: 'multirunner',
      teams,
    } as object as SportEvent;
    const outright = [...book('win,1', 1.9, 1.92, '9', 'win'), ...book('win,2', 2.05, 2.1, '9', 'win')];
    const third = book('win,3', 100, 110, '9', 'win');
    expect(votesAfter([{ tag: 'event', event }, ...outright]).tally.votes).toEqual({ odds: 0, lay: 0 });
    expect(votesAfter([{ tag: 'event', event }, ...outright, ...third]).tally.votes).toEqual({
      odds: 0,
      lay: 2,
    });
  });
});

describe('the proof', () => {
  it.each(PRICE_CONVENTIONS)('of %s needs ten votes in one frame', (convention) => {
    expect(verdictAfter(books(9, convention))).toBeNull();
    expect(verdictAfter(books(10, convention))).toBe(convention);
  });

  it.each([
    [18, 1, null],
    [19, 1, 'odds'],
    [38, 2, 'odds'],
    [37, 2, null],
  ])('of %i against %i votes is %s', (most, others, verdict) => {
    expect(verdictAfter([...books(most, 'odds'), ...books(others, 'lay', most)])).toBe(verdict);
  });

  it('of fewer selections needs three, in two frames each, and all of one mind', () => {
    const frame = () => books(3, 'odds');
    expect(verdictAfter(frame())).toBeNull();
    expect(verdictAfter(frame(), books(2, 'odds'))).toBeNull();
    expect(verdictAfter(frame(), frame())).toBe('odds');
    expect(verdictAfter(books(2, 'odds'), books(2, 'odds'))).toBeNull();
    expect(verdictAfter([...frame(), ...books(1, 'lay', 3)], [...frame(), ...books(1, 'lay', 3)])).toBeNull();
    // A selection that could vote, and is crossed either way.
    const crossed = () => [...frame(), ...book('d', 3, 2)];
    expect(verdictAfter(crossed(), crossed())).toBeNull();
  });

  it('of a match with a favourite takes two selections and their set', () => {
    const match = [
      ...book('h', 1.9, 1.92, '1', 'wdw'),
      ...book('d', 3.9, 4, '1', 'wdw'),
      ...book('a', 4.6, 4.8, '1', 'wdw'),
    ];
    expect(verdictAfter(match)).toBeNull();
    expect(verdictAfter(match, match.slice(2))).toBe('lay');
    const removed = { tag: 'remove_event', sport: sport('fb'), eventId: eventId('1') } as const;
    expect(verdictAfter(match, match, [removed])).toBeNull();
  });

  it('hears of an outright in a frame only by a runner, and of a match only by its outcomes', () => {
    const teams = [1, 2, 3].map((teamId) => ({ teamId, name: '' }));
    const named = { sport: sport('fb'), eventId: eventId('9'), eventType: 'multirunner', teams };
    const event: StreamEntry = { tag: 'event', event: named as object as SportEvent };
    const two = () => [...book('win,1', 1.9, 1.92, '9', 'win'), ...book('win,3', 60, 70, '9', 'win')];
    const other = () => book('win,2', 2.15, 2.2, '9', 'win');
    const first = [
      [event, ...books(2, 'lay'), ...two()],
      [...books(2, 'lay'), ...two(), ...other()],
    ];
    const elsewhere = [offer('over,7', 'for', list(2), '9'), offer('h', 'for', list(2), '9', 'wdw')];
    // Each selection has voted in two frames, the set in one.
    expect(verdictAfter(...first)).toBeNull();
    expect(verdictAfter(...first, elsewhere)).toBeNull();
    expect(verdictAfter(...first, other())).toBe('lay');
  });

  it('counts a repeated offer as another frame, even as the same object', () => {
    const frame = books(3, 'lay');
    expect(verdictAfter(frame, frame)).toBe('lay');
  });

  it('is not given by prices near evens', () => {
    const even = Array.from({ length: 40 }, (_, at) => book(`over,${at}`, 1.98, 2.02)).flat();
    expect(votesAfter(even, even).tally).toEqual({ votes: { odds: 0, lay: 0 }, votable: 0, verdict: null });
  });

  it('follows an exchange that switches: the latest vote of each selection counts', () => {
    const votes = votesAfter(books(12, 'lay'));
    votes.take(books(11, 'odds'));
    expect(votes.tally).toMatchObject({ votes: { odds: 11, lay: 1 }, verdict: null });
    votes.take(books(12, 'odds'));
    expect(votes.tally).toMatchObject({ votes: { odds: 12, lay: 0 }, verdict: 'odds' });
    // In fewer selections, a new mind needs two frames again.
    const few = votesAfter(books(3, 'lay'), books(3, 'lay'));
    few.take(books(3, 'odds'));
    expect(few.tally.verdict).toBeNull();
    few.take(books(3, 'odds'));
    expect(few.tally.verdict).toBe('odds');
  });

  it('loses the votes of an event that is removed, of a lost feed, and of a selection without prices nothing but the right to vote', () => {
    const name = { sport: sport('fb'), eventId: eventId('1') };
    const none = { votes: { odds: 0, lay: 0 }, votable: 0, verdict: null };
    expect(votesAfter(books(12, 'odds'), [{ tag: 'remove_event', ...name }]).tally).toEqual(none);
    expect(votesAfter(books(12, 'odds'), [{ tag: 'clear_events' }]).tally).toEqual(none);
    expect(votesAfter([...books(12, 'odds'), { tag: 'clear_events' }]).tally).toEqual(none);
    const gone = { tag: 'remove_offer', ...name, betType: betType('against,over,0') } as const;
    expect(votesAfter(books(3, 'odds'), [gone]).tally).toMatchObject({ votes: { odds: 3 }, votable: 2 });
  });

  it('takes the same offer again after its market had been removed', () => {
    const frame = books(3, 'odds');
    const gone = {
      tag: 'remove_offer',
      sport: sport('fb'),
      eventId: eventId('1'),
      betType: betType('against,over,0'),
    } as const;
    expect(votesAfter(frame, frame, [gone], frame).tally.votable).toBe(3);
  });
});

it('is the same for the same objects in any order as for new ones', () => {
  const PRICES = [1.47, 2.18, 2.6, 3.1].map((price) => list(price));
  const markets = ['1', '2'].flatMap((event) =>
    ['h', 'd', 'a'].flatMap((outcome) =>
      ['for', 'against', 'unknown'].map((direction) =>
        PRICES.map((prices) => offer(outcome, direction, prices, event, 'wdw')),
      ),
    ),
  );
  const offered = fc
    .tuple(fc.constantFrom(...markets), fc.nat({ max: PRICES.length - 1 }))
    .map(([versions, at]) => versions[at] as StreamEntry);
  const gone: StreamEntry = { tag: 'remove_event', sport: sport('fb'), eventId: eventId('1') };
  const entry = fc.oneof(
    { weight: 20, arbitrary: offered },
    { weight: 1, arbitrary: fc.constantFrom<StreamEntry>(gone, { tag: 'clear_events' }) },
  );
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 12 }), { maxLength: 8 }), (frames) => {
      const [same, fresh] = [new Votes(), new Votes()];
      for (const frame of [...frames, ...frames]) {
        same.take(frame);
        fresh.take(frame.map((each) => structuredClone(each)));
        const { votes, votable } = same.tally;
        expect({ votes, votable }).toEqual({ votes: fresh.tally.votes, votable: fresh.tally.votable });
      }
    }),
  );
});

it.each<[string, (votes: Votes) => void]>([
  ['is removed', (votes) => votes.take([{ tag: 'remove_event', sport: sport('fb'), eventId: eventId('1') }])],
  ['is cleared with all others', (votes) => votes.take([{ tag: 'clear_events' }])],
  ['is lost with the feed', (votes) => votes.clear()],
])('counts the same offers again after their event %s', (_, lose) => {
  const offers = books(3, 'lay');
  const votes = votesAfter(offers);
  lose(votes);
  expect(votes.tally.votes.lay).toBe(0);
  votes.take(offers);
  expect(votes.tally.votes.lay).toBe(3);
});
