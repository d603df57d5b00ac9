/**
 * A recorded event on the exchange of a full backtest: plays its tape there, and notes what became of our orders. The notes are those
 * of the fast engine, by the recorded book without our orders in it.
 */
import type { FillModel } from '../../fills/fill-model.ts';
import { PRICE_TIME } from '../../fills/price-time.ts';
import type { RecordedFacts } from '../../domain/event-view.ts';
import type { Micros } from '../../domain/money.ts';
import { isPassiveDelay } from '../../domain/bet-delay.ts';
import { priceOf, tickOf } from '../../domain/ladder.ts';
import type { TakeTerms } from '../../domain/orders.ts';
import { type Direction, DIRECTIONS } from '../../domain/selection.ts';
import type { Random } from '../../lib/random.ts';
import type { RiskLimits } from '../../risk/index.ts';
import type { InspectedOrder, Market, SimEventName, SimOutcome } from '../../simulator/core/api.ts';
import type { BacktestInput } from '../backtest-engine.ts';
import { RecordedExchange } from '../fast/exchange/recorded-exchange.ts';
import type { FillCause } from '../fast/exchange/selection-book.ts';
import { TapeExposure } from '../exposure.ts';
import { fastSettings } from '../fast/settings.ts';
import { besidesAtWholeSize, type RestedOrder } from '../fast/whole-trades.ts';
import {
  type Activity,
  EventRecords,
  type EventRunResult,
  type FilledOrder,
} from '../records/event-records.ts';
import { OpenTimes } from '../records/open-times.ts';
import { type Turn, turnsOf } from '../removals.ts';
import { type MarketState, MarketStates } from '../../simulator/feeds/market-states.ts';
import { type EventTape, isSameClock, isSamePair, OP, type Removal } from '../tape.ts';
import { TapeFacts } from '../tape-facts.ts';
import { reducedMarketOf } from '../../domain/reduction.ts';
import { resultOf, simEvent } from './sim-event.ts';

/** Name of the background participant that holds the recorded stake. */
export const RECORDED = 'recorded';
/** While a position is held, the account is sampled this often. */
const SAMPLE_MS = 60_000;

export interface RecordedEventInput {
  /** Without `OP.clear`, see `explicitLevels`. */
  readonly tape: EventTape;
  /** The model of the exchange that plays the event. */
  readonly model: FillModel;
  readonly limits: RiskLimits;
  readonly variants?: BacktestInput['variants'];
  /** Wall-clock milliseconds: only times within count. */
  readonly window: readonly [fromMs: number, toMs: number];
  readonly random: Random;
}

/** An order of ours on the exchange, as far as its fills need it. */
interface Followed {
  readonly order: { -readonly [K in keyof FilledOrder]: FilledOrder[K] };
  readonly orderId: number;
  readonly requestUuid: string | null;
  readonly price: number;
  readonly stakeMicros: Micros;
  filledMicros: Micros;
  /** Rows of the tape that were played when it reached its book, and when it closed. */
  fromRow: number | null;
  toRow: number;
  fills: number;
  /** The stake that counts as open in the exposure. */
  openMicros: Micros;
}

export class RecordedEvent {
  readonly #input: RecordedEventInput;
  readonly #shown: RecordedExchange;
  readonly #times: OpenTimes;
  readonly #records: EventRecords;
  readonly #exposure: TapeExposure;
  readonly #selections: ReadonlyMap<string, number>;
  readonly #followed = new Map<number, Followed>();
  /** Per selection: our orders that the exchange holds. */
  readonly #working: readonly Set<Followed>[];
  readonly #facts: TapeFacts;
  #at = 0;
  readonly #turns: readonly Turn[];
  #nextTurn = 0;
  #score = 0;
  #toldRow = 0;
  #nowMs = 0;
  #sampleMs = Infinity;
  /** The side of the level or trade that is played. */
  #played: Direction = 'for';
  /** By market: the outcomes of its selections. */
  readonly #outcomes: readonly (readonly string[])[];
  readonly #states: MarketStates;
  /** By market. */
  readonly #betDelaysMs: number[];
  #isOver = false;

