import type { TrackedOrder } from '../../account/orders.ts';
import type { Approved, Refusal } from '../../domain/approval.ts';
import { betslipTypeOf, marketOfOrder, reportedTerms, marketKey } from '../../domain/exchange-prices.ts';
import { eventKey, isFootball, type Score } from '../../domain/events.ts';
import type { BetslipId, RequestUuid } from '../../domain/ids.ts';
import { userDataOf } from '../../domain/installation.ts';
import { priceOf } from '../../domain/ladder.ts';
import { type BetslipRequest, matchingTermsOf, modeOf, type PlaceOrder } from '../../domain/orders.ts';
import { type IntentKey, kindOfIntent, type QuoteIntent, takeOf } from '../../domain/quote-intent.ts';
import type { Betslips } from '../betslips/desk.ts';
import type { BetslipAnswer } from '../betslips/answer.ts';
import type { AssertedScore, GateContext, ReadyBetslip, RiskVerdict } from '../gate-context.ts';
import {
  accountObstacle,
  blockedBy,
  isBetslipCode,
  type Moment,
  type Obstacle,
  obstacleAt,
  type WaitCode,
} from '../send-gate.ts';
import { boundedLifetimeS } from '../plan/lifetime.ts';
import type { OrderContext } from '../state/context.ts';
import type { TakeObstacle } from '../state/takes.ts';
import { AccountFacts, type AccountProof, type JudgedOrder, OrderFacts } from './gate-facts.ts';
import type { QuotePauses } from './quote-pauses.ts';
import type { Placing } from './reconcile.ts';
import type { StrategyTurns } from './strategy-turns.ts';
import { eventOf, ownerOf, type Targets } from './targets.ts';

/** Placeholder for an order that is judged before it has a betslip. */
export const NO_BETSLIP = '' as BetslipId;

const PASSED: RiskVerdict = { isRefused: false, code: null };

const verdictOf = (refusals: readonly Refusal[]): RiskVerdict => ({
  isRefused: refusals.length > 0,
  code: refusals[0]?.code ?? null,
});

/** Stands for a betslip of which nothing is known. */
const UNSEEN: BetslipAnswer = { ok: true, betslip: { id: NO_BETSLIP, quote: [] } };

/** A quote to be placed, on the market that has such prices. */
export interface MarketPlacing extends Placing {
  readonly market: BetslipRequest;
}

/** Judges orders: gathers the facts of one, then walks the send gate. Judging sends nothing and reserves nothing. */
export class Judge {
  readonly #context: OrderContext;
  readonly #proof: AccountProof;
  readonly #betslips: Betslips;
  readonly #turns: StrategyTurns;
  readonly #pauses: QuotePauses;
  readonly #targets: Targets;

