import { describe, expect, it } from 'vitest';
import { eventKey } from '../../src/domain/events.ts';
import { betslipId, betType } from '../../src/domain/ids.ts';
import { applyTo } from '../../src/engine/core.ts';
import type { Input } from '../../src/engine/input.ts';
import { FB, FIXTURE, HOME } from '../market/support.ts';

type Deciders = Parameters<typeof applyTo>[0];
type Call = readonly [method: string, ...given: unknown[]];

/** Deciders that only note how they are called. */
function noting({ wantsGrid = false, killed = null as object | null } = {}) {
  const calls: Call[] = [];
  const noted = (name: string): object =>
    new Proxy(
      {},
      {
        get(_, method: string) {
          if (method === 'guards') return noted('guards');
          if (method === 'killed') return killed;
          return (...given: unknown[]) => {
            if (method === 'wantsGrid') return wantsGrid;
            calls.push([`${name}.${method}`, ...given]);
            return `answer of ${method}`;
          };
        },
      },
    );
  const quoted = new Map<string, unknown>();
  const names = ['risk', 'strategies', 'hedges', 'hedging', 'market', 'prices', 'watch'];
  const clock = { monotonicMs: () => 7, wallMs: () => 70 };
  const byHand = {
    adjustments: noted('adjustments'),
    quotes: noted('handQuotes'),
    restore: (...given: unknown[]) => void calls.push(['byHand.restore', ...given]),
  };
  const parts = Object.fromEntries(names.map((name) => [name, noted(name)]));
  const deciders = { ...parts, byHand, quoted, clock };
  return { calls, quoted, deciders: deciders as object as Deciders };
}

const BY = { by: 'anna', why: 'drill' };
const GRID = [['w']];
const TYPE = betType('for,h');
const SLIP = betslipId('s');

/** What each input does, in order. */
const INPUTS: readonly (readonly [input: object, ...calls: Call[]])[] = [
  [{ kind: 'limits', limits: 'l', ofStrategies: 's' }, ['risk.setLimits', 'l', 's']],
  [{ kind: 'least_stake', stakeMicros: 2 }, ['hedging.setLeastStake', 2]],
  [
    { kind: 'state', scope: 'x', state: 'halted', ...BY },
    ['risk.setState', 'x', 'halted', 'anna', 'drill', undefined],
  ],
  [
    { kind: 'state', scope: 'x', state: 'halted', untilMs: 90, ...BY },
    ['risk.setState', 'x', 'halted', 'anna', 'drill', 90],
  ],
  [
    { kind: 'adjust', event: FIXTURE, adjustment: { what: 'widen', ticks: 2 }, untilMs: 90, ...BY },
    ['adjustments.set', { what: 'widen', ticks: 2, event: FIXTURE, ...BY, atMs: 70, untilMs: 90 }],
  ],
  [{ kind: 'pause', ...BY }, ['risk.pause', 'anna', 'drill']],
  [{ kind: 'latch_strategy', strategy: 'mine', ...BY }, ['risk.latchStrategy', 'mine', 'anna', 'drill']],
  [
    { kind: 'kill', ...BY },
    ['risk.kill', 'drill', 'anna'],
    ['handQuotes.withdrawAll'],
    ['hedges.endCommanded', 7],
  ],
  [{ kind: 'explain_kill', killed: 'k', ...BY }, ['risk.explainKill', 'k', 'drill', 'anna']],
  [{ kind: 'resume', ...BY }, ['risk.resume', 'drill', 'anna']],
  [{ kind: 'parameters', strategy: 'mine', parameters: 7 }, ['strategies.setParameters', 'mine', 7]],
  [{ kind: 'rules', strategy: 'mine', rules: 'r' }, ['strategies.setRules', 'mine', 'r']],
  [{ kind: 'hedge', order: 'o', ...BY }, ['hedges.take', 'o', 7]],
  [{ kind: 'restored_risk', snapshot: 's' }, ['risk.restore', 's']],
  [
    { kind: 'hand_quote', quote: { id: 'q' }, ...BY },
    ['handQuotes.place', { id: 'q', ...BY, atMs: 70, generation: 1 }],
  ],
  [{ kind: 'move_hand_quote', id: 'q', tick: 9, ...BY }, ['handQuotes.move', 'q', 9]],
  [{ kind: 'withdraw_hand_quote', id: 'q', ...BY }, ['handQuotes.withdraw', 'q']],
  [{ kind: 'restored_by_hand', adjustments: 'a', quotes: 'q' }, ['byHand.restore', 'a', 'q']],
  [{ kind: 'restored_sessions', sessions: 's' }, ['strategies.restore', 's']],
  [{ kind: 'prices', prices: 'p' }, ['prices.take', 'p']],
  [{ kind: 'lay_betslip', betslip: SLIP, isOpen: true }, ['prices.noteLay', SLIP]],
  [{ kind: 'lay_betslip', betslip: SLIP, isOpen: false }, ['prices.forgetLay', SLIP]],
  [
    { kind: 'grid', sport: FB, betType: TYPE, grid: GRID },
    ['risk.setGrid', TYPE, GRID, FB],
    ['market.setGrid', FB, TYPE, GRID],
  ],
  [{ kind: 'grid', sport: FB, betType: TYPE, grid: null }, ['risk.setNoGrid', TYPE, FB]],
  [{ kind: 'position', position: 'p' }, ['risk.onPosition', 'p']],
  [
    { kind: 'event_over', event: FIXTURE },
    ['risk.onEventOver', FIXTURE],
    ['strategies.end', FIXTURE],
    ['adjustments.forget', FIXTURE],
    ['handQuotes.forget', FIXTURE],
    ['hedges.forget', FIXTURE],
  ],
  [{ kind: 'seen', event: FIXTURE }, ['watch.see', FIXTURE, []]],
  [{ kind: 'feed_cleared' }, ['guards.onFeedCleared']],
  [{ kind: 'clock_offset', offsetMs: 5 }, ['guards.onClockOffset', 5]],
  [{ kind: 'loop_lag', lagMs: 5 }, ['guards.onLoopLag', 5]],
  [{ kind: 'order_outcome', outcome: 'refused' }, ['guards.onOrderOutcome', 'refused']],
  [{ kind: 'approve', order: 'o' }, ['risk.approve', 'o']],
  [{ kind: 'precheck', order: 'o' }, ['risk.precheck', 'o']],
  [{ kind: 'recheck', order: 'o' }, ['risk.recheck', 'o']],
  [{ kind: 'timer', timer: 3 }, ['strategies.fire', 3]],
  [{ kind: 'profit', of: 'account', totalMicros: 9 }, ['risk.onProfitLoss', 'account', 9]],
  [{ kind: 'second' }, ['risk.tick'], ['adjustments.expire', 70], ['handQuotes.expire', 70]],
];

