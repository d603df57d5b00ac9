import { expect, it } from 'vitest';
import { ChangedRecord, lineOf, recordIn, type TurnRecord } from '../../src/engine/turn-record.ts';
import { AGAINST, eventEntry, FOR, liveOrder, offerEntry, quoteEntry } from '../market/support.ts';

const AT = { monotonicMs: 5.5, wallMs: 1_700_000_000_000.25 };

const RECORD: TurnRecord = {
  turn: {
    ...{ seq: 7, ...AT, budgets: { ordersNow: 4, betslipsNow: 8, betslipsToday: 900, generalNow: Infinity } },
    inputs: [
      {
        ...{ kind: 'signal', ...AT },
        signal: {
          ...{ kind: 'frame', epoch: 1, sentMs: null, receivedMonotonicMs: 4.125 },
          entries: [eventEntry(), offerEntry('for,h', FOR), quoteEntry('against,h', AGAINST)],
        },
      },
      { kind: 'signal', signal: { kind: 'closed', epoch: 1, reason: 'x', retryInMs: null }, ...AT },
      { kind: 'account', event: { kind: 'order', order: liveOrder(), before: null }, ...AT },
      {
        kind: 'call',
        on: 'risk',
        method: 'restore',
        args: [undefined, -Infinity, new Map([['a', NaN]])],
        ...AT,
      },
      { kind: 'tick', ...AT },
    ],
  },
  decided: [],
};

it('a record of a turn is read as it was written, whatever its inputs hold', () => {
  expect(recordIn(lineOf(RECORD))).toEqual(RECORD);
  const none = { ...RECORD, turn: { ...RECORD.turn, inputs: [] } };
  expect(recordIn(lineOf(none))).toEqual(none);
});

it('a record that was changed is refused', () => {
  const line = lineOf(RECORD);
  expect(() => recordIn(line.replace('"seq":7', '"seq":8'))).toThrow(ChangedRecord);
});
