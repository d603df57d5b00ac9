/** The orders of a session: run through the fill scenarios, and as they were really filled. */
import { eventKey, type EventName } from '../../domain/events.ts';
import type { RequestUuid, SelectionId } from '../../domain/ids.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { priceOf, type Tick, tickOf } from '../../domain/ladder.ts';
import { intentKey } from '../../domain/quote-intent.ts';
import type { Direction } from '../../domain/selection.ts';
import type { FillModel } from '../../fills/fill-model.ts';
import { PRICE_TIME } from '../../fills/price-time.ts';
import { FILL_MODELS } from '../../fills/scenarios.ts';
import { seededRandom } from '../../lib/random.ts';
import type { RiskLimits } from '../../risk/index.ts';
import { newOrder, type OwnOrder } from '../fast/exchange/own-order.ts';
import { RecordedExchange } from '../fast/exchange/recorded-exchange.ts';
import type { FillCause } from '../fast/exchange/selection-book.ts';
import { play } from '../fast/fixed-quotes.ts';
import { TapeExposure } from '../exposure.ts';
import { fastSettings } from '../fast/settings.ts';
import { besidesAtWholeSize, type RestedOrder, restedOrder } from '../fast/whole-trades.ts';
import { mergeEquity } from '../records/equity.ts';
import { EventRecords, type EventRunResult } from '../records/event-records.ts';
import { OpenTimes } from '../records/open-times.ts';
import { SCENARIOS } from '../../fills/fill-model.ts';
import type { ResearchFill, ScenarioResult } from '../result.ts';
import type { EventTape } from '../tape.ts';

/** An order of a recorded session, as the daemon knew it. Instants are wall-clock milliseconds. */
export interface SessionOrder {
  readonly uuid: RequestUuid;
  readonly event: EventName;
  readonly selectionId: SelectionId;
  readonly direction: Direction;
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  /** When the exchange had accepted it. */
  readonly placedMs: number;
  /** When we asked to close it; null: never. */
  readonly closedMs: number | null;
  /** When it lapsed; null if the exchange did not say. */
  readonly expiryMs: number | null;
}

export interface SessionOutcome {
  readonly scenarios: readonly ScenarioResult[];
  readonly real: readonly ResearchFill[];
}

/** An exchange that places at once: the instants of a session's orders are those at which they rested. */
const AT_ONCE = fastSettings({ placementDelayMs: [0, 0], inPlayDelayMs: [0, 0] });

/** The fills that the scenarios give to the orders of a session, beside those that they really got. `limits` say how exposures net. */
export function outcomeOf(
  tapes: readonly EventTape[],
  orders: readonly SessionOrder[],
  fills: readonly Fill[],
  limits: RiskLimits,
): SessionOutcome {
  const byEvent = Map.groupBy(orders, ({ event }) => eventKey(event));
  const traded = tapes.filter(({ event }) => byEvent.has(eventKey(event)));
  const ordersOn = ({ event }: EventTape): readonly SessionOrder[] => byEvent.get(eventKey(event)) ?? [];
  const scenarios = SCENARIOS.map((scenario): ScenarioResult => {
    const events = traded.map((tape) =>
      new OrdersRun(tape, limits, FILL_MODELS[scenario]).place(ordersOn(tape)),
    );
    return {
      scenario,
      fills: events.flatMap((each) => each.fills),
      events: events.map(({ outcome }) => outcome),
      equity: mergeEquity(events.map(({ equity }) => equity)),
    };
  });
  const real = traded.flatMap(
    (tape) => new OrdersRun(tape, limits, PRICE_TIME).happened(ordersOn(tape), fills).fills,
  );
  return { scenarios, real };
}

/** One event with orders. */
class OrdersRun {
  readonly #tape: EventTape;
  readonly #exchange: RecordedExchange;
  readonly #records: EventRecords;
  readonly #times: OpenTimes;
  readonly #exposure: TapeExposure;
  readonly #model: FillModel;
  readonly #rested: RestedOrder[] = [];

