import type { AccountChange } from '../account/changes.ts';
import type { ApprovalResult, Approved, Refusal } from '../domain/approval.ts';
import { eventKey, type EventName } from '../domain/events.ts';
import { type ExchangePrices, LAY_PRICES } from '../domain/exchange-prices.ts';
import type { BetType, RequestUuid, SelectionId, Sport } from '../domain/ids.ts';
import type { LiveOrder } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import { priceOf } from '../domain/ladder.ts';
import { directionOfKind, type PriceKind } from '../domain/odds.ts';
import type { JudgedTerms, PlaceOrder, Position, VenueOrder } from '../domain/orders.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import { type Direction, directionOf, selectionFrom } from '../domain/selection.ts';
import { type Admission, admit } from './admission.ts';
import type { Risk, RiskDeps, RiskSnapshot } from './api.ts';
import { approve, refusalsOf } from './approve.ts';
import { type CheckContext, refusal } from './checks/context.ts';
import { type Checks, checksOf } from './checks/index.ts';
import { MESSAGE_THROTTLE } from './checks/activity.ts';
import { betOf, ContextBuilder, isOfHedge } from './context-builder.ts';
import type { Disagreement, GridComparison } from './exposure/agreement.ts';
import { ExposureBook } from './exposure/book.ts';
import { type OutcomePositions, outcomePositions } from './exposure/outcome-positions.ts';
import { PositionComparison } from './exposure/position-comparison.ts';
import { type Bet, BetTypeGrids } from './exposure/payoffs.ts';
import { exposedOf, foreignOrder } from './exposure/exposed-order.ts';
import { PlayWatch } from './exposure/play-watch.ts';
import { decidedBy, type PlayReport } from './exposure/reachable.ts';
import { OrderTracker } from './exposure/tracker.ts';
import { GivingWay } from './giving-way.ts';
import { Guards } from './guards/index.ts';
import { Latches } from './latches.ts';
import type { RiskLimits } from './limits/limits.ts';
import type { LimitsOfStrategies } from './limits/strategy-limits.ts';
import { knowledgeOf } from './market-knowledge.ts';
import { LIVE_LIMITS } from './limits/sections.ts';
import { showAges } from './order-ages.ts';
import { OwnFills } from './own-fills.ts';
import { QuoteVerdicts } from './quote-verdicts.ts';
import { type LimitUse, limitUses } from './limit-uses.ts';
import {
  type AccountExposure,
  accountExposure,
  betsAtScore,
  type EventRisk,
  eventRisk,
  type ExposureReport,
  heldEvents,
  reportExposure,
} from './report.ts';
import type { KillRecord } from './states/kill-switch.ts';
import { LossWatch, type ResultOf } from './states/loss-watch.ts';
import {
  ACCOUNT,
  type EffectiveState,
  type Scope,
  scopeOfSelection,
  type StateRecord,
} from './states/trading-states.ts';
import { reasonsOf, type StageVerdict, type WhyReport } from './why.ts';

const OTHER_POSITION = 'the exchange reports another position than ours';

/** Risk of one account, active, with no bets. */
export function createRisk(deps: RiskDeps): Risk {
  return new AccountRisk(deps);
}

/** Joins the parts of risk and routes each outside event to the parts that need it. */
class AccountRisk implements Risk {
  readonly guards: Guards;
  readonly #deps: RiskDeps;
  readonly #grids: BetTypeGrids;
  readonly #book: ExposureBook;
  readonly #tracker: OrderTracker;
  readonly #play: PlayWatch;
  readonly #givingWay: GivingWay;
  readonly #latches: Latches;
  readonly #losses: LossWatch;
  readonly #context: ContextBuilder;
  #limits: RiskLimits;
  #checks: Checks;
  readonly #positions: PositionComparison;
  readonly #fills: OwnFills;
  readonly #verdicts = new QuoteVerdicts();