describe('an input', () => {
  it.each(INPUTS)('%j calls its deciders, and nothing else', (input, ...calls) => {
    const noted = noting();
    applyTo(noted.deciders, input as Exclude<Input, { readonly kind: 'account' }>);
    expect(noted.calls).toEqual(calls);
  });

  it('of a second ends quotes and hedges of persons while the kill of a limit is in force', () => {
    const noted = noting({ killed: {} });
    applyTo(noted.deciders, { kind: 'second' } as never);
    expect(noted.calls.slice(3)).toEqual([['handQuotes.withdrawAll'], ['hedges.endCommanded', 7]]);
  });

  it.each(['approve', 'precheck', 'recheck'])('of what the order manager asks (%s) is answered', (kind) => {
    expect(applyTo(noting().deciders, { kind, order: {} } as never)).toBe(`answer of ${kind}`);
  });

  it('of a position is answered with the disagreement', () => {
    expect(applyTo(noting().deciders, { kind: 'position', position: {} as never })).toBe(
      'answer of onPosition',
    );
  });

  it('of a grid that helps nobody counts as none, so that nothing waits for it', () => {
    const { deciders, calls } = noting({ wantsGrid: true });
    applyTo(deciders, { kind: 'grid', sport: FB, betType: TYPE, grid: GRID });
    expect(calls.map(([method]) => method)).toEqual(['risk.setGrid', 'market.setGrid', 'risk.setNoGrid']);
    expect(calls[2]).toEqual(['risk.setNoGrid', TYPE, FB]);
  });

  it('of quoted selections counts for later sights of the event, until it has none', () => {
    const { deciders, calls, quoted } = noting();
    applyTo(deciders, { kind: 'quoted', event: FIXTURE, selections: [HOME] });
    expect([...quoted]).toEqual([[eventKey(FIXTURE), [HOME]]]);
    applyTo(deciders, { kind: 'seen', event: FIXTURE });
    applyTo(deciders, { kind: 'quoted', event: FIXTURE, selections: [] });
    applyTo(deciders, { kind: 'seen', event: FIXTURE });
    expect(calls).toEqual([
      ['watch.see', FIXTURE, [HOME]],
      ['watch.see', FIXTURE, []],
    ]);
    expect(quoted.size).toBe(0);
  });
});
