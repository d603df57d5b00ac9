/**
 * One event of a tape in one scenario: the recorded exchange, the strategy, its orders and what became of them.
 *
 * The order of things at one instant: tasks of our orders at the exchange, news that reach us (fills and ends of orders), a showing of
 * the market, our decision, what it causes at once; then the updates of the recording; then the same again.
 */
import type { FillModel } from '../../fills/fill-model.ts';
import { priceOf, type Tick } from '../../domain/ladder.ts';
import { seededRandom } from '../../lib/random.ts';
import type { RiskLimits } from '../../risk/index.ts';
import { isStream, type Strategy } from '../../strategy/contract.ts';
import type { EventTape } from '../tape.ts';
import { type Edge, edgesOf } from './edges.ts';
import { type Decider, deciderOf } from './deciding/decider.ts';
import { EventRecords, type EventRunResult } from '../records/event-records.ts';
import { gridsOf, TapeExposure } from '../exposure.ts';
import { type BacktestInput, type Latency, latencyOf } from '../backtest-engine.ts';
import type { Arriving, News } from './news.ts';
import { OnTheWay } from './on-the-way.ts';
import { ownFill } from './own-fill.ts';
import { OpenTimes } from '../records/open-times.ts';
import type { OwnOrder } from './exchange/own-order.ts';
import { RecordedExchange } from './exchange/recorded-exchange.ts';
import type { FillCause } from './exchange/selection-book.ts';
import type { FastSettings } from './settings.ts';
import { Trader } from './orders/trader.ts';
import { type Showing, Showings } from './deciding/showings.ts';
import { Views } from './deciding/views.ts';
import { besidesAtWholeSize, type RestedOrder, restedOrder } from './whole-trades.ts';

export interface EventRunInput {
  /** Without `OP.clear`, see `explicitLevels`. */
  readonly tape: EventTape;
  readonly model: FillModel;
  readonly strategy: Strategy;
  readonly parameters: unknown;
  readonly limits: RiskLimits;
  readonly balanceMicros: number;
  readonly requestLatencyMs: Latency;
  readonly feedLatencyMs: Latency;
  readonly commission: number | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly seed: number;
  readonly settings: FastSettings;
  readonly priceSources?: BacktestInput['priceSources'];
  readonly variants?: BacktestInput['variants'];
  /** Called now and then with the number of rows that are played. */
  readonly onRow?: ((row: number) => void) | undefined;
}

/** Runs a tape. The same input gives the same result. A strategy that reads the lists of prices, not the best alone, is run again with them. */
export function runEvent(input: EventRunInput): EventRunResult {
  if (isStream(input.strategy)) return new EventRun(input, true).run();
  const run = new EventRun(input, false);
  const result = run.run();
  return run.lacksLists ? new EventRun(input, true).run() : result;
}

/** When nothing changed for so long, a strategy that reads the time is asked again as seldom: the longest first. */
const IDLE_MS = [600_000, 60_000, 10_000] as const;
/** While a position is held, the account is sampled this often. */
const SAMPLE_MS = 60_000;

class EventRun {
  readonly #input: EventRunInput;
  readonly #exchange: RecordedExchange;
  readonly #exposure: TapeExposure;
  readonly #trader: Trader;
  readonly #decider: Decider;
  readonly #views: Views;
  readonly #showings: Showings;
  readonly #records: EventRecords;
  readonly #times: OpenTimes;
  readonly #fromMs: number;
  readonly #toMs: number;
  readonly #isStream: boolean;
  /** Whether showings have the lists of prices. */
  readonly #takesLists: boolean;
  readonly #news: OnTheWay<News>;
  readonly #arriving: OnTheWay<Arriving>;
  /** Orders that rested, where a rule may decide their fills. */
  readonly #rested: RestedOrder[] = [];
  /** The last showing that reached us. */
  #seen: Showing | null = null;
  #lastShownMs = -Infinity;
  #showMs = Infinity;
  #lastChangeMs = -Infinity;
  #isChanged = false;
  #hasStarted = false;
  #mustDecide = false;
  /** Nothing of ours is due before this instant. */
  #nextDueMs = Infinity;
  #isOver = false;
  #isHalted = false;
  #peakMicros = 0;
  #sampleMs = Infinity;
  #nowMs = 0;
  #bets = 0;