  constructor(deps: RiskDeps) {
    const { limits, now, wallNow } = deps;
    this.#deps = deps;
    this.#limits = limits;
    this.#grids = new BetTypeGrids(limits.grids.scoreSports, limits.grids.onceProven);
    this.#play = new PlayWatch(limits, wallNow);
    this.#book = new ExposureBook(knowledgeOf(deps, this.#grids), deps.eventFacts, this.#play.reachableOf);
    this.#tracker = new OrderTracker(this.#book, () => this.#exchangePrices(), this.#play.isDisputed);
    this.#positions = new PositionComparison(this.#book, this.#tracker);
    this.#givingWay = new GivingWay(this.#book, this.#tracker);
    this.#losses = new LossWatch(limits.loss, deps.strategyLimits, deps.tradingDays);
    this.#latches = new Latches(wallNow, (notice) => deps.onNotice(notice));
    this.guards = new Guards(limits, now, wallNow, (notice) => deps.onNotice(notice));
    this.#context = new ContextBuilder({
      deps,
      book: this.#book,
      tracker: this.#tracker,
      latches: this.#latches,
      guards: this.guards,
      givingWay: this.#givingWay,
    });
    this.#fills = new OwnFills(deps, this.#context, this.guards, this.#latches);
    this.#checks = checksOf(limits);
  }

  get killed(): KillRecord | null {
    return this.#latches.killed;
  }

  get states(): readonly StateRecord[] {
    return this.#latches.states;
  }

  approve(order: PlaceOrder): ApprovalResult {
    const result = approve(order, this.#checks.all, this.#contextOf, this.#reserve);
    if (!result.ok) this.#onRefused(order, result.refusals);
    return result;
  }

  precheck(order: PlaceOrder): readonly Refusal[] {
    const refusals = refusalsOf(order, this.#checks.early, this.#contextOf);
    if (refusals.length > 0) this.#onRefused(order, refusals);
    return refusals;
  }

  recheck(order: Approved<PlaceOrder>): readonly Refusal[] {
    if (!this.#tracker.isOpen(order.requestUuid)) {
      return [refusal('approval_over', 'the approval has lapsed or was released')];
    }
    // The order's reservation already counts in exposure. Counted twice, an order that closes a position would reverse it.
    return this.#tracker.without(order.requestUuid, () => {
      const context = this.#context.build(order);
      return this.#checks.last.map((check) => check(context)).filter((each) => each !== null);
    });
  }

  setLimits(limits: RiskLimits, strategies?: LimitsOfStrategies): void {
    const taken = Object.fromEntries(LIVE_LIMITS.map((section) => [section, limits[section]]));
    const inForce = { ...this.#deps.limits, ...taken };
    this.#limits = inForce;
    this.#checks = checksOf(inForce);
    this.#losses.setLimits(limits.loss, strategies);
    if (strategies !== undefined) this.#context.strategyLimits = strategies;
  }

  reduces(order: JudgedTerms): boolean {
    const judge = (): boolean => this.#book.preview(betOf(order), isOfHedge(order)).reduces;
    return order.requestUuid === undefined ? judge() : this.#tracker.without(order.requestUuid, judge);
  }

  release(requestUuid: RequestUuid): void {
    this.#tracker.release(requestUuid);
  }

  admit(selectionIds: readonly SelectionId[], intents: readonly QuoteIntent[]): Admission {
    this.#context.follow(intents);
    this.#givingWay.onWanted(selectionIds, intents);
    const admission = admit(
      intents,
      (intent) => this.#context.circumstances(intent),
      () => this.#context.targets(),
    );
    this.#verdicts.onAdmission(selectionIds, intents, admission, this.#deps.now());
    return admission;
  }

  onOrder(order: LiveOrder): void {
    this.#context.throttles.onOrder(order);
    if (order.take !== undefined) this.#context.takes.onOrder(order, this.#deps.wallNow());
    this.#tracker.onOrder(exposedOf(order, priceOf(order.tick)));
  }

  onForeignOrder(order: VenueOrder, settled = false): void {
    this.#tracker.onOrder(foreignOrder(order, settled, this.#exchangePrices()));
  }

  onChange(change: AccountChange): void {
    if (change.kind === 'order') return this.onOrder(change.order);
    if (change.kind === 'foreign_order') return this.onForeignOrder(change.order, change.isSettled);
    if (change.kind === 'balance') this.#context.balanceMicros = change.balance.balanceMicros;
    else this.#tracker.onChange(change);
    if (change.kind !== 'booked') return;
    if (change.fill.take !== undefined) this.#context.takes.onFill(change.fill);
    this.#fills.booked(change.fill);
  }

  onEventOver(event: EventName): void {
    const selectionIds = new Set([
      ...(this.#book.event(event)?.selectionIds() ?? []),
      ...this.#verdicts.why.selectionsOf(event),
    ]);
    this.#tracker.onEventOver(event);
    this.#latches.forgetEvent(event);
    this.guards.forget(event);
    this.#positions.forget(event);
    this.#context.forget(event, [...selectionIds]);
    this.#context.takes.onEventOver(event, this.#deps.wallNow());
    this.#givingWay.forget(event);
    this.#play.forget(event);
    for (const id of selectionIds) this.#verdicts.forget(id);
  }

  onProfitLoss(of: ResultOf, totalMicros: Micros): void {
    const { now, wallNow } = this.#deps;
    for (const breach of this.#losses.observe(of, totalMicros, wallNow(), now()))
      this.#latches.onLoss(breach);
  }

  onPlay(report: PlayReport): void {
    this.#play.report(report, this.#book, this.#tracker, this.guards);
  }

  onPosition(position: Position): Disagreement | null {
    // The exchange counts bets of which we do not know whether they stand.
    if (this.#play.isOpen(position)) return null;
    if (this.#grids.prove(this.#positions.provenBy(position))) this.#book.rebuild();
    const disagreement = this.#positions.audit(position);
    if (disagreement !== null) this.guards.onPositionMismatch(position, OTHER_POSITION);
    return disagreement;
  }

  comparePayoffs(position: Position): GridComparison {
    return this.#positions.compare(position, (bet) => this.wantsGrid(bet.sport, bet.betType));
  }

  hasScores(sport: Sport): boolean {
    return this.#deps.limits.grids.scoreSports.includes(sport);
  }

  heldAt(kind: PriceKind): readonly EventName[] {
    return this.#positions.heldAt(kind);
  }

  compareReadings(position: Position, from: PriceKind, to: PriceKind): 'as booked' | 'read again' | null {
    return this.#positions.compareReadings(position, from, to);
  }

  positions(): Iterable<EventName> {
    return this.#positions.comparable();
  }

  decided(id: SelectionId): 0 | 1 | null {
    const selection = selectionFrom(id);
    if (selection === null || !this.#play.scored.has(eventKey(selection))) return null;
    const { sport, outcome } = selection;
    const reachable = this.#play.reachableOf(selection);
    const betType = `for,${outcome}` as BetType;
    const outcomes = reachable && this.#grids.outcomes({ sport, betType, direction: 'for' });
    return outcomes && decidedBy(outcomes, reachable);
  }

  tick(): void {
    this.#lapse();
    this.#latches.expire();
    this.#play.settle(this.#book, this.#tracker, this.guards);
    this.#book.refresh();
    for (const event of this.#positions.differing()) this.guards.onPositionMismatch(event, OTHER_POSITION);
    this.guards.expire();
    showAges(this.#deps, this.#tracker, this.guards);
  }

  setGrid(betType: BetType, grid: readonly (readonly string[])[], sport?: Sport): void {
    if (this.#grids.set(sport ?? null, betType, grid)) this.#book.rebuild();
  }

  setNoGrid(betType: BetType, sport: Sport): void {
    this.#grids.setNone(sport, betType);
  }

  wantsGrid(sport: Sport, betType: BetType): boolean {
    return this.#grids.isWanted(sport, betType);
  }

  exposure(): ExposureReport {
    return reportExposure(this.#book, this.#tracker);
  }

  accountExposure(): AccountExposure {
    return accountExposure(this.#book, this.#tracker);
  }

  heldEvents(): ReturnType<Risk['heldEvents']> {
    return heldEvents(this.#book);
  }

  eventRisk(event: EventName): EventRisk | null {
    return eventRisk(this.#book, event, this.#limits);
  }

  outcomePositions(event: EventName, further: readonly Bet[]): OutcomePositions | null {
    return outcomePositions(this.#book.event(event), further);
  }

  betsAtScore(event: EventName, home: number, away: number): ReturnType<Risk['betsAtScore']> {
    return betsAtScore(this.#book, event, home, away);
  }

  limitUses(): readonly LimitUse[] {
    return limitUses(this.#limits, {
      exposure: this.accountExposure(),
      ...this.#losses.resultOf({ kind: 'account' }),
      matchedTodayMicros: this.matchedTodayMicros(),
      ordersLastMinute: this.#context.throttles.ordersLastMinute(this.#deps.now()),
    });
  }

  matchedTodayMicros(): Micros {
    return this.#context.turnover.today(this.#deps.wallNow(), this.#deps.now());
  }

  effectiveState(scope: Scope): EffectiveState {
    return this.#latches.effective(this.#context.scopesAround(scope));
  }

  readonly setState: Risk['setState'] = (...wish) => this.#latches.set(...wish);
  readonly pause = (by: string, why: string): void => this.#latches.latch(ACCOUNT, by, why);
  readonly latchStrategy = (strategy: string, by: string, why: string): void =>
    this.#latches.latchStrategy(strategy, by, why);
  readonly kill = (reason: string, by: string): void => this.#latches.kill(reason, by);
  readonly explainKill = (kill: KillRecord, reason: string, by: string): void =>
    this.#latches.explainKill(kill, reason, by);

  resume(reason: string, by: string): void {
    this.#losses.rebase();
    this.#context.throttles.reset();
    this.#latches.resume(reason, by);
  }

  snapshot(): RiskSnapshot {
    const results = this.#losses.records();
    const disputes = this.#play.kept();
    const known = { kill: this.killed, states: this.states, results, ...this.#book.remembered() };
    return disputes.length === 0 ? known : { ...known, disputes };
  }

  restore({ kill, states, results, disputes = [], ...aboutBets }: RiskSnapshot): void {
    this.#play.restore(disputes);
    this.#book.recall(aboutBets);
    this.#latches.restore(kill, states);
    this.#losses.restore(results);
  }

  note(selectionId: SelectionId, verdict: Omit<StageVerdict, 'atMs'>): void {
    this.#verdicts.why.note(selectionId, { ...verdict, atMs: this.#deps.now() });
  }

  clearNote(...of: Parameters<Risk['clearNote']>): void {
    this.#verdicts.why.clear(...of);
  }

  wants(selectionId: SelectionId, direction: Direction): boolean {
    return this.#verdicts.why.wanted(selectionId).some((quote) => quote.direction === direction);
  }

  forgetReasons(selectionId: SelectionId): void {
    this.#verdicts.forget(selectionId);
  }

  why(selectionId: SelectionId): WhyReport {
    const scope = scopeOfSelection(selectionId);
    const state = this.effectiveState(scope);
    const alarms = this.guards.of(this.#context.scopesAround(scope));
    return this.#verdicts.report(selectionId, state, alarms);
  }

  stoppedBy(selectionId: SelectionId): WhyReport['reason'] {
    return reasonsOf(this.#verdicts.why.verdicts(selectionId));
  }

  reasons(): ReadonlyMap<string, number> {
    return this.#verdicts.why.reasons();
  }

  refusals(): ReadonlyMap<string, number> {
    return this.#verdicts.refusals;
  }

  readonly #contextOf = (order: PlaceOrder): CheckContext => {
    this.#lapse();
    return this.#context.build(order);
  };

  #exchangePrices(): ExchangePrices {
    return this.#deps.exchangePrices?.() ?? LAY_PRICES;
  }

  #lapse(): void {
    this.#tracker.onPrices();
    this.#tracker.lapse(this.#deps.now() - this.#deps.limits.throttle.approvalTtlS * 1_000);
  }

  readonly #reserve = ({ order, bet, nowMs }: CheckContext): void => {
    this.#context.throttles.onApproved(order.requestUuid, nowMs);
    if (order.take !== undefined) this.#context.takes.onApproved(order, this.#deps.wallNow());
    this.#verdicts.onApproved(bet);
    this.#givingWay.end(bet);
    this.#tracker.reserve(order.requestUuid, bet, nowMs);
  };

  #onRefused(order: PlaceOrder, refusals: readonly Refusal[]): void {
    const direction = directionOf(order.betType) === null ? null : directionOfKind(order.priceKind);
    this.#verdicts.onRefused(order, direction, refusals, this.#deps.now());
    if (direction !== null)
      this.#givingWay.onRefused(betOf(order), isOfHedge(order), refusals, this.#deps.now());
    const runaway = refusals.find(({ code }) => code === MESSAGE_THROTTLE);
    if (runaway !== undefined) this.#latches.latch(ACCOUNT, 'message throttle', runaway.message);
    this.#deps.onRefusal?.(order, refusals);
  }
}
