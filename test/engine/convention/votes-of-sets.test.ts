import { describe, expect, it } from 'vitest';
import type { SportEvent } from '../../../src/domain/events.ts';
import { betType, eventId, sport } from '../../../src/domain/ids.ts';
import type { StreamEntry } from '../../../src/domain/stream.ts';
import { voteOfSet } from '../../../src/engine/convention/votes.ts';
import { book, books, list, verdictAfter, votesAfter } from './books.ts';

describe('what votes', () => {
  const name = { sport: sport('fb'), eventId: eventId('1') };
  const multirunner = (teams: number, part: object = {}): StreamEntry => {
    const event = { ...name, eventType: 'multirunner', teams: Array(teams).fill({}), ...part };
    return { tag: 'event', event: event as object as SportEvent };
  };
  /** Two wide books and a narrow one: no selection votes, and the set of three does. */
  const runners = ['win,1', 'win,2', 'win,3'].map((outcome, at) =>
    book(outcome, [1.9, 2.15, 60][at] as number, [1.92, 2.2, 70][at] as number, '1', 'win'),
  );

  it('is a set of as many runners as the outright has, and of no other event', () => {
    const votes = (...entries: readonly StreamEntry[]) => votesAfter(entries).tally.votes.lay;
    // One of the runners votes by its own prices.
    expect(votes(multirunner(3), ...runners.flat())).toBe(2);
    expect(votes(multirunner(4), ...runners.flat())).toBe(1);
    expect(votes(multirunner(2), ...runners.flat())).toBe(2);
    expect(votes(multirunner(0), ...runners.flat())).toBe(1);
    expect(votes(...runners.flat())).toBe(1);
    expect(votes(multirunner(3, { eventType: 'normal' }), ...runners.flat())).toBe(1);
    expect(votes(multirunner(3, { eventId: eventId('2') }), ...runners.flat())).toBe(1);
    expect(votes(multirunner(3, { sport: sport('ih') }), ...runners.flat())).toBe(1);
  });

  it('is a set of the outcomes of a match in its own market alone', () => {
    const match = (type: string) =>
      votesAfter([
        ...book('h', 1.9, 1.92, '1', type),
        ...book('d', 3.9, 4, '1', type),
        ...book('a', 4.6, 4.8, '1', type),
      ]).tally.votes.lay;
    expect([match('wdw'), match('ou'), match('toString')]).toEqual([3, 2, 2]);
  });

  it('is a set of more selections than twice its winners, and of a little more', () => {
    const even = { for: list(3), against: list(3.05) };
    expect([2, 3, 4].map((count) => voteOfSet(Array(count).fill(even), 1))).toEqual([null, 'lay', null]);
    const of = (price: number, count: number) =>
      voteOfSet(Array(count).fill({ for: list(price), against: list(price) }), 2);
    expect([of(2, 4), of(2.5, 5)]).toEqual([null, 'lay']);
  });

  it('is a set whose middles add up to a tenth more or less than its winners', () => {
    const sum = (price: number) => voteOfSet(Array(5).fill({ for: list(price), against: list(price) }), 1);
    // 5 / 4.56 = 1.096, 5 / 4.54 = 1.101, 5 / 5.5 = 0.909, 5 / 5.6 = 0.893
    expect([4.56, 4.54, 5.5, 5.6].map(sum)).toEqual(['lay', null, 'lay', null]);
  });

  it('is no selection whose prices are gone, and its last vote stays', () => {
    const gone = { tag: 'remove_offer', ...name, betType: betType('for,over,0') } as const;
    const other = [
      { ...gone, eventId: eventId('2') },
      { ...gone, betType: betType('odd') },
      { ...gone, betType: betType('for,x') },
    ];
    expect(votesAfter(books(1, 'lay'), other).tally).toMatchObject({ votes: { lay: 1 }, votable: 1 });
    expect(votesAfter(books(1, 'lay'), [gone]).tally).toMatchObject({ votes: { lay: 1 }, votable: 0 });
    expect(votesAfter(books(1, 'lay'), [gone], books(1, 'lay')).tally.votable).toBe(1);
  });

  it('is no event whose removal names another sport', () => {
    const removed: StreamEntry = { tag: 'remove_event', sport: sport('ih'), eventId: eventId('1') };
    expect(votesAfter(books(2, 'lay'), [removed]).tally.votes.lay).toBe(2);
    expect(votesAfter([...books(2, 'lay'), { ...removed, sport: sport('fb') }]).tally).toEqual({
      votes: { odds: 0, lay: 0 },
      votable: 0,
      verdict: null,
    });
  });

  it('is a set no more once its event is removed in the same frame, or lost', () => {
    const match = [
      ...book('h', 1.9, 1.92, '1', 'wdw'),
      ...book('d', 3.9, 4, '1', 'wdw'),
      ...book('a', 4.6, 4.8, '1', 'wdw'),
    ];
    const none = { votes: { odds: 0, lay: 0 }, votable: 0, verdict: null };
    expect(votesAfter([...match, { tag: 'remove_event', ...name }]).tally).toEqual(none);
    expect(votesAfter([...match, { tag: 'clear_events' }]).tally).toEqual(none);
    const votes = votesAfter(match, match);
    votes.clear();
    expect(votes.tally).toEqual(none);
    votes.take(match);
    expect(votes.tally.verdict).toBeNull();
    votes.take(match);
    expect(votes.tally.verdict).toBe('lay');
  });
});

describe('a proof of few votes', () => {
  const match = (): StreamEntry[] => [
    ...book('h', 1.9, 1.92, '1', 'wdw'),
    ...book('d', 3.9, 4, '1', 'wdw'),
    ...book('a', 4.6, 4.8, '1', 'wdw'),
  ];

  it('needs every set and selection that can vote to have voted so in two frames', () => {
    const [third] = [books(1, 'lay', 9)];
    expect(verdictAfter(match(), match())).toBe('lay');
    expect(verdictAfter(match(), [...match(), ...third])).toBeNull();
    expect(verdictAfter(match(), [...match(), ...third], third)).toBe('lay');
    expect(verdictAfter(match(), [...match(), ...books(1, 'odds', 9)], books(1, 'odds', 9))).toBeNull();
  });

  it.each([
    [9, 0, null],
    [10, 0, 'odds'],
    [9, 1, null],
    [0, 10, 'lay'],
    [10, 10, null],
  ])('is that of many from ten votes on: %i for odds and %i for lay prices give %s', (odds, lay, verdict) => {
    expect(verdictAfter([...books(odds, 'odds'), ...books(lay, 'lay', 50)])).toBe(verdict);
  });
});