  constructor(
    context: OrderContext,
    proof: AccountProof,
    betslips: Betslips,
    turns: StrategyTurns,
    pauses: QuotePauses,
    targets: Targets,
  ) {
    [this.#context, this.#proof, this.#betslips] = [context, proof, betslips];
    [this.#turns, this.#pauses, this.#targets] = [turns, pauses, targets];
  }

  /** Returns why no order may be sent now; null when orders may be sent. */
  account(): Obstacle | null {
    return accountObstacle(new AccountFacts(this.#context, this.#proof));
  }

  /** Returns why a quote needs no betslip yet, or where it is to be placed. */
  early({ key, intent }: Placing): Obstacle | MarketPlacing {
    const market = this.#context.deps.prices.resolve(intent.selectionId, kindOfIntent(intent));
    const obstacle = this.#obstacle('early', this.#wantedAs({ key, intent }, market, 'none'));
    return obstacle ?? { key, intent, market: market as BetslipRequest };
  }

  /**
   * Returns why a betslip would be wasted; null when it would not. Prices are ignored in two cases. A pinned
   * market keeps its betslip until the prices allow the order. A market without prices may show its first ones
   * only on the betslip.
   */
  foresee(placing: MarketPlacing, isPinned: boolean): Obstacle | null {
    const { selectionId, direction } = placing.intent;
    const showsNone = this.#context.deps.prices.marketOf(selectionId)[direction] === null;
    const foresight = isPinned || showsNone ? 'risk' : 'all';
    const risk = verdictOf(this.#context.deps.risk.precheck(this.orderOf(placing, NO_BETSLIP)));
    return this.#obstacle('early', { ...this.#wantedAs(placing, placing.market, foresight), risk });
  }

  /** Returns why an order must not be approved on its betslip; null when risk may be asked. */
  beforeApproval(placing: MarketPlacing, betslip: BetslipAnswer): Obstacle | null {
    return this.#obstacle('approve', { ...this.#wantedAs(placing, placing.market, 'all'), betslip });
  }

  /** Returns why an approved order must not be sent. The approval may be old by the time the budget lets the request go. */
  beforeSending(
    moment: Extract<Moment, 'connected' | 'send'>,
    tracked: TrackedOrder,
    approved: Approved<PlaceOrder>,
    repeat: boolean,
  ): Obstacle | null {
    const { key, intent, order, place, closeWanted } = tracked;
    const isServed = key !== null && intent !== null && this.#targets.wants(key, intent);
    return this.#obstacle(moment, {
      order,
      play: this.#playOf(order, place.currentScore ?? null),
      take: order.take === undefined ? null : this.#takeObstacle(order, order.take.id, order.requestUuid),
      isWanted: isServed && !closeWanted,
      repeats: repeat ? order.state : null,
      pausedUntilMs: -Infinity,
      inFlight: this.#turns.inFlight,
      foresight: 'all',
      hasMarket: this.#hasSuchPrices(place),
      yields: false,
      namedBetslip: place.betslipId,
      // A repeat names its first betslip, open or not. Another one would cost part of the day's budget.
      betslip: repeat ? { ok: true, betslip: { id: place.betslipId, quote: [] } } : this.#betslipOf(place),
      risk: verdictOf(this.#context.deps.risk.recheck(approved)),
    });
  }

  /** Monotonic instant at which time alone may end the wait of a quote that is blocked now; Infinity if it cannot. */
  mayEndMs(code: WaitCode, key: IntentKey, market: BetslipRequest | null): number {
    switch (code) {
      case 'strategy_turn':
        return this.#turns.changesMs;
      case 'slow_after_close_out':
        return this.#proof.closeOut.admitsFromMs;
      case 'risk':
      case 'backing_off':
        return this.#pauses.mayEndMs(key, market);
      default:
        return Infinity;
    }
  }

  /** Judges a quote that waits, without effect: risk is not asked. `opens` tells whether the plan would open a betslip now. */
  review(placing: Placing, code: WaitCode, opens: (market: BetslipRequest) => boolean): Obstacle | null {
    const early = this.early(placing);
    if ('code' in early) return early;
    const answer = this.#betslips.pool.answerOf(marketKey(early.market));
    if (answer !== null) return this.beforeApproval(early, answer);
    if (isBetslipCode(code)) return opens(early.market) ? null : blockedBy(code);
    return this.#obstacle('early', this.#wantedAs(placing, early.market, 'all'));
  }

  /** Whether the quote's order certainly reduces risk. */
  reduces({ intent, market: { sport, eventId, betType } }: MarketPlacing): boolean {
    const { stakeMicros, tick } = intent;
    const terms = {
      sport,
      eventId,
      betType,
      priceKind: kindOfIntent(intent),
      price: priceOf(tick),
      stakeMicros,
      ...takeOf(intent),
    };
    return this.#context.deps.risk.reduces(terms);
  }

  /** The order for a quote, as the exchange takes it. Whether a take reduces risk is judged before its approval. */
  orderOf({ intent, market }: MarketPlacing, betslipId: ReadyBetslip['id']): PlaceOrder {
    const requestUuid = this.#context.deps.ids.uuid() as RequestUuid;
    const { installation } = this.#context.deps.claim;
    const mode = modeOf(intent);
    const score = this.#targets.of(eventKey(market))?.score ?? null;
    const durationS = this.#betslips.desk.durationS(market, intent);
    const { inPlayDurationS, renewLeadMs } = this.#context.options;
    // In play an order rests for a short time only.
    const isInPlay = this.#context.deps.prices.playOf(market).inRunning;
    return {
      requestUuid,
      betslipId,
      sport: market.sport,
      eventId: market.eventId,
      betType: market.betType,
      priceKind: kindOfIntent(intent),
      price: priceOf(intent.tick),
      stakeMicros: intent.stakeMicros,
      durationS: isInPlay ? boundedLifetimeS(inPlayDurationS, renewLeadMs, durationS) : durationS,
      ...(score !== null && { currentScore: score }),
      ...(mode === 'make_and_take' ? {} : { exchangeMode: mode }),
      ...matchingTermsOf(intent),
      ...takeOf(intent),
      userData: userDataOf({ installation, run: this.#context.run, uuid: requestUuid }),
    };
  }

  #obstacle(moment: Moment, judged: JudgedOrder): Obstacle | null {
    return obstacleAt(moment, new OrderFacts(this.#context, this.#proof, judged));
  }

  /** The facts of a wanted order that has no betslip yet. */
  #wantedAs(
    { key, intent }: Placing,
    market: BetslipRequest | null,
    foresight: GateContext['foresight'],
  ): JudgedOrder {
    return {
      order: { ...intent, mode: modeOf(intent), priceKind: kindOfIntent(intent) },
      play: this.#playOf(intent),
      take: intent.take === undefined ? null : this.#takeObstacle(intent, intent.take, null),
      isWanted: true,
      repeats: null,
      namedBetslip: null,
      pausedUntilMs: this.#pauses.untilMs(key, market),
      inFlight: this.#turns.inFlight,
      yields: this.#mustYield(intent),
      hasMarket: market !== null,
      foresight,
      betslip: UNSEEN,
      risk: PASSED,
    };
  }

  /**
   * The score that an order asserts, beside what is known; null unless its event is football in play. Default: that of the view that decided
   * its intent.
   */
  #playOf(order: Pick<QuoteIntent, 'selectionId'>, placed?: Score | null): AssertedScore | null {
    const event = eventOf(order);
    if (!isFootball(event.sport)) return null;
    const { inRunning, score: known } = this.#context.deps.prices.playOf(event);
    if (!inRunning) return null;
    const asserted = placed === undefined ? (this.#targets.of(eventKey(event))?.score ?? null) : placed;
    return { asserted, known };
  }

  #takeObstacle(
    { selectionId }: Pick<QuoteIntent, 'selectionId'>,
    id: string,
    requestUuid: RequestUuid | null,
  ): TakeObstacle | null {
    const owner = ownerOf(this.#context.owners, { selectionId });
    return this.#context.takes.obstacle({ owner, id, selectionId, requestUuid });
  }

  #mustYield(intent: QuoteIntent): boolean {
    const strategy = ownerOf(this.#context.owners, intent);
    return this.#turns.mustYield(strategy, this.#context.options.maxInFlight, () =>
      this.#targets.contenders(),
    );
  }

  /** Whether the prices of the order's betslip are what the order takes them for, by what is known of the exchange now. */
  #hasSuchPrices({ betType, priceKind }: PlaceOrder): boolean {
    const terms = reportedTerms(betType, betslipTypeOf(betType, priceKind), this.#context.exchangePrices());
    return terms?.priceKind === priceKind;
  }

  #betslipOf(place: PlaceOrder): BetslipAnswer {
    return (
      this.#betslips.pool.answerOf(marketKey(marketOfOrder(place))) ?? { ok: false, code: 'betslip_creating' }
    );
  }
}
