import { ConfigError, JournalError, TouchlineError } from '../../domain/errors.ts';
import { eventKey, type EventName, writtenEvent } from '../../domain/events.ts';
import { type ExchangePrices, LAY_PRICES } from '../../domain/exchange-prices.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { Fill } from '../../domain/live-order.ts';
import { kindsOf, type PriceConvention } from '../../domain/odds.ts';
import type { StreamSignal } from '../../domain/stream.ts';
import type { OrderManager } from '../../orders/api.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Venue } from '../../ports/venue.ts';
import type { RiskRead } from '../../risk/index.ts';
import { conventionMetrics } from './convention-metrics.ts';
import { conventionEntry, dependsOnConvention, type RecordedConvention } from './journalled.ts';
import type { ConventionStatus, HowKnown } from './convention-status.ts';
import { Votes } from './votes.ts';

export interface ConventionWatchParts {
  /** What a person said; null if the stream is to prove it. */
  readonly configured: PriceConvention | null;
  readonly recorded: RecordedConvention | null;
  /** Whether the journal is of no earlier run: it holds nothing that depends on the convention. */
  readonly isFresh: boolean;
  readonly secondSide: ExchangePrices['secondSide'];
  /** After a change, prices that were read by the other convention are gone from the market after this long. */
  readonly settleMs: number;
  /** Passes the prices to all that read them. */
  readonly setPrices: (prices: ExchangePrices) => void;
  readonly orders: Pick<
    OrderManager,
    'holdForConvention' | 'closeAll' | 'openOrders' | 'rereadFills' | 'status'
  >;
  readonly risk: Pick<RiskRead, 'heldAt' | 'compareReadings'>;
  readonly venue: Pick<Venue, 'position'>;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Ends the run. */
  readonly onFatal: (error: unknown) => void;
}

/** Requests of the way from one convention to another are repeated this often. */
const AGAIN_MS = 10_000;
/** The exchange may settle bets meanwhile, so a position counts as unreadable only after so many looks. */
const MOST_LOOKS = 6;

/** Proves what `against` prices are, and keeps everything from being quoted while that is in doubt. */
export class ConventionWatch {
  readonly #parts: ConventionWatchParts;
  readonly #votes = new Votes();
  readonly #metrics;
  /** The convention of the orders and bets that the journal holds. */
  #earlier: PriceConvention;
  #convention: PriceConvention | null;
  #how: HowKnown | null;
  #isProven = false;
  #contradiction: string | null = null;
  #hold: string | null = null;
  /** Monotonic instant until which the market may hold prices that were read by the other convention. */
  #settledMs = -Infinity;
  #nextMs = -Infinity;
  #looks = 0;
  #isReading = false;
  #isOver = false;

  constructor(parts: ConventionWatchParts) {
    this.#parts = parts;
    const { configured, recorded, isFresh, metrics } = parts;
    this.#earlier = recorded?.convention ?? (isFresh ? (configured ?? USUAL) : LAY_CONVENTION);
    const presumed = recorded?.how === 'stream' ? recorded.convention : null;
    this.#convention = configured ?? presumed;
    this.#how = configured !== null ? 'configured' : presumed === null ? null : 'journal';
    this.#metrics = conventionMetrics(metrics);
  }

