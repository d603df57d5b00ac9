import { describe, expect, it } from 'vitest';
import { REASONS } from '../../src/orders/send-gate.ts';
import {
  groupOf,
  REASON_WORDS,
  reasonInWords,
  reasonWithDetail,
  shortGroup,
} from '../../src/read-model/reason-words.ts';
import { GUARDS } from '../../src/risk/index.ts';
import { REFUSAL_CODES } from '../../src/risk/refusal-codes.ts';

describe('the words of reasons', () => {
  it('exist for every code of the send gate, of risk and of its guards', () => {
    const codes = [
      ...Object.keys(REASONS),
      ...GUARDS,
      ...REFUSAL_CODES.map((code) => code.replace(/^guard_/, '')),
      'no_prices',
      'no_tick',
      'no_quote',
      'no_match',
      'owner_absent',
      'hung',
      'threw',
      'killed',
    ];
    expect(codes.filter((code) => !(code in REASON_WORDS))).toEqual([]);
  });

  it('never are a code', () => {
    const words = Object.values(REASON_WORDS).flat();
    expect(words.filter((text) => text.includes('_') && text !== 'not allowed by risk.allow')).toEqual([]);
  });

  it.each([
    ['stream_not_synced', 'the stream is not in sync yet'],
    ['orders.stream_not_synced', 'the stream is not in sync yet'],
    ['stopped: killed: drill', 'stopped: killed: drill'],
    ['risk.guard_loop_lag', 'the event loop is late'],
    ['guard.loop_lag', 'the event loop is late'],
    ['risk: event_worst_case', 'event worst case limit'],
    ['risk: guard_red_card', 'a pause after a red card'],
    ['risk.stake_limit', 'stake limit'],
    ['budget.of_a_later_version', 'of a later version'],
  ])('say %s as "%s"', (code, words) => {
    expect(reasonWithDetail(code)).toBe(words);
  });

  it('leave the detail out where there is no room', () => {
    expect(reasonInWords('betslip_cap: 40')).toBe('all betslips are in use');
    expect(reasonInWords('risk.event_worst_case')).toBe('event worst case limit');
  });

  it.each([
    ['budget.betslip_cap', 'wait for betslips'],
    ['orders.quote_pending', 'wait for betslips'],
    ['guard.loop_lag', 'event loop'],
    ['risk.guard_loop_lag', 'event loop'],
    ['risk: day_turnover', 'at a risk limit'],
    ['strategy.no_quote', 'by strategy'],
    ['strategy.anything_new', 'by strategy'],
    ['risk.anything_new', 'anything new'],
    [null, 'being placed'],
  ])('count %s under "%s"', (code, group) => {
    expect(groupOf(code)).toBe(group);
  });

  it('fit a narrow column for every group', () => {
    const groups = Object.values(REASON_WORDS).map(([, group]) => shortGroup(group));
    expect(groups.filter((group) => group.length > 18)).toEqual([]);
    expect(shortGroup(groupOf('budget.betslip_cap'))).toBe('betslips');
    expect(shortGroup('stopped: killed')).toBe('stopped');
    expect(shortGroup('of a later version')).toBe('of a later version');
  });
});
