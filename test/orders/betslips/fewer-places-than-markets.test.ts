import { describe, expect, it } from 'vitest';
import type { ApproveOrder, Refusal } from '../../../src/domain/approval.ts';
import type { SelectionId } from '../../../src/domain/ids.ts';
import { mintApproval } from '../../../src/domain/mint-approval.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { packLevels, type PriceList } from '../../../src/domain/price-list.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { EVENT, quote, TestDesk } from '../../support/order-desk.ts';
import { slowPlacing } from '../support/slow-placing.ts';

const QUOTES = ['a', 'b', 'c', 'd', 'e', 'f'].map((outcome) =>
  quote({ selectionId: `fb|${EVENT}|${outcome}` as SelectionId }),
);

const MINUTE_MS = 60_000;
const WORST_CASE: Refusal = { code: 'event_worst_case', message: '', actual: null, limit: null };
const COLLAR: Refusal = { code: 'collar_adverse', message: '', actual: null, limit: null };
const FEW = { betslipCap: 3, quoteDelayMs: 2_000 };

const wanted = (name: string, count: number, tick: number, valueMicrosPerS: number) =>
  Array.from({ length: count }, (_, index) =>
    quote({ selectionId: `fb|${EVENT}|${name}${index}` as SelectionId, tick, valueMicrosPerS }),
  );

/** A public offer on the matching markets, which an order for them would take. */
function takenOn(names: RegExp): (id: SelectionId) => { for: PriceList; against: PriceList } {
  const taken = packLevels([{ price: 8, minMicros: null, maxMicros: 1e9 }]);
  return (id) => ({ for: names.test(id) ? taken : [], against: [] });
}

/** Risk refuses orders on the matching markets. `precheck` refuses before a betslip exists. */
function refusing(names: RegExp, refusal: Refusal) {
  const precheck = ({ betType }: PlaceOrder): readonly Refusal[] => (names.test(betType) ? [refusal] : []);
  const approve: ApproveOrder = (order) => {
    const refusals = precheck(order);
    return refusals.length > 0 ? { ok: false, refusals } : { ok: true, order: mintApproval({ ...order }) };
  };
  return { precheck, approve };
}

const creates = ({ venue }: TestDesk): number =>
  venue.calls.filter(({ method }) => method === 'createBetslip').length;

describe('with more markets than places for betslips', () => {
  it('keeps the betslip of an order that waits for its budget', async () => {
    const desk = new TestDesk({ venue: { betslipCap: 3 }, options: { betslips: { openCap: 3 } } });
    await desk.start();
    slowPlacing(desk, () => 1_500);
    desk.desire(...QUOTES);
    await desk.advance(30_000);
    expect(desk.venue.open()).toHaveLength(QUOTES.length);
    expect(creates(desk)).toBeLessThan(2 * QUOTES.length);
  });

  it('spends none on quotes that risk refuses', async () => {
    const risk = refusing(/[c-f]$/, WORST_CASE);
    const desk = new TestDesk({ venue: FEW, options: { betslips: { openCap: 3 } }, ...risk });
    await desk.start();
    desk.desire(...QUOTES);
    await desk.advance(10 * MINUTE_MS);
    expect(desk.venue.open()).toHaveLength(2);
    expect(creates(desk)).toBeLessThan(5 * QUOTES.length);
  });

  it('gives none up for quotes that risk refuses, and judges those again only after a while', async () => {
    const { precheck } = refusing(/no\d$/, WORST_CASE);
    const options = { retryMs: 5_000, betslips: { openCap: 10 } };
    const desk = new TestDesk({ venue: { ...FEW, betslipCap: 10 }, options, precheck });
    await desk.start();
    for (let minute = 0; minute < 10; minute++) {
      const tick = 110 + 3 * (minute % 2);
      desk.desire(...wanted('ok', 12, tick, 10), ...wanted('no', 8, tick, 1));
      await desk.advance(MINUTE_MS);
    }
    expect(desk.venue.open()).toHaveLength(12);
    expect(creates(desk)).toBeLessThan(12 + 5 * 10);
  });

  it('spends none on intermittent quotes that would take whenever they come', async () => {
    const market = takenOn(/no\d$/);
    const options = { betslips: { openCap: 10 } };
    const desk = new TestDesk({ venue: { ...FEW, betslipCap: 10 }, options, market });
    await desk.start();
    for (let turn = 0; turn < 150; turn++) {
      const tick = 110 + 3 * (Math.floor(turn / 15) % 2);
      desk.desire(...wanted('ok', 12, tick, 10), ...(turn % 2 === 1 ? wanted('no', 8, tick, 1) : []));
      await desk.advance(4_000);
    }
    expect(desk.venue.open()).toHaveLength(12);
    expect(creates(desk)).toBeLessThan(12 + 5 * 10);
  });

  it('spends none on quotes that would take a public offer', async () => {
    const market = takenOn(/[c-f]$/);
    const desk = new TestDesk({ venue: FEW, options: { betslips: { openCap: 3 } }, market });
    await desk.start();
    desk.desire(...QUOTES);
    await desk.advance(10 * MINUTE_MS);
    expect(desk.venue.open()).toHaveLength(2);
    expect(creates(desk)).toBeLessThan(3 * QUOTES.length);
  });

  it('gives the places of quotes that cannot be sent to others', async () => {
    const { approve } = refusing(/[ef]$/, COLLAR);
    const desk = new TestDesk({ venue: FEW, options: { betslips: { openCap: 3 } }, approve });
    await desk.start();
    desk.desire(...QUOTES);
    await desk.advance(10 * MINUTE_MS);
    expect(desk.venue.open()).toHaveLength(QUOTES.length - 2);
    expect(creates(desk)).toBeLessThan(5 * QUOTES.length);
  });

  it('keeps its betslips when the day has none left for others', async () => {
    const { approve } = refusing(/./, COLLAR);
    const betslips = { openCap: 3, perDay: 40, burst: 10, dailyReserve: 0 };
    const desk = new TestDesk({ venue: FEW, options: { betslips }, approve });
    await desk.start();
    desk.desire(...QUOTES);
    await desk.advance(30 * MINUTE_MS);
    expect(creates(desk)).toBeGreaterThan(betslips.burst / 2);
    const held = [...desk.venue.betslips.keys()];
    expect(held).toHaveLength(betslips.openCap);
    await desk.advance(10 * MINUTE_MS);
    expect([...desk.venue.betslips.keys()]).toEqual(held);
  });
});

it('leaves a betslip that waited for its create the time to be quoted', async () => {
  const desk = new TestDesk({ venue: { quoteDelayMs: 2_000 } });
  await desk.start();
  const create = desk.venue.createBetslip.bind(desk.venue);
  desk.venue.createBetslip = async (request, options) => {
    await sleep(desk.clock, 9_000);
    return create(request, options);
  };
  desk.desire(quote());
  await desk.advance(15_000);
  expect(desk.venue.open()).toHaveLength(1);
  expect(creates(desk)).toBe(1);
});
