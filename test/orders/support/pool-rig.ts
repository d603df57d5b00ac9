import { LAY_PRICES, marketKey } from '../../../src/domain/exchange-prices.ts';
import type { BetslipId, BetType } from '../../../src/domain/ids.ts';
import type { Betslip, BetslipRequest } from '../../../src/domain/orders.ts';
import type { Quote } from '../../../src/domain/stream.ts';
import { BetslipPool } from '../../../src/orders/betslips/pool.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import type { HeldBetslip, KeptBetslip, Opening } from '../../../src/orders/plan/betslips.ts';
import { DEFAULT_QUOTE } from '../../support/fake-venue.ts';
import { EVENT_NAME } from '../../support/order-manager-rig.ts';
import { PartRig } from './part.ts';

export const OPTIONS = {
  lifeMs: 60_000,
  refreshLeadMs: 10_000,
  quoteTimeoutMs: 5_000,
  quoteMaxAgeMs: 8_000,
  idleMs: 20_000,
  perDay: 2_000,
  dailyReserve: 100,
  burst: 40,
  openCap: 9,
  refusedBackoffMs: 30_000,
};
export const ID = 'slip-1' as BetslipId;
export const SECOND_ID = 'slip-2' as BetslipId;

export const market = (outcome: string, betslipType?: 'lay'): BetslipRequest => ({
  ...EVENT_NAME,
  betType: `for,${outcome}` as BetType,
  ...(betslipType !== undefined && { betslipType }),
});
export const HOME = market('h');
export const DRAW = market('d');
export const KEY = marketKey(HOME);

export const opening = (over: Partial<Opening> = {}): Opening => ({
  key: KEY,
  value: 7,
  reduces: false,
  isReserve: false,
  isPinned: true,
  ...over,
});
export const betslip = (over: Partial<Betslip> = {}): Betslip => ({
  ...HOME,
  betslipId: ID,
  expiryMs: null,
  isOpen: true,
  closeReason: null,
  priceList: null,
  ...over,
});
export const quoteOf = (over: Partial<Quote> = {}): Quote => ({
  ...HOME,
  betslipId: ID,
  statusCode: 'success',
  priceList: DEFAULT_QUOTE,
  totalMicros: null,
  ...over,
});
/** What a target wants of its betslip between two orders. */
export const KEPT: KeptBetslip = { value: 9, isPlacing: false, servesOrder: false };

/** A pool of betslips, whose requests wait for the test. */
export class PoolRig {
  readonly metrics = createPrometheusMetrics({ processMetrics: false });
  readonly rig: PartRig;
  readonly pool: BetslipPool;
  changes: (readonly [string, boolean])[] = [];
  /** How long the client would hold a request back. */
  waitsMs = { normal: 0, reducing: 0 };
  /** The orders that have not ended. */
  active: { readonly order: { readonly betslipId: BetslipId } }[] = [];
  /** The ages of betslips of earlier runs that the client was told. */
  readonly recalled: number[] = [];

  constructor(over: Partial<typeof OPTIONS> = {}) {
    const venue = {
      waitMs: (_: string, priority: 'normal' | 'reducing') => this.waitsMs[priority],
      bounded: (_: string, value: number) => value,
      recallBetslips: (ages: readonly number[]) => void this.recalled.push(...ages),
    };
    const context = { book: { active: () => this.active }, exchangePrices: () => LAY_PRICES };
    const options = { betslips: { ...OPTIONS, ...over } };
    this.rig = new PartRig({ options, venue, context, metrics: this.metrics });
    this.pool = new BetslipPool(
      this.rig.context,
      (key, keepsPlan) => void this.changes.push([key, keepsPlan]),
    );
  }

  /** A target wants the betslip. */
  wanted(): void {
    this.pool.noteTargets(new Map([[KEY, KEPT]]));
  }

  async advance(ms: number): Promise<void> {
    await this.rig.clock.advance(ms);
  }

  /** Sweeps at an instant from now, in time and not late, and returns what is then requested. */
  async sweptAfter(ms: number): Promise<string[]> {
    let left = ms;
    for (; left > 1_000; left -= 1_000) {
      await this.advance(1_000);
      this.pool.sweep();
    }
    await this.advance(left);
    this.pool.sweep();
    return this.rig.asked.map(({ method }) => method);
  }

  async open(request = HOME, over: Partial<Betslip> = {}, given = opening()): Promise<void> {
    this.pool.request(request, given);
    const asked = this.rig.take('createBetslip');
    asked.options.beforeSend?.();
    await asked.answer(betslip(over));
  }

  async quoted(): Promise<void> {
    await this.open();
    this.pool.onQuote(quoteOf());
    this.pool.sweep();
    this.changes = [];
  }

  /** The first betslip, as the plan sees it. */
  get held(): HeldBetslip | undefined {
    return this.pool.facts().held[0];
  }
}
