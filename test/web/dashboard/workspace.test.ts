import { describe, expect, it } from 'vitest';
import type { EventKey, SelectionId } from '../../../src/domain/ids.ts';
import type { LiveEvent, LiveFill, LiveSelection } from '../../../src/read-model/live/message.ts';
import { addressOf, type Desk, NO_DESK, screenIn, toggled } from '../../../src/web/dashboard/desk.ts';
import { eventOf } from '../../../src/web/dashboard/stream/keys.ts';
import { PAGE } from '../../../src/lib/formats.ts';
import { EVENT_COLUMNS } from '../../../src/read-model/live/event-columns.ts';
import { mostActive, shownLadders } from '../../../src/read-model/live/choices.ts';
import { reasonInFull, shownEvents } from '../../../src/web/dashboard/workspace/event-rows.ts';
import { aProfit } from '../../support/status.ts';
import { liveEvent } from '../../support/live-event.ts';

const fillOn = (eventKey: string): LiveFill => ({ eventKey: eventKey as EventKey }) as LiveFill;

const selection = (id: string, orders = 0): LiveSelection =>
  ({ id: id as SelectionId, quotes: Array.from({ length: orders }) }) as unknown as LiveSelection;

describe('the address of a workspace', () => {
  const full: Desk = {
    event: 'fb|2026-01-01,1,2',
    ladders: ['fb|2026-01-01,1,2|for,h', 'fb|2026-01-01,1,2|for,ou,10'],
    pins: ['fb|2026-01-01,1,2'],
    sort: '-profit',
    find: 'north & south',
    only: 'in play',
  };

  it.each<[string, Desk]>([
    ['everything', full],
    ['nothing', NO_DESK],
    ['an event alone', { ...NO_DESK, event: 'fb|1' }],
  ])('names %s, and brings it back', (_what, desk) => {
    expect(screenIn(addressOf(desk))).toEqual({ kind: 'events', desk });
  });

  it('is short for what is usual', () => {
    expect(addressOf(NO_DESK)).toBe('#');
    expect(addressOf({ ...NO_DESK, sort: 'clock' })).toBe('#events?sort=clock');
  });

  it('names other screens by their own words, and takes unknown words for the workspace', () => {
    expect(screenIn('#history')).toEqual({ kind: 'history' });
    expect(screenIn('#log')).toEqual({ kind: 'log' });
    expect(screenIn('#no-such-screen')).toEqual({ kind: 'events', desk: NO_DESK });
    expect(screenIn('#events?only=nothing&color=red')).toEqual({ kind: 'events', desk: NO_DESK });
  });

  it('has at most eight ladders', () => {
    const many = Array.from({ length: 12 }, (_, at) => `ladder=${at}`).join('&');
    const screen = screenIn(`#events?${many}`);
    expect(screen.kind === 'events' ? screen.desk.ladders : []).toHaveLength(8);
  });

  it('adds and takes away', () => {
    expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
    expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
  });
});

describe('the most active event', () => {
  const events = [liveEvent('a', { ordersOpen: 2 }), liveEvent('b', { ordersOpen: 3 })];

  it('has the most orders and fills', () => {
    expect(mostActive(events, [], null)).toBe('b');
    expect(mostActive(events, [fillOn('a'), fillOn('a')], null)).toBe('a');
    expect(mostActive([], [], 'a')).toBeNull();
  });

  it('stays until another is twice as active, or it is gone', () => {
    expect(mostActive(events, [], 'a')).toBe('a');
    const busy = [fillOn('b'), fillOn('b'), fillOn('b')];
    expect(mostActive(events, busy, 'a')).toBe('b');
    expect(mostActive(events.slice(1), [], 'a')).toBe('b');
  });
});

describe('the ladders where none is pinned', () => {
  const all = [selection('e|a'), selection('e|b', 2), selection('e|c'), selection('e|d', 1)];

  it('are those of quoted selections, then others', () => {
    expect(shownLadders(all, [], 3)).toEqual(['e|b', 'e|d', 'e|a']);
    expect(shownLadders(all, [], 99)).toEqual(['e|b', 'e|d', 'e|a', 'e|c']);
  });

  it('stay in their places while they are there', () => {
    expect(shownLadders(all, ['e|c', 'e|gone', 'e|b'], 3)).toEqual(['e|c', 'e|b', 'e|d']);
  });

  it('belong to an event', () => {
    expect(eventOf('fb|2026-01-01,1,2|for,h')).toBe('fb|2026-01-01,1,2');
  });
});

