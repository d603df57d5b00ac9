import type { ApprovalResult, Approved, Refusal } from '../../domain/approval.ts';
import { betslipTypeOf, marketOfOrder, reportedTerms } from '../../domain/exchange-prices.ts';
import type { BetslipId, RequestUuid } from '../../domain/ids.ts';
import { userDataOf } from '../../domain/installation.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import { priceOf } from '../../domain/odds.ts';
import { type BetslipRequest, modeOf, type PlaceOrder } from '../../domain/orders.ts';
import { type IntentKey, kindOfIntent, type QuoteIntent } from '../../domain/quote-intent.ts';
import { selectionFrom } from '../../domain/selection.ts';
import { invariant } from '../../lib/assert.ts';
import type { Priority } from '../../ports/venue.ts';
import { type BetslipAnswer, type BetslipPurpose, Precheck } from '../betslips/budgets.ts';
import type { BetslipPool } from '../betslips/pool.ts';
import type { CloseOut } from '../heartbeats/close-out.ts';
import type { HeartbeatKeeper } from '../heartbeats/keeper.ts';
import { bodyHashOf } from '../journal/records.ts';
import type { ExecutionReports } from '../outcomes/execution-reports.ts';
import type { FruitlessOrders } from '../outcomes/fruitless-orders.ts';
import {
  accountObstacle,
  type GateContext,
  type Moment,
  type Obstacle,
  obstacleAt,
  reasonCode,
  type RiskVerdict,
} from '../send-gate.ts';
import { AnswerDeadline, Backoffs } from '../state/backoff.ts';
import type { OrderContext } from '../state/context.ts';
import type { TrackedOrder } from '../state/own-orders.ts';
import { CreateAnswers, OrderWithdrawn } from './create-answers.ts';
import { AccountFacts, type JudgedOrder, OrderFacts } from './gate-facts.ts';
import type { Placing } from './reconcile.ts';
import { StrategyTurns } from './strategy-turns.ts';

/** Longest pause of an intent, however often it has failed. */
const LONGEST_PAUSE_MS = 60_000;
/**
 * After a journal write longer than this, prices and heartbeat are older than when they were judged: the
 * order is judged again.
 */
const LONG_WRITE_MS = 250;
/** Placeholder for an order that is judged before it has a betslip. */
const NO_BETSLIP = '' as BetslipId;

/** A quote with what its tick is. */
const priced = (intent: QuoteIntent) => ({ ...intent, priceKind: kindOfIntent(intent) });

/** A betslip of which only the id is known. */
const unseen = (id: BetslipId): BetslipAnswer => ({ ok: true, betslip: { id, quote: [] } });

const verdictOf = (refusals: readonly Refusal[]): RiskVerdict => ({
  isRefused: refusals.length > 0,
  code: refusals[0]?.code ?? null,
});

/** Risk's answer, and the priority of the order's request. */
interface RiskAnswer extends RiskVerdict {
  readonly result: ApprovalResult;
  readonly priority: Priority;
}

/** A wanted order; with its id if it is approved already. */
type Wanted = Pick<LiveOrder, 'priceKind' | 'tick' | 'stakeMicros'> &
  Partial<Pick<LiveOrder, 'requestUuid'>> &
  Pick<QuoteIntent, 'valueMicrosPerS'>;

interface Sending {
  /** The request repeats an earlier one whose outcome is unknown. */
  readonly repeat: boolean;
  readonly priority: Priority;
}

export interface PlacerParts {
  readonly reports: ExecutionReports;
  readonly betslips: BetslipPool;
  readonly heartbeat: HeartbeatKeeper;
  readonly closeOut: Pick<CloseOut, 'admitsFromMs' | 'begun'>;
  readonly fruitless: Pick<FruitlessOrders, 'untilMs'>;
  /** The strategies with quotes that wait for their turn to be created. */
  contenders(): Iterable<string>;
  /** Returns whether the quote of the order is still wanted as it is. */
  stillWanted(key: IntentKey, intent: QuoteIntent): boolean;
}

/** Takes a wanted quote to the exchange: gate, betslip, approval, journal, request, answer. */
export class Placer {
  readonly #context: OrderContext;
  readonly #parts: PlacerParts;
  readonly #pauses: Backoffs<IntentKey>;
  /** Pauses after an unintended take. Unlike `#pauses`, they are not cleared when the order closes. */
  readonly #taken: Backoffs<IntentKey>;
  readonly #answers: CreateAnswers;
  readonly #approved = new Map<RequestUuid, Approved<PlaceOrder>>();
  /** The deadlines of first requests, until each is answered. */
  readonly #answerDeadline = new Map<TrackedOrder, AnswerDeadline>();
  readonly #turns: StrategyTurns;
  #inFlight = 0;

