import { eventKey, type EventName } from '../../domain/events.ts';
import { marketOfOrder } from '../../domain/exchange-prices.ts';
import type { EventKey, SelectionId } from '../../domain/ids.ts';
import type { Tick } from '../../domain/ladder.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { type PricedTick, SELECTION_KINDS, takingTick } from '../../domain/odds.ts';
import type { BetslipRequest } from '../../domain/orders.ts';
import { bestPrice } from '../../domain/price-list.ts';
import { opposite } from '../../domain/selection.ts';
import {
  type HedgeRules,
  isBoundDue,
  isGreenUpDue,
  isStopped,
  NO_RULES,
  offsetOf,
} from '../../hedge/rules.ts';
import type { Moment } from '../../lib/time.ts';
import type { OrderManager } from '../../orders/api.ts';
import type { Core } from '../core.ts';
import { orderOf } from './hedges.ts';
import type { HedgeAnswer, HedgeWish, PlannedHedge } from './terms.ts';

type WatchedCore = Pick<Core, 'hedging' | 'hedges' | 'apply'> & {
  readonly risk: Pick<Core['risk'], 'heldEvents' | 'eventRisk'>;
  readonly ledger: Pick<Core['ledger'], 'position' | 'selectionsOn'>;
  readonly market: Pick<Core['market'], 'event' | 'marketOf'>;
  readonly strategies: Pick<Core['strategies'], 'ownerOf'>;
};

/** A hedge that a rule wants, and why. */
interface Due {
  readonly wish: HedgeWish;
  readonly why: string;
}

interface StandBy {
  readonly market: BetslipRequest | null;
  readonly untilMs: number;
}

/** From this share of its limit on, the betslip of an event's cheapest hedge is kept open: opening one takes two seconds. */
const STAND_BY_SHARE = 0.5;
/** How long the choice of that betslip holds. */
const CHOOSE_EVERY_MS = 5_000;
/** A rule whose hedge was refused, or matched nothing, waits for so long. */
const RETRY_MS = 10_000;

/**
 * Makes hedges by rules, all of which are off by default, and keeps betslips ready for those of people. Its hedges are commands to the core
 * like a person's: a recorded run has them among its inputs.
 */
export class HedgeWatch {
  readonly #core: WatchedCore;
  readonly #orders: Pick<OrderManager, 'standBy'>;
  readonly #chosen = new Map<EventKey, StandBy>();
  readonly #tried = new Map<EventKey, number>();
  rules: HedgeRules;
  #count = 0;
  #isStandingBy = false;

  /** By default no rule is on. */
  constructor(core: WatchedCore, orders: Pick<OrderManager, 'standBy'>, rules: HedgeRules = NO_RULES) {
    [this.#core, this.#orders, this.rules] = [core, orders, rules];
  }

  /** Call about once a second. */
  look(at: Moment): void {
    const held = this.#core.risk.heldEvents();
    const keys = new Set(held.map(eventKey));
    for (const known of [this.#chosen, this.#tried])
      for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
    this.#standBy(held.flatMap((event) => this.#betslipOf(event, at)));
    for (const event of held) this.#hedge(event, at);
  }

  #standBy(markets: readonly BetslipRequest[]): void {
    if (markets.length > 0 || this.#isStandingBy) this.#orders.standBy(markets);
    this.#isStandingBy = markets.length > 0;
  }

  /** Offers the other side of a bet of ours that was matched. */
  onFill(fill: Fill, at: Moment): void {
    const ticks = this.rules.offsetTicks;
    if (ticks === null || fill.requestUuid === null || fill.take !== undefined) return;
    const tick = takingTick(fill.priceKind, fill.price);
    const offset = tick === null ? null : offsetOf({ ...fill, tick }, ticks);
    if (offset === null) return;
    const { selectionId } = fill;
    const answer = this.#core.hedging.planBet(fill, { selectionId, ...offset, way: 'offer' });
    this.#make(answer, 'offset of a fill', at, true);
  }

  #betslipOf(event: EventName, { monotonicMs }: Moment): readonly BetslipRequest[] {
    const { worstMicros, limitMicros } = this.#riskOf(event);
    if (!isBoundDue(worstMicros, limitMicros, STAND_BY_SHARE)) return [];
    const key = eventKey(event);
    let chosen = this.#chosen.get(key);
    if (chosen === undefined || monotonicMs >= chosen.untilMs) {
      const goal = { kind: 'bound', boundMicros: STAND_BY_SHARE * limitMicros, mostLegs: 1 } as const;
      const answer = this.#core.hedging.plan({ event, goal, way: 'take' });
      const leg = answer.kind === 'planned' ? answer.legs[0]?.leg : undefined;
      const market = leg === undefined ? null : marketOfOrder({ ...event, ...leg });
      chosen = { market, untilMs: monotonicMs + CHOOSE_EVERY_MS };
      this.#chosen.set(key, chosen);
    }
    return chosen.market === null ? [] : [chosen.market];
  }

  #hedge(event: EventName, at: Moment): void {
    const key = eventKey(event);
    const isResting = at.monotonicMs < (this.#tried.get(key) ?? -Infinity) + RETRY_MS;
    if (isResting || this.#core.hedges.isAtWorkOn(event, at.monotonicMs)) return;
    for (const { wish, why } of this.#due(event, at)) {
      this.#tried.set(key, at.monotonicMs);
      if (this.#make(this.#core.hedging.plan(wish), why, at)) return;
    }
  }

  /** The hedges that the rules want now, the most urgent first. */
  #due(event: EventName, at: Moment): readonly Due[] {
    const { boundAtShare, boundToShare } = this.rules;
    const { worstMicros, limitMicros } = this.#riskOf(event);
    const take = (goal: HedgeWish['goal']): HedgeWish => ({ event, goal, way: 'take' });
    const bound = take({ kind: 'bound', boundMicros: Math.floor(boundToShare * limitMicros) });
    const isBound = isBoundDue(worstMicros, limitMicros, boundAtShare);
    return [
      ...(isBound ? [{ wish: bound, why: `worst case above ${boundAtShare} of the limit` }] : []),
      ...this.#stopped(event).map((selectionId) => ({
        wish: take({ kind: 'flatten', selectionId }),
        why: `stop at ${this.rules.stopTicks} ticks`,
      })),
      ...(this.#isGreenUpDue(event, at)
        ? [{ wish: take({ kind: 'equalise', marketType: null }), why: 'green up' }]
        : []),
    ];
  }

