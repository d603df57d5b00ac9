import type { JournalError } from '../domain/errors.ts';
import type { AccountClaim } from '../domain/installation.ts';
import type { ExchangePrices } from '../domain/exchange-prices.ts';
import type { EventName } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import { toMicros } from '../domain/money.ts';
import { Core } from '../engine/core.ts';
import { Engine, type EngineParts } from '../engine/engine.ts';
import { PRICE_CONVENTION } from '../engine/convention/journalled.ts';
import { RiskInputs } from '../engine/risk-inputs/risk-inputs.ts';
import { SNAPSHOT } from '../engine/risk-inputs/risk-memory.ts';
import { priceSources } from '../engine/sources/price-sources.ts';
import { TurnClock } from '../engine/turn-clock.ts';
import { seededRandom } from '../lib/random.ts';
import { tradingDays } from '../lib/trading-day.ts';
import type { MarketOptions, MarketRead, QuoteRules } from '../market/index.ts';
import type { DaemonHealth, OrderManager } from '../orders/api.ts';
import { createOrderManager } from '../orders/manager.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Journal } from '../ports/journal.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { SmallFile } from '../ports/small-file.ts';
import type { Venue } from '../ports/venue.ts';
import { type Fact, ReadModel } from '../read-model/read-model.ts';
import type { PreviousRun } from '../read-model/status.ts';
import type { RiskDeps, RiskLimits } from '../risk/index.ts';
import type { SourceInputs } from '../strategy/price-source.ts';
import type { CallObserver } from '../strategy/session.ts';
import type { Config } from './config/load.ts';
import { hedgeRulesOf, orderOptionsOf, riskLimitsOf } from './config/part-options.ts';
import { configuredPriceSources, type ReadSource } from './config/price-sources.ts';
import { configuredStrategies } from './config/validate.ts';
import { strategyLimitsOf } from './config/strategy-options.ts';
import { AccountHistory } from './history/account-history.ts';
import { RECONCILED } from './history/money-records.ts';
import type { OpenHistory } from './history/open-history.ts';
import { conventionParts } from './convention.ts';
import { BY_HAND, ByHandMemory } from './journal/by-hand-memory.ts';
import { measuredJournal } from './journal/journal-metrics.ts';
import { learnedBetslipCap, LIMITS, LimitsMemory } from './journal/limits-memory.ts';
import { watchedJournal } from './journal/open-journal.ts';
import { previousRun } from './journal/previous-run.ts';
import { STRATEGY_STATES, StrategyMemory } from './journal/strategy-memory.ts';
import { feedReadModel, markedBy } from './read-model-feed.ts';
import { type Names, namesFrom } from './names.ts';
import type { PaperAccount } from './paper/paper-account.ts';
import { preparedStrategies, runningStrategies } from './running-strategies.ts';

