import { expect, it } from 'vitest';
import { renderSummary } from '../../src/cli/output/summary-view.ts';
import type { RunSummary } from '../../src/read-model/summary.ts';

const SUMMARY: RunSummary = {
  mode: 'simulated',
  duration_s: 10,
  events: 1,
  selections_quoted: 1,
  orders_placed: 3,
  orders_refused: 0,
  orders_open_at_exit: 0,
  fills: 1,
  stake_matched: 1,
  two_sided_quote_ratio: 0.5,
  throttled_responses: 0,
  profit_loss: 158.31,
  events_held: 0,
  worst_case_of_held: 0,
  reconnects: 0,
  strategy_errors: {},
  exchange_orders_open_at_exit: 0,
};

it.each([
  [1, -433.59, 'STILL HELD: the bets on 1 event, at worst -433.59 USDT'],
  [3, 0, 'STILL HELD: the bets on 3 events, at worst 0.00 USDT'],
])('the end of a run says last that bets on %i events are still held', (events, worst, words) => {
  const lines = renderSummary({ ...SUMMARY, events_held: events, worst_case_of_held: worst });
  expect(lines.at(-1)).toContain(words);
});

it('the end of a run that holds nothing says no more', () => {
  expect(renderSummary(SUMMARY).join('\n')).not.toContain('STILL');
});
