import { describe, expect, it } from 'vitest';
import { shortened, withNames } from '../../../src/cli/output/live/recent-lines.ts';
import type { EventStatus } from '../../../src/read-model/status.ts';

const LINE = JSON.stringify({
  level: 'info',
  time: '2026-01-31T02:14:07.123Z',
  msg: 'order live',
  logEvent: 'order_live',
  version: '0.1.0',
  runId: 'r',
  requestUuid: 'deb6a7c8',
  orderId: 275,
  sport: 'fb',
  selectionId: 'fb|2026-01-31,1,2|h',
  direction: 'for',
  price: 2.04,
});

const EVENTS = [
  { name: 'A v B', selections: [{ selectionId: 'fb|2026-01-31,1,2|h', outcome: 'A' }] },
] as unknown as readonly EventStatus[];

describe('a line of the log below the table', () => {
  it('has no ids, and names its selection', () => {
    const line = shortened(LINE);
    expect(line).toBe('02:14:07 info  order live fb|2026-01-31,1,2|h direction="for" price=2.04');
    expect(withNames([line], EVENTS)).toEqual([
      '02:14:07 info  order live A v B: A direction="for" price=2.04',
    ]);
  });

  it('keeps the id of a selection that is not shown', () => {
    expect(withNames([shortened(LINE)], [])).toEqual([shortened(LINE)]);
  });
});
