import { expect, it } from 'vitest';
import {
  ChangedRecord,
  lineOf,
  recordIn,
  TurnRecorder,
  type TurnRecord,
} from '../../src/engine/turn-record.ts';
import type { Decision, Turn } from '../../src/engine/turn.ts';
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
        ...{ kind: 'parameters', strategy: 'one', ...AT },
        parameters: [undefined, -Infinity, new Map([['a', NaN]]), new Set([Infinity])],
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

/** What a recorder writes of turns and decisions: the number of each turn, with its events in their order. */
function written(act: (recorder: TurnRecorder) => void): string[] {
  const records: string[] = [];
  const recorder = new TurnRecorder(({ turn, decided }) =>
    records.push([turn.seq, ...decided.map(({ event }) => event.eventId)].join(' ')),
  );
  act(recorder);
  return records;
}

const turnOf = (seq: number) => ({ ...RECORD.turn, seq }) as Turn;
const decisionOf = (turn: Turn, event: string) =>
  ({
    turn,
    event: { sport: 'fb', eventId: event },
    selections: [],
    targets: null,
    basis: {},
  }) as unknown as Decision;

it('a turn is written with its decisions in their order, once the next begins or the run ends', () => {
  const [one, two] = [turnOf(1), turnOf(2)];
  expect(
    written((recorder) => {
      recorder.onTurn(one);
      for (const event of ['a', 'b', 'c']) recorder.onDecision(decisionOf(one, event));
      recorder.onDecision(decisionOf(two, 'd'));
      recorder.onTurn(two);
      recorder.end();
      recorder.end();
    }),
  ).toEqual(['1 a b c', '2 d']);
});

it('a turn without decisions is written, an earlier turn is not written again', () => {
  expect(
    written((recorder) => {
      recorder.end();
      for (const seq of [1, 2, 1, 2, 3]) recorder.onTurn(turnOf(seq));
    }),
  ).toEqual(['1', '2']);
});
