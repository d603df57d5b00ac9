/** Events that overlap in time, played to a whole daemon on an exchange of their own, in virtual time. */
import type { RecordedFacts } from '../../../domain/event-view.ts';
import type { SelectionId } from '../../../domain/ids.ts';
import type { AccountClaim } from '../../../domain/installation.ts';
import { parseBetType } from '../../../domain/bet-types/index.ts';
import { TouchlineError } from '../../../domain/errors.ts';
import { fromMicros, type Micros } from '../../../domain/money.ts';
import type { TakeTerms } from '../../../domain/orders.ts';
import { Secret } from '../../../domain/secret.ts';
import { selectionFrom } from '../../../domain/selection.ts';
import type { FillModel } from '../../../fills/fill-model.ts';
import { seededRandom, uuidFrom } from '../../../lib/random.ts';
import type { Ids } from '../../../ports/ids.ts';
import { silentLogger } from '../../../ports/logger.ts';
import { noMetrics } from '../../../ports/metrics.ts';
import { type BacktestInput, latencyOf } from '../../../research/backtest-engine.ts';
import { RecordedEvent } from '../../../research/full/recorded-event.ts';
import { RecordedFeed } from '../../../research/full/recorded-feed.ts';
import type { EventRunResult } from '../../../research/records/event-records.ts';
import type { EventTape } from '../../../research/tape.ts';
import type { InspectedOrder } from '../../../simulator/core/api.ts';
import { createExchange, type Exchange } from '../../../simulator/core/exchange.ts';
import type { ExchangeSettings } from '../../../simulator/core/settings.ts';
import { type InProcessExchange, inProcessTransports } from '../../../simulator/in-process/transports.ts';
import { createVenue } from '../../../venue/index.ts';
import { VirtualClock } from '../../adapters/virtual-clock.ts';
import { compose } from '../../compose.ts';
import type { Config } from '../../config/load.ts';
import { requestLimitsOf } from '../../config/part-options.ts';
import { claimJournal } from '../../journal/journal-mode.ts';
import { openJournal } from '../../journal/open-journal.ts';
import { Daemon } from '../../run/daemon.ts';
import { exchangeSettingsOf } from '../../simulated/exchange-choices.ts';
import { accountsOf } from '../../simulated/simulation.ts';
import { CountedRequests } from './counted-requests.ts';
import { recordedPrices } from './recorded-prices.ts';

export interface SessionInput extends Pick<
  BacktestInput,
  | 'limits'
  | 'balanceMicros'
  | 'requestLatencyMs'
  | 'feedLatencyMs'
  | 'commission'
  | 'priceSources'
  | 'variants'
  | 'fromMs'
  | 'toMs'
  | 'seed'
> {
  /** In simulated mode, with the strategy and its parameters. */
  readonly config: Config;
  /** Without `OP.clear`, see `explicitLevels`. */
  readonly tapes: readonly EventTape[];
  readonly fillModel: FillModel;
  /** Settings of the exchange that replace those of the configuration. */
  readonly settings?: Partial<ExchangeSettings>;
  /** Called as market time passes, with wall-clock milliseconds. */
  readonly onTime: (nowMs: number) => void;
}

const KEY = 'backtest-key';
const VERSION = 'backtest';
/** Market time between two reports of progress. */
const STEP_MS = 1000;
/** A daemon on virtual time starts and stops well within. */
const START_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 30_000;

export interface PlayedSession {
  readonly events: readonly EventRunResult[];
  /** The balance on the exchange in the end, micros. */
  readonly balanceMicros: Micros;
}

/** Runs the session. Rejects with TouchlineError if the daemon cannot start or continue. */
export async function playSession(input: SessionInput): Promise<PlayedSession> {
  const session = new Session(input);
  try {
    return await session.play();
  } finally {
    session.close();
  }
}

/** Tapes hold prices of the selection. */
const ofLayPrices = (config: Config): Config => ({
  ...config,
  exchange: { ...config.exchange, againstPrices: 'lay' },
});

class Session {
  readonly #input: SessionInput;
  readonly #clock: VirtualClock;
  readonly #events: readonly RecordedEvent[];
  readonly #exchange: Exchange;
  readonly #wires: InProcessExchange;
  readonly #requests = new CountedRequests();
  readonly #byName: ReadonlyMap<string, RecordedEvent>;
  /** The longest time from the market to us: nothing is told before it can be known. */
  readonly #feedMs: number;
  readonly #ids: Ids;
  readonly #endMs: number;
  readonly #journal: ReturnType<typeof openJournal>;
  /** Takes of the daemon by the request of their order. */
  readonly #takes = new Map<string, TakeTerms>();
  #failure: { readonly error: unknown } | null = null;

