import { Account, type AccountPort } from '../../src/account/account.ts';
import type { AccountChange, AccountEvent } from '../../src/account/changes.ts';
import { isAtStake } from '../../src/domain/bet-lifecycle.ts';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { ApproveOrder } from '../../src/domain/approval.ts';
import { type ExchangePrices, LAY_PRICES, orderMarket } from '../../src/domain/exchange-prices.ts';
import { JournalError } from '../../src/domain/errors.ts';
import type { Score } from '../../src/domain/events.ts';
import type { BetId, BetType, EventId, OrderId, SelectionId, Sport } from '../../src/domain/ids.ts';
import type { AccountClaim } from '../../src/domain/installation.ts';
import type { Fill, LiveOrder } from '../../src/domain/live-order.ts';
import { mintApproval } from '../../src/domain/mint-approval.ts';
import type { PriceKind } from '../../src/domain/odds.ts';
import type { BetslipRequest, PlaceOrder, VenueOrder } from '../../src/domain/orders.ts';
import type { PriceList } from '../../src/domain/price-list.ts';
import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import type { Direction } from '../../src/domain/selection.ts';
import type { OrderManager, OrderPrices, OrderRisk } from '../../src/orders/api.ts';
import { createOrderManager } from '../../src/orders/manager.ts';
import { orderOptions } from '../../src/orders/options.ts';
import type { Journal, JournalRecord } from '../../src/ports/journal.ts';
import { type LogFields, type Logger, silentLogger } from '../../src/ports/logger.ts';
import { type Metrics, noMetrics } from '../../src/ports/metrics.ts';
import { createMemoryJournal, memoryStore, type MemoryStore } from '../../src/storage/memory-journal.ts';
import { OWN_CLAIM } from './claims.ts';
import { DEFAULT_QUOTE, FakeVenue, type FakeVenueOptions } from './fake-venue.ts';

export const EVENT = '2026-11-21,1,2' as EventId;
/** The event of the selections here. */
export const EVENT_NAME = { sport: 'fb' as Sport, eventId: EVENT };
/** The strategy whose targets a test sets. */
export const OWNER = 'a strategy';
export const SELECTION = `fb|${EVENT}|h` as SelectionId;

/** An order that a person places on the exchange's own page. */
export const BY_HAND: PlaceOrder = {
  requestUuid: '' as never,
  betslipId: '' as never,
  sport: 'fb' as never,
  eventId: EVENT,
  betType: 'for,h' as never,
  priceKind: 'odds-for' as const,
  price: 3,
  stakeMicros: 1_000_000,
  durationS: 600,
};

export interface RigOptions {
  readonly venue?: FakeVenueOptions;
  readonly options?: Parameters<typeof orderOptions>[0];
  readonly approve?: ApproveOrder;
  readonly precheck?: OrderRisk['precheck'];
  readonly claim?: AccountClaim;
  readonly recheck?: OrderRisk['recheck'];
  readonly market?: (selectionId: SelectionId) => Readonly<Record<Direction, PriceList | null>>;
  readonly youngerOffers?: RigOptions['market'];
  readonly play?: OrderPrices['playOf'];
  readonly exchangePrices?: () => ExchangePrices;
  readonly progressing?: () => boolean;
  readonly closingFailed?: () => boolean;
  readonly reduces?: () => boolean;
  readonly metrics?: Metrics;
  readonly resolve?: OrderPrices['resolve'];
  readonly auditEveryMs?: number;
}

/** A manager on a fake exchange and virtual time, which can be killed and restarted on the same journal. */
export class OrderManagerRig {
  readonly clock = new VirtualClock();
  readonly store: MemoryStore = memoryStore();
  readonly venue: FakeVenue;
  manager: OrderManager;
  /** Everything that the account was told since the last start. */
  fills: Fill[] = [];
  orderEvents: LiveOrder[] = [];
  foreign: VenueOrder[] = [];
  /** Whether booked bets are valid, by each report of the exchange on orders that are over. */
  standing: [BetId, boolean][] = [];
  /** The exchange's reports on our orders. */
  own: VenueOrder[] = [];
  /** Whether the journal refuses all writes. */
  isFull = false;
  /** The first record at which reading the journal fails, for the next run. */
  damagedAfter: { readonly seq: number; readonly damage: Error } | null = null;
  fatals: unknown[] = [];
  /** The latches that a failed journal may not hold. */
  unwrittenLatches: string[] = [];
  /** How often the account was told of another account. */
  otherAccounts = 0;
  /** The orders whose parked bets were taken. */
  unparked: OrderId[] = [];
  /** The fills that an earlier run had booked. */
  rememberedFills: Fill[] = [];
  /** Warnings logged since the last start. */
  warnings: string[] = [];
  /** The fields of each warning. */
  warned: LogFields[] = [];
  #given: RigOptions;
  #uuids = 0;

  constructor(given: RigOptions = {}) {
    this.#given = given;
    this.venue = new FakeVenue(this.clock, given.venue);
    this.manager = this.#make();
  }

  /** Starts the manager with the stream up, and lets the heartbeat arm. */
  async start(): Promise<void> {
    this.venue.connect();
    const started = this.manager.start();
    await this.clock.advance(800);
    await started;
    await this.clock.advance(200);
  }

  /** Starts, and continues until the wanted quotes rest, if they may. */
  async startQuoting(...intents: readonly QuoteIntent[]): Promise<void> {
    await this.start();
    this.desire(...intents);
    await this.advance(2_000);
  }

  /** Acts as kill -9 and a new process would. */
  async restart(): Promise<void> {
    this.kill();
    this.revive();
    await this.start();
  }

  kill(): void {
    this.manager.stop();
    this.venue.signal = () => undefined;
  }

