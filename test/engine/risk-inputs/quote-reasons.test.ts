import { describe, expect, it } from 'vitest';
import type { SelectionId } from '../../../src/domain/ids.ts';
import type { Core } from '../../../src/engine/core.ts';
import { type PresentFaults, QuoteReasons } from '../../../src/engine/risk-inputs/quote-reasons.ts';
import type { RefusedQuote, StrategyThrow } from '../../../src/engine/strategy-faults.ts';
import type { OrderManager } from '../../../src/orders/api.ts';
import { blockedBy, type Obstacle } from '../../../src/orders/send-gate.ts';
import type { StageVerdict } from '../../../src/risk/index.ts';

const selectionId = 'fb|e|for,h' as SelectionId;

/** A price list of one level. */
const LEVEL = [2, -1, 1e6];

/** The reason that `why` receives for a quote behind this obstacle. */
function reasonOf(
  obstacle: Obstacle | null,
  thrown: StrategyThrow | null = null,
  omission: string | null = null,
  wanted: {
    readonly prices: readonly number[];
    readonly others?: readonly number[];
    readonly reachesMid: boolean | null;
  } | null = null,
  refused: RefusedQuote | null = null,
): readonly string[] {
  const notes: string[] = [];
  const intent = { selectionId, direction: 'for' };
  const reasons = new QuoteReasons(
    {
      market: {
        marketOf: () => ({ for: wanted?.prices ?? null, against: wanted?.others ?? null }),
        reachesMid: () => wanted?.reachesMid ?? null,
      },
      risk: {
        wants: () => wanted === null,
        note: (_: SelectionId, { stage, code, message }: StageVerdict) =>
          notes.push(`${stage}.${code}: ${message}`),
        clearNote: () => undefined,
        forgetReasons: () => undefined,
        states: [],
      },
      adjustments: { of: () => [] },
      strategies: { quoterOf: () => 'a strategy', omissionOf: () => omission, runs: () => true },
    } as unknown as Core,
    {
      status: () => ({ waiting: obstacle === null ? [] : [{ ...obstacle, intent }] }),
    } as unknown as OrderManager,
    {
      strategyThrows: () => thrown,
      refusedQuote: (_: unknown, id: SelectionId, side: string) =>
        id === selectionId && side === (refused?.direction ?? side) ? refused : null,
    } as PresentFaults,
  );
  reasons.look(new Set([selectionId]));
  return notes;
}

it.each([
  ['betslip_budget', "budget.betslip_budget: the day's betslips are used up but for the reserve"],
  ['betslip_turn', 'budget.betslip_turn: other markets that wait are worth more, or have waited longer'],
  ['betslip_pace', "budget.betslip_pace: the day's betslips are spread over the day"],
  ['betslip_cap', 'budget.betslip_cap: no place is free under the cap of open betslips'],
  ['in_flight_limit', 'budget.in_flight_limit: too many orders are being created at once'],
  ['quote_pending', 'orders.quote_pending: the betslip has no private quote yet'],
] as const)('reports %s at its stage', (code, reason) => {
  expect(reasonOf(blockedBy(code))).toEqual([reason]);
});

it('keeps free text out of the name, and leaves a refusal to risk', () => {
  expect(reasonOf(blockedBy('latched', 'an order differs'))).toEqual([
    'orders.latched: the order manager has latched itself off: an order differs',
  ]);
  expect(reasonOf(blockedBy('risk', 'account_worst_case'))).toEqual([]);
});

it('reports a throwing strategy before any other reason, in both directions', () => {
  const thrown = { strategy: 'mine', message: 'no price', sinceMs: Date.UTC(2026, 0, 31), times: 3 };
  const reason = 'strategy.threw: mine throws: no price (3x since 2026-01-31T00:00:00.000Z)';
  expect(reasonOf(null, thrown)).toEqual([reason, reason]);
  expect(reasonOf(blockedBy('quote_pending'), thrown)).toEqual([reason, reason]);
});

it('reports that the match rules leave a selection out before any other reason', () => {
  const thrown = { strategy: 'mine', message: 'no price', sinceMs: 0, times: 3 };
  const reason = 'strategy.no_match: no strategy matches it: mine: it is in play';
  const omission = 'no strategy matches it: mine: it is in play';
  expect(reasonOf(blockedBy('quote_pending'), thrown, omission)).toEqual([reason, reason]);
});

it('says of a side without a quote whether the ladder of our orders reaches the market', () => {
  const noQuote = 'strategy.no_quote: the strategy wants none';
  const noTick = 'market.no_tick: the ladder of our orders on this side does not reach the market';
  const shown = (reachesMid: boolean | null) =>
    reasonOf(null, null, null, { prices: LEVEL, others: LEVEL, reachesMid });
  expect(shown(false)).toEqual([noTick, noTick]);
  expect(shown(true)).toEqual([noQuote, noQuote]);
  expect(shown(null)).toEqual([noQuote, noQuote]);
});