  constructor(input: EventRunInput, takesLists: boolean) {
    const { tape, strategy, parameters, limits, settings, seed } = input;
    this.#input = input;
    const startMs = tape.updates.atMs[0] ?? tape.startMs;
    this.#fromMs = input.fromMs ?? -Infinity;
    this.#toMs = input.toMs ?? Infinity;
    const name = `${tape.event.sport},${tape.event.eventId}`;
    const feedMs = latencyOf(input.feedLatencyMs, seededRandom(seed, `${name}:feed`));
    this.#news = new OnTheWay(feedMs);
    this.#arriving = new OnTheWay(feedMs);
    this.#exchange = new RecordedExchange(tape, input.model, settings, seededRandom(seed, `${name}:delays`), {
      onFill: (order, tick, stakeMicros, cause) => this.#onFill(order, tick, stakeMicros, cause),
      onClosed: (order) => this.#onClosed(order),
      onQuotes: (selection) => this.#times.onQuotes(selection, this.#nowMs),
      onState: (market) => this.#onState(market),
      onRemoval: (market) => this.#exposure.reduce(market, this.#nowMs),
      // The exchange tells before it tells of the orders that it closes.
      onInPlay: () => this.#tell(null, null),
    });
    const window = [this.#fromMs, this.#toMs] as const;
    this.#times = new OpenTimes({
      tape,
      startMs,
      window,
      open: this.#exchange.open,
      isQuoted: (selection) => this.#exchange.isQuoted(selection),
    });
    this.#records = new EventRecords(tape, this.#times, input.variants);
    this.#exposure = new TapeExposure(tape, limits);
    this.#trader = new Trader({
      tape,
      exchange: this.#exchange,
      exposure: this.#exposure,
      settings,
      balanceMicros: input.balanceMicros,
      requestMs: latencyOf(input.requestLatencyMs, seededRandom(seed, `${name}:requests`)),
    });
    this.#isStream = isStream(strategy);
    this.#decider = deciderOf(strategy, parameters, startMs);
    this.#views = new Views(
      {
        tape,
        exposure: this.#exposure,
        grids: gridsOf(tape),
        ordersOn: (selection) => this.#trader.ordersOn(selection),
        priceSources: input.priceSources ?? [],
      },
      this.#isStream,
    );
    this.#showings = new Showings(this.#exchange, tape, takesLists ? settings.offerDepth : 0);
    this.#takesLists = takesLists;
  }

  /** Whether the strategy, or a hedge of it, asked for lists of prices that were not taken. */
  get lacksLists(): boolean {
    return (this.#views.readsLists || this.#trader.readsLists) && !this.#takesLists;
  }

  run(): EventRunResult {
    const { updates } = this.#input.tape;
    const { atMs, length } = updates;
    const edges = edgesOf(this.#input.tape);
    let next = 0;
    this.#begin(atMs[0] ?? 0);
    for (let at = 0; at < length && !this.lacksLists;) {
      const nowMs = atMs[at] as number;
      for (let edge = edges[next]; edge !== undefined && edge.atMs <= nowMs; edge = edges[++next])
        this.#pass(edge);
      if (this.#nextDueMs <= nowMs) this.#runUntil(nowMs);
      this.#nowMs = nowMs;
      this.#exchange.nowMs = nowMs;
      do this.#exchange.apply(updates, at++);
      while (at < length && atMs[at] === nowMs);
      this.#afterInstant();
      if (this.#nextDueMs <= nowMs) this.#runUntil(nowMs);
    }
    return this.#finish(atMs[length - 1] ?? this.#input.tape.startMs);
  }

  #pass(edge: Edge): void {
    this.#runUntil(edge.atMs);
    // What was before the first update happens with it.
    this.#nowMs = this.#exchange.nowMs = Math.max(this.#nowMs, edge.atMs);
    if (!('told' in edge)) this.#exchange.pass(edge);
    this.#changed();
  }

  /** The first showing is at the beginning of the window, or with the first update. */
  #begin(firstMs: number): void {
    const isLater = this.#fromMs > firstMs;
    this.#lastShownMs = (isLater ? this.#fromMs : firstMs) - this.#input.settings.quoteOnChangeMs;
    if (!isLater) return;
    this.#isChanged = true;
    this.#showMs = this.#fromMs;
    this.#nextDueMs = this.#fromMs;
  }

  #afterInstant(): void {
    this.#changed();
    if (this.#nowMs >= this.#sampleMs) this.#sample();
    if (this.#exchange.row % 64 === 0) this.#input.onRow?.(this.#exchange.row);
  }

  /** The market changed: it is shown again, but not too soon after the last showing. */
  #changed(): void {
    const nowMs = this.#nowMs;
    if (this.#isOver || nowMs < this.#fromMs || this.#isChanged) return;
    this.#isChanged = true;
    this.#lastChangeMs = nowMs;
    const { quoteIntervalMs, quoteOnChangeMs } = this.#input.settings;
    // Showings without a change were left out where nobody needed them.
    const passed = Math.floor((nowMs - this.#lastShownMs) / quoteIntervalMs);
    if (passed > 0) this.#lastShownMs += passed * quoteIntervalMs;
    this.#showMs = Math.max(nowMs, this.#lastShownMs + quoteOnChangeMs);
    this.#nextDueMs = Math.min(this.#nextDueMs, this.#showMs);
  }

  /** Runs everything that is due by an instant, in its order. */
  #runUntil(untilMs: number): void {
    for (;;) {
      const taskMs = this.#exchange.nextTaskMs;
      const newsMs = this.#news.dueMs;
      const viewMs = this.#arriving.dueMs;
      const showMs = this.#showMs;
      const handoverMs = this.#isOver ? Infinity : this.#trader.handoverMs;
      const nextMs = Math.min(taskMs, newsMs, viewMs, showMs, handoverMs);
      this.#nextDueMs = nextMs;
      if (!(nextMs <= untilMs) || nextMs === Infinity) return;
      this.#nowMs = Math.max(this.#nowMs, nextMs);
      if (taskMs === nextMs) this.#exchange.runTask();
      else if (newsMs === nextMs) this.#hear();
      else if (handoverMs === nextMs) this.#handOver();
      else if (showMs === nextMs) this.#show();
      else this.#see();
    }
  }

  #onState(market: number): void {
    this.#times.onState(market, this.#nowMs);
    if (!this.#exchange.isOver) return;
    this.#isOver = true;
    this.#showMs = Infinity;
  }

  #onFill(order: OwnOrder, tick: Tick, stakeMicros: number, cause: FillCause): void {
    const { inPlay } = this.#exchange;
    this.#records.onFill(order, { tick, stakeMicros, cause, atMs: this.#nowMs, inPlay });
    this.#tell(order, { tick, stakeMicros, cause, atMs: this.#nowMs });
  }

  #onClosed(order: OwnOrder): void {
    const { model, tape } = this.#input;
    if (model.atWholeSize !== undefined && tape.hasTrades)
      this.#rested.push(...restedOrder(order, this.#exchange.row));
    this.#tell(order, null);
  }

  #tell(order: News['order'], fill: News['fill']): void {
    const dueMs = this.#news.send({ order, fill }, this.#nowMs);
    this.#nextDueMs = Math.min(this.#nextDueMs, dueMs);
  }

  #hear(): void {
    const dueMs = this.#nowMs;
    let isFill = false;
    while (this.#news.dueMs <= dueMs) {
      const { order, fill } = this.#news.take();
      if (order === null) this.#trader.inPlay = this.#mustDecide = true;
      else if (fill === null) this.#mustDecide = this.#trader.onClosed(order, dueMs) || this.#mustDecide;
      else {
        isFill = true;
        this.#hearFill(order, fill);
      }
    }
    if (isFill) this.#sample();
    this.#mustDecide ||= isFill;
    this.#decide(false);
  }

  #hearFill(order: OwnOrder, { tick, stakeMicros, cause, atMs }: NonNullable<News['fill']>): void {
    const { selection, direction } = order;
    const price = priceOf(tick);
    this.#trader.onFill(order, price, stakeMicros, atMs);
    this.#views.onFill(selection, direction, price, stakeMicros, this.#nowMs);
    if (!this.#isStream) return;
    const fill = { bet: ++this.#bets, price, stakeMicros, cause, atMs: this.#nowMs };
    this.#decider.onFill(ownFill(this.#input.tape, order, fill));
  }

  /** A replacement stands, so that the order before it goes at once: both could be filled. */
  #handOver(): void {
    const showing = this.#seen;
    if (showing === null) this.#trader.handoverMs = Infinity;
    else this.#trader.plan(showing, this.#nowMs);
  }

  /** The exchange shows the market. It reaches us after the time of the feed. */
  #show(): void {
    const nowMs = this.#nowMs;
    const before = this.#arriving.last?.showing ?? this.#seen;
    const { showing, isNew } =
      this.#isChanged || before === null
        ? this.#showings.take(nowMs, before)
        : { showing: { ...before, atMs: nowMs }, isNew: false };
    this.#isChanged = false;
    this.#lastShownMs = nowMs;
    this.#arriving.send({ isNew, showing }, nowMs);
    this.#showMs = this.#nextShowingMs();
  }

  /** The next showing that anybody needs, if the market does not change before. */
  #nextShowingMs(): number {
    if (this.#isOver || this.#lastShownMs >= this.#toMs) return Infinity;
    const { quoteIntervalMs } = this.#input.settings;
    let neededMs = Math.min(this.#trader.renewMs, this.#trader.retryMs);
    if (!this.#hasStarted) neededMs = Math.min(neededMs, this.#input.tape.startMs + 1);
    if (this.#isStream || this.#views.readsTime) {
      const idleMs = this.#lastShownMs - this.#lastChangeMs;
      const pauseMs = IDLE_MS.find((ms) => idleMs > ms) ?? quoteIntervalMs;
      neededMs = Math.min(neededMs, this.#lastShownMs + pauseMs);
    }
    if (neededMs === Infinity) return this.#toMs;
    const steps = Math.max(1, Math.ceil((neededMs - this.#lastShownMs) / quoteIntervalMs));
    return Math.min(this.#lastShownMs + steps * quoteIntervalMs, this.#toMs);
  }

  /** Whether the scheduled start passed since the last decision. */
  #hasJustStarted(): boolean {
    if (this.#hasStarted || this.#nowMs <= this.#input.tape.startMs) return false;
    this.#hasStarted = true;
    return true;
  }

  #see(): void {
    const arriving = this.#arriving.take();
    this.#seen = arriving.showing;
    this.#mustDecide ||= arriving.isNew || this.#hasJustStarted();
    this.#decide(this.#isStream || this.#views.readsTime || this.#views.readsFacts);
  }

  /** Asks the strategy if anything is new to it, and brings the orders in line with its quotes. */
  #decide(isDue: boolean): void {
    const showing = this.#seen;
    const nowMs = this.#nowMs;
    if (showing === null || this.#isOver) return;
    if (nowMs >= this.#toMs || this.#isHalted) return this.#stopQuoting(showing);
    this.#decideOn(showing, nowMs, isDue);
    if (!this.#isChanged) this.#showMs = this.#nextShowingMs();
  }

  #decideOn(showing: Showing, nowMs: number, isDue: boolean): void {
    const isWoken = this.#isStream && this.#decider.advance(nowMs);
    if (this.#mustDecide || isWoken || isDue) {
      this.#mustDecide = false;
      this.#trader.want(
        this.#decider.decide(this.#views.make(showing, nowMs, this.#trader.inPlay)),
        showing,
        nowMs,
      );
    } else this.#trader.plan(showing, nowMs);
  }

  /** Outside the window, or after too large a loss, nothing is quoted any more. */
  #stopQuoting(showing: Showing): void {
    this.#trader.want({ intents: [] }, showing, this.#nowMs);
    this.#isOver = this.#trader.renewMs === Infinity;
    if (this.#nowMs >= this.#toMs) this.#isOver = true;
    if (this.#isOver) this.#showMs = Infinity;
  }

  #sample(): void {
    const nowMs = this.#nowMs;
    this.#records.sample(nowMs, this.#exposure.worstMicros(), this.#exposure);
    this.#sampleMs = nowMs + SAMPLE_MS;
    const totalMicros = this.#records.markedMicros(nowMs, this.#exposure);
    this.#peakMicros = Math.max(this.#peakMicros, totalMicros);
    if (this.#exposure.isLost(totalMicros, this.#peakMicros)) this.#isHalted = true;
  }

  #finish(endMs: number): EventRunResult {
    this.#isOver = true;
    this.#showMs = Infinity;
    this.#arriving.clear();
    this.#exchange.end();
    this.#runUntil(Infinity);
    this.#nowMs = endMs;
    this.#decider.stop();
    this.#times.finish(endMs);
    const outcome = this.#records.finish(endMs, this.#input.commission, this.#exposure, {
      orders: this.#trader.orders,
      betslips: this.#trader.betslips.size,
      refusals: this.#trader.refusals,
      worstMicros: this.#exposure.worstMicros(),
      besidesMicros: besidesAtWholeSize(this.#input.tape, this.#rested, this.#input.model),
    });
    return { outcome, fills: this.#records.fills, equity: this.#records.equity };
  }
}
