import { expect, it } from 'vitest';
import type { SelectionId } from '../../src/domain/ids.ts';
import { because, type Obstacle } from '../../src/orders/wait-code.ts';
import type { StageVerdict } from '../../src/risk/index.ts';
import { QuoteReasons } from '../../src/app/risk-desk/quote-reasons.ts';

const selectionId = 'fb|e|for,h' as SelectionId;

/** What `why` is told of a quote that waits for this. */
function reasonOf(obstacle: Obstacle): readonly string[] {
  const notes: string[] = [];
  const intent = { selectionId, direction: 'for' };
  const reasons = new QuoteReasons({
    market: { marketOf: () => ({ for: null, against: null }) },
    orders: { status: () => ({ waiting: [{ ...obstacle, intent }] }) },
    risk: {
      wants: () => true,
      note: (_: SelectionId, { stage, code, message }: StageVerdict) =>
        notes.push(`${stage}.${code}: ${message}`),
      clearNote: () => undefined,
      forgetReasons: () => undefined,
    },
  } as unknown as ConstructorParameters<typeof QuoteReasons>[0]);
  reasons.look(new Set([selectionId]));
  return notes;
}

it.each([
  ['betslip_budget', 'budget.betslip_budget: betslip budget'],
  ['betslip_turn', 'budget.betslip_turn: betslip turn'],
  ['betslip_pace', 'budget.betslip_pace: betslip pace'],
  ['betslip_cap', 'budget.betslip_cap: betslip cap'],
  ['in_flight_limit', 'budget.in_flight_limit: in flight limit'],
  ['quote_pending', 'orders.quote_pending: quote pending'],
] as const)('tells of %s at its stage', (code, told) => {
  expect(reasonOf(because(code))).toEqual([told]);
});

it('keeps free text out of the name, and leaves a refusal to risk', () => {
  expect(reasonOf(because('latched', 'an order differs'))).toEqual([
    'orders.latched: latched: an order differs',
  ]);
  expect(reasonOf(because('risk', 'account_worst_case'))).toEqual([]);
});
