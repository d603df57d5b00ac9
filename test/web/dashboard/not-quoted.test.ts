import { expect, it } from 'vitest';
import type { LiveQuote, LiveRestriction, LiveTrading } from '../../../src/read-model/live/message.ts';
import { reasonInWords } from '../../../src/read-model/reason-words.ts';
import { notQuotedInWords } from '../../../src/web/dashboard/workspace/not-quoted.ts';

const quote = (direction: 'for' | 'against'): LiveQuote => ({ direction }) as LiveQuote;
const HALTED: LiveRestriction = { state: 'halted', by: 'anna', why: 'x', untilMs: null };
const CAP = 'order.betslip_cap';

it.each<[string | null, LiveQuote[], LiveRestriction | null, LiveTrading['state'], string]>([
  [null, [quote('for'), quote('against')], null, 'active', ''],
  [null, [quote('for')], null, 'active', 'nothing wanted against'],
  [null, [], null, 'active', 'nothing wanted'],
  [CAP, [quote('for')], null, 'active', reasonInWords(CAP)],
  [CAP, [], HALTED, 'active', 'halted'],
  [null, [], null, 'killed', 'killed'],
  [null, [], { ...HALTED, state: 'reducing' }, 'halted', 'reducing'],
  // While what stands is being closed, its reason still says more.
  [CAP, [quote('for')], HALTED, 'active', reasonInWords(CAP)],
])(
  'missing %s, quotes %j, restriction %j and state %s: "%s"',
  (missing, quotes, restriction, state, words) => {
    expect(notQuotedInWords({ missing, quotes, restriction }, state)).toBe(words);
  },
);