/** The parts that differ between live, simulated and tested runs. All other wiring is the same. */
export interface Environment {
  readonly venue: Venue;
  readonly journal: Journal;
  /** The damage found when the budgets were read from the journal; null if none. A damaged journal stops placing. */
  readonly damage: JournalError | null;
  /** Watches the journal's files and keeps its mark. */
  readonly watchJournal?: (clock: Clock, logger: Logger, onFailure: (error: JournalError) => void) => void;
  /** The permit to trade, a file beside the journal. */
  readonly permit: SmallFile;
  /** Whether journal and permit end with this process. Default: no. */
  readonly inMemory?: boolean;
  /** The operator's kill file; null if none is configured. */
  readonly killFile: SmallFile | null;
  /** How often the order manager looks for quotes that nothing woke; 0: in every turn. Default: its own. */
  readonly auditEveryMs?: number;
  /** Learns of each call of a strategy. Default: nothing does. */
  readonly strategyCalls?: CallObserver;
  /** The history of the account. Default: none is kept, and the balance is not reconciled. */
  readonly history?: OpenHistory;
  /** The network and files for price sources. Default: no price source is connected. */
  readonly sourceInputs?: SourceInputs;
  /** Prices of price sources that were recorded, in the place of connected ones. Default: none. */
  readonly recordedPrices$?: EngineParts['sourcePrices$'];
  /** What a recorded market tells of a selection, and an exchange's stream does not. Default: nothing. */
  readonly recordedFacts?: MarketOptions['recordedFacts'];
  /** The account of a paper run. Default: the run is not on paper. */
  readonly paper?: Pick<PaperAccount, 'isOver' | 'openSelections'> | null;
  /** Learns what the exchange's prices are. Default: nobody does. */
  readonly onPrices?: (prices: ExchangePrices) => void;
  /** How this process gained the right to trade the account. */
  readonly claim: AccountClaim;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Composed {
  readonly engine: Engine;
  readonly parts: EngineParts;
  readonly core: Core;
  /** Collects what people may see of the run. */
  readonly readModel: ReadModel;
  /** What people call events and selections. */
  readonly names: Names;
  /** The run before this one; null if the journal could not be read. */
  readonly previousRun: PreviousRun | null;
  /** The time after which the exchange cancels everything, counted from each heartbeat. */
  readonly heartbeatS: number;
  /** Null if no history is kept. */
  readonly history: AccountHistory | null;
  /** For writers other than order manager and risk. A failed write ends quoting. */
  readonly journal: Journal;
  /**
   * Validates a configuration and returns a function that applies it and cannot fail. Covers only settings that may change while
   * the daemon runs. Throws ConfigError with the name of each invalid setting.
   */
  prepare(config: Config): () => void;
  /** Settles at the first broken invariant, or when the exchange refuses the stream for good. */
  readonly fatal: Promise<unknown>;
}

/** Wires the whole daemon. Throws ConfigError if a strategy or price source, its parameters or options are invalid. */
export async function compose(config: Config, limits: RiskLimits, given: Environment): Promise<Composed> {
  const { venue, logger, metrics } = given;
  const clock = new TurnClock(given.clock);
  const earlier = previousRun(given.journal);
  const measured = measuredJournal(given.journal, metrics, given.clock);
  const journal = watchedJournal(measured, (error) => orders.journalFailed(error));
  const around = { ...given, journal, ...ofPaper(given) };
  const configured = await configuredStrategies(config);
  const sources = await configuredPriceSources(config);
  const readModel = new ReadModel(clock.monotonicMs());
  readModel.take(settingsOf(config));
  const fatal = Promise.withResolvers<unknown>();
  const onFatal = (error: unknown): void => fatal.resolve(error);
  const running = runningStrategies({
    configured,
    clock,
    wallClock: given.clock,
    readModel,
    logger,
    metrics,
    calls: given.strategyCalls,
  });
  const history = historyOf(config, given, readModel);
  const later = (): Later => ({ engine, riskInputs });
  const core = new Core({
    ...coreOptions(config, limits, configured, sources),
    ...noticesFor(later),
    ...(given.recordedFacts && { recordedFacts: given.recordedFacts }),
    clock,
    logger,
    metrics,
    onMarked: markedBy(readModel, history?.feed),
    strategies: running.make,
  });
  const orders: OrderManager = ordersOf(config, around, core, later, onFatal);
  const riskInputs: RiskInputs = new RiskInputs({ ...around, clock, core, orders, faults: readModel });
  const parts: EngineParts = {
    venue,
    core,
    orders,
    riskInputs,
    clock,
    logger,
    metrics,
    onProblem: running.onProblem,
    ...configuredParts(config),
    ...pricesOf(sources, { ...given, clock }),
    ...conventionParts(config, { ...around, clock, core, orders, onFatal }),
    memories: memoriesOf({ ...around, clock }, core, orders),
    isOver: around.isOver,
  };
  const engine = new Engine(parts, onFatal);
  feedReadModel(readModel, engine, core, clock, onFatal);
  history?.follow(parts, engine, journal, onFatal);
  closeOnFailure(orders, given);
  engine.recall();
  return {
    engine,
    parts,
    core,
    readModel,
    history,
    journal,
    prepare: preparer(configured, core, orders, engine, readModel),
    names: namesOf(core.market, readModel),
    previousRun: earlier,
    heartbeatS: config.orders.heartbeatTimeoutS,
    fatal: fatal.promise,
  };
}

const namesOf = (market: MarketRead, readModel: ReadModel): Names =>
  namesFrom(
    (name) => market.event(name)?.event,
    (name) => readModel.titleOf(name),
    (name) => readModel.whoOf(name),
  );

/** Earlier parts ask for these once they run, so they are made later. */
interface Later {
  readonly engine: Engine;
  readonly riskInputs: RiskInputs;
}

const healthOf = (later: () => Later): DaemonHealth => ({
  progressing: () => later().engine.idleMs() < WEDGED_MS,
  closingFailed: () => later().riskInputs.closingFailed,
});

/** The configuration alone decides these options of the core. */
const coreOptions = (
  config: Config,
  limits: RiskLimits,
  configured: Awaited<ReturnType<typeof configuredStrategies>>,
  sources: readonly ReadSource[],
) => ({
  limits,
  staleAfterMs: staleAfterMsOf(config),
  priceSources: sources.map(({ rules }) => rules),
  strategyLimits: strategyLimitsOf(configured, limits),
  days: tradingDays(config.tradingDay),
});

const ordersOf = (
  config: Config,
  around: Environment,
  core: Core,
  later: () => Later,
  onFatal: (error: unknown) => void,
): OrderManager =>
  createOrderManager({
    ...around,
    risk: core.approvals,
    account: core.account,
    prices: core.market,
    exchangePrices: () => core.prices.current,
    health: healthOf(later),
    onUnwrittenLatch: (reason) => later().riskInputs.onUnwrittenLatch(reason),
    onFatal,
    learnedBetslipCap: learnedBetslipCap(around.journal),
    onlyLastMatters: [SNAPSHOT, LIMITS, STRATEGY_STATES, BY_HAND, RECONCILED, PRICE_CONVENTION],
    options: orderOptionsOf(config),
  });

/** The limits end last. Their last record tells the next run that nothing followed. */
const memoriesOf = (
  { venue, journal, clock, logger }: Environment,
  core: Core,
  orders: OrderManager,
): EngineParts['memories'] => [
  new LimitsMemory(venue, orders, journal, clock),
  new StrategyMemory(core, orders, journal, clock, logger),
  new ByHandMemory(core, orders, journal, logger),
];

/** Validates everything first, so that applying cannot fail halfway. */
const preparer =
  (
    configured: Awaited<ReturnType<typeof configuredStrategies>>,
    core: Core,
    orders: OrderManager,
    engine: Engine,
    readModel: ReadModel,
  ): Composed['prepare'] =>
  (next) => {
    const nextLimits = riskLimitsOf(next);
    const changed = preparedStrategies(configured, next, nextLimits);
    const rules = rulesOf(next.universe);
    const options = orderOptionsOf(next);
    const hedgeRules = hedgeRulesOf(next);
    return () => {
      readModel.take(settingsOf(next));
      changed.apply(core);
      core.apply({ kind: 'limits', limits: nextLimits, ofStrategies: changed.limits });
      core.apply({ kind: 'least_stake', stakeMicros: options.minStakeMicros });
      orders.reconfigure(options);
      engine.setRules(rules);
      engine.setHedgeRules(hedgeRules);
    };
  };

const settingsOf = ({ exchange: { commissionRate }, universe: { minQuotedRatio } }: Config): Fact => ({
  kind: 'settings',
  settings: { commissionRate, minQuotedRatio },
});

function historyOf(
  config: Config,
  { history, clock, ids, logger, metrics }: Environment,
  readModel: ReadModel,
): AccountHistory | null {
  if (history === undefined) return null;
  return new AccountHistory({
    ...history,
    clock,
    ids,
    logger,
    metrics,
    commissionRate: () => readModel.commissionRate,
    isCommissionTaken: config.mode !== 'paper',
    reading: config.reconciliation.balance,
    dropCopyEveryMs: config.orders.dropCopyEveryS * 1000,
  });
}

/** Passes what risk reports to its inputs. */
const noticesFor = (later: () => Later): Pick<RiskDeps, 'onRefusal' | 'onNotice'> => ({
  onRefusal: (_, refusals) => later().riskInputs.onRefusal(refusals.map(({ code }) => code)),
  onNotice: (notice) => later().riskInputs.onNotice(notice),
});

/** If the journal is damaged, or is lost while the daemon runs, orders are only closed. */
function closeOnFailure(
  orders: Pick<OrderManager, 'journalFailed'>,
  { damage, watchJournal, clock, logger }: Environment,
): void {
  const onFailure = (error: JournalError): void => orders.journalFailed(error);
  if (damage !== null) onFailure(damage);
  watchJournal?.(clock, logger, onFailure);
}

function pricesOf(
  sources: readonly ReadSource[],
  { sourceInputs: inputs, recordedPrices$, clock, logger, metrics }: Environment,
): Pick<EngineParts, 'sourcePrices$'> {
  if (recordedPrices$ !== undefined) return { sourcePrices$: recordedPrices$ };
  if (inputs === undefined || sources.length === 0) return {};
  const random = seededRandom(clock.wallMs(), 'price sources');
  return { sourcePrices$: priceSources(sources, { inputs, clock, random, logger, metrics }) };
}

/** Only a paper account knows the results that a person told, and bets that the account itself does not have. */
const ofPaper = ({ paper }: Environment) => ({
  isOver: (event: EventName): boolean => paper?.isOver(event) ?? false,
  alsoValued: (): readonly SelectionId[] => paper?.openSelections() ?? [],
});

const staleAfterMsOf = ({ market }: Config): number => market.staleAfterS * 1000;

/** Without housekeeping for this long the engine counts as wedged; the heartbeat is then left to expire. */
export const WEDGED_MS = 10_000;

const MS_PER_MINUTE = 60_000;

/** The configuration alone decides these parts of the engine. */
const configuredParts = (
  config: Config,
): Pick<EngineParts, 'rules' | 'staleAfterMs' | 'hedgeRules' | 'leastStakeMicros'> => ({
  rules: rulesOf(config.universe),
  leastStakeMicros: orderOptionsOf(config).minStakeMicros,
  staleAfterMs: staleAfterMsOf(config),
  hedgeRules: hedgeRulesOf(config),
});

function rulesOf(universe: Config['universe']): QuoteRules {
  return {
    sports: universe.sports,
    competitions: universe.competitions,
    marketTypes: universe.marketTypes,
    startsWithinMs: universe.startWithinMinutes * MS_PER_MINUTE,
    leaveBeforeStartMs: universe.stopBeforeStartS * 1000,
    inPlay: universe.inPlay,
    minLiquidityMicros: toMicros(universe.minLiquidityUsdt),
    maxEvents: universe.maxEvents,
    maxSelections: universe.maxSelections,
  };
}