  /** Call it before orders of earlier runs are adopted. */
  begin(): void {
    const { convention, secondSide } = this.prices;
    if (convention !== LAY_PRICES.convention || secondSide !== LAY_PRICES.secondSide) this.#pass();
    if (this.#convention === this.#earlier) this.#write();
    this.#judge();
  }

  /** What the exchange's prices are, as far as known. */
  get prices(): ExchangePrices {
    return { convention: this.#convention ?? this.#earlier, secondSide: this.#parts.secondSide };
  }

  get status(): ConventionStatus {
    return {
      convention: this.#convention,
      how: this.#how,
      isProven: this.#isProven,
      hold: this.#hold,
      votes: this.#votes.tally.votes,
      contradiction: this.#contradiction,
    };
  }

  onSignal(signal: StreamSignal): void {
    if (signal.kind === 'frame') {
      this.#votes.take(signal.entries);
      this.#hear();
    } else if (signal.kind === 'connecting' || signal.kind === 'closed') this.#votes.clear();
  }

  /** Call it about once a second. */
  tick(): void {
    if (this.#isLeaving) this.#leave();
    this.#judge();
    this.#metrics.update(this.status);
  }

  #hear(): void {
    const { verdict } = this.#votes.tally;
    if (verdict === null || this.#isOver) return this.#doubt();
    if (this.#convention === null) this.#adopt(verdict);
    else if (verdict === this.#convention) this.#confirm();
    else if (this.#how === 'journal') this.#adopt(verdict);
    else this.#contradict(verdict);
  }

  /** While a presumption waits for its proof, votes against it stop quoting before they prove anything. */
  #doubt(): void {
    if (this.#how === 'journal' && this.#isDoubted !== (this.#hold === DOUBTED)) this.#judge();
  }

  get #isDoubted(): boolean {
    const { votes } = this.#votes.tally;
    const { odds, lay } = votes;
    const [own, other] = this.#convention === 'odds' ? [odds, lay] : [lay, odds];
    return other > own;
  }

  #confirm(): void {
    if (this.#isProven) return;
    this.#isProven = true;
    if (this.#how === 'journal') this.#how = 'stream';
    this.#tell('the stream proves what against prices are');
    this.#judge();
  }

  #adopt(convention: PriceConvention): void {
    const before = this.prices.convention;
    [this.#convention, this.#how, this.#isProven] = [convention, 'stream', true];
    this.#tell('the stream proves what against prices are');
    if (convention !== before) {
      this.#settledMs = this.#parts.clock.monotonicMs() + this.#parts.settleMs;
      this.#pass();
    }
    if (!this.#isLeaving) this.#write();
    this.#judge();
  }

  #tell(message: 'the stream proves what against prices are'): void {
    const { votes } = this.#votes.tally;
    this.#parts.logger.info(message, { convention: this.#convention, ...votes });
  }

  #pass(): void {
    this.#parts.setPrices(this.prices);
  }

  /** A person has to look: what was configured or proven is wrong, or the exchange changed. */
  #contradict(shown: PriceConvention): void {
    const { orders, logger } = this.#parts;
    const { votes } = this.#votes.tally;
    this.#isOver = true;
    const known =
      this.#how === 'configured' ? `exchange.againstPrices = "${this.#convention}"` : 'the proof of before';
    this.#contradiction = `the stream shows ${shown} prices, against ${known}`;
    logger.error('the stream contradicts what against prices are taken for', { shown, known, ...votes });
    if (this.#how === 'configured' && orders.status().ordersPlaced === 0) {
      const text = `exchange.againstPrices = "${this.#convention}", but the exchange shows ${shown} prices (${shown} ${votes[shown]} votes of ${votes.odds + votes.lay}): set it to "auto" or "${shown}"`;
      this.#parts.onFatal(new ConfigError(text));
    }
    this.#judge();
    orders.closeAll(this.#contradiction);
  }

  /** The journal holds orders and bets of the other convention. */
  get #isLeaving(): boolean {
    return this.#convention !== null && this.#convention !== this.#earlier && !this.#isOver;
  }

  #judge(): void {
    const hold = this.#whyHold();
    if (hold === this.#hold) return;
    this.#hold = hold;
    this.#parts.orders.holdForConvention(hold);
  }

  #whyHold(): string | null {
    const { votes, votable } = this.#votes.tally;
    if (this.#isOver)
      return this.#contradiction ?? 'the run ends: bets of earlier runs have to be read again';
    if (this.#convention === null)
      return `${votes.odds} votes for odds, ${votes.lay} for lay prices, ${votable} selections can vote`;
    if (this.#isLeaving)
      return `orders and bets from the time of ${this.#earlier} prices are not settled yet`;
    if (this.#parts.clock.monotonicMs() < this.#settledMs) return 'the market is read anew';
    return this.#how === 'journal' && this.#isDoubted ? DOUBTED : null;
  }

  /** Closes the orders of the other convention, then reads the bets again, then goes on. */
  #leave(): void {
    const { orders, clock } = this.#parts;
    const nowMs = clock.monotonicMs();
    const open = orders.openOrders();
    if (open === null || this.#isReading || nowMs < this.#nextMs) return;
    if (open > 0) {
      this.#nextMs = nowMs + AGAIN_MS;
      return orders.closeAll(`placed at ${this.#earlier} prices`);
    }
    const events = this.#parts.risk.heldAt(this.#kinds.from);
    if (events.length === 0) return this.#left();
    this.#nextMs = nowMs + AGAIN_MS;
    this.#isReading = true;
    void this.#readAgain(events).finally(() => (this.#isReading = false));
  }

  get #kinds() {
    const to = this.#convention ?? this.#earlier;
    return { from: kindsOf(this.#earlier).against, to: kindsOf(to).against };
  }

  #left(): void {
    this.#earlier = this.#convention ?? this.#earlier;
    this.#write();
    this.#judge();
  }

  async #readAgain(events: readonly EventName[]): Promise<void> {
    const { venue, risk, logger } = this.#parts;
    const { from, to } = this.#kinds;
    const changed = new Set<EventKey>();
    for (const event of events) {
      try {
        const reported = await venue.position(event);
        const reading = risk.compareReadings({ ...reported, ...event }, from, to);
        if (reading === null) return this.#unreadable(event);
        if (reading === 'read again') changed.add(eventKey(event));
      } catch (error) {
        logger.warn('the position could not be read', { error });
        return;
      }
    }
    if (changed.size === 0) this.#left();
    else this.#writeReread((fill) => changed.has(eventKey(fill)));
  }

  #unreadable(event: EventName): void {
    if (++this.#looks < MOST_LOOKS) return;
    this.#isOver = true;
    const text = `the journal holds bets on ${writtenEvent(event)} from the time of ${this.#earlier} prices, and the exchange now shows ${this.#convention} prices: its position agrees with neither reading. Close the position by hand and wait for its settlement, or begin another journal (journal.path) when nothing is open`;
    this.#parts.onFatal(new ConfigError(text));
  }

  /** Bets in ledger and risk are read from the journal at the start alone, so another start has to follow. */
  #writeReread(isMeant: (fill: Fill) => boolean): void {
    const { orders, onFatal } = this.#parts;
    const { from, to } = this.#kinds;
    this.#isOver = true;
    try {
      const isRead = (fill: Fill): boolean =>
        fill.priceKind === from && dependsOnConvention(fill.betType) && isMeant(fill);
      const bets = orders.rereadFills(isRead, to);
      this.#write();
      const text = `${bets} bets of the journal were booked at ${this.#earlier} prices, and the exchange's position says that they are at ${this.#convention} prices: the journal now says so, too. Start again`;
      onFatal(new TouchlineError('unavailable', text));
    } catch (error) {
      onFatal(error);
    }
  }

  /** A journal without a record is one of lay prices, so a person who says so adds nothing. */
  #write(): void {
    const { recorded, journal } = this.#parts;
    if (this.#convention === null || this.#how === null || this.#how === 'journal') return;
    const now: RecordedConvention = { convention: this.#convention, how: this.#how };
    const isSaid = now.how === 'configured' || recorded?.how === 'stream';
    if (isSaid && (recorded?.convention ?? LAY_CONVENTION) === now.convention) return;
    try {
      journal.append([conventionEntry(now)]);
    } catch (error) {
      // The journal has failed for every writer and reports it itself.
      if (!(error instanceof JournalError)) throw error;
    }
  }
}

/** A journal without a record is of runs that knew lay prices alone. */
const LAY_CONVENTION = LAY_PRICES.convention;
/** What a first run presumes while the stream has not proven it, and nothing is quoted (published facts, Prices). */
const USUAL: PriceConvention = 'odds';
const DOUBTED = 'the stream speaks against what an earlier run proved';