describe('the table of events', () => {
  const profit = { ...aProfit().run, expected: 4 };
  const events = [
    liveEvent('b', { worst: -5, profit, inRunning: true, startMs: 3 }),
    liveEvent('a', { worst: -9, met: 1, waits: 'wait for betslips', startMs: 2 }),
    liveEvent('c', { worst: -5, competition: 'Coastal Open', startMs: 1 }),
  ];
  const keys = (desk: Partial<Desk>): readonly string[] =>
    shownEvents(events, { ...NO_DESK, ...desk }).map(({ key }) => key);

  it.each<[string, Partial<Desk>, readonly string[]]>([
    ['the worst first, then by name', {}, ['a', 'b', 'c']],
    ['the highest first', { sort: '-worst' }, ['b', 'c', 'a']],
    ['by start', { sort: 'clock' }, ['c', 'a', 'b']],
    ['by name where the column is unknown', { sort: 'colour' }, ['a', 'b', 'c']],
    ['pinned ones first', { pins: ['c'] }, ['c', 'a', 'b']],
    ['those found by each word', { find: 'coastal open' }, ['c']],
    ['those in play', { only: 'in play' }, ['b']],
    ['those with bets or orders', { only: 'held' }, ['b']],
    ['those not quoted whole', { only: 'not quoted' }, ['a']],
  ])('holds %s', (_what, desk, expected) => {
    expect(keys(desk)).toEqual(expected);
  });

  const LEFT = { what: 'leave', amount: 1, by: 'bob', why: 'my hands', sinceMs: 0, untilMs: null } as const;
  const HALT = { state: 'halted', by: 'anna', why: 'injury', untilMs: null } as const;
  const text = (name: string, event: LiveEvent): string | undefined =>
    EVENT_COLUMNS.find((column) => column.name === name)?.text(event, 60_000, PAGE);

  it.each<[string, Partial<LiveEvent>, string]>([
    ['reason', { waits: 'wait for betslips', met: 1 }, 'betslips'],
    ['reason', { waits: 'wait for betslips', met: 1, suspended: true }, 'suspended'],
    ['reason', { throws: 'the strategy throws' }, 'throws'],
    ['reason', { refused: 'off tick' }, 'refused'],
    ['reason', { adjustments: [LEFT], waits: 'left alone' }, 'left alone'],
    ['reason', { restriction: HALT, waits: 'wait for betslips' }, 'halted'],
    ['reason', {}, ''],
    ['reason', { quoted: false, wanted: 0, met: 0 }, 'not chosen'],
    ['quoted', { met: 2 }, '2/3'],
    ['quoted', { wanted: 0, met: 0 }, '–'],
    ['clock', { clock: { period: '1h', minutes: 31 } }, '1st 31′'],
    ['clock', { clock: { period: 'ht', minutes: null } }, 'half time'],
    ['clock', { clock: { period: 'set 1', minutes: null } }, 'set 1'],
    ['clock', { inRunning: true }, 'in play'],
    ['clock', { startMs: 150_000 }, 'in 90 s'],
    ['clock', {}, ''],
    ['score', { score: [1, 0] }, '1:0'],
    ['profit', { profit }, '+4.00'],
    ['profit', {}, '–'],
    ['profit', { profit, withoutFair: 2 }, '+4.00 ?'],
    ['profit', { withoutFair: 2 }, '–'],
    ['competition', { competition: null }, 'fb'],
  ])('says in the column %s of %j: %s', (column, over, expected) => {
    expect(text(column, liveEvent('a', over))).toBe(expected);
  });

  it('tells in full who halted an event, and why', () => {
    expect(reasonInFull(liveEvent('a', { restriction: HALT }), 0)).toBe('HALTED: injury, by anna');
    const soon = { ...HALT, untilMs: 900_000 };
    expect(reasonInFull(liveEvent('a', { restriction: soon }), 0)).toBe(
      'HALTED: injury, until 00:15 (15 min left), by anna',
    );
    expect(reasonInFull(liveEvent('a', { adjustments: [LEFT] }), 0)).toBe('LEFT AS IT IS: my hands, by bob');
    expect(reasonInFull(liveEvent('a', { waits: 'wait for betslips', met: 1 }), 0)).toContain(
      '1 of 3 quoted',
    );
  });
});
