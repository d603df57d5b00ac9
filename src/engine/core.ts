import { type Observable, Subject } from 'rxjs';
import { Account, type AccountPort } from '../account/account.ts';
import type { AccountChange } from '../account/changes.ts';
import type { EventView } from '../domain/event-view.ts';
import { eventKey, type EventName } from '../domain/events.ts';
import { type ExchangePrices, LAY_PRICES } from '../domain/exchange-prices.ts';
import type { BetslipId, BetType, EventKey, SelectionId } from '../domain/ids.ts';
import { selectionFrom, selectionOf } from '../domain/selection.ts';
import type { Adjustments } from './by-hand/adjustments.ts';
import { ByHand } from './by-hand/by-hand.ts';
import type { HandQuotes } from './by-hand/hand-quotes.ts';
import { Hedges } from './hedging/hedges.ts';
import { Hedging } from './hedging/hedging.ts';
import { WantedHedges, withHedges } from './hedging/wanted-hedges.ts';
import type { AnswerTo, Input, InputOf, Inputs } from './input.ts';
import { consensusOf, MarketWatch } from './risk-inputs/market-watch.ts';
import type { Strategies, StrategiesRead } from './strategies.ts';
import { latchOf } from './strategy-latch.ts';
import type { TurnClock } from './turn-clock.ts';
import type { Decision, Turn } from './turn.ts';
import { createLedger, type Ledger, type OnMarked } from '../ledger/index.ts';
import {
  createMarket,
  type MarketOptions,
  type Market,
  type PriceMeaning,
  type SourceRules,
} from '../market/index.ts';
import type { OrderRisk } from '../orders/api.ts';
import { type PlanBasis, planFor } from '../orders/targets/reconcile.ts';
import type { TradingDays } from '../lib/trading-day.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import {
  createRisk,
  type EventFacts,
  eventScope,
  type LimitsOfStrategies,
  type Risk,
  type RiskDeps,
  type RiskLimits,
  type RiskRead,
} from '../risk/index.ts';

/** The state behind decisions, and the strategies. */
interface Deciders {
  readonly prices: PricesInForce;
  readonly market: Market;
  readonly risk: Risk;
  readonly ledger: Ledger;
  /** Its changes reach ledger and risk. */
  readonly account: Account;
  readonly strategies: Strategies;
  readonly byHand: ByHand;
  readonly hedges: Hedges;
  readonly hedging: Hedging;
  readonly wantedHedges: WantedHedges;
  readonly clock: TurnClock;
  /** Shows guards and ledger what is quoted. */
  readonly watch: MarketWatch;
  /** The quoted selections of each event that has any. */
  readonly quoted: Map<EventKey, readonly SelectionId[]>;
}

export interface CoreOptions extends Pick<RiskDeps, 'onNotice' | 'onRefusal'> {
  readonly limits: RiskLimits;
  readonly strategyLimits: LimitsOfStrategies;
  readonly staleAfterMs: number;
  /** How the prices of the configured price sources are read. Default: there are none. */
  readonly priceSources?: readonly SourceRules[];
  /** What a recorded market tells of a selection, and an exchange's stream does not. Default: nothing. */
  readonly recordedFacts?: MarketOptions['recordedFacts'];
  /** Makes the strategies. `isOff` tells whether a strategy hung. */
  readonly strategies: (isOff: (name: string) => boolean) => Strategies;
  /** Learns of each mark-out. Default: nobody does. */
  readonly onMarked?: OnMarked | undefined;
  /** Default: days of UTC. */
  readonly days?: TradingDays;
  readonly clock: TurnClock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * All that decides, behind one door: what changes a later decision enters through `apply`, in the daemon and in a replay alike. The
 * rest of the daemon reads. The stream and the price sources enter through `market.changes$`, which the pipeline joins.
 */
export class Core implements Inputs {
  readonly #deciders: Deciders;
  readonly #clock: TurnClock;
  readonly #inputs$ = new Subject<Input>();
  readonly #changes$ = new Subject<AccountChange>();
  readonly market: Omit<Market, 'setGrid'>;
  readonly risk: RiskRead;
  readonly ledger: Ledger;
  readonly strategies: StrategiesRead;
  /** What persons want of events. */
  readonly adjustments: Pick<Adjustments, 'of' | 'isLeft' | 'records' | 'change$' | 'wake$'>;
  readonly handQuotes: Pick<HandQuotes, 'of' | 'get' | 'records' | 'filledMicros' | 'change$' | 'wake$'>;
  readonly hedges: Pick<Hedges, 'progressOf' | 'isAtWorkOn' | 'wake$'>;
  /** Plans hedges. */
  readonly hedging: Pick<Hedging, 'plan' | 'planBet' | 'faultOf'>;
  /** What prices mean now. */
  readonly prices: Pick<PricesInForce, 'current' | 'isLay'>;
  /** The fair values of selections, for profit and loss. They change no decision. */
  readonly fairValues: Pick<MarketWatch, 'fairOf' | 'seeFair' | 'fairsHeld' | 'recall'>;
  /** What the order manager asks of risk. */
  readonly approvals: OrderRisk;
  /** What the account's news go to. */
  readonly account: AccountPort;
  /** Shows a change of the account to the strategy whose event it is. */
  readonly show: (change: AccountChange) => void;