  revive(over: Pick<RigOptions, 'claim'> = {}): void {
    this.#given = { ...this.#given, ...over };
    this.fills = [];
    this.rememberedFills = [];
    this.orderEvents = [];
    this.warnings = [];
    this.warned = [];
    this.manager = this.#make();
  }

  /** A new process, on a journal with content that cannot be read. */
  loseJournal(): void {
    if (this.store.records.length === 0)
      this.store.records.push({ seq: 1, atMs: 0, kind: 'run_started', uuid: null, data: {} });
    this.damagedAfter = { seq: 0, damage: new JournalError('journal record is damaged', { seq: 1 }) };
    this.revive();
  }

  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms);
  }

  desire(...intents: readonly QuoteIntent[]): void {
    this.manager.setTargets(EVENT_NAME, OWNER, intents);
  }

  /** The strategy decides by a view with this score. */
  decide(score: Score | null, ...intents: readonly QuoteIntent[]): void {
    this.manager.setTargets(EVENT_NAME, OWNER, intents, score);
  }

  /** States of the orders that are not over. */
  states(): string[] {
    return Array.from(this.manager.orders(), ({ state }) => state);
  }

  kinds(): string[] {
    return this.store.records.map((record) => record.kind);
  }

  #journal(): Journal {
    const { clock, store, damagedAfter } = this;
    const beforeAppend = (): void => {
      if (this.isFull) throw new Error('disk full');
    };
    const journal = createMemoryJournal(clock, { store, beforeAppend });
    if (damagedAfter === null) return journal;
    function* read(afterSeq?: number): Iterable<JournalRecord> {
      for (const record of journal.read(afterSeq)) {
        if (damagedAfter !== null && record.seq > damagedAfter.seq) throw damagedAfter.damage;
        yield record;
      }
    }
    return { ...journal, read };
  }

  #logger(): Logger {
    const warn = (message: string, fields: LogFields = {}): void => {
      this.warnings.push(message);
      this.warned.push(fields);
    };
    return { ...silentLogger, warn, child: () => this.#logger() };
  }

  #make(): OrderManager {
    const { clock, venue } = this;
    const { exchangePrices = () => LAY_PRICES } = this.#given;
    const manager = createOrderManager({
      venue,
      clock,
      logger: this.#logger(),
      metrics: this.#given.metrics ?? noMetrics,
      journal: this.#journal(),
      ids: { uuid: () => `uuid-${this.#uuids++}` },
      risk: {
        approve: this.#given.approve ?? ((order) => ({ ok: true, order: mintApproval({ ...order }) })),
        precheck: this.#given.precheck ?? (() => []),
        recheck: this.#given.recheck ?? (() => []),
        reduces: () => this.#given.reduces?.() ?? false,
      },
      prices: {
        resolve:
          this.#given.resolve ?? ((selectionId, kind) => marketOf(selectionId, kind, exchangePrices())),
        marketOf: this.#given.market ?? (() => ({ for: DEFAULT_QUOTE, against: DEFAULT_QUOTE })),
        playOf: this.#given.play ?? (() => ({ inRunning: false, score: null })),
        youngerOffersOf: this.#given.youngerOffers ?? (() => ({ for: null, against: null })),
      },
      exchangePrices,
      health: {
        progressing: () => this.#given.progressing?.() ?? true,
        closingFailed: () => this.#given.closingFailed?.() ?? false,
      },
      account: this.#account(),
      onUnwrittenLatch: (reason) => void this.unwrittenLatches.push(reason),
      onFatal: (error) => void this.fatals.push(error),
      claim: this.#given.claim ?? OWN_CLAIM,
      options: orderOptions(this.#given.options),
      ...(this.#given.auditEveryMs === undefined ? {} : { auditEveryMs: this.#given.auditEveryMs }),
    });
    venue.signal = (signal) => manager.onSignal(signal);
    return manager;
  }

  #account(): AccountPort {
    const account = new Account([], this.clock);
    return {
      bets: account.bets,
      apply: (event) => {
        this.#onEvent(event);
        for (const change of account.apply(event)) this.#onChange(change);
      },
    };
  }

  /** A report of an order that is not foreign is of one of ours. */
  #onEvent(event: AccountEvent): void {
    if (event.kind === 'foreign_order') this.foreign.push(event.order);
    else if (event.kind === 'report' && this.foreign.at(-1) !== event.order) this.own.push(event.order);
    else if (event.kind === 'other_account') this.otherAccounts++;
    else if (event.kind === 'unparked') this.unparked.push(event.orderId);
  }

  #onChange(change: AccountChange): void {
    if (change.kind === 'order') this.orderEvents.push(change.order);
    if (change.kind === 'booked') this.fills.push(change.fill);
    if (change.kind === 'booked' && change.isRecorded) this.rememberedFills.push(change.fill);
    if (change.kind !== 'moved' || (change.from !== 'void' && change.to !== 'void')) return;
    this.standing.push([change.fill.betId, isAtStake(change.to)]);
  }
}

function marketOf(selectionId: SelectionId, kind: PriceKind, prices: ExchangePrices): BetslipRequest {
  const [sport, eventId, outcome] = selectionId.split('|') as [string, string, string];
  const { betTypeDirection, betslipType } = orderMarket(kind, prices);
  return {
    sport: sport as Sport,
    eventId: eventId as EventId,
    betType: `${betTypeDirection},${outcome}` as BetType,
    ...(betslipType === 'lay' && { betslipType }),
  };
}

/** A passive quote by default: the best offered to `for` takers is 2.00, tick 99. */
export function quote(over: Partial<QuoteIntent> = {}): QuoteIntent {
  return { selectionId: SELECTION, direction: 'for', tick: 110, stakeMicros: 10_000_000, level: 0, ...over };
}
