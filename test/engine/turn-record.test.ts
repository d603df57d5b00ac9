import { describe, expect, it } from 'vitest';
import {
  ChangedRecord,
  lineOf,
  recordIn,
  referring,
  sumOfDecision,
  TurnRecorder,
  type TurnRecord,
} from '../../src/engine/turn-record.ts';
import type { Decision, Turn } from '../../src/engine/turn.ts';
import { AGAINST, eventEntry, FOR, liveOrder, offerEntry, quoteEntry } from '../market/support.ts';

const AT = { monotonicMs: 5.5, wallMs: 1_700_000_000_000.25 };

const RECORD: TurnRecord = {
  turn: {
    seq: 7,
    ...AT,
    budgets: { ordersNow: 4, betslipsNow: 8, betslipsToday: 900, generalNow: Infinity },
    inputs: [
      {
        kind: 'signal',
        ...AT,
        signal: {
          kind: 'frame',
          epoch: 1,
          sentMs: null,
          receivedMonotonicMs: 4.125,
          entries: [eventEntry(), offerEntry('for,h', FOR), quoteEntry('against,h', AGAINST)],
        },
      },
      { kind: 'signal', signal: { kind: 'closed', epoch: 1, reason: 'x', retryInMs: null }, ...AT },
      { kind: 'account', event: { kind: 'order', order: liveOrder(), before: null }, ...AT },
      {
        kind: 'parameters',
        strategy: 'one',
        ...AT,
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

it('a frame of the stream is a reference, and any other input stays as it is', () => {
  const [frame, ...others] = RECORD.turn.inputs;
  const answer = { ...frame, signal: { ...(frame as { signal: object }).signal, isAnswer: true } };
  const inputs = [frame, answer, ...others] as typeof RECORD.turn.inputs;
  expect(referring({ ...RECORD, turn: { ...RECORD.turn, inputs } })).toEqual({
    turn: {
      ...RECORD.turn,
      inputs: [{ kind: 'frame', epoch: 1, receivedMonotonicMs: 4.125, ...AT }, answer, ...others],
    },
    decided: [],
  });
});

it('a record has what a replay compares of each decision', () => {
  const records: TurnRecord[] = [];
  const recorder = new TurnRecorder((record) => void records.push(record));
  const turn = turnOf(1);
  const decision = decisionOf(turn, 'a');
  recorder.onDecision(decision);
  recorder.end();
  const { event, targets, basis } = decision;
  expect(records).toEqual([{ turn, decided: [{ event, targets, basis, sum: sumOfDecision(decision) }] }]);
});

it('a line that says a word which JSON has not is read by that word alone', () => {
  const parameters = [Infinity, -Infinity, NaN, undefined, new Map(), new Set(), null, 0];
  const input = { kind: 'parameters', strategy: 'one', ...AT, parameters } as const;
  const read = recordIn(lineOf({ ...RECORD, turn: { ...RECORD.turn, inputs: [input] } }));
  const [back] = read.turn.inputs as readonly { readonly parameters: readonly unknown[] }[];
  expect(back?.parameters).toEqual([Infinity, -Infinity, NaN, undefined, new Map(), new Set(), null, 0]);
});

describe('the sum of a decision', () => {
  const intent = { selectionId: 's', direction: 'for', level: 0, tick: 5, stakeMicros: 7 };
  const waiting = { intent, code: 'paused', detail: null };
  const plan = { close: ['u'], place: [{ intent }], waiting: [waiting] };
  const WHOLE = { owner: 'mine', targets: [intent], plan };
  const sum = (part: object): string => sumOfDecision({ ...WHOLE, ...part } as never);
  const other = (part: object) => ({ ...intent, ...part });
  const planned = (part: object) => ({ plan: { ...plan, ...part } });

  it('is another one wherever the exchange would see another decision', () => {
    const intents = [
      { selectionId: 't' },
      { direction: 'against' },
      { level: 1 },
      { tick: 6 },
      { stakeMicros: 8 },
      { priceKind: 'lay-for' },
    ].map(other);
    const decisions = [
      {},
      { owner: null },
      { owner: 'yours' },
      { targets: null, plan: null },
      { targets: [] },
      { targets: [intent, intent] },
      planned({ close: [] }),
      planned({ close: ['v'] }),
      planned({ close: ['u', 'v'] }),
      planned({ place: [] }),
      planned({ waiting: [] }),
      ...intents.flatMap((each) => [
        { targets: [each] },
        planned({ place: [{ intent: each }] }),
        planned({ waiting: [{ ...waiting, intent: each }] }),
      ]),
      ...[{ code: 'other' }, { detail: 'why' }].map((part) =>
        planned({ waiting: [{ ...waiting, ...part }] }),
      ),
      { plan: { close: [], place: [], waiting: [] } },
    ];
    const sums = decisions.map(sum);
    expect(new Set(sums).size).toBe(sums.length);
    for (const each of sums) expect(each).toMatch(/^[0-9a-f]{16}$/);
  });

  it('is the same for what the exchange does not see', () => {
    expect(sum({ targets: [other({ reason: 'x', fairProbability: 0.5, valueMicrosPerS: 3 })] })).toBe(
      sum({}),
    );
  });
});