  constructor(options: CoreOptions) {
    this.#deciders = emptyDeciders(options);
    this.#clock = options.clock;
    const { market, risk, ledger, strategies, prices, account, hedging } = this.#deciders;
    [this.market, this.risk, this.ledger] = [market, risk, ledger];
    [this.strategies, this.prices, this.fairValues] = [strategies, prices, this.#deciders.watch];
    this.adjustments = this.#deciders.byHand.adjustments;
    this.handQuotes = this.#deciders.byHand.quotes;
    this.hedges = this.#deciders.hedges;
    this.hedging = hedging;
    this.account = { bets: account.bets, apply: (event) => this.apply({ kind: 'account', event }) };
    const asks =
      <K extends 'approve' | 'precheck' | 'recheck'>(kind: K) =>
      (order: InputOf<K>['order']) =>
        this.apply({ kind, order } as InputOf<K>);
    this.approvals = {
      approve: asks('approve'),
      precheck: asks('precheck'),
      recheck: asks('recheck'),
      reduces: risk.reduces.bind(risk),
    };
    this.show = strategies.onChange.bind(strategies);
  }

  /** Each input, before it is applied: what it causes comes behind it. */
  get input$(): Observable<Input> {
    return this.#inputs$;
  }

  /** Each change of the account, once risk and ledger have it. */
  get change$(): Observable<AccountChange> {
    return this.#changes$;
  }

  /** Applies an input, and answers it. The clock does not advance meanwhile. */
  apply<I extends Input>(input: I): AnswerTo<I['kind']> {
    return this.#clock.atOnce(() => {
      this.#inputs$.next(input);
      if (input.kind !== 'account') return applyTo(this.#deciders, input) as AnswerTo<I['kind']>;
      const { quotes } = this.#deciders.byHand;
      for (const change of this.#deciders.account.apply(input.event)) {
        if (change.kind === 'order') {
          const { order } = change;
          this.#deciders.watch.onOwnOrder(order.selectionId);
          this.#deciders.hedges.onOrder(order);
          if (order.take?.byHand !== undefined) quotes.onOrder(order, this.#clock.monotonicMs());
        } else if (change.kind === 'booked') {
          this.#deciders.hedges.onFill(change.fill);
          if (change.fill.take?.byHand !== undefined) quotes.onFill(change.fill, this.#clock.monotonicMs());
        }
        this.#changes$.next(change);
      }
      return undefined as AnswerTo<I['kind']>;
    });
  }

  /** See `decide`. */
  decide<At extends Pick<Turn, 'monotonicMs' | 'wallMs' | 'budgets'>>(
    around: Circumstances,
    event: EventName,
    turn: At,
  ): Omit<Decision, 'turn'> & { readonly turn: At } {
    return decide(this.#deciders, around, event, turn);
  }
}

/** Applies an input that is no news of the account. */
export function applyTo<I extends Exclude<Input, { readonly kind: 'account' }>>(
  deciders: Deciders,
  input: I,
): AnswerTo<I['kind']> {
  const applier: (to: Deciders, input: never) => unknown = APPLIERS[input.kind];
  return applier(deciders, input as never) as AnswerTo<I['kind']>;
}

type Appliers = {
  readonly [K in Exclude<Input['kind'], 'account'>]: (to: Deciders, input: InputOf<K>) => AnswerTo<K>;
};

/** What each input does. */
const APPLIERS: Appliers = {
  limits: ({ risk }, { limits, ofStrategies }) => risk.setLimits(limits, ofStrategies),
  least_stake: ({ hedging }, { stakeMicros }) => hedging.setLeastStake(stakeMicros),
  state: ({ risk }, { scope, state, by, why, untilMs }) => risk.setState(scope, state, by, why, untilMs),
  pause: ({ risk }, { by, why }) => risk.pause(by, why),
  latch_strategy: ({ risk }, { strategy, by, why }) => risk.latchStrategy(strategy, by, why),
  kill: (to, { by, why }) => {
    to.risk.kill(why, by);
    endCommands(to);
  },
  explain_kill: ({ risk }, { killed, by, why }) => risk.explainKill(killed, why, by),
  resume: ({ risk }, { by, why }) => risk.resume(why, by),
  parameters: ({ strategies }, { strategy, parameters }) => strategies.setParameters(strategy, parameters),
  rules: ({ strategies }, { strategy, rules }) => strategies.setRules(strategy, rules),
  adjust: ({ byHand, clock }, { event, adjustment, by, why, untilMs }) =>
    byHand.adjustments.set({ ...adjustment, event, by, why, atMs: clock.wallMs(), untilMs }),
  hand_quote: ({ byHand, clock }, { quote, by, why }) =>
    byHand.quotes.place({ ...quote, by, why, atMs: clock.wallMs(), generation: 1 }),
  move_hand_quote: ({ byHand }, { id, tick }) => byHand.quotes.move(id, tick),
  withdraw_hand_quote: ({ byHand }, { id }) => byHand.quotes.withdraw(id),
  hedge: ({ hedges, clock }, { order }) => hedges.take(order, clock.monotonicMs()),
  restored_risk: ({ risk }, { snapshot }) => risk.restore(snapshot),
  restored_by_hand: ({ byHand }, { adjustments, quotes }) => byHand.restore(adjustments, quotes),
  restored_sessions: ({ strategies }, { sessions }) => strategies.restore(sessions),
  prices: (to, { prices }) => to.prices.take(prices),
  lay_betslip: ({ prices }, { betslip, isOpen }) =>
    isOpen ? prices.noteLay(betslip) : prices.forgetLay(betslip),
  grid: ({ risk, market }, { sport, betType, grid }) => {
    if (grid === null) return risk.setNoGrid(betType, sport);
    risk.setGrid(betType, grid, sport);
    market.setGrid(sport, betType, grid);
    // An unusable grid would not improve with a retry, and nothing may wait for it.
    if (risk.wantsGrid(sport, betType)) risk.setNoGrid(betType, sport);
  },
  position: ({ risk }, { position }) => risk.onPosition(position),
  event_over: ({ risk, strategies, byHand, hedges }, { event }) => {
    risk.onEventOver(event);
    strategies.end(event);
    byHand.adjustments.forget(event);
    byHand.quotes.forget(event);
    hedges.forget(event);
  },
  quoted: ({ quoted }, { event, selections }) => {
    if (selections.length === 0) quoted.delete(eventKey(event));
    else quoted.set(eventKey(event), selections);
  },
  seen: ({ watch, quoted }, { event }) => watch.see(event, quoted.get(eventKey(event)) ?? []),
  play: ({ risk }, { report }) => risk.onPlay(report),
  feed_cleared: ({ risk }) => risk.guards.onFeedCleared(),
  clock_offset: ({ risk }, { offsetMs }) => risk.guards.onClockOffset(offsetMs),
  loop_lag: ({ risk }, { lagMs }) => risk.guards.onLoopLag(lagMs),
  order_outcome: ({ risk }, { outcome }) => risk.guards.onOrderOutcome(outcome),
  approve: ({ risk }, { order }) => risk.approve(order),
  precheck: ({ risk }, { order }) => risk.precheck(order),
  recheck: ({ risk }, { order }) => risk.recheck(order),
  timer: ({ strategies }, { timer }) => strategies.fire(timer),
  profit: ({ risk }, { of, totalMicros }) => risk.onProfitLoss(of, totalMicros),
  second: (to) => {
    const { risk, byHand, clock } = to;
    risk.tick();
    byHand.adjustments.expire(clock.wallMs());
    byHand.quotes.expire(clock.wallMs());
    // A limit may have killed, or an earlier run.
    if (risk.killed !== null) endCommands(to);
  },
};

/** A kill ends what persons have asked to be bet: their quotes and hedges. */
function endCommands({ byHand, hedges, clock }: Deciders): void {
  byHand.quotes.withdrawAll();
  hedges.endCommanded(clock.monotonicMs());
}

/** Empty deciders, as at the start of a run. */
function emptyDeciders(options: CoreOptions): Deciders {
  const {
    limits,
    strategyLimits,
    staleAfterMs,
    priceSources = [],
    recordedFacts,
    clock,
    logger,
    metrics,
    onNotice,
    onRefusal,
    days,
    onMarked,
  } = options;
  const prices = new PricesInForce();
  const market = createMarket(
    { staleAfterMs, priceSources, ...(recordedFacts && { recordedFacts }) },
    clock,
    logger,
    metrics,
    prices,
  );
  const strategies = options.strategies((name) => latchOf(risk, name) !== null);
  const risk: Risk = createRisk({
    limits,
    strategyLimits,
    onNotice,
    ...(onRefusal && { onRefusal }),
    ...(days && { tradingDays: days }),
    exchangePrices: () => prices.current,
    now: () => clock.monotonicMs(),
    wallNow: () => clock.wallMs(),
    reference: (id) => consensusOf(market, id),
    eventFacts: (event) => factsOf(market, event, recordedFacts !== undefined),
    strategyOf: (id) => ownerOf(strategies, id),
  });
  const ledger = createLedger(onMarked);
  const account = new Account([ledger, risk], clock);
  const watch = new MarketWatch(market, risk, ledger, clock);
  const [hedges, hedging] = [new Hedges(), new Hedging({ market, risk, ledger, prices })];
  const wantedHedges = new WantedHedges(hedging, hedges);
  const quoted: Deciders['quoted'] = new Map();
  const deciders = { prices, market, risk, ledger, account, strategies, clock, watch, quoted };
  return {
    ...deciders,
    byHand: new ByHand(),
    hedges,
    hedging,
    wantedHedges,
  };
}

/** What prices mean to the deciders. */
class PricesInForce implements PriceMeaning {
  #current: ExchangePrices = LAY_PRICES;
  readonly #layBetslips = new Set<BetslipId>();

  get current(): ExchangePrices {
    return this.#current;
  }

  take(prices: ExchangePrices): void {
    this.#current = prices;
  }

  isLay(betslip: BetslipId): boolean {
    return this.#layBetslips.has(betslip);
  }

  noteLay(betslip: BetslipId): void {
    this.#layBetslips.add(betslip);
  }

  forgetLay(betslip: BetslipId): void {
    this.#layBetslips.delete(betslip);
  }
}

/** What a turn asks of the deciders. */
export interface TurnDeciders {
  readonly market: Pick<Market, 'view'>;
  readonly risk: Pick<Risk, 'admit' | 'effectiveState'>;
  readonly ledger: Pick<Ledger, 'position' | 'selectionsOn' | 'realisedOn'>;
  readonly strategies: Pick<Strategies, 'answer' | 'claim'>;
  readonly byHand: Pick<ByHand, 'wanted' | 'isLeft'>;
  readonly hedges: Pick<Hedges, 'intentsOn'>;
  readonly wantedHedges: Pick<WantedHedges, 'make'>;
  readonly quoted: ReadonlyMap<EventKey, readonly SelectionId[]>;
}

/** What a decision depends on beside the deciders. A replay has it from the record. */
export interface Circumstances {
  /** Whether quotes are still wanted. */
  readonly isQuoting: boolean;
  /** Whether enough is known about an event to set its targets. */
  isDecidable(event: EventName): boolean;
  /** The orders that exist now. */
  planBasis(event: EventName): PlanBasis;
}

/**
 * Decides an event in a turn: view, quotes of its strategy as persons adjust them, admission by risk, targets and plan. The first admitted quote makes its
 * strategy the owner of the event. Daemon, backtest and replay decide here, at the instant of the turn. Throws what a decider throws.
 */
export function decide<At extends Pick<Turn, 'monotonicMs' | 'wallMs' | 'budgets'>>(
  deciders: TurnDeciders,
  around: Circumstances,
  event: EventName,
  turn: At,
): Omit<Decision, 'turn'> & { readonly turn: At } {
  const { risk, strategies, byHand, quoted } = deciders;
  const selections = quoted.get(eventKey(event)) ?? [];
  const viewed = around.isQuoting ? viewOf(deciders, event, selections, turn) : null;
  const answer = strategies.answer({ event, view: viewed });
  const { owner, view, score = null } = answer;
  const { monotonicMs } = turn;
  const { intents, problems } = around.isQuoting
    ? withHedges(
        deciders,
        event,
        { ...answer, intents: byHand.wanted(event, answer, monotonicMs) },
        monotonicMs,
      )
    : answer;
  const admission = risk.admit(selections, intents);
  const isLeft = around.isQuoting && isLeftAlone(deciders, event);
  const targets = around.isDecidable(event) && !isLeft ? admission.quotes : null;
  if (owner !== null && targets !== null && targets.length > 0) strategies.claim(event, owner);
  const basis = around.planBasis(event);
  const plan = targets === null ? null : planFor(targets, basis);
  const answered = { turn, event, selections, owner, view, intents, problems, score };
  return { ...answered, admission, isLeft, targets, basis, plan };
}

/** Whether a person leaves the event as it is. A halt of it, a pause and a kill close its orders all the same. */
const isLeftAlone = ({ byHand, risk }: TurnDeciders, event: EventName): boolean =>
  byHand.isLeft(event) && risk.effectiveState(eventScope(event)).state !== 'halted';

/** The strategy's view of an event. Null if the exchange has not described the event on this connection. */
function viewOf(
  { market, ledger }: Pick<TurnDeciders, 'market' | 'ledger'>,
  event: EventName,
  selections: readonly SelectionId[],
  at: Pick<Turn, 'monotonicMs' | 'wallMs' | 'budgets'>,
): EventView | null {
  const account = {
    position: (id: SelectionId) => ledger.position(id),
    held: ledger.selectionsOn(event),
    realisedMicros: ledger.realisedOn(event),
    budgets: at.budgets,
  };
  return market.view(event, selections, account, at);
}

function ownerOf(strategies: Strategies, id: SelectionId): string | null {
  const event = selectionFrom(id);
  return event === null ? null : strategies.quoterOf(event);
}

/** The facts about an event that risk asks for, from the market. */
function factsOf(market: Market, name: EventName, isRecorded: boolean): EventFacts | null {
  const state = market.event(name);
  if (state === undefined) return null;
  const { event, inRunning, score, scoreAgeMs } = state;
  return {
    competitionId: event.competitionId,
    inRunning,
    score,
    // Most recordings tell no score, so no order on a recorded market waits for one.
    scoreAgeMs: isRecorded ? 0 : scoreAgeMs,
    startTimeMs: event.startTimeMs,
    marketTypeOf: (betType: BetType) => {
      const selection = selectionOf(event.sport, event.eventId, betType);
      return selection === null ? null : (market.selection(selection.id)?.marketType ?? null);
    },
  };
}
