import { describe, expect, it } from 'vitest';
import {
  isTerminal,
  LIFECYCLE,
  ORDER_EVENTS,
  ORDER_STATES,
  type OrderEvent,
  type OrderState,
  TERMINAL_STATES,
  verdictOf,
} from '../../src/domain/lifecycle.ts';

const PAIRS = ORDER_STATES.flatMap((state) => ORDER_EVENTS.map((event) => [state, event] as const));

/**
 * The whole table again, as a grid. A state is a transition, `-` is ignored, `!` is ignored with an alarm, `x` is
 * illegal.
 */
const EXPECTED: Readonly<Record<OrderState, string>> = {
  prepared: 'sending absent x absent refused unknown live closed x absent live',
  sending: 'x x x absent refused unknown live closed x x live',
  unknown: '- - x - - - live closed x absent live',
  live: 'x x closing - - - live closed x closed live',
  closing: 'x x - - - - closing closed x closed closing',
  closed: 'x x - - - - - - closing - closed',
  refused: 'x x x - - - ! ! x - !',
  absent: 'x x x - - - ! ! x - !',
};
const COLUMNS: readonly OrderEvent[] = [
  ...(['send', 'withdraw', 'close', 'not_sent', 'refused'] as const),
  ...(['unclear', 'seen_open', 'seen_closed', 'seen_open_again', 'proven_absent', 'fill'] as const),
];

function symbolOf(state: OrderState, event: OrderEvent): string {
  const verdict = verdictOf(state, event);
  if (verdict.kind === 'move') return verdict.to;
  if (verdict.kind === 'illegal') return 'x';
  expect(verdict.kind).toBe('ignore');
  return verdict.alarm ? '!' : '-';
}

describe('the order lifecycle', () => {
  it.each(PAIRS)('follows the table for %s and %s', (state, event) => {
    const expected = (EXPECTED[state].split(' ') as string[])[COLUMNS.indexOf(event)];
    expect(symbolOf(state, event)).toBe(expected);
  });

  it('lists every pair and nothing else', () => {
    expect(Object.keys(LIFECYCLE).sort()).toEqual([...ORDER_STATES].sort());
    for (const row of Object.values(LIFECYCLE))
      expect(Object.keys(row).sort()).toEqual([...ORDER_EVENTS].sort());
  });

  it('gives a reason whenever the state does not change', () => {
    for (const [state, event] of PAIRS) {
      const verdict = verdictOf(state, event);
      if (verdict.kind !== 'move') expect(verdict.reason.length, `${state} ${event}`).toBeGreaterThan(10);
    }
  });

  it('never leaves a terminal state, unless a closed order is shown open again', () => {
    const moves = TERMINAL_STATES.flatMap((state) =>
      ORDER_EVENTS.map((event) => [state, event, verdictOf(state, event)] as const),
    );
    const left = moves.filter(([state, , verdict]) => verdict.kind === 'move' && verdict.to !== state);
    expect(left.map(([state, event]) => [state, event])).toEqual([['closed', 'seen_open_again']]);
    expect(moves.length).toBe(TERMINAL_STATES.length * ORDER_EVENTS.length);
  });

  it('reaches a terminal state from every other one', () => {
    const ends = (state: OrderState): boolean =>
      ORDER_EVENTS.some((event) => {
        const verdict = verdictOf(state, event);
        return verdict.kind === 'move' && isTerminal(verdict.to);
      });
    expect(ORDER_STATES.filter((state) => !isTerminal(state)).every(ends)).toBe(true);
  });

  it('leaves unknown only on evidence from the exchange', () => {
    const own: readonly OrderEvent[] = ['send', 'withdraw', 'not_sent', 'refused', 'unclear'];
    for (const event of own) expect(verdictOf('unknown', event).kind).toBe('ignore');
  });
});
