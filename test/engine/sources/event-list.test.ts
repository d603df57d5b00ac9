import { NEVER } from 'rxjs';
import { expect, it } from 'vitest';
import { settle, VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { SportEvent } from '../../../src/domain/events.ts';
import { eventId, sport } from '../../../src/domain/ids.ts';
import type { StreamEntry, StreamFrame } from '../../../src/domain/stream.ts';
import { EventList } from '../../../src/engine/sources/event-list.ts';
import { TurnClock } from '../../../src/engine/turn-clock.ts';
import type { Candidate, EventState, Market } from '../../../src/market/index.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { EventListing, EventQuery } from '../../../src/ports/venue.ts';
import { FB, sportEvent } from '../../market/support.ts';

const EVENT = sportEvent({});
const ELSEWHERE = sportEvent({ eventId: eventId('2026-01-02,8,9') });
const LATER = { ...EVENT, startTimeMs: (EVENT.startTimeMs ?? 0) + 3_600_000 };

function bench() {
  const clock = new VirtualClock();
  const frames: StreamFrame[] = [];
  const asked: EventQuery[] = [];
  const state: {
    answer: PromiseWithResolvers<EventListing>;
    known: SportEvent | null;
    /** Entries of the list that cannot be read. */
    unread: number;
    offeredMicros: number | null;
  } = {
    answer: Promise.withResolvers(),
    known: EVENT,
    unread: 0,
    offeredMicros: null,
  };
  const held = (): EventState[] =>
    state.known === null ? [] : [{ event: state.known, current: true } as EventState];
  const offer = { liquidityMicros: () => state.offeredMicros } as unknown as Candidate;
  const market: Pick<Market, 'event' | 'events' | 'candidates'> = {
    event: (name) =>
      name.eventId === ELSEWHERE.eventId ? ({ event: ELSEWHERE, current: true } as EventState) : held()[0],
    events: held,
    candidates: () => [offer],
  };
  const events = (query: EventQuery) => {
    asked.push(query);
    return state.answer.promise;
  };
  const list = new EventList({ events }, market, new TurnClock(clock), silentLogger);
  list.frames(NEVER, NEVER, () => []).subscribe((frame) => frames.push(frame));
  const look = (): void => list.look(3, [FB]);
  const say = (...entries: StreamEntry[]): void =>
    list.onSignal({
      kind: 'frame',
      isAnswer: true,
      epoch: 3,
      sentMs: null,
      entries,
      receivedMonotonicMs: clock.monotonicMs(),
    });
  const answer = async (...found: SportEvent[]): Promise<void> => {
    state.answer.resolve({ events: found, unread: state.unread });
    await settle();
  };
  return {
    clock,
    frames,
    asked,
    state,
    look,
    say,
    answer,
    sync: () => list.onSignal({ kind: 'synced', epoch: 3 }),
  };
}

const entriesOf = (frames: readonly StreamFrame[]) => frames.flatMap(({ entries }) => entries);

it('is read a minute after the stream has synced, and once a minute from then on', async () => {
  const { clock, asked, look, sync, answer } = bench();
  look();
  sync();
  await clock.advance(59_000);
  look();
  expect(asked).toEqual([]);
  await clock.advance(1_000);
  look();
  await answer(EVENT);
  await clock.advance(59_000);
  look();
  expect(asked).toEqual([{ sports: [FB] }]);
  await clock.advance(1_000);
  look();
  expect(asked).toHaveLength(2);
});

async function askedOnce() {
  const all = bench();
  all.sync();
  await all.clock.advance(60_000);
  all.look();
  return all;
}

it('reports a new or changed event, as of the time of the request', async () => {
  const fresh = await askedOnce();
  fresh.state.known = null;
  await fresh.clock.advance(700);
  await fresh.answer(EVENT);
  expect(fresh.frames).toEqual([
    {
      kind: 'frame',
      isAnswer: true,
      epoch: 3,
      sentMs: null,
      receivedMonotonicMs: 60_000,
      entries: [{ tag: 'event', event: EVENT }],
    },
  ]);
  const moved = await askedOnce();
  await moved.answer(LATER);
  expect(entriesOf(moved.frames)).toEqual([{ tag: 'event', event: LATER }]);
});

it('reports no unchanged event', async () => {
  const { frames, answer } = await askedOnce();
  await answer({ ...EVENT });
  expect(frames).toEqual([]);
});

it('leaves to the stream what it reported since, or shortly before, because answers lag it', async () => {
  const { sport: name, eventId: id } = EVENT;
  const removed: StreamEntry = { tag: 'remove_event', sport: name, eventId: id };
  const said: StreamEntry = { tag: 'event', event: LATER };
  for (const [entry, beforeS, isReported] of [
    [removed, 5, false],
    [removed, 7, true],
    [said, 5, false],
    [said, 0, false],
    [said, -1, false],
    [{ ...removed, sport: sport('ih') }, 5, true],
  ] as const) {
    const { clock, frames, look, say, sync, answer } = bench();
    sync();
    await clock.advance((60 - Math.max(0, beforeS)) * 1_000);
    if (beforeS >= 0) say(entry);
    await clock.advance(Math.max(0, beforeS) * 1_000);
    look();
    if (beforeS < 0) say(entry);
    await answer({ ...EVENT, irStatus: 'in_running' });
    expect(frames, `${entry.tag} ${beforeS} s before`).toHaveLength(isReported ? 1 : 0);
  }
});

it('is not read soon after the feed was lost, and drops an answer to an earlier request', async () => {
  const { clock, frames, asked, state, look, say, sync, answer } = await askedOnce();
  state.known = null;
  say({ tag: 'clear_events' });
  await clock.advance(119_000);
  look();
  expect(asked).toHaveLength(1);
  sync();
  await answer(EVENT);
  expect(frames).toEqual([]);
  await clock.advance(60_000);
  look();
  expect(asked).toHaveLength(2);
});

it('is read again two minutes after the feed was lost, even without a report of its return', async () => {
  const { clock, frames, asked, state, look, say, answer } = await askedOnce();
  await answer();
  state.answer = Promise.withResolvers();
  state.known = null;
  say({ tag: 'clear_events' });
  await clock.advance(120_000);
  look();
  await answer(EVENT);
  expect([asked.length, entriesOf(frames).length]).toEqual([2, 1]);
});

it('is requested again after a failure', async () => {
  const { clock, asked, state, look, frames } = await askedOnce();
  state.answer.reject(new Error('503'));
  await settle();
  await clock.advance(60_000);
  look();
  expect([asked.length, frames.length]).toEqual([2, 0]);
});

it('is not requested while a request is in flight: an old answer would undo newer data', async () => {
  const { clock, frames, asked, state, look, say, answer } = await askedOnce();
  const late = state.answer;
  state.known = { ...EVENT, irStatus: 'in_running' };
  await clock.advance(50_000);
  say({ tag: 'event', event: state.known });
  await clock.advance(10_000);
  state.answer = Promise.withResolvers();
  look();
  late.resolve({ events: [EVENT], unread: 0 });
  await settle();
  expect([asked.length, frames]).toEqual([1, []]);
  look();
  await answer(LATER);
  expect([asked.length, entriesOf(frames).length]).toEqual([2, 1]);
});

/** Reads the list once for each answer, a minute apart. */
async function reads(
  all: ReturnType<typeof bench>,
  answers: readonly (readonly SportEvent[])[],
): Promise<void> {
  for (const found of answers) {
    all.state.answer = Promise.withResolvers();
    await all.clock.advance(60_000);
    all.look();
    await all.answer(...found);
  }
}

it('removes an event that it lacks ten times in a row', async () => {
  const { sport: name, eventId: id } = EVENT;
  const all = bench();
  all.sync();
  await reads(all, [
    ...Array.from({ length: 9 }, () => [ELSEWHERE]),
    [EVENT, ELSEWHERE],
    ...Array.from({ length: 9 }, () => [ELSEWHERE]),
  ]);
  expect(all.frames).toEqual([]);
  await reads(all, [[ELSEWHERE]]);
  expect(entriesOf(all.frames)).toEqual([{ tag: 'remove_event', sport: name, eventId: id }]);
});

it('removes no event while an entry of the list cannot be read', async () => {
  const all = bench();
  all.state.unread = 1;
  all.sync();
  const lists = (count: number) => Array.from({ length: count }, () => [ELSEWHERE]);
  await reads(all, lists(12));
  expect(all.frames).toEqual([]);
  all.state.unread = 0;
  await reads(all, lists(9));
  expect(all.frames).toEqual([]);
  await reads(all, lists(1));
  expect(all.frames).toHaveLength(1);
});

it('removes no event of a sport that was not requested', async () => {
  const all = bench();
  all.state.known = { ...EVENT, sport: sport('ih') };
  all.sync();
  await reads(
    all,
    Array.from({ length: 12 }, () => [ELSEWHERE]),
  );
  expect(all.frames).toEqual([]);
});

it.each([
  ['that has prices now', 5_000_000, [ELSEWHERE]],
  ['where the list is empty', null, []],
] as const)('removes no event %s', async (_, offeredMicros, found) => {
  const all = bench();
  all.state.offeredMicros = offeredMicros;
  all.sync();
  await reads(
    all,
    Array.from({ length: 12 }, () => found),
  );
  expect(all.frames).toEqual([]);
});
