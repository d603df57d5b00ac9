import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { settle } from '../../../src/app/adapters/virtual-clock.ts';
import { eventKey, type EventName } from '../../../src/domain/events.ts';
import { eventId, type EventId, type SelectionId, type Sport, sport } from '../../../src/domain/ids.ts';
import { selectionId } from '../../../src/domain/selection.ts';
import type { StreamFrame, StreamSignal } from '../../../src/domain/stream.ts';
import { EventList } from '../../../src/engine/sources/event-list.ts';
import { QuietEvents } from '../../../src/engine/sources/quiet-offers.ts';
import { UnreportedEvents } from '../../../src/engine/sources/registrations.ts';
import { TurnClock } from '../../../src/engine/turn-clock.ts';
import type { Look } from '../../../src/engine/turn.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { EventQuery, OfferQuery } from '../../../src/ports/venue.ts';
import {
  EVENT,
  eventEntry,
  FB,
  FIXTURE,
  FOR,
  offer,
  offerEntry,
  rig,
  sportEvent,
} from '../../market/support.ts';

const STALE_MS = 30_000;
const DUE_MS = STALE_MS / 3;

const eventOf = (number: number, of = 'fb'): EventName => ({
  sport: sport(of),
  eventId: eventId(`2026-11-21,${number},0`),
});
const homeOf = ({ sport: of, eventId: id }: EventName): SelectionId => selectionId(of, id, 'h');
const BASE = { monotonicMs: 0, wallMs: 0, seq: 1, left: [] };

/** Quiet events over a real market. */
function quiet() {
  const market = rig({ staleAfterMs: STALE_MS });
  const look$ = new Subject<Look>();
  const asked: [Sport, readonly EventId[]][] = [];
  const answers: PromiseWithResolvers<readonly []>[] = [];
  const venue = {
    offers: ({ sport: of, eventIds }: OfferQuery) => {
      asked.push([of, eventIds]);
      const answer = Promise.withResolvers<readonly []>();
      answers.push(answer);
      return answer.promise as never;
    },
  };
  const events = new QuietEvents(venue, market.market, new TurnClock(market.clock), silentLogger, STALE_MS);
  const frames: StreamFrame[] = [];
  events.frames(look$).subscribe((frame) => frames.push(frame));
  const look = (
    all: readonly EventName[],
    quoted: readonly EventName[] = [],
    part: Partial<Look> = {},
  ): void =>
    look$.next({
      ...BASE,
      isSynced: true,
      epoch: 1,
      events: all,
      chosen: new Map(quoted.map((event) => [eventKey(event), [homeOf(event)]])),
      ...part,
    });
  const tell = (...all: readonly EventName[]): void =>
    void market.frame(all.flatMap((event) => [eventEntry(event), offerEntry('for,h', FOR, event)]));
  return { ...market, asked, answers, frames, look, tell };
}

describe('the offers of quiet events', () => {
  it('are requested while the stream is in sync alone, for quoted events first and twenty at a time', async () => {
    const { clock, asked, look, tell } = quiet();
    const all = Array.from({ length: 30 }, (_, at) => eventOf(at));
    tell(...all);
    await clock.advance(DUE_MS + 1);
    const quoted = [all[25], all[28]] as EventName[];
    look(all, quoted, { isSynced: false });
    expect(asked).toEqual([]);
    look(all, quoted);
    const expected = [all[25], all[28], ...all.slice(0, 18)].map((event) => event?.eventId);
    expect(asked).toEqual([['fb', expected]]);
    look(all, quoted);
    const rest = [...all.slice(18, 25), all[26], all[27], all[29]].map((event) => event?.eventId);
    expect(asked.slice(1)).toEqual([['fb', rest]]);
  });

  it('are requested once a third of the staleness limit has passed since the last offer, and since the last request', async () => {
    const { clock, asked, answers, look, tell } = quiet();
    tell(FIXTURE);
    await clock.advance(DUE_MS);
    look([FIXTURE]);
    expect(asked).toEqual([]);
    await clock.advance(1);
    look([FIXTURE]);
    expect(asked).toHaveLength(1);
    answers[0]?.resolve([]);
    await settle();
    await clock.advance(DUE_MS);
    look([FIXTURE]);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    look([FIXTURE]);
    expect(asked).toHaveLength(2);
  });

  it('are not requested of an event without selections, and are judged by the quoted ones where there are some', async () => {
    const { clock, asked, frame, look, tell } = quiet();
    frame([eventEntry(eventOf(7))]);
    tell(FIXTURE);
    await clock.advance(DUE_MS + 1);
    frame([offerEntry('for,d', FOR)]);
    look([eventOf(7), FIXTURE]);
    expect(asked).toEqual([]);
    look([eventOf(7), FIXTURE], [FIXTURE]);
    expect(asked).toEqual([['fb', [EVENT]]]);
  });

  it('are requested again at once of an event that was left and came back', async () => {
    const { clock, asked, answers, look, tell } = quiet();
    tell(FIXTURE);
    await clock.advance(DUE_MS + 1);
    look([FIXTURE]);
    answers[0]?.resolve([]);
    await settle();
    look([]);
    look([FIXTURE]);
    expect(asked).toHaveLength(2);
  });

  it('are requested for three sports at once at most', async () => {
    const { clock, asked, answers, look, tell } = quiet();
    const all = ['fb', 'tennis', 'ih', 'golf'].map((of) => eventOf(1, of));
    tell(...all);
    await clock.advance(DUE_MS + 1);
    look(all);
    expect(asked.map(([of]) => of)).toEqual(['fb', 'tennis', 'ih']);
    answers[1]?.resolve([]);
    await settle();
    look(all);
    expect(asked.map(([of]) => of)).toEqual(['fb', 'tennis', 'ih', 'golf']);
  });

  it('are news only for a market that is offered, and not if they name none', async () => {
    const { clock, answers, frames, look, tell } = quiet();
    tell(FIXTURE);
    await clock.advance(DUE_MS + 1);
    look([FIXTURE]);
    const [known, news] = [
      offer('for,h', FOR),
      [offer('for,d', FOR), offer('against,h', FOR), offer('odd', FOR)],
    ];
    answers[0]?.resolve([known, ...news, { ...known, eventId: eventOf(3).eventId }] as never);
    await settle();
    expect(frames.map(({ entries }) => entries)).toEqual([[{ tag: 'offer', offer: known }]]);
  });
});

