import { describe, expect, it } from 'vitest';
import type { RecordedProfit } from '../../../src/read-model/live/records.ts';
import { profitsByEvent } from '../../../src/web/dashboard/history/profits.ts';
import { liveEvent } from '../../support/live-event.ts';
import { aProfit } from '../../support/status.ts';
import { countInWords, csvOf, isKept } from '../../../src/web/dashboard/history/blotter-rows.ts';
import { hasText, readLine } from '../../../src/read-model/live/log-lines.ts';
import { parametersOf, textOf } from '../../../src/web/dashboard/strategies/edits.ts';

const ROW = { event: 'Northgate v Harbour', outcome: 'Over 2.5', direction: 'for', strategy: 'symmetric' };

describe('a filter of a list', () => {
  it.each([
    ['', '', true],
    ['harbour OVER', '', true],
    ['sym', 'for', true],
    ['harbour under', '', false],
    ['harbour', 'against', false],
  ])('for "%s" and the side "%s" keeps the row: %s', (text, side, kept) => {
    expect(isKept(ROW, text, side)).toBe(kept);
  });

  it('finds a row without a strategy', () => {
    expect(isKept({ ...ROW, strategy: null }, 'north', '')).toBe(true);
  });
});

describe('the count of a list', () => {
  it.each([
    [500, 500, 3_084, 'last 500 of 3084'],
    [12, 500, 3_084, '12 of the last 500 of 3084'],
    [12, 40, 40, '12 of 40'],
    [40, 40, 40, '40 of 40'],
    // Orders of the run before may be listed, too.
    [40, 40, 38, '40 of 40'],
  ])('of %s rows of %s listed ones and %s in all is "%s"', (shown, listed, all, text) => {
    expect(countInWords(shown, listed, all)).toBe(text);
  });
});

describe('a list as CSV', () => {
  it('has every field', () => {
    expect(csvOf([ROW] as readonly object[])).toBe(
      'event,outcome,direction,strategy\r\nNorthgate v Harbour,Over 2.5,for,symmetric\r\n',
    );
  });

  it('has the terms of the exchange as columns if any row has them', () => {
    const exchange = { label: 'against', price: 1.75, stake: 6 };
    expect(csvOf([{ price: 2.5 }, { price: 2.25, exchange }] as readonly object[])).toBe(
      'price,exchangeLabel,exchangePrice,exchangeStake\r\n2.5,,,\r\n2.25,against,1.75,6\r\n',
    );
  });
});

describe('a line of the log', () => {
  it('is shown with its own fields, without those of every line', () => {
    const line = JSON.stringify({
      level: 'warn',
      time: '2026-01-01T12:00:01.000Z',
      version: '1',
      runId: '1-a',
      logEvent: 'x',
      reason: 'no token',
      times: 3,
      msg: 'request refused',
    });
    expect(readLine(line)).toEqual({
      time: '12:00:01',
      level: 'warn',
      words: 'request refused  reason=no token  times=3',
    });
  });

  it.each([
    ['02:14', true],
    [' KILLED ', true],
    ['', true],
    ['02:15', false],
  ])('is found by "%s": %s', (text, found) => {
    expect(hasText('02:14:07 page Killed Everything is closed', text)).toBe(found);
  });

  it('is shown as it is if it is no JSON', () => {
    expect(readLine('plain')).toEqual({ time: '', level: 'info', words: 'plain' });
  });
});

describe('edited parameters', () => {
  const parameter = (name: string, value: unknown) => ({ name, value, isOverridden: false });
  const strategy = {
    name: 's',
    description: '',
    parameters: [parameter('stake', 5), parameter('placement', 'join'), parameter('levels', [1, 2])],
  };

  it('are those that differ, in the form of the value in force', () => {
    const edits = { stake: '7', placement: '5', levels: '[1, 3]' };
    expect(parametersOf(strategy, edits)).toEqual({ stake: 7, placement: '5', levels: [1, 3] });
    expect(parametersOf(strategy, { stake: '5', levels: textOf([1, 2]) })).toEqual({});
    expect(parametersOf(strategy, { stake: null })).toEqual({ stake: null });
  });

  it('pass on what makes no sense, so that the strategy can say so', () => {
    expect(parametersOf(strategy, { stake: 'many', other: '1' })).toEqual({ stake: 'many' });
  });
});

describe('the profit by event', () => {
  const earning = (name: string, expected: number) => ({ name, profit: { ...aProfit().run, expected } });
  const events = [
    liveEvent('a', { ...earning('A', 3), worst: -7 }),
    liveEvent('b', { name: 'B' }),
    liveEvent('c', earning('C', -2)),
  ];
  const read = (atMs: number, name: string, profit: number, of: RecordedProfit['of'] = 'event') => ({
    atMs,
    of,
    name,
    profit,
  });

  it('is of the events with bets as it is now, the largest loss first', () => {
    const found = profitsByEvent(events, [read(1, 'A', -9), read(2, 'C', 8)]);
    expect(found.map(({ name, expected }) => [name, expected])).toEqual([
      ['C', -2],
      ['A', 3],
    ]);
    const { settled, closeNow } = aProfit().run;
    expect(found[1]?.open).toEqual({ settled, closeNow, worst: -7 });
  });

  it('is of those that are over, too, as it was read last', () => {
    const readings = [
      read(1, 'B', 5),
      read(1, 'Over', 4),
      read(2, 'Over', -250),
      read(3, 'Over', 9, 'strategy'),
    ];
    expect(
      profitsByEvent(events, readings).map(({ name, expected, open }) => [name, expected, open === null]),
    ).toEqual([
      ['Over', -250, true],
      ['C', -2, false],
      ['A', 3, false],
      ['B', 5, true],
    ]);
  });
});