  constructor(input: SessionInput) {
    this.#input = input;
    const { tapes, seed, fillModel, config, settings, balanceMicros } = input;
    const window = [input.fromMs ?? -Infinity, input.toMs ?? Infinity] as const;
    this.#events = tapes.map((tape) => {
      const random = seededRandom(seed, `${tape.event.sport},${tape.event.eventId}`);
      const { limits, variants } = input;
      return new RecordedEvent({ tape, model: fillModel, limits, variants, window, random });
    });
    const spans = this.#events.map(({ spanMs }) => spanMs);
    const startMs = Math.max(Math.min(...spans.map(([fromMs]) => fromMs)), input.fromMs ?? -Infinity);
    this.#endMs = Math.max(...spans.map(([, toMs]) => toMs));
    this.#clock = new VirtualClock(startMs);
    const { feedLatencyMs } = input;
    this.#feedMs = typeof feedLatencyMs === 'number' ? feedLatencyMs : Math.max(0, ...feedLatencyMs);
    const byEvent = new Map(this.#events.map((event) => [keyOf(event.name), event]));
    this.#byName = byEvent;
    const byOrder = new Map<number, RecordedEvent>();
    const onOrder = (order: InspectedOrder): void => {
      const event = byEvent.get(keyOf(order));
      if (event === undefined) return;
      byOrder.set(order.orderId, event);
      event.onOrder(order, this.#clock.wallMs());
    };
    this.#exchange = createExchange({
      accounts: accountsOf([KEY], fromMicros(balanceMicros)),
      feeds: [new RecordedFeed(this.#events)],
      parseBetType,
      random: seededRandom(seed, 'exchange'),
      startMs,
      fillModel,
      onOrder,
      settings: { ...exchangeSettingsOf(config.simulator), ...settings, priceConvention: 'lay' },
      onRest: (orderId, aheadMicros) =>
        byOrder.get(orderId)?.onRest(orderId, aheadMicros, this.#clock.wallMs()),
    });
    const latency = {
      toExchangeMs: latencyOf(input.requestLatencyMs, seededRandom(seed, 'requests')),
      toClientMs: latencyOf(input.feedLatencyMs, seededRandom(seed, 'feed')),
    };
    this.#wires = inProcessTransports({ core: this.#exchange, clock: this.#clock, latency });
    this.#journal = openJournal('', this.#clock);
    const ids = seededRandom(seed, 'ids');
    this.#ids = { uuid: () => uuidFrom(ids) };
  }

  /** The facts of a selection that reached us of the tapes. */
  readonly #recordedFacts = (id: SelectionId): RecordedFacts | null => {
    const selection = selectionFrom(id);
    if (selection === null) return null;
    const atMs = this.#clock.wallMs() - this.#feedMs;
    return this.#byName.get(keyOf(selection))?.factsOf(selection.outcome, atMs) ?? null;
  };

  async play(): Promise<PlayedSession> {
    const { toMs } = this.#input;
    const daemon = await this.#daemon();
    await this.#until(daemon.start(), START_WITHIN_MS);
    await this.#moveTo(Math.min(toMs ?? Infinity, this.#endMs));
    await this.#until(daemon.stop('the window is over', STOP_WITHIN_MS), 2 * STOP_WITHIN_MS);
    await this.#moveTo(this.#endMs);
    const events = this.#events.map((event) => {
      const { sport, eventId } = event.name;
      const requests = this.#requests.of(sport, eventId);
      return event.finish(this.#input.commission, requests, (uuid) => this.#takes.get(uuid));
    });
    return { events, balanceMicros: this.#exchange.inspectAccounts()[0]?.balanceMicros ?? 0 };
  }

  close(): void {
    this.#wires.host.close();
    this.#journal.release();
  }

  async #daemon(): Promise<Daemon> {
    const { limits, seed } = this.#input;
    const config = ofLayPrices(this.#input.config);
    const clock = this.#clock;
    const { journal, permit, earlierOwner, earlierBudgets } = this.#journal;
    const { installation, damage } = claimJournal(journal, config, this.#ids);
    const claim: AccountClaim = { installation, earlierOwner, isSoleUser: true, takesOver: false };
    const venue = createVenue({
      kind: 'simulated',
      apiKey: new Secret(KEY),
      http: this.#requests.through(this.#wires.http),
      sockets: this.#wires.sockets,
      clock,
      logger: silentLogger,
      metrics: noMetrics,
      earlierBudgets,
      random: seededRandom(seed, 'backoff'),
      requestTimeoutMs: config.exchange.requestTimeoutS * 1000,
      limits: requestLimitsOf(config),
    });
    const composed = await compose(config, limits, {
      venue,
      journal,
      damage,
      permit,
      inMemory: true,
      killFile: null,
      claim,
      clock,
      ids: this.#ids,
      logger: silentLogger,
      metrics: noMetrics,
      recordedFacts: this.#recordedFacts,
      recordedPrices$: recordedPrices(this.#input.tapes, clock),
    });
    const fail = (error: unknown): void => void (this.#failure = { error });
    composed.core.change$.subscribe({
      next: (change) => {
        if (change.kind !== 'order' || change.order.take === undefined) return;
        this.#takes.set(change.order.requestUuid, change.order.take);
      },
      error: fail,
    });
    composed.fatal.then(fail, () => undefined);
    return new Daemon(composed, {
      strategies: composed.parts.core.strategies.names,
      exchange: 'the recorded market',
      version: VERSION,
      runId: '1-00000000',
    });
  }

  async #moveTo(wallMs: number): Promise<void> {
    for (let leftMs = wallMs - this.#clock.wallMs(); leftMs > 0; leftMs = wallMs - this.#clock.wallMs()) {
      await this.#step(Math.min(leftMs, STEP_MS));
      this.#input.onTime(this.#clock.wallMs());
    }
  }

  async #step(ms: number): Promise<void> {
    await this.#clock.advance(ms);
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Moves time until the work is done. */
  async #until(work: Promise<unknown>, withinMs: number): Promise<void> {
    const state = { isOver: false };
    const over = (): void => void (state.isOver = true);
    work.then(over, over);
    const byMs = this.#clock.wallMs() + withinMs;
    while (!state.isOver) {
      if (this.#clock.wallMs() > byMs)
        throw new TouchlineError(
          'timeout',
          `the daemon of the backtest did not answer within ${withinMs / 1000} s`,
        );
      await this.#step(STEP_MS / 10);
    }
    await work;
  }
}

const keyOf = ({ sport, eventId }: { readonly sport: string; readonly eventId: string }): string =>
  `${sport},${eventId}`;