describe('the list of events', () => {
  function list() {
    const { clock, market, frame } = rig();
    const [look$, signal$] = [new Subject<Look>(), new Subject<StreamSignal>()];
    const asked: EventQuery[] = [];
    const answer = { events: [sportEvent({ eventName: 'new' })], unread: 0 };
    const venue = { events: async (query: EventQuery) => (asked.push(query), answer) };
    const frames: StreamFrame[] = [];
    const all = new EventList(venue, market, new TurnClock(clock), silentLogger);
    all.frames(look$, signal$, () => [FB]).subscribe((each) => frames.push(each));
    const look = async (isSynced: boolean): Promise<void> => {
      look$.next({ ...BASE, isSynced, epoch: 7, events: [], chosen: new Map() });
      await settle();
    };
    return { clock, frame, frames, asked, signal$, look };
  }

  it('is read a minute after a sync, while the stream is in sync, for the quoted sports', async () => {
    const { clock, asked, frames, signal$, look } = list();
    signal$.next({ kind: 'synced', epoch: 7 });
    await clock.advance(60_000);
    await look(false);
    expect(asked).toEqual([]);
    await look(true);
    expect(asked).toEqual([{ sports: [FB] }]);
    expect(frames).toMatchObject([{ isAnswer: true, epoch: 7, entries: [{ tag: 'event' }] }]);
  });

  it('is not read before the first sync, whatever the stream says', async () => {
    const { clock, asked, signal$, look } = list();
    const said = { kind: 'frame', epoch: 1, sentMs: null, receivedMonotonicMs: 0 } as const;
    signal$.next({ ...said, entries: [{ tag: 'clear_events' }] });
    await clock.advance(1_000_000);
    await look(true);
    expect(asked).toEqual([]);
  });

  it('describes again an event that only an earlier connection described', async () => {
    const { clock, frame, frames, signal$, look } = list();
    frame([eventEntry({ eventName: 'new' })], 1);
    signal$.next({ kind: 'synced', epoch: 7 });
    await clock.advance(60_000);
    await look(true);
    expect(frames).toEqual([]);
    frame([eventEntry(eventOf(9))], 2);
    await clock.advance(60_000);
    await look(true);
    expect(frames).toHaveLength(1);
  });
});

describe('an event whose offers do not arrive', () => {
  it('is registered again at its rank, while the stream is in sync, and waits anew once it was reported', async () => {
    const { clock, market, frame } = rig();
    const calls: unknown[] = [];
    const venue = {
      registerEvent: (of: Sport, id: EventId, value: number) => void calls.push(['+', of, id, value]),
      unregisterEvent: (of: Sport, id: EventId) => void calls.push(['-', of, id]),
    };
    const look$ = new Subject<Look>();
    const unreported = new UnreportedEvents(venue, market, clock);
    let emitted = 0;
    unreported.follow(look$).subscribe(() => emitted++);
    const look = (isSynced = true): void =>
      look$.next({
        ...BASE,
        isSynced,
        epoch: 1,
        chosen: new Map(),
        events: [eventOf(1), eventOf(2), FIXTURE],
      });
    frame([1, 2].flatMap((at) => [eventEntry(eventOf(at)), offerEntry('for,h', FOR, eventOf(at))]));
    look(false);
    await clock.advance(30_000);
    look();
    await clock.advance(29_999);
    look();
    expect(calls).toEqual([]);
    await clock.advance(1);
    look(false);
    expect(calls).toEqual([]);
    look();
    expect(calls.splice(0)).toEqual([
      ['-', 'fb', EVENT],
      ['+', 'fb', EVENT, -2],
    ]);
    frame([eventEntry(), offerEntry('against,h', FOR)]);
    await clock.advance(60_000);
    look();
    frame([{ tag: 'remove_event', ...FIXTURE }]);
    look();
    await clock.advance(29_999);
    look();
    expect(calls).toEqual([]);
    await clock.advance(1);
    look();
    expect([calls.length, emitted]).toEqual([2, 0]);
  });
});
