import { EMPTY, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { AccountChange } from '../../../src/account/changes.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { HistoryFeed } from '../../../src/app/history/history-feed.ts';
import { BET_STATES, type BetState } from '../../../src/domain/bet-lifecycle.ts';
import { betId, orderId } from '../../../src/domain/ids.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import type { HistoryFact, RunStart } from '../../../src/history/facts.ts';
import { ask, fillOf } from '../../risk/support/harness.ts';

const FILL: Fill = { ...fillOf(ask({ price: 2 }), 10), betId: betId(1), orderId: orderId(1) };

/** What the history gets of changes of the account, the run apart. */
function noted(...changes: readonly AccountChange[]): readonly HistoryFact[] {
  const facts: HistoryFact[] = [];
  const fatals: unknown[] = [];
  const feed = new HistoryFeed(
    { note: (fact) => void facts.push(fact) },
    { runId: 'r' } as object as RunStart,
    new VirtualClock(),
  );
  const account$ = new Subject<AccountChange>();
  feed.follow({
    look$: EMPTY,
    account$,
    onOtherAccount: () => undefined,
    onFatal: (error) => void fatals.push(error),
    ledger: { fairSeen: () => 0.5, profitLoss: () => ({ realisedMicros: 0, openMicros: 0, totalMicros: 0 }) },
    strategies: { ownerOf: () => 'inventory' },
    fairValues: { fairOf: () => null },
    market: { event: () => undefined },
  });
  for (const change of changes) account$.next(change);
  expect(fatals).toEqual([]);
  return facts.filter(({ kind }) => !kind.startsWith('run_'));
}

const validityOf = (facts: readonly HistoryFact[]) =>
  facts.flatMap((fact) => (fact.kind === 'validity' ? [fact.stands] : []));

const VOID: readonly BetState[] = ['void', 'settled_void'];

describe('the history of a bet', () => {
  it.each(BET_STATES)('has it once, and whether it stands, when it is booked as %s', (state) => {
    for (const isRecorded of [false, true]) {
      const facts = noted({ kind: 'booked', fill: FILL, state, isRecorded });
      expect(facts.filter(({ kind }) => kind === 'fill')).toHaveLength(1);
      const isVoid = VOID.includes(state);
      expect(validityOf(facts)).toEqual(isVoid ? [false] : isRecorded ? [true] : []);
    }
  });

  it.each([
    ['matched', 'void', [false]],
    ['doubtful', 'void', [false]],
    ['void', 'matched', [true]],
    ['matched', 'doubtful', []],
    ['matched', 'settled', []],
    ['void', 'settled_void', []],
    ['settled_void', 'void', []],
    ['settled', 'matched', []],
  ] as const)('that moves from %s to %s tells %j', (from, to, stands) => {
    expect(validityOf(noted({ kind: 'moved', fill: FILL, from, to }))).toEqual(stands);
  });
});

describe('the history of a result', () => {
  const result = { ...FILL, profitLossMicros: 7e6 };
  const change = {
    kind: 'result' as const,
    result,
    bets: [FILL],
    beforeMicros: null,
    isTakenBack: false,
    hasBets: true,
    atMs: 5,
  } as const;

  it.each([
    [true, false, 1],
    [false, true, 1],
    [false, false, 0],
  ])('has it if it is news (%s) or of an earlier run (%s)', (isNews, isRecorded, times) => {
    const facts = noted({ ...change, isNews, isRecorded });
    expect(facts.filter(({ kind }) => kind === 'result')).toHaveLength(times);
    if (times > 0) expect(facts).toMatchObject([{ result: { profitMicros: 7e6, atMs: 5, lastFair: 0.5 } }]);
  });
});
