import { describe, expect, it } from 'vitest';
import {
  BET_EVENTS,
  BET_LIFECYCLE,
  BET_STATES,
  type BetEvent,
  type BetState,
  betVerdictOf,
  isAtStake,
  isSettledBet,
} from '../../src/domain/bet-lifecycle.ts';

const PAIRS = BET_STATES.flatMap((state) => BET_EVENTS.map((event) => [state, event] as const));

/**
 * The whole table again, as a grid. A state is a transition, `-` is ignored, `!` is ignored with an alarm, `x` is
 * illegal.
 */
const EXPECTED: Readonly<Record<BetState, string>> = {
  unseen: 'parked - matched x x doubtful - void - settled x -',
  parked: 'parked unseen matched x x doubtful - void - settled x -',
  matched: '- - matched - ! doubtful - void - settled x -',
  doubtful: '- - doubtful - ! - matched void matched settled x -',
  void: '- - void - ! - - - matched settled_void x -',
  settled: '- - settled - ! - - - - - settled matched',
  settled_void: '- - settled_void - ! - - - - - settled_void void',
};
const COLUMNS: readonly BetEvent[] = [
  ...(['parked', 'unparked'] as const),
  ...(['reported', 'repeated', 'changed', 'doubted', 'affirmed'] as const),
  ...(['voided', 'reinstated', 'settled', 'corrected', 'reopened'] as const),
];

function symbolOf(state: BetState, event: BetEvent): string {
  const verdict = betVerdictOf(state, event);
  if (verdict.kind === 'move') return verdict.to;
  if (verdict.kind === 'illegal') return 'x';
  return verdict.alarm ? '!' : '-';
}

describe('the life of a bet', () => {
  it.each(PAIRS)('follows the table for %s and %s', (state, event) => {
    const expected = (EXPECTED[state].split(' ') as string[])[COLUMNS.indexOf(event)];
    expect(symbolOf(state, event)).toBe(expected);
  });

  it('lists every pair and nothing else', () => {
    expect(Object.keys(BET_LIFECYCLE).sort()).toEqual([...BET_STATES].sort());
    for (const row of Object.values(BET_LIFECYCLE))
      expect(Object.keys(row).sort()).toEqual([...BET_EVENTS].sort());
  });

  it('gives a reason whenever the state does not change', () => {
    for (const [state, event] of PAIRS) {
      const verdict = betVerdictOf(state, event);
      if (verdict.kind !== 'move') expect(verdict.reason.length, `${state} ${event}`).toBeGreaterThan(10);
    }
  });

  it('has two states at stake, and two in which a result counts', () => {
    expect(BET_STATES.filter(isAtStake)).toEqual(['matched', 'doubtful']);
    expect(BET_STATES.filter(isSettledBet)).toEqual(['settled', 'settled_void']);
  });
});
