import { Account } from '../account/account.ts';
import type { EventView } from '../domain/event-view.ts';
import type { EventName } from '../domain/events.ts';
import { type ExchangePrices, LAY_PRICES } from '../domain/exchange-prices.ts';
import type { BetslipId, BetType, SelectionId } from '../domain/ids.ts';
import { selectionFrom, selectionOf } from '../domain/selection.ts';
import type { CallLog } from '../engine/calls.ts';
import { consensusOf } from '../engine/risk-inputs/market-watch.ts';
import type { Strategies } from '../engine/strategies.ts';
import { latchOf } from '../engine/strategy-latch.ts';
import type { TurnClock } from '../engine/turn-clock.ts';
import type { Turn } from '../engine/turn.ts';
import { createLedger, type Ledger, type OnMarked } from '../ledger/index.ts';
import { createMarket, type Market, type SourceRules } from '../market/index.ts';
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

/**
 * The strategy's view of an event in a turn. Null if the exchange has not described the event on this connection. The daemon
 * and the replay of a turn both build it here.
 */
export function viewIn(
  turn: Omit<Turn, 'inputs'>,
  event: EventName,
  selections: readonly SelectionId[],
  { market, ledger }: Pick<Deciders, 'market' | 'ledger'>,
): EventView | null {
  const account = {
    position: (id: SelectionId) => ledger.position(id),
    held: ledger.selectionsOn(event),
    realisedMicros: ledger.realisedOn(event),
    budgets: turn.budgets,
  };
  return market.view(event, selections, account, turn);
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
