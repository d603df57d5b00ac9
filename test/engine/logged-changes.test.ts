import { describe, expect, it } from 'vitest';
import type { AccountChange } from '../../src/account/changes.ts';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { eventId, sport } from '../../src/domain/ids.ts';
import { priceOf } from '../../src/domain/ladder.ts';
import type { OrderState } from '../../src/domain/lifecycle.ts';
import { logChange } from '../../src/engine/change-log.ts';
import { limitedLog } from '../../src/engine/strategy-log.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import type { StrategyProblem } from '../../src/strategy/host.ts';
import { FILL, liveOrder } from '../market/support.ts';

/** What a change of the account writes: level, message and fields. */
function linesOf(change: AccountChange): unknown[] {
  const lines: unknown[] = [];
  const note =
    (level: string) =>
    (...line: unknown[]): void =>
      void lines.push([level, ...line]);
  const logger = { ...silentLogger, debug: note('debug'), info: note('info') };
  logChange(logger, change, ({ betId }) => `owner of ${betId}`);
  return lines;
}

describe('the log of the account', () => {
  it.each<[OrderState, string]>([
    ['prepared', 'debug'],
    ['sending', 'debug'],
    ['live', 'info'],
    ['closing', 'info'],
    ['closed', 'info'],
    ['unknown', 'info'],
  ])('has an order that becomes %s at the level %s', (state, level) => {
    const order = liveOrder({ state, filledMicros: 3, closeReason: 'expired' });
    const { requestUuid, orderId, selectionId, direction, tick, stakeMicros } = order;
    const fields = { requestUuid, orderId, selectionId, direction, price: priceOf(tick), stakeMicros };
    expect(linesOf({ kind: 'order', order, before: null })).toEqual([
      [level, `order ${state}`, { ...fields, filledMicros: 3, closeReason: 'expired' }],
    ]);
    expect(linesOf({ kind: 'order', order, before: state })).toEqual([]);
  });

  it('has a fill with its strategy, unless an earlier run has recorded it', () => {
    const { betId, orderId, selectionId, direction, price, stakeMicros, role } = FILL;
    const fields = { betId, orderId, selectionId, direction, price, stakeMicros, role };
    const change = { kind: 'booked', fill: FILL, state: 'matched' } as const;
    expect(linesOf({ ...change, isRecorded: false })).toEqual([
      ['info', 'fill', { ...fields, strategy: 'owner of 1' }],
    ]);
    expect(linesOf({ ...change, isRecorded: true })).toEqual([]);
  });
});

describe('the log of strategies', () => {
  const FIELDS = { strategy: 'mine', sport: sport('fb'), eventId: eventId('e') };

  function limited() {
    const clock = new VirtualClock();
    const lines: unknown[] = [];
    const faults: StrategyProblem[] = [];
    const info = (...line: unknown[]): void => void lines.push(line);
    const log = limitedLog({ ...silentLogger, info }, clock, (problem) => void faults.push(problem));
    const write = (count: number, strategy = 'mine'): void => {
      for (let at = 0; at < count; at++) log('hello', { ...FIELDS, strategy });
    };
    return { clock, lines, faults, write };
  }

  it('passes a hundred lines a minute, and reports the first beyond them', () => {
    const { lines, faults, write } = limited();
    write(100);
    expect([lines.length, faults]).toEqual([100, []]);
    expect(lines[0]).toEqual(['hello', { ...FIELDS, logEvent: 'strategy_line' }]);
    write(50);
    expect(lines).toHaveLength(100);
    expect(faults).toEqual([
      {
        ...FIELDS,
        kind: 'too-many-lines',
        selectionId: null,
        message: expect.stringContaining('more than 100 log lines') as string,
      },
    ]);
  });

  it('counts each strategy alone, from its first line on', async () => {
    const { clock, lines, faults, write } = limited();
    write(100);
    await clock.advance(30_000);
    write(100, 'other');
    expect([lines.length, faults]).toEqual([200, []]);
    await clock.advance(29_999);
    write(1);
    expect([lines.length, faults.length]).toEqual([200, 1]);
    await clock.advance(1);
    write(100);
    write(1, 'other');
    expect([lines.length, faults.map(({ strategy }) => strategy)]).toEqual([300, ['mine', 'other']]);
  });
});
