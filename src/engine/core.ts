import { Account } from '../account/account.ts';
import type { EventView } from '../domain/event-view.ts';
import type { EventName } from '../domain/events.ts';
import { type ExchangePrices, LAY_PRICES } from '../domain/exchange-prices.ts';
import type { BetslipId, BetType, SelectionId } from '../domain/ids.ts';
import { selectionFrom, selectionOf } from '../domain/selection.ts';
import type { CallLog } from './calls.ts';
import { consensusOf } from './risk-inputs/market-watch.ts';
import type { Strategies } from './strategies.ts';
import { latchOf } from './strategy-latch.ts';
import type { TurnClock } from './turn-clock.ts';
import type { Decision, Turn } from './turn.ts';
import { createLedger, type Ledger, type OnMarked } from '../ledger/index.ts';
import { createMarket, type Market, type SourceRules } from '../market/index.ts';
import { type PlanBasis, planFor } from '../orders/targets/reconcile.ts';
import type { TradingDays } from '../lib/trading-day.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import {
  createRisk,
  type EventFacts,
  type LimitsOfStrategies,
  type Risk,
  type RiskDeps,
  type RiskLimits,
} from '../risk/index.ts';

/** The state behind decisions, and the strategies. */
export interface Deciders {
  readonly prices: PricesInForce;
  readonly market: Market;
  readonly risk: Risk;
  readonly ledger: Ledger;
  /** Its changes reach ledger and risk. */
  readonly account: Account;
  readonly strategies: Strategies;
}

export interface DecidersOptions extends Pick<RiskDeps, 'onNotice' | 'onRefusal'> {
  readonly limits: RiskLimits;
  readonly strategyLimits: LimitsOfStrategies;
  readonly staleAfterMs: number;
  /** How the prices of the configured price sources are read. Default: there are none. */
  readonly priceSources?: readonly SourceRules[];
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

/** Creates empty deciders, as at the start of a run. */
export function createDeciders(options: DecidersOptions): Deciders {
  const {
    limits,
    strategyLimits,
    staleAfterMs,
    priceSources = [],
    clock,
    logger,
    metrics,
    onNotice,
    onRefusal,
    days,
    onMarked,
  } = options;
  const prices = new PricesInForce();
  const exchangePrices = (): ExchangePrices => prices.current;
  const market = createMarket({
    ...{ clock, logger, metrics, exchangePrices },
    options: { staleAfterMs, priceSources },
    isLayBetslip: (id) => prices.isLay(id),
  });
  const strategies = options.strategies((name) => latchOf(risk, name) !== null);
  const risk: Risk = createRisk({
    ...{
      limits,
      strategyLimits,
      onNotice,
      ...(onRefusal && { onRefusal }),
      ...(days && { tradingDays: days }),
    },
    exchangePrices,
    now: () => clock.monotonicMs(),
    wallNow: () => clock.wallMs(),
    reference: (id) => consensusOf(market, id),
    eventFacts: (event) => factsOf(market, event),
    strategyOf: (id) => ownerOf(strategies, id),
  });
  const ledger = createLedger(onMarked);
  const account = new Account([ledger, risk], clock);
  return { prices, market, risk, ledger, account, strategies };
}

/** What prices mean to the deciders. A change is a call from outside, so that a recorded run can be decided again. */
export class PricesInForce {
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

/** The same deciders; the log records each call on them from outside. */
export const recordedBy = (
  log: CallLog,
  { prices, market, risk, ledger, account, strategies }: Deciders,
): Deciders => ({
  prices: log.recorded('prices', prices),
  market: log.recorded('market', market),
  risk: log.recorded('risk', risk),
  ledger,
  account,
  strategies: log.recorded('strategies', strategies),
});

/** What a turn asks of the deciders. */
export interface TurnDeciders {
  readonly market: Pick<Market, 'view'>;
  readonly risk: Pick<Risk, 'admit'>;
  readonly ledger: Pick<Ledger, 'position' | 'selectionsOn' | 'realisedOn'>;
  readonly strategies: Pick<Strategies, 'answer' | 'claim'>;
}

/** What a decision depends on beside the deciders. A replay has it from the record. */
export interface Circumstances {
  /** Whether quotes are still wanted. */
  readonly isQuoting: boolean;
  /** The quoted selections of an event. */
  selectionsOf(event: EventName): readonly SelectionId[];
  /** Whether enough is known about an event to set its targets. */
  isDecidable(event: EventName): boolean;
  /** The orders that exist now. */
  planBasis(event: EventName): PlanBasis;
}

/**
 * Decides an event in a turn: view, quotes of its strategy, admission by risk, targets and plan. The first admitted quote makes its
 * strategy the owner of the event. Daemon, backtest and replay decide here, at the instant of the turn. Throws what a decider throws.
 */
export function decide<At extends Pick<Turn, 'monotonicMs' | 'wallMs' | 'budgets'>>(
  deciders: TurnDeciders,
  around: Circumstances,
  event: EventName,
  turn: At,
): Omit<Decision, 'turn'> & { readonly turn: At } {
  const { risk, strategies } = deciders;
  const selections = around.selectionsOf(event);
  const viewed = around.isQuoting ? viewOf(deciders, event, selections, turn) : null;
  const { owner, view, intents, problems } = strategies.answer({ event, view: viewed });
  const admission = risk.admit(selections, intents);
  const targets = around.isDecidable(event) ? admission.quotes : null;
  if (owner !== null && targets !== null && targets.length > 0) strategies.claim(event, owner);
  const basis = around.planBasis(event);
  const plan = targets === null ? null : planFor(targets, basis);
  const answered = { turn, event, selections, owner, view, intents, problems };
  return { ...answered, admission, targets, basis, plan };
}

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
function factsOf(market: Market, name: EventName): EventFacts | null {
  const state = market.event(name);
  if (state === undefined) return null;
  const { event, inRunning } = state;
  return {
    competitionId: event.competitionId,
    inRunning,
    startTimeMs: event.startTimeMs,
    marketTypeOf: (betType: BetType) => {
      const selection = selectionOf(event.sport, event.eventId, betType);
      return selection === null ? null : (market.selection(selection.id)?.marketType ?? null);
    },
  };
}