  constructor(context: OrderContext, parts: PlacerParts) {
    this.#context = context;
    this.#parts = parts;
    this.#pauses = new Backoffs(() => this.#now(), LONGEST_PAUSE_MS);
    this.#taken = new Backoffs(() => this.#now(), LONGEST_PAUSE_MS);
    this.#turns = new StrategyTurns(() => this.#now());
    this.#answers = new CreateAnswers(context, {
      ...{ reports: parts.reports, betslips: parts.betslips, pauses: this.#pauses },
      onResolved: (uuid) => void this.#approved.delete(uuid),
    });
  }

  /** Begins to place a quote. Returns why not, or null when it has begun. */
  place(placing: Placing): Obstacle | null {
    const { key, intent } = placing;
    const market = this.#context.deps.prices.resolve(intent.selectionId, kindOfIntent(intent));
    const early = this.#obstacle('early', this.#wantedAs(placing, market, 'none'));
    if (early !== null || market === null) return early;
    const precheck = new Precheck((isPinned) => this.#precheck(placing, market, isPinned));
    const answer = this.#parts.betslips.want(market, {
      ...this.#purposeOf(priced(intent), market),
      precheck,
    });
    if (precheck.obstacle !== null) return this.#waits(key, precheck.obstacle);
    return this.#approve(placing, market, answer);
  }

  /** Pauses an intent whose order took, for at least `ms` milliseconds. */
  pause(key: IntentKey, ms: number): void {
    this.#taken.grow(key, ms, Math.max(ms, LONGEST_PAUSE_MS));
  }

  /**
   * Withdraws an order whose request has not been sent. The request could otherwise wait for its budget for a
   * long time.
   */
  withdraw(tracked: TrackedOrder): void {
    if (tracked.order.state === 'prepared') this.#answerDeadline.get(tracked)?.giveUp();
  }

  /** Ends the pause of an intent, since its reason may have passed. */
  wake(key: IntentKey): void {
    this.#pauses.clear(key);
  }

  sweep(): void {
    this.#pauses.sweep();
    this.#taken.sweep();
  }

  /**
   * Repeats a request of unknown outcome under the same request_uuid. Returns whether it has begun.
   *
   * The first approval remains valid: at most one order can result of both requests, and it has counted in
   * exposure all along. The current prices and limits are checked as for a first request, because that one
   * may not have landed.
   */
  repeat(tracked: TrackedOrder): boolean {
    const approved = this.#approved.get(tracked.order.requestUuid);
    // An approval by risk is valid only in the run that asked for it.
    if (approved === undefined) return false;
    if (this.#obstacle('send', this.#approvedAs(tracked, approved, true)) !== null) return false;
    this.#send(tracked, approved, { repeat: true, priority: 'normal' });
    return true;
  }

  /** Returns why no order may be sent now; null when orders may be sent. */
  blocked(): Obstacle | null {
    return accountObstacle(new AccountFacts(this.#context, this.#parts));
  }

  #obstacle(moment: Moment, judged: JudgedOrder): Obstacle | null {
    return obstacleAt(moment, new OrderFacts(this.#context, this.#parts, judged));
  }

  /** The facts of a wanted order that has no betslip yet. */
  #wantedAs(
    { key, intent }: Placing,
    market: BetslipRequest | null,
    foresight: GateContext['foresight'],
  ): JudgedOrder {
    return {
      ...{
        order: priced(intent),
        isWanted: true,
        repeats: null,
        namedBetslip: null,
      },
      pausedUntilMs: this.#pausedUntilMs(key, market),
      inFlight: this.#inFlight,
      yields: () => this.#mustYield(intent),
      hasMarket: market !== null,
      foresight,
      betslip: () => unseen(NO_BETSLIP),
      risk: () => verdictOf(market === null ? [] : this.#precheckRefusals(intent, market)),
    };
  }

  /** Monotonic instant until which a quote pauses. */
  #pausedUntilMs(key: IntentKey, market: BetslipRequest | null): number {
    const ownMs = Math.max(this.#pauses.untilMs(key), this.#taken.untilMs(key));
    return market === null ? ownMs : Math.max(ownMs, this.#parts.fruitless.untilMs(market));
  }

  #mustYield({ selectionId }: Pick<QuoteIntent, 'selectionId'>): boolean {
    const event = selectionFrom(selectionId);
    invariant(event !== null, 'the selection of a quote names no event', { selectionId });
    const { owners, options } = this.#context;
    return this.#turns.mustYield(owners.of(event), options.maxInFlight, () => this.#parts.contenders());
  }

  /**
   * Returns why a betslip would be wasted; null when it would not. Prices are ignored in two cases. A pinned
   * market keeps its betslip until the prices allow the order. A market without prices may show its first ones
   * only on the betslip.
   */
  #precheck(placing: Placing, market: BetslipRequest, isPinned: boolean): Obstacle | null {
    const { selectionId, direction } = placing.intent;
    const showsNone = this.#context.deps.prices.marketOf(selectionId)[direction] === null;
    return this.#obstacle('early', this.#wantedAs(placing, market, isPinned || showsNone ? 'risk' : 'all'));
  }

  #precheckRefusals(intent: QuoteIntent, market: BetslipRequest): readonly Refusal[] {
    return this.#context.deps.risk.precheck(this.#bodyOf(intent, market, NO_BETSLIP));
  }

  /** Pauses a quote that risk refuses. */
  #waits(key: IntentKey, obstacle: Obstacle): Obstacle {
    if (obstacle.code === 'risk') this.#pauses.pause(key, this.#context.options.retryMs);
    return obstacle;
  }

  #purposeOf(
    { priceKind, tick, stakeMicros, valueMicrosPerS = 0, requestUuid }: Wanted,
    market: BetslipRequest,
  ): BetslipPurpose {
    const { sport, eventId, betType } = market;
    const terms = { sport, eventId, betType, priceKind, price: priceOf(tick), stakeMicros };
    const order = requestUuid === undefined ? terms : { ...terms, requestUuid };
    return { value: valueMicrosPerS, reduces: () => this.#context.deps.risk.reduces(order) };
  }

  #bodyOf(intent: QuoteIntent, market: BetslipRequest, betslipId: PlaceOrder['betslipId']): PlaceOrder {
    const requestUuid = this.#context.deps.ids.uuid() as RequestUuid;
    const { installation } = this.#context.deps.claim;
    const mode = modeOf(intent);
    return {
      requestUuid,
      betslipId,
      sport: market.sport,
      eventId: market.eventId,
      betType: market.betType,
      priceKind: kindOfIntent(intent),
      price: priceOf(intent.tick),
      stakeMicros: intent.stakeMicros,
      durationS: this.#parts.betslips.durationS(market, intent.lifetimeS),
      ...(mode === 'make_and_take' ? {} : { exchangeMode: mode }),
      userData: userDataOf({ installation, run: this.#context.run, uuid: requestUuid }),
    };
  }

  /** Has the order approved if every other check passes, and sends it. */
  #approve(placing: Placing, market: BetslipRequest, answer: BetslipAnswer): Obstacle | null {
    const { key, intent } = placing;
    const risk = (): RiskAnswer => this.#askRisk(intent, market, answer);
    const judged = { ...this.#wantedAs(placing, market, 'all'), betslip: () => answer, risk };
    const facts = new OrderFacts(this.#context, this.#parts, judged);
    const obstacle = obstacleAt('approve', facts);
    if (obstacle !== null) return this.#waits(key, obstacle);
    const { result, priority } = facts.risk;
    invariant(result.ok, 'an order passed the gate without an approval', { key });
    this.#begin(key, intent, result.order, priority);
    return null;
  }

  #askRisk(intent: QuoteIntent, market: BetslipRequest, answer: BetslipAnswer): RiskAnswer {
    const body = this.#bodyOf(intent, market, answer.ok ? answer.betslip.id : NO_BETSLIP);
    // Ask before the approval, which already counts the order itself.
    const priority = this.#context.deps.risk.reduces(body) ? 'reducing' : 'normal';
    const result = this.#context.deps.risk.approve(body);
    return { ...verdictOf(result.ok ? [] : result.refusals), isRefused: !result.ok, result, priority };
  }

  #begin(key: IntentKey, intent: QuoteIntent, approved: Approved<PlaceOrder>, priority: Priority): void {
    this.#parts.closeOut.begun();
    const tracked = this.#track(key, intent, approved);
    this.#context.book.add(tracked, 'intent');
    this.#send(tracked, approved, { repeat: false, priority });
  }

  #track(key: IntentKey, intent: QuoteIntent, place: PlaceOrder): TrackedOrder {
    const { requestUuid, betslipId, sport, eventId, betType, priceKind, stakeMicros } = place;
    const { selectionId, direction, tick } = intent;
    return {
      order: {
        ...{ requestUuid, betslipId, sport, eventId, betType, selectionId, direction, priceKind, tick },
        stakeMicros,
        ...{
          mode: modeOf(intent),
          orderId: null,
          filledMicros: 0,
          state: 'prepared',
          expiryMs: null,
          closeReason: null,
        },
        createdMonotonicMs: this.#now(),
      },
      ...{ place, key, lapsesMonotonicMs: null, sentMonotonicMs: null, closeWanted: false, recovered: false },
      intent,
    };
  }

  #send(tracked: TrackedOrder, approved: Approved<PlaceOrder>, { repeat, priority }: Sending): void {
    const { requestUuid } = tracked.order;
    this.#approved.set(requestUuid, approved);
    const endTurn = this.#turns.begin(this.#context.owners.of(approved));
    this.#inFlight++;
    const answerDeadline = new AnswerDeadline(this.#context.deps.clock);
    if (!repeat) this.#answerDeadline.set(tracked, answerDeadline);
    const over = (): void => {
      this.#inFlight--;
      endTurn();
      if (!repeat) this.#answerDeadline.delete(tracked);
      answerDeadline.end();
    };
    const beforeSend = (): void => {
      this.#beforeSend(tracked, approved, repeat);
      answerDeadline.begin(this.#parts.heartbeat.reserveMs);
    };
    // Connecting may take seconds: meanwhile a kill may have come, or prices may have moved.
    const whenConnected = (): void => this.#judgeAgain('connected', tracked, approved, repeat);
    const value = this.#turns.worthOf(tracked.intent?.valueMicrosPerS ?? 0);
    const options = { beforeSend, whenConnected, value, priority, signal: answerDeadline.signal };
    this.#context.queue.call(
      () => this.#context.deps.venue.placeOrder(approved, options),
      (order) => (over(), this.#answers.answered(tracked, order)),
      (error) => (over(), this.#answers.failed(tracked, error, repeat)),
    );
  }

  /**
   * Runs at the last instant before the first byte: judges everything again, then makes the order durable in
   * the journal. Throws OrderWithdrawn or JournalError to send nothing.
   */
  #beforeSend(tracked: TrackedOrder, approved: Approved<PlaceOrder>, repeat: boolean): void {
    this.#judgeAgain('send', tracked, approved, repeat);
    const judgedMs = this.#now();
    const { requestUuid, selectionId, direction, tick, mode } = tracked.order;
    const { place, key } = tracked;
    this.#context.journalWriter.commit({
      ...{ kind: 'order_intended', uuid: requestUuid, place, key, selectionId, direction, tick, repeat },
      mode,
      owner: this.#context.owners.of(place),
      bodyHash: bodyHashOf(place),
    });
    tracked.sentMonotonicMs = this.#now();
    tracked.lapsesMonotonicMs = this.#now() + place.durationS * 1000;
    if (this.#now() - judgedMs > LONG_WRITE_MS) this.#judgeAgain('send', tracked, approved, repeat);
    this.#context.book.apply(tracked, 'send', {}, 'send');
  }

  /** Throws OrderWithdrawn, so that nothing is sent, if a check refuses the order now. */
  #judgeAgain(moment: Moment, tracked: TrackedOrder, approved: Approved<PlaceOrder>, repeat: boolean): void {
    const obstacle = this.#obstacle(moment, this.#approvedAs(tracked, approved, repeat));
    if (obstacle !== null) throw new OrderWithdrawn(reasonCode(obstacle));
  }

  /** The facts of an approved order. The approval may be old by the time the budget lets the request go. */
  #approvedAs(tracked: TrackedOrder, approved: Approved<PlaceOrder>, repeat: boolean): JudgedOrder {
    const { key, intent, order, place, closeWanted } = tracked;
    const isServed = key !== null && intent !== null && this.#parts.stillWanted(key, intent);
    return {
      order,
      isWanted: isServed && !closeWanted,
      repeats: repeat ? order.state : null,
      ...{ pausedUntilMs: -Infinity, inFlight: this.#inFlight, foresight: 'all' },
      hasMarket: this.#hasSuchPrices(place),
      yields: () => false,
      namedBetslip: place.betslipId,
      // A repeat names its first betslip, open or not. Another one would cost part of the day's budget.
      betslip: () => (repeat ? unseen(place.betslipId) : this.#betslipOf(tracked)),
      risk: () => verdictOf(this.#context.deps.risk.recheck(approved)),
    };
  }

  /** Whether the prices of the order's betslip are what the order takes them for, by what is known of the exchange now. */
  #hasSuchPrices({ betType, priceKind }: PlaceOrder): boolean {
    const terms = reportedTerms(betType, betslipTypeOf(betType, priceKind), this.#context.exchangePrices());
    return terms?.priceKind === priceKind;
  }

  #betslipOf({ order, place, intent }: TrackedOrder): BetslipAnswer {
    const { valueMicrosPerS = 0 } = intent ?? {};
    // A betslip that is made for an order carries the mark of the order.
    const market = { ...place, ...marketOfOrder(place) };
    return this.#parts.betslips.want(market, this.#purposeOf({ ...order, valueMicrosPerS }, market));
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}
