/** The books of the fast engine against the embedded exchange with the same fill model: the same fills to the micro. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMicros } from '../../../src/domain/money.ts';
import { priceOf } from '../../../src/domain/ladder.ts';
import { FILL_MODELS } from '../../../src/fills/scenarios.ts';
import { fillsOfQuotes, type FixedQuote } from '../../../src/research/fast/fixed-quotes.ts';
import { SCENARIOS, type Scenario } from '../../../src/fills/fill-model.ts';
import { MARKET_STATE, OP, type Updates } from '../../../src/research/tape.ts';
import { at as outcomeAt, EVENT, event, Harness, START_MS } from '../../simulator/core/harness.ts';
import { open, type Step, TAPE_START_MS, tapeOf } from '../../support/tapes.ts';
import { generatedCase, INSTANT } from './fixed-quotes.ts';

const RECORDED = 'recorded';
const CASES = 150;

/** What the exchange filled of each quote: instant, tick and micros, in order. */
function onTheExchange(
  updates: Updates,
  quotes: readonly FixedQuote[],
  scenario: Scenario,
  isPassive: boolean,
): string[][] {
  const harness = new Harness({ fillModel: FILL_MODELS[scenario], priced: false });
  const { market } = harness.exchange;
  market.putEvent(event(), harness.nowMs);
  market.followRecording(RECORDED);
  // A bet type exists from its first liquidity on.
  harness.rest('h', 'for', 900, 1);
  const ids = new Map<number, number>();
  const acts = [
    ...quotes.map(({ placedMs }, quote) => ({
      atMs: placedMs,
      rank: 0,
      run: () => place(harness, ids, quotes, quote),
    })),
    ...quotes.flatMap(({ closedMs }, quote) =>
      closedMs === null ? [] : [{ atMs: closedMs, rank: 0, run: () => close(harness, ids.get(quote) ?? -1) }],
    ),
    ...Array.from({ length: updates.length }, (_, row) => ({
      atMs: updates.atMs[row] as number,
      rank: 1,
      run: () => apply(harness, updates, row, isPassive),
    })),
  ].toSorted((a, b) => a.atMs - b.atMs || a.rank - b.rank);
  for (const { atMs, run } of acts) {
    harness.pass(atMs - TAPE_START_MS + START_MS - harness.nowMs);
    run();
  }
  const orders = harness.exchange.inspect().orders;
  return quotes.map((_, quote) => {
    const order = orders.find(({ orderId }) => orderId === ids.get(quote));
    return (order?.fills ?? []).map(
      (fill) => `${fill.atMs - START_MS}: ${fromMicros(fill.stakeMicros)} @ ${fill.price}`,
    );
  });
}

function place(harness: Harness, ids: Map<number, number>, quotes: readonly FixedQuote[], at: number): void {
  const quote = quotes[at] as FixedQuote;
  const stake = fromMicros(quote.stakeMicros);
  ids.set(at, harness.place(`${quote.direction},h`, priceOf(quote.tick), stake).order_id);
}

const close = (harness: Harness, id: number): void => void harness.call('POST', `/v2/orders/${id}/close/`);

function apply(
  { exchange: { market }, nowMs }: Harness,
  { op, tick, micros }: Updates,
  row: number,
  isPassive: boolean,
): void {
  const kind = op[row] as number;
  if (kind === OP.state) {
    market.setBetDelay(EVENT, ['h'], { delayMs: micros[row] as number, isPassive }, nowMs);
    return market.setSuspended(EVENT, tick[row] === MARKET_STATE.suspended, nowMs);
  }
  const price = priceOf(tick[row] as number);
  const resting = kind === OP.restingFor || kind === OP.tradedFor ? 'for' : 'against';
  if (kind <= OP.restingAgainst)
    market.setLevel(RECORDED, outcomeAt('h'), resting, price, micros[row] as number, nowMs);
  else market.trade(outcomeAt('h'), resting, price, micros[row] as number, nowMs);
}

/** Delays of takers alone among them. */
const delays = fc.record({ delayMs: fc.constantFrom(0, 0, 300, 2_000), isPassive: fc.boolean() });

describe('the fast books', () => {
  it.each(SCENARIOS)('fill what the embedded exchange fills, to the micro: %s', (scenario) => {
    let filled = 0;
    fc.assert(
      fc.property(generatedCase, delays, ({ steps, quotes }, { delayMs, isPassive }) => {
        const delayed = steps.map((step): Step =>
          step[1] === 'state' ? [step[0], 'state', step[2], delayMs] : step,
        );
        const tape = tapeOf([[0, 'state', open, delayMs], ...delayed], {
          markets: [{ betDelayModels: isPassive ? ['PASSIVE'] : [] }],
        });
        const fast = fillsOfQuotes(tape, quotes, FILL_MODELS[scenario], { settings: INSTANT }).map(
          ({ fills }) =>
            fills.map(
              ({ atMs, tick, stakeMicros }) =>
                `${atMs - TAPE_START_MS}: ${fromMicros(stakeMicros)} @ ${priceOf(tick)}`,
            ),
        );
        expect(fast).toEqual(onTheExchange(tape.updates, quotes, scenario, isPassive));
        if (fast.some((fills) => fills.length > 0)) filled++;
      }),
      { numRuns: CASES },
    );
    expect(filled).toBeGreaterThan(CASES / 2);
  });
});