it.each<readonly [prices: readonly number[], others: readonly number[] | undefined, reason: string]>([
  [[], [], 'market.no_prices: nothing is offered on either side'],
  [[], undefined, 'market.no_prices: nothing is offered on either side'],
  [LEVEL, [], 'strategy.no_quote: the strategy wants none; there is no price to lay at'],
  [[], LEVEL, 'strategy.no_quote: the strategy wants none; there is no price to back at'],
])('says with prices %j to back and %j to lay what is not offered', (prices, others, reason) => {
  const shown = reasonOf(null, null, null, { prices, ...(others && { others }), reachesMid: null });
  expect(shown).toEqual([reason, reason]);
});

describe('a refused intent', () => {
  const refused: RefusedQuote = {
    kind: 'invalid-intent',
    strategy: 'mine',
    selectionId,
    direction: 'for',
    message: 'for at tick 999: not on the ladder (rule tick)',
    sinceMs: 0,
    times: 2,
  };
  const inWords =
    'strategy.invalid_intent: mine: refused: for at tick 999: not on the ladder (rule tick) (2x since 1970-01-01T00:00:00.000Z)';

  it('is the reason of its side while that side wants no other quote', () => {
    const shown = reasonOf(null, null, null, { prices: LEVEL, others: LEVEL, reachesMid: true }, refused);
    expect(shown).toEqual([inWords, 'strategy.no_quote: the strategy wants none']);
  });

  it('comes before the reasons of the market', () => {
    const shown = reasonOf(null, null, null, { prices: [2, -1, 1e6], reachesMid: false }, refused);
    expect(shown[0]).toBe(inWords);
  });

  it('is no reason where another quote is wanted', () => {
    expect(reasonOf(null, null, null, null, refused)).toEqual([]);
  });
});

it('forgets the reasons of a selection once it is no longer chosen, and of no other', () => {
  const forgotten: SelectionId[] = [];
  const reasons = new QuoteReasons(
    {
      market: { marketOf: () => ({ for: null, against: null }), reachesMid: () => null },
      risk: {
        wants: () => true,
        note: () => undefined,
        clearNote: () => undefined,
        forgetReasons: (id: SelectionId) => void forgotten.push(id),
        states: [],
      },
      adjustments: { of: () => [] },
      strategies: { quoterOf: () => 'a strategy', omissionOf: () => null, runs: () => true },
    } as unknown as Core,
    { status: () => ({ waiting: [] }) } as unknown as OrderManager,
    { strategyThrows: () => null, refusedQuote: () => null } as PresentFaults,
  );
  const [stays, leaves] = [selectionId, 'fb|e|for,a' as SelectionId];
  const seen: string[][] = [];
  for (const chosen of [[stays, leaves], [stays, leaves], [stays], [stays], [leaves]]) {
    reasons.look(new Set(chosen));
    seen.push(forgotten.splice(0));
  }
  expect(seen).toEqual([[], [], [leaves], [], [stays]]);
});

it('clears the stages that block a side no more, whichever blocks it now, and leaves the other side', () => {
  const noted = new Map<string, string>();
  let waiting: readonly object[] = [];
  let prices: readonly number[] | null = null;
  let wants: readonly string[] = ['against'];
  const reasons = new QuoteReasons(
    {
      market: { marketOf: () => ({ for: prices, against: null }), reachesMid: () => null },
      risk: {
        wants: (_: SelectionId, side: string) => wants.includes(side),
        note: (_: SelectionId, { stage, code, direction }: StageVerdict) =>
          void noted.set(`${direction} ${stage}`, code),
        clearNote: (_: SelectionId, stage: string, direction: string) =>
          void noted.delete(`${direction} ${stage}`),
        forgetReasons: () => undefined,
        states: [],
      },
      adjustments: { of: () => [] },
      strategies: { quoterOf: () => 'a strategy', omissionOf: () => null, runs: () => true },
    } as unknown as Core,
    { status: () => ({ waiting }) } as unknown as OrderManager,
    { strategyThrows: () => null, refusedQuote: () => null } as PresentFaults,
  );
  const shown = (): Readonly<Record<string, string>> => {
    reasons.look(new Set([selectionId]));
    return Object.fromEntries(noted);
  };
  const waits = (code: Parameters<typeof blockedBy>[0], direction: string) => ({
    ...blockedBy(code),
    intent: { selectionId, direction },
  });
  expect(shown()).toEqual({ 'for market': 'no_prices' });
  prices = [2, -1, 1e6];
  expect(shown()).toEqual({ 'for strategy': 'no_quote' });
  waiting = [waits('betslip_cap', 'for'), waits('quote_pending', 'against')];
  expect(shown()).toEqual({ 'for budget': 'betslip_cap', 'against orders': 'quote_pending' });
  waiting = [waits('quote_pending', 'for')];
  expect(shown()).toEqual({ 'for orders': 'quote_pending' });
  waiting = [];
  wants = ['for', 'against'];
  expect(shown()).toEqual({});
});