  constructor(tape: EventTape, limits: RiskLimits, model: FillModel) {
    [this.#tape, this.#model] = [tape, model];
    this.#exchange = new RecordedExchange(tape, model, AT_ONCE, seededRandom(1), {
      onFill: (order, tick, stakeMicros, cause) => this.#fill(order, tick, stakeMicros, cause),
      onClosed: (order) => this.#rested.push(...restedOrder(order, this.#exchange.row)),
      onQuotes: (selection) => this.#times.onQuotes(selection, this.#exchange.nowMs),
      onState: (market) => this.#times.onState(market, this.#exchange.nowMs),
      onInPlay: () => undefined,
      onRemoval: (market) => this.#exposure.reduce(market, this.#exchange.nowMs),
    });
    this.#times = new OpenTimes({
      tape,
      startMs: tape.updates.atMs[0] ?? tape.startMs,
      window: [-Infinity, Infinity],
      open: this.#exchange.open,
      isQuoted: (selection) => this.#exchange.isQuoted(selection),
    });
    this.#records = new EventRecords(tape, this.#times);
    this.#exposure = new TapeExposure(tape, limits);
  }

  /** Runs the orders through the fill model. */
  place(orders: readonly SessionOrder[]): EventRunResult {
    for (const [at, order] of orders.entries()) {
      const own = this.#own(order, at);
      if (own.selection === -1) continue;
      this.#exchange.place(own, order.placedMs);
      if (order.closedMs !== null) this.#exchange.cancel(own, order.closedMs);
    }
    return this.#play(orders.length, []);
  }

  /** Notes the real fills of the orders. */
  happened(orders: readonly SessionOrder[], fills: readonly Fill[]): EventRunResult {
    const known = new Map(orders.map((order, at) => [order.uuid, { order, at }]));
    const own = fills.flatMap((fill) => {
      const found = fill.requestUuid === null ? undefined : known.get(fill.requestUuid);
      return found === undefined ? [] : [{ fill, ...found }];
    });
    const due = own.toSorted((a, b) => a.fill.atMs - b.fill.atMs);
    const tasks = due.map(({ fill, order, at }) => ({
      atMs: fill.atMs,
      run: (): void => {
        const filled = { ...this.#own(order, at), restedFromMs: order.placedMs };
        if (filled.selection === -1) return;
        this.#exchange.nowMs = fill.atMs;
        this.#fill(filled, tickOf(fill.price) ?? order.tick, fill.stakeMicros, causeOf(fill));
      },
    }));
    return this.#play(orders.length, tasks);
  }

  #play(orders: number, tasks: { readonly atMs: number; readonly run: () => void }[]): EventRunResult {
    const { updates } = this.#tape;
    const endMs = updates.atMs[updates.length - 1] ?? this.#tape.startMs;
    const runUntil = (nowMs: number): void => {
      for (let next = tasks[0]; next !== undefined && next.atMs <= nowMs; next = tasks[0]) {
        tasks.shift();
        next.run();
      }
    };
    play(this.#tape, this.#exchange, runUntil);
    for (const { run } of tasks) run();
    this.#exchange.end();
    this.#times.finish(endMs);
    const worstMicros = this.#exposure.worstMicros();
    const besidesMicros = besidesAtWholeSize(this.#tape, this.#rested, this.#model);
    const outcome = this.#records.finish(endMs, null, this.#exposure, {
      orders,
      betslips: 0,
      refusals: {},
      worstMicros,
      besidesMicros,
    });
    return { outcome, fills: this.#records.fills, equity: this.#records.equity };
  }

  #fill(order: OwnOrder, tick: Tick, stakeMicros: Micros, cause: FillCause): void {
    const { selection, direction } = order;
    const atMs = this.#exchange.nowMs;
    this.#records.onFill(order, { tick, stakeMicros, cause, atMs, inPlay: this.#exchange.inPlay });
    this.#exposure.matched({ selection, direction, price: priceOf(tick), stakeMicros }, atMs);
    this.#records.sample(atMs, this.#exposure.worstMicros(), this.#exposure);
  }

  #own(
    { selectionId, direction, tick, stakeMicros, placedMs, expiryMs }: SessionOrder,
    at: number,
  ): OwnOrder {
    const selection = this.#tape.selections.findIndex((each) => each.selectionId === selectionId);
    const key = intentKey({ selectionId, direction, level: at });
    return newOrder(
      { id: at, selection, direction, tick, stakeMicros, key, level: at },
      { sentMs: placedMs, answeredMs: placedMs, expiryMs: expiryMs ?? Infinity },
    );
  }
}

const causeOf = ({ role }: Fill): FillCause => (role === 'taker' ? 'taken' : 'book-crossed');
