import { describe, expect, it } from 'vitest';
import type { ApproveOrder, Refusal } from '../../../src/domain/approval.ts';
import type { SelectionId } from '../../../src/domain/ids.ts';
import { mintApproval } from '../../../src/domain/mint-approval.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { packLevels, type PriceList } from '../../../src/domain/price-list.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { EVENT, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
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

const creates = ({ venue }: OrderManagerRig): number =>
  venue.calls.filter(({ method }) => method === 'createBetslip').length;

describe('with more markets than places for betslips', () => {
  it('keeps the betslip of an order that waits for its budget', async () => {
    const rig = new OrderManagerRig({ venue: { betslipCap: 3 }, options: { betslips: { openCap: 3 } } });
    await rig.start();
    slowPlacing(rig, () => 1_500);
    rig.desire(...QUOTES);
    await rig.advance(30_000);
    expect(rig.venue.open()).toHaveLength(QUOTES.length);
    expect(creates(rig)).toBeLessThan(2 * QUOTES.length);
  });

  it('spends none on quotes that risk refuses', async () => {
    const risk = refusing(/[c-f]$/, WORST_CASE);
    const rig = new OrderManagerRig({ venue: FEW, options: { betslips: { openCap: 3 } }, ...risk });
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(10 * MINUTE_MS);
    expect(rig.venue.open()).toHaveLength(2);
    expect(creates(rig)).toBeLessThan(5 * QUOTES.length);
  });

  it('gives none up for quotes that risk refuses, and judges those again only after a while', async () => {
    const { precheck } = refusing(/no\d$/, WORST_CASE);
    const options = { retryMs: 5_000, betslips: { openCap: 10 } };
    const rig = new OrderManagerRig({ venue: { ...FEW, betslipCap: 10 }, options, precheck });
    await rig.start();
    for (let minute = 0; minute < 10; minute++) {
      const tick = 110 + 3 * (minute % 2);
      rig.desire(...wanted('ok', 12, tick, 10), ...wanted('no', 8, tick, 1));
      await rig.advance(MINUTE_MS);
    }
    expect(rig.venue.open()).toHaveLength(12);
    expect(creates(rig)).toBeLessThan(12 + 5 * 10);
  });

  it('spends none on intermittent quotes that would take whenever they come', async () => {
    const market = takenOn(/no\d$/);
    const options = { betslips: { openCap: 10 } };
    const rig = new OrderManagerRig({ venue: { ...FEW, betslipCap: 10 }, options, market });
    await rig.start();
    for (let turn = 0; turn < 150; turn++) {
      const tick = 110 + 3 * (Math.floor(turn / 15) % 2);
      rig.desire(...wanted('ok', 12, tick, 10), ...(turn % 2 === 1 ? wanted('no', 8, tick, 1) : []));
      await rig.advance(4_000);
    }
    expect(rig.venue.open()).toHaveLength(12);
    expect(creates(rig)).toBeLessThan(12 + 5 * 10);
  });

  it('spends none on quotes that would take a public offer', async () => {
    const market = takenOn(/[c-f]$/);
    const rig = new OrderManagerRig({ venue: FEW, options: { betslips: { openCap: 3 } }, market });
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(10 * MINUTE_MS);
    expect(rig.venue.open()).toHaveLength(2);
    expect(creates(rig)).toBeLessThan(3 * QUOTES.length);
  });

  it('gives the places of quotes that cannot be sent to others', async () => {
    const { approve } = refusing(/[ef]$/, COLLAR);
    const rig = new OrderManagerRig({ venue: FEW, options: { betslips: { openCap: 3 } }, approve });
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(10 * MINUTE_MS);
    expect(rig.venue.open()).toHaveLength(QUOTES.length - 2);
    expect(creates(rig)).toBeLessThan(5 * QUOTES.length);
  });

  it('keeps its betslips when the day has none left for others', async () => {
    const { approve } = refusing(/./, COLLAR);
    const betslips = { openCap: 3, perDay: 40, burst: 10, dailyReserve: 0 };
    const rig = new OrderManagerRig({ venue: FEW, options: { betslips }, approve });
    await rig.start();
    rig.desire(...QUOTES);
    await rig.advance(30 * MINUTE_MS);
    expect(creates(rig)).toBeGreaterThan(betslips.burst / 2);
    const held = [...rig.venue.betslips.keys()];
    expect(held).toHaveLength(betslips.openCap);
    await rig.advance(10 * MINUTE_MS);
    expect([...rig.venue.betslips.keys()]).toEqual(held);
  });
});

it('leaves a betslip that waited for its create the time to be quoted', async () => {
  const rig = new OrderManagerRig({ venue: { quoteDelayMs: 2_000 } });
  await rig.start();
  const create = rig.venue.createBetslip.bind(rig.venue);
  rig.venue.createBetslip = async (request, options) => {
    await sleep(rig.clock, 9_000);
    return create(request, options);
  };
  rig.desire(quote());
  await rig.advance(15_000);
  expect(rig.venue.open()).toHaveLength(1);
  expect(creates(rig)).toBe(1);
});
