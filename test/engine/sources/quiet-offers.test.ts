import { NEVER } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { settle, VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { eventKey, type EventName } from '../../../src/domain/events.ts';
import {
  betType,
  eventId,
  type EventId,
  type SelectionId,
  sport,
  type Sport,
} from '../../../src/domain/ids.ts';
import { EMPTY_PRICE_LIST } from '../../../src/domain/price-list.ts';
import { eventOfSelection } from '../../../src/domain/selection.ts';
import type { Offer, StreamFrame } from '../../../src/domain/stream.ts';
import { QuietEvents } from '../../../src/engine/sources/quiet-offers.ts';
import { TurnClock } from '../../../src/engine/turn-clock.ts';
import type { Market } from '../../../src/market/index.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { OfferQuery, Venue } from '../../../src/ports/venue.ts';

const event = eventId('2026-01-01,1,2');
const selection = `fb|${event}|h` as SelectionId;
const offer: Offer = {
  sport: sport('fb'),
  eventId: event,
  betType: betType('for,h'),
  marketType: 'wdw',
  inRunning: false,
  priceList: EMPTY_PRICE_LIST,
};
const STALE_AFTER_MS = 15_000;

function bench(staleAfterMs = STALE_AFTER_MS) {
  const clock = new VirtualClock();
  const frames: StreamFrame[] = [];
  const asked: (readonly EventId[])[] = [];
  const sports: Sport[] = [];
  const state = {
    seenMs: 0,
    isGone: false,
    areAllGone: false,
    goneMs: 0,
    goneEpoch: 3,
    othersMs: 0,
    answer: Promise.withResolvers<readonly Offer[]>(),
  };
  const heldSince = (seenMs: number) => ({ ageMs: clock.monotonicMs() - seenMs });
  const held = () => heldSince(state.seenMs);
  const others = () => ({ for: heldSince(state.othersMs), against: heldSince(state.othersMs) });
  const gone = () => ({ ...heldSince(state.goneMs), epoch: state.goneEpoch });
  const quoted = () => ({
    for: state.isGone ? null : held(),
    against: state.areAllGone ? null : held(),
  });
  const market: Market = Object.assign({} as Market, {
    event: () => ({ event: { sport: sport('fb') } }),
    selection: (id: SelectionId) => ({
      offers: id === selection ? quoted() : others(),
      takenAway: {
        for: id === selection && state.isGone ? gone() : null,
        against: id === selection && state.areAllGone ? gone() : null,
      },
    }),
  });
  const venue: Venue = Object.assign({} as Venue, {
    offers: ({ sport: name, eventIds }: OfferQuery) => {
      sports.push(name);
      asked.push(eventIds);
      return state.answer.promise;
    },
  });
  const quiet = new QuietEvents(venue, market, new TurnClock(clock), silentLogger, staleAfterMs);
  quiet.frames(NEVER).subscribe((frame) => frames.push(frame));
  const look = (chosen = selection): void => {
    const followed = { event: eventOfSelection(chosen) as EventName, selections: () => [chosen] };
    quiet.look(new Map([[eventKey(followed.event), followed]]), 3);
  };
  return { clock, frames, asked, sports, state, quiet, look };
}

it('reads each sport by itself where several use an event id, and takes news of the quiet one', async () => {
  const { clock, frames, asked, sports, state, quiet } = bench();
  const half = `fb_ht|${event}|h` as SelectionId;
  const followed = [selection, half].map((id) => {
    const name = eventOfSelection(id) as EventName;
    return [eventKey(name), { event: name, selections: () => [id] }] as const;
  });
  await clock.advance(6_000);
  quiet.look(new Map(followed), 3);
  expect([sports, asked]).toEqual([
    ['fb', 'fb_ht'],
    [[event], [event]],
  ]);
  state.othersMs = clock.monotonicMs();
  state.answer.resolve([offer]);
  await settle();
  // The stream has reported the half meanwhile, which proves nothing about the match.
  expect(frames.flatMap(({ entries }) => entries)).toContainEqual({ tag: 'offer', offer });
});

describe('quiet events', () => {
  it('are read over REST once the stream has been silent, and passed on as a frame of the request’s time', async () => {
    const { clock, frames, asked, state, look } = bench();
    await clock.advance(4_000);
    look();
    expect(asked).toEqual([]);
    await clock.advance(2_000);
    look();
    expect(asked).toEqual([[event]]);
    await clock.advance(300);
    state.answer.resolve([offer]);
    await settle();
    expect(frames).toEqual([
      {
        kind: 'frame',
        isAnswer: true,
        epoch: 3,
        sentMs: null,
        receivedMonotonicMs: 6_000,
        entries: [{ tag: 'offer', offer }],
      },
    ]);
  });

  it('are not requested again while an answer may be in flight', async () => {
    const { clock, asked, look } = bench();
    await clock.advance(6_000);
    look();
    await clock.advance(1_000);
    look();
    expect(asked).toHaveLength(1);
  });

  it('are left alone when the stream reported before the answer, which may be older', async () => {
    const { clock, frames, state, look } = bench();
    await clock.advance(6_000);
    look();
    await clock.advance(100);
    state.seenMs = clock.monotonicMs();
    state.answer.resolve([offer]);
    await settle();
    expect(frames).toEqual([]);
  });

  it('do not regain from an answer what the stream removed: the answer may be older', async () => {
    const { clock, frames, state, look } = bench();
    await clock.advance(6_000);
    look();
    state.isGone = true;
    const against = { ...offer, betType: betType('against,h') };
    state.answer.resolve([offer, against]);
    await settle();
    expect(frames.map(({ entries }) => entries)).toEqual([[{ tag: 'offer', offer: against }]]);
  });

  it.each([
    ['an earlier connection', 2, 0, true],
    ['an earlier connection that removed it a moment ago', 2, 3_000, false],
    ['this connection', 3, 0, false],
  ])('regain from an answer what was removed long before it: by %s', async (_, epoch, atMs, isBack) => {
    const { clock, frames, state, look } = bench();
    [state.isGone, state.goneEpoch, state.goneMs] = [true, epoch, atMs];
    await clock.advance(6_000);
    look();
    state.answer.resolve([offer]);
    await settle();
    expect(frames.length === 1).toBe(isBack);
  });

  it('keep what the stream reported of other markets when it removed the quoted ones', async () => {
    const { clock, frames, state, look } = bench();
    await clock.advance(6_000);
    look();
    await clock.advance(100);
    [state.isGone, state.areAllGone, state.othersMs] = [true, true, clock.monotonicMs()];
    state.answer.resolve([offer, { ...offer, betType: betType('for,d') }]);
    await settle();
    expect(frames).toEqual([]);
  });

  it('are not requested while the answer could be older than the last stream message', async () => {
    const { clock, asked, look } = bench(6_000);
    await clock.advance(3_500);
    look();
    expect(asked).toEqual([]);
    await clock.advance(1_000);
    look();
    expect(asked).toHaveLength(1);
  });

  it('are requested in the quoted sport, where several use the event id', async () => {
    const { clock, sports, look } = bench();
    await clock.advance(6_000);
    look(`fb_corn|${event}|h` as SelectionId);
    expect(sports).toEqual(['fb_corn']);
  });

  it('gather no requests while none is answered for long, and are requested again after the first answer', async () => {
    const { clock, asked, state, look } = bench();
    for (let passedMs = 0; passedMs < 3_600_000; passedMs += 6_000) {
      await clock.advance(6_000);
      look();
    }
    const unanswered = asked.length;
    state.answer.resolve([]);
    await settle();
    state.answer = Promise.withResolvers();
    await clock.advance(1_000);
    look();
    expect([unanswered, asked.length]).toEqual([3, 4]);
  });

  it('survive an answer that fails', async () => {
    const { clock, frames, asked, state, look } = bench();
    await clock.advance(6_000);
    look();
    state.answer.reject(new Error('503'));
    await settle();
    await clock.advance(6_000);
    look();
    expect([frames.length, asked.length]).toEqual([0, 2]);
  });
});
