import { describe, expect, it } from 'vitest';
import { describedEvents, eventIdsNamed } from '../../src/app/exchange/event-names.ts';
import { fillSelectionName, namesFrom } from '../../src/app/names.ts';
import type { SportEvent } from '../../src/domain/events.ts';
import { eventId, type SelectionId, sport } from '../../src/domain/ids.ts';
import { participantsIn } from '../../src/domain/selection-name.ts';
import type { FillRow } from '../../src/history/facts.ts';

const EVENT = { sport: sport('fb'), eventId: eventId('2026-01-01,1,2') };
const AWAY = 'fb|2026-01-01,1,2|ah,a,-1' as SelectionId;

const described = (over: Partial<SportEvent> = {}): SportEvent => ({
  ...EVENT,
  eventType: 'normal',
  eventName: 'Northgate v Tallberga FF',
  competitionId: null,
  competitionName: '',
  competitionCountry: '',
  teams: [],
  home: 'Northgate',
  away: 'Tallberga FF',
  irStatus: 'pre_event',
  startTimeMs: null,
  ...over,
});

describe('the name of a selection', () => {
  const known = namesFrom(
    () => described(),
    () => null,
  );
  const left = namesFrom(
    () => undefined,
    () => 'Northgate v Tallberga FF',
  );
  const unknown = namesFrom(
    () => undefined,
    () => null,
  );

  it('is the same while the exchange describes its event and afterwards', () => {
    for (const names of [known, left]) {
      expect(names.selection(AWAY)).toBe('Tallberga FF +0.25');
      expect(names.event(EVENT)).toBe('Northgate v Tallberga FF');
      expect(names.whole(AWAY)).toBe('Northgate v Tallberga FF: Tallberga FF +0.25');
      expect(names.eventOf(AWAY)).toBe('Northgate v Tallberga FF');
    }
  });

  it('of a runner is the last known one once the exchange no longer describes the event', () => {
    const runner = 'horse|r|win,7' as SelectionId;
    const who = { home: '', away: '', teams: [{ teamId: 7, name: 'Silver Arrow' }] };
    const over = namesFrom(
      () => undefined,
      () => 'Ascot',
      () => who,
    );
    expect(over.selection(runner)).toBe(
      namesFrom(
        () => described(who),
        () => null,
      ).selection(runner),
    );
    expect(over.selection(runner)).toBe('Silver Arrow');
  });

  it('is the same in the history, with or without its teams', () => {
    const fill = { selectionId: AWAY, title: 'Northgate v Tallberga FF' } as FillRow;
    expect(fillSelectionName(fill)).toBe('Tallberga FF +0.25');
    const runner = { selectionId: 'horse|r|win,7' as SelectionId, title: 'Ascot' } as FillRow;
    expect(fillSelectionName(runner)).toBe('Runner 7');
    const who = { home: '', away: '', teams: [{ teamId: 7, name: 'Silver Arrow' }] };
    expect(fillSelectionName({ ...runner, who })).toBe('Silver Arrow');
    expect(fillSelectionName({ ...fill, title: null })).toBe('Away +0.25');
  });

  it('falls back to ids, and to home and away, where nothing is known', () => {
    expect(unknown.event(EVENT)).toBe('2026-01-01,1,2');
    expect(unknown.selection(AWAY)).toBe('Away +0.25');
    const odd = 'nothing' as SelectionId;
    expect([unknown.selection(odd), unknown.whole(odd), unknown.eventOf(odd)]).toEqual([odd, odd, '']);
  });

  it.each([
    ['Arsenal v Chelsea', 'Arsenal', 'Chelsea'],
    ['Arsenal vs. Chelsea', 'Arsenal', 'Chelsea'],
    ['Arsenal - Chelsea', 'Arsenal', 'Chelsea'],
    ['Royal Ascot', '', ''],
  ])('reads the teams of %j', (title, home, away) => {
    expect(participantsIn(title)).toEqual({ home, away, teams: [] });
  });
});

describe('the events that a command names', () => {
  const events = [
    described(),
    described({ sport: sport('fb_ht') }),
    described({ eventId: eventId('2026-01-01,3,4'), eventName: 'Northgate v Harbour' }),
  ];
  const asked: unknown[] = [];
  const exchange = {
    async *allEvents(filter: unknown) {
      asked.push(filter);
      yield* events;
    },
  } as unknown as Parameters<typeof eventIdsNamed>[0];

  it('are found by id without a question, and by a unique part of the name', async () => {
    expect(await eventIdsNamed(exchange, ['2026-01-01,9,9'])).toEqual(['2026-01-01,9,9']);
    expect(asked).toEqual([]);
    expect(await eventIdsNamed(exchange, ['tallberga', '2026-01-01,9,9', 'harbour'], [sport('fb')])).toEqual([
      '2026-01-01,1,2',
      '2026-01-01,9,9',
      '2026-01-01,3,4',
    ]);
    expect(asked).toEqual([{ sports: ['fb'] }]);
  });

  it('are a mistake if there is none, or more than one', async () => {
    await expect(eventIdsNamed(exchange, ['Liverpool'])).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('no event with prices is named Liverpool') as string,
    });
    await expect(eventIdsNamed(exchange, ['Northgate'])).rejects.toMatchObject({
      code: 'usage',
      message:
        '"Northgate" may mean 2 things: Northgate v Harbour; Northgate v Tallberga FF. Write more of the name, or an id',
    });
  });

  it('are described by their ids', async () => {
    const found = await describedEvents(exchange, [sport('fb')], [EVENT.eventId]);
    expect(found.get(EVENT.eventId)?.eventName).toBe('Northgate v Tallberga FF');
  });
});