  #riskOf(event: EventName): { readonly worstMicros: Micros; readonly limitMicros: Micros } {
    return this.#core.risk.eventRisk(event) ?? NO_RISK;
  }

  #isGreenUpDue(event: EventName, { wallMs }: Moment): boolean {
    const state = this.#core.market.event(event);
    if (state === undefined) return false;
    const { startTimeMs } = state.event;
    return isGreenUpDue(this.rules, {
      startsInMs: startTimeMs === null ? null : startTimeMs - wallMs,
      isInPlay: state.inRunning,
      minute: state.time?.minutes ?? null,
    });
  }

  /** Selections whose position can be closed only at a price so many ticks worse than its own. */
  #stopped(event: EventName): readonly SelectionId[] {
    const ticks = this.rules.stopTicks;
    if (ticks === null) return [];
    return this.#core.ledger.selectionsOn(event).filter((id) => {
      const [entry, closing] = [this.#entryOf(id), this.#closingOf(id)];
      return entry !== null && closing !== null && isStopped(entry, closing, ticks);
    });
  }

  /** The average price of a position, as a price of the selection; null where nothing can be lost on one side. */
  #entryOf(id: SelectionId): PricedTick | null {
    const { ifWinMicros, ifLoseMicros } = this.#core.ledger.position(id);
    if (ifWinMicros > 0 && ifLoseMicros < 0)
      return pricedTick(SELECTION_KINDS.for, 1 - ifWinMicros / ifLoseMicros);
    if (ifWinMicros < 0 && ifLoseMicros > 0)
      return pricedTick(SELECTION_KINDS.against, 1 - ifWinMicros / ifLoseMicros);
    return null;
  }

  /** The best price at which a position can be closed, as a price of the selection. */
  #closingOf(id: SelectionId): PricedTick | null {
    const { ifWinMicros, ifLoseMicros } = this.#core.ledger.position(id);
    const direction = opposite(ifWinMicros > ifLoseMicros ? 'for' : 'against');
    const price = bestPrice(direction, this.#core.market.marketOf(id)[direction] ?? []);
    return price === null ? null : pricedTick(SELECTION_KINDS[direction], price);
  }

  /** Returns whether a hedge was made. */
  #make(answer: HedgeAnswer, why: string, { wallMs }: Moment, isBeside = false): boolean {
    if (answer.kind === 'refused' || !this.#isOwned(answer)) return false;
    const id = `${wallMs.toString(36)}-rule-${++this.#count}`;
    this.#core.apply({
      kind: 'hedge',
      order: { ...orderOf(answer, id), isBeside },
      by: 'a rule of hedge',
      why,
    });
    return true;
  }

  #isOwned({ event }: PlannedHedge): boolean {
    return this.#core.strategies.ownerOf(event) !== null;
  }
}

/** Of an event that has no bets any more. */
const NO_RISK = { worstMicros: 0, limitMicros: Infinity };

function pricedTick(priceKind: PricedTick['priceKind'], price: number): PricedTick | null {
  const tick: Tick | null = takingTick(priceKind, price);
  return tick === null ? null : { priceKind, tick };
}
