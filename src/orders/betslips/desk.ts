import { marketKey } from '../../domain/exchange-prices.ts';
import type { BetslipRequest } from '../../domain/orders.ts';
import { lifetimeOf, type QuoteIntent } from '../../domain/quote-intent.ts';
import {
  type BetslipFacts,
  type BetslipPlan,
  type BetslipTarget,
  type Opening,
  planBetslips,
} from '../plan/betslips.ts';
import { isPinnedSpending } from '../plan/budget.ts';
import type { Claims } from '../plan/claims.ts';
import { boundedLifetimeS, rotatingDurationS } from '../plan/lifetime.ts';
import { keepsBetslip, NO_PINS, type Pins } from '../plan/pins.ts';
import { blockedBy, type Obstacle } from '../send-gate.ts';
import type { OrderContext } from '../state/context.ts';
import type { BetslipPool } from './pool.ts';

/** A target that needs a betslip. `key` is that of its market. */
export interface BetslipWish extends BetslipTarget {
  readonly market: BetslipRequest;
  /** Returns why a betslip would be wasted on the order; null when it would not. */
  foresee(isPinned: boolean): Obstacle | null;
}

/** Part of the day's betslips that renewals of rotating markets may use. */
const ROTATING_SHARE = 0.75;

/** The pool of betslips, and the desk that plans it. */
export interface Betslips {
  readonly desk: BetslipDesk;
  readonly pool: BetslipPool;
}

/** Makes the plan of betslips from the targets, and has the pool carry it out. */
export class BetslipDesk {
  readonly #context: OrderContext;
  readonly #pool: BetslipPool;
  #pins: Pins = NO_PINS;
  #claims: Claims = new Map();
  /** The number of markets that the targets name. */
  #wanted = 0;

  constructor(context: OrderContext, pool: BetslipPool) {
    [this.#context, this.#pool] = [context, pool];
  }

  /**
   * Opens, keeps and deletes betslips as the complete set of targets demands. Returns what is in the way of each target that waits
   * for a betslip of its own.
   */
  serve<Wish extends BetslipWish>(wishes: readonly Wish[]): ReadonlyMap<Wish, Obstacle> {
    const refused = new Map<Wish, Obstacle>();
    let ofMarket: ReadonlyMap<string, readonly Wish[]> | null = null;
    const cleared = new Set<string>();
    for (;;) {
      let [isUnserved, isPartlyRefused] = [false, false];
      // A betslip that would be wasted is not opened, and takes no place from another.
      const serves = ({ key, isPinned }: Pick<Opening, 'key' | 'isPinned'>): boolean => {
        const before = refused.size;
        ofMarket ??= Map.groupBy(wishes, (wish) => wish.key);
        const isServed = cleared.has(key) || foreseen(ofMarket.get(key) ?? [], isPinned, refused);
        if (isServed) cleared.add(key);
        else isUnserved = true;
        isPartlyRefused ||= isServed && refused.size > before;
        return isServed;
      };
      const plan = this.#planFor(wishes, refused, serves);
      if (plan.isProvisional || (isUnserved && isPartlyRefused)) continue;
      if (this.#carryOut(plan, wishes)) return this.#obstacles(plan, wishes, refused);
    }
  }

  /** The markets for which the plan would open a betslip now. Nothing is carried out. */
  wouldOpen(wishes: readonly BetslipWish[]): (market: BetslipRequest) => boolean {
    const { open } = this.#planFor(wishes, new Map(), () => true);
    const keys = new Set(open.map(({ key }) => key));
    return (market) => keys.has(marketKey(market));
  }

  /**
   * Life to request for an order on this market, in seconds: as wanted (default: as configured), but longer if each next order
   * costs a betslip. A take has no next order.
   */
  durationS(market: BetslipRequest, intent: Pick<QuoteIntent, 'lifetimeS' | 'take'> = {}): number {
    const { options } = this.#context;
    const { lifetimeS } = intent;
    if (intent.take !== undefined)
      return Math.min(lifetimeOf(intent, options.durationS), options.betslips.longestDurationS);
    const { betslips } = options;
    const longestS = betslips.longestDurationS;
    const durationS =
      lifetimeS === undefined
        ? options.durationS
        : boundedLifetimeS(lifetimeS, options.renewLeadMs, longestS);
    // Places that an earlier run still takes will soon be free, while a long life, once requested, stays.
    if (this.#pool.isCrowded) return durationS;
    // Where betslips expire, as while refreshes fail, each order costs a betslip on pinned markets, too. Judging
    // by spending covers every cause. It leaves the configured life to pinned markets when only rotating ones have
    // used up the pace.
    const areAllRotating = isPinnedSpending(this.#pool.budget);
    if (keepsBetslip(this.#pins, marketKey(market)) && !areAllRotating) return durationS;
    const renewed = areAllRotating ? this.#wanted : this.#pins.rotating.size;
    const forRotating = (betslips.perDay - betslips.dailyReserve) * ROTATING_SHARE;
    return rotatingDurationS(renewed, forRotating, durationS, longestS);
  }

  #planFor(
    wishes: readonly BetslipWish[],
    refused: ReadonlyMap<BetslipWish, Obstacle>,
    serves: Required<BetslipFacts>['serves'],
  ): BetslipPlan {
    const targets: readonly BetslipTarget[] =
      refused.size === 0 ? wishes : wishes.map((wish) => (refused.has(wish) ? unsendable(wish) : wish));
    return planBetslips(targets, { ...this.#pool.facts(), pins: this.#pins, claims: this.#claims, serves });
  }

  /** Returns false if a betslip could not be requested now: what is left has changed. */
  #carryOut(plan: BetslipPlan, wishes: readonly BetslipWish[]): boolean {
    [this.#pins, this.#claims, this.#wanted] = [plan.pins, plan.claims, plan.wanted];
    this.#pool.noteTargets(plan.keep);
    for (const key of plan.withdraw) this.#pool.withdraw(key);
    for (const { key, why } of plan.delete) this.#pool.delete(key, why === 'turn');
    return plan.open.every((opening) => {
      const wish = wishes.find(({ key }) => key === opening.key);
      return this.#pool.request(wish?.market as BetslipRequest, opening);
    });
  }

  /** Returns the obstacle of each target: it was refused, or waits for a betslip of its own, or for its quote. */
  #obstacles<Wish extends BetslipWish>(
    { reasons }: BetslipPlan,
    wishes: readonly Wish[],
    refused: ReadonlyMap<Wish, Obstacle>,
  ): ReadonlyMap<Wish, Obstacle> {
    const obstacles = new Map(refused);
    for (const wish of wishes) {
      if (wish.need !== 'order' || refused.has(wish)) continue;
      const answer = this.#pool.answerOf(wish.key);
      const code = answer?.ok === false ? answer.code : reasons.get(wish.key);
      if (code !== undefined) obstacles.set(wish, blockedBy(code));
    }
    return obstacles;
  }
}

const unsendable = ({ key, selection, value, need }: BetslipTarget): BetslipTarget => ({
  key,
  selection,
  value,
  need,
  reduces: false,
  isSendable: false,
});

/** Whether a betslip would serve one of the targets. Adds those before it to `refused`, which it would not serve. */
function foreseen<Wish extends BetslipWish>(
  wishes: readonly Wish[],
  isPinned: boolean,
  refused: Map<Wish, Obstacle>,
): boolean {
  for (const wish of wishes) {
    if (wish.need !== 'order' || refused.has(wish)) continue;
    const obstacle = wish.foresee(isPinned);
    if (obstacle === null) return true;
    refused.set(wish, obstacle);
  }
  return false;
}