  constructor(input: RecordedEventInput) {
    this.#input = input;
    const { tape, limits, window } = input;
    const startMs = tape.updates.atMs[0] ?? tape.startMs;
    this.#turns = turnsOf(tape);
    this.#shown = new RecordedExchange(tape, PRICE_TIME, fastSettings(), input.random, {
      onFill: () => undefined,
      onClosed: () => undefined,
      onQuotes: () => undefined,
      onState: (market) => this.#times.onState(market, this.#nowMs),
      onRemoval: (market) => this.#exposure.reduce(market, this.#nowMs),
      onInPlay: () => undefined,
    });
    this.#working = tape.selections.map(() => new Set());
    this.#times = new OpenTimes({
      tape,
      startMs,
      window,
      open: this.#shown.open,
      isQuoted: (selection) => this.#isQuoted(selection),
    });
    this.#records = new EventRecords(tape, this.#times, input.variants);
    this.#exposure = new TapeExposure(tape, limits);
    this.#facts = new TapeFacts(tape);
    this.#selections = new Map(tape.selections.map(({ outcome }, at) => [outcome, at]));
    this.#outcomes = tape.markets.map((_, of) =>
      tape.selections.flatMap(({ outcome, market }) => (market === of ? [outcome] : [])),
    );
    this.#states = new MarketStates(tape.event, this.#outcomes);
    this.#betDelaysMs = tape.markets.map(() => 0);
  }

  get name(): SimEventName {
    return this.#input.tape.event;
  }

  /** The first and the last instant of the tape. */
  get spanMs(): readonly [fromMs: number, toMs: number] {
    const { atMs, length } = this.#input.tape.updates;
    return [atMs[0] ?? Infinity, atMs[length - 1] ?? -Infinity];
  }

  /** When the tape goes on; null at its end. */
  nextDueMs(): number | null {
    const { atMs, length } = this.#input.tape.updates;
    if (this.#at >= length) return null;
    return Math.min(atMs[this.#at] as number, this.#turnMs(), this.#scoreMs());
  }

  /** Plays everything due by `untilMs`, at `nowMs` of the exchange, which is not earlier. */
  advance(market: Market, untilMs: number, nowMs = untilMs): void {
    if (this.#at === 0) market.putEvent(simEvent(this.#input.tape), nowMs);
    for (let dueMs = this.nextDueMs(); dueMs !== null && dueMs <= untilMs; dueMs = this.nextDueMs()) {
      if (this.#turnMs() <= dueMs) this.#passTurn(market, nowMs);
      else if (this.#scoreMs() <= dueMs) this.#playScore(market, nowMs);
      else this.#playInstant(market, dueMs, nowMs);
    }
    if (this.nextDueMs() === null && !this.#isOver) this.#end(market, nowMs);
  }

  /** An order of ours has changed. */
  onOrder(order: InspectedOrder, nowMs: number): void {
    this.#moveTo(nowMs);
    const followed = this.#followed.get(order.orderId) ?? this.#follow(order);
    if (followed === null) return;
    for (const fill of order.fills.slice(followed.fills)) this.#onFill(followed, fill);
    followed.fills = order.fills.length;
    followed.filledMicros = order.filledMicros;
    const isOpen = order.status === 'open';
    if (!isOpen) followed.toRow = Math.min(followed.toRow, this.#at);
    this.#setOpen(followed, isOpen ? order.stakeMicros - order.filledMicros : 0);
    this.#setWorking(followed, isOpen);
  }

  /** An order of ours begins to rest. */
  onRest(orderId: number, aheadMicros: Micros, nowMs: number): void {
    this.#moveTo(nowMs);
    const followed = this.#followed.get(orderId);
    if (followed === undefined) return;
    followed.order.restedFromMs = this.#nowMs;
    followed.fromRow = this.#at;
    followed.order.queueAheadMicros = aheadMicros;
  }

  /** Orders arrive and lapse between the instants of the tape. */
  #moveTo(nowMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
  }

  /** The facts that the tape tells of a selection by an instant, wall-clock milliseconds; null for one of another event. Instants ascend. */
  factsOf(outcome: string, atMs: number): RecordedFacts | null {
    const selection = this.#selections.get(outcome);
    if (selection === undefined) return null;
    const { updates, gaps, markets } = this.#input.tape;
    while (this.#toldRow < updates.length && (updates.atMs[this.#toldRow] as number) <= atMs) this.#toldRow++;
    const gapsNow = gaps.filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
    const inGap = markets.map((_, at) => gapsNow.some(({ market }) => market === null || market === at));
    return this.#facts.of(selection, this.#toldRow, inGap);
  }

  get orders(): number {
    return this.#followed.size;
  }

  /** `takeOf`: the take that an order of the daemon carries out, by its request. */
  finish(
    commission: number | null,
    activity: Pick<Activity, 'betslips' | 'refusals'>,
    takeOf: (requestUuid: string) => TakeTerms | undefined,
  ): EventRunResult {
    for (const { order, requestUuid } of this.#followed.values())
      order.take = requestUuid === null ? undefined : takeOf(requestUuid);
    const endMs = this.spanMs[1];
    this.#times.finish(endMs);
    const outcome = this.#records.finish(endMs, commission, this.#exposure, {
      ...activity,
      orders: this.orders,
      worstMicros: this.#exposure.worstMicros(),
      besidesMicros: besidesAtWholeSize(this.#input.tape, this.#rested(), this.#input.model),
    });
    return { outcome, fills: this.#records.fills, equity: this.#records.equity };
  }

  /** In the order in which they reached their books. */
  #rested(): RestedOrder[] {
    const rested = [...this.#followed.values()].flatMap((followed): RestedOrder[] => {
      const { order, price, stakeMicros, filledMicros, fromRow, toRow } = followed;
      const { selection, direction } = order;
      const tick = tickOf(price) ?? 0;
      if (fromRow === null) return [];
      return [{ selection, direction, tick, stakeMicros, filledMicros, fromRow, toRow }];
    });
    return rested.sort((a, b) => a.fromRow - b.fromRow);
  }

  #isQuoted(selection: number): boolean {
    const sides = new Set(Array.from(this.#working[selection] ?? [], ({ order }) => order.direction));
    return sides.size === DIRECTIONS.length;
  }

  #turnMs(): number {
    return this.#turns[this.#nextTurn]?.atMs ?? Infinity;
  }

  #passTurn(market: Market, nowMs: number): void {
    const turn = this.#turns[this.#nextTurn++];
    if (turn === undefined) return;
    this.#moveTo(turn.atMs);
    this.#shown.pass(turn);
    if ('removal' in turn) this.#remove(market, turn.removal, nowMs);
    else this.#showState(market, nowMs);
  }

  #remove(market: Market, { market: of, selection, factor }: Removal, nowMs: number): void {
    const { selections, markets, event } = this.#input.tape;
    const others = selections.flatMap(({ outcome, market: at }, place) =>
      at === of && place !== selection ? [outcome] : [],
    );
    const removed = selection === null ? null : (selections[selection]?.outcome ?? null);
    const reduced = reducedMarketOf(markets[of]?.marketType ?? '');
    market.removeRunner(event, { removed, others, market: reduced, factor, fromMs: this.#nowMs }, nowMs);
  }

  /** When the tape tells the next score or clock; Infinity beyond the last. */
  #scoreMs(): number {
    return this.#input.tape.scores?.[this.#score]?.atMs ?? Infinity;
  }

  #playScore(market: Market, nowMs: number): void {
    const { event, scores = [] } = this.#input.tape;
    const [told, before] = [scores[this.#score], scores[this.#score - 1]];
    this.#score++;
    if (told === undefined) return;
    const { score, redCards, clock } = told;
    if (score !== null && !isSamePair(score, before?.score)) market.setScore(event, ...score, nowMs);
    if (redCards !== null && !isSamePair(redCards, before?.redCards))
      market.setRedCards(event, ...redCards, nowMs);
    if (clock !== null && !isSameClock(clock, before?.clock))
      market.setTime(event, clock.period, clock.minutes, nowMs);
  }

  #playInstant(market: Market, atMs: number, nowMs: number): void {
    const { updates } = this.#input.tape;
    const last = this.#lastOf(atMs);
    this.#moveTo(atMs);
    for (let at = this.#at; at <= last; at++) {
      this.#play(market, at, nowMs);
      this.#shown.apply(updates, at);
      if (updates.op[at] === OP.state) this.#showState(market, nowMs);
    }
    this.#at = last + 1;
    if (atMs >= this.#sampleMs) this.#sample();
  }

  #lastOf(atMs: number): number {
    const { updates } = this.#input.tape;
    let last = this.#at;
    while (last + 1 < updates.length && updates.atMs[last + 1] === atMs) last++;
    return last;
  }

  /** Plays an update of a selection on the exchange. */
  #play(market: Market, row: number, nowMs: number): void {
    const { op, of, tick, micros } = this.#input.tape.updates;
    const kind = op[row] as number;
    if (kind > OP.tradedAgainst) return;
    const selection = of[row] as number;
    const at = this.#outcomeOf(selection);
    const resting = kind === OP.restingFor || kind === OP.tradedFor ? 'for' : 'against';
    const [price, size] = [priceOf(tick[row] as number), micros[row] as number];
    this.#played = resting;
    if (kind <= OP.restingAgainst) {
      market.setLevel(RECORDED, at, resting, price, size, nowMs);
    } else if (this.#shown.open[this.#input.tape.selections[selection]?.market ?? -1] === true) {
      this.#noteTraded(selection, resting, tick[row] as number, size);
      market.trade(at, resting, price, size, nowMs);
    }
  }

  #outcomeOf(selection: number): SimOutcome {
    const { event, selections } = this.#input.tape;
    return { ...event, outcome: selections[selection]?.outcome ?? '' };
  }

  /** The stake counts for every order of ours at this price or a better one for its taker. */
  #noteTraded(selection: number, direction: Direction, tick: number, micros: Micros): void {
    for (const { order, price } of this.#working[selection] ?? []) {
      if (order.restedFromMs === null || order.direction !== direction) continue;
      const [own, traded] = [price, priceOf(tick)];
      if (direction === 'for' ? own <= traded : own >= traded) order.tradedMicros += micros;
    }
  }

  /** Each market is paused and delayed by itself, as in the fast engine. */
  #showState(market: Market, nowMs: number): void {
    const { tape } = this.#input;
    if (this.#shown.inPlay) market.goInRunning(tape.event, nowMs);
    const states = this.#shown.open.map((isOpen, of): MarketState => {
      if (this.#shown.isMarketClosed(of)) return 'absent';
      return isOpen ? 'open' : 'halted';
    });
    this.#states.show(market, states, nowMs);
    for (const [of, outcomes] of this.#outcomes.entries()) {
      const delayMs = this.#shown.betDelayMs(of);
      if (delayMs === this.#betDelaysMs[of]) continue;
      this.#betDelaysMs[of] = delayMs;
      const isPassive = isPassiveDelay(tape.markets[of]?.betDelayModels ?? null);
      market.setBetDelay(tape.event, outcomes, { delayMs, isPassive }, nowMs);
    }
  }

  #end(market: Market, nowMs: number): void {
    const { tape } = this.#input;
    this.#isOver = true;
    const result = resultOf(tape);
    if (result === null) market.removeEvent(tape.event, nowMs);
    else market.settle(tape.event, result, nowMs);
  }

  #follow({ orderId, requestUuid, betType, price, stakeMicros }: InspectedOrder): Followed | null {
    const comma = betType.indexOf(',');
    const direction = DIRECTIONS.find((each) => each === betType.slice(0, comma));
    const selection = this.#selections.get(betType.slice(comma + 1));
    if (direction === undefined || selection === undefined) return null;
    const order = { selection, direction, restedFromMs: null, queueAheadMicros: 0, tradedMicros: 0 };
    const nothing = { filledMicros: 0, fromRow: null, toRow: Infinity, fills: 0, openMicros: 0 };
    const followed: Followed = { order, orderId, requestUuid, price, stakeMicros, ...nothing };
    this.#followed.set(orderId, followed);
    return followed;
  }

  #onFill(followed: Followed, { price, stakeMicros, role }: InspectedOrder['fills'][number]): void {
    const { selection, direction } = followed.order;
    // What fills an order of its own side is a trade, or the fall of its level; of the other side, a level that crosses it.
    const made = direction === this.#played ? 'trade' : 'book-crossed';
    const cause: FillCause = role === 'taker' ? 'taken' : made;
    this.#records.onFill(followed.order, {
      tick: tickOf(price) ?? 0,
      stakeMicros,
      cause,
      atMs: this.#nowMs,
      inPlay: this.#shown.inPlay,
    });
    this.#setOpen(followed, Math.max(0, followed.openMicros - stakeMicros));
    this.#exposure.matched({ selection, direction, price, stakeMicros }, this.#nowMs);
    this.#sample();
  }

  #setOpen(followed: Followed, micros: Micros): void {
    const { order, orderId, price, openMicros } = followed;
    const { selection, direction } = order;
    if (micros === openMicros) return;
    followed.openMicros = micros;
    this.#exposure.open(orderId, { selection, direction, price, stakeMicros: micros });
  }

  #setWorking(followed: Followed, isWorking: boolean): void {
    const { selection } = followed.order;
    const working = this.#working[selection];
    if (working === undefined || working.has(followed) === isWorking) return;
    if (isWorking) working.add(followed);
    else working.delete(followed);
    this.#times.onQuotes(selection, this.#nowMs);
  }

  #sample(): void {
    this.#records.sample(this.#nowMs, this.#exposure.worstMicros(), this.#exposure);
    this.#sampleMs = this.#nowMs + SAMPLE_MS;
  }
}
