import { Subject } from 'rxjs';
import type { AccountChange } from '../../src/account/changes.ts';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { EventView, PositionView } from '../../src/domain/event-view.ts';
import { LAY_PRICES } from '../../src/domain/exchange-prices.ts';
import type { EventName, SportEvent } from '../../src/domain/events.ts';
import type { SelectionId } from '../../src/domain/ids.ts';
import * as ids from '../../src/domain/ids.ts';
import type { Fill, LiveOrder } from '../../src/domain/live-order.ts';
import { packLevels, type PriceList } from '../../src/domain/price-list.ts';
import { selectionId } from '../../src/domain/selection.ts';
import type { SourceBatch } from '../../src/domain/source-price.ts';
import type { Offer, Quote, StreamEntry, StreamSignal } from '../../src/domain/stream.ts';
import { momentOf } from '../../src/lib/time.ts';
import {
  createMarket,
  type Market,
  type MarketChange,
  type PriceMeaning,
  type MarketOptions,
} from '../../src/market/index.ts';
import type { AccountFacts } from '../../src/market/describe.ts';
import { type Logger, silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import { SELECTION_KINDS } from '../../src/domain/odds.ts';

export const FB = ids.sport('fb');
export const EVENT = ids.eventId('2026-11-21,10,20');
export const FIXTURE: EventName = { sport: FB, eventId: EVENT };
export const HOME = selectionId(FB, EVENT, 'h');
export const STALE_MS = 10_000;

/** An account without bets and without budgets. */
export const NOTHING_HELD: AccountFacts = {
  position: () => ({ ifWinMicros: 0, ifLoseMicros: 0 }),
  held: [],
  realisedMicros: 0,
  budgets: null,
};

export interface Rig {
  readonly clock: VirtualClock;
  readonly market: Market;
  readonly changes: MarketChange[];
  readonly errors: unknown[];
  readonly signals$: Subject<StreamSignal>;
  readonly account$: Subject<AccountChange>;
  readonly sourcePrices$: Subject<SourceBatch>;
  /** Delivers one frame at the clock's instant. */
  frame(entries: readonly StreamEntry[], epoch?: number): MarketChange | null;
  /** The view of the event, now. */
  view(
    chosen: readonly SelectionId[],
    position: PositionView,
    held?: readonly SelectionId[],
    account?: Partial<AccountFacts>,
  ): EventView | null;
  order(order: LiveOrder): void;
  fill(fill: Fill): void;
}

export function rig(
  options: Partial<MarketOptions> = {},
  logger: Logger = silentLogger,
  meaning: Partial<PriceMeaning> = {},
): Rig {
  const clock = new VirtualClock();
  const market = createMarket({ staleAfterMs: STALE_MS, ...options }, clock, logger, noMetrics, {
    get current() {
      return meaning.current ?? LAY_PRICES;
    },
    isLay: (id) => meaning.isLay?.(id) ?? false,
  });
  const signals$ = new Subject<StreamSignal>();
  const account$ = new Subject<AccountChange>();
  const sourcePrices$ = new Subject<SourceBatch>();
  const changes: MarketChange[] = [];
  const errors: unknown[] = [];
  market.changes$({ signals$, account$, sourcePrices$ }).subscribe({
    next: (change) => changes.push(change),
    error: (error: unknown) => errors.push(error),
  });
  return {
    clock,
    market,
    changes,
    errors,
    signals$,
    account$,
    sourcePrices$,
    frame(entries, epoch = 1) {
      const before = changes.length;
      const receivedMonotonicMs = clock.monotonicMs();
      signals$.next({ kind: 'frame', epoch, sentMs: clock.wallMs(), receivedMonotonicMs, entries });
      return changes[before] ?? null;
    },
    view: (chosen, position, held = [], account = {}) =>
      market.view(
        FIXTURE,
        chosen,
        { ...NOTHING_HELD, position: () => position, held, ...account },
        momentOf(clock),
      ),
    order: (order) => account$.next({ kind: 'order', order, before: null }),
    fill: (fill) => account$.next({ kind: 'booked', fill, state: 'matched', isRecorded: false }),
  };
}

export function sportEvent(changes: Partial<SportEvent> = {}): SportEvent {
  return {
    sport: FB,
    eventId: EVENT,
    eventType: 'normal',
    eventName: 'A v B',
    competitionId: 7,
    competitionName: 'League',
    competitionCountry: 'GB',
    home: 'A',
    away: 'B',
    teams: [],
    irStatus: 'pre_event',
    startTimeMs: 1_700_000_000_000 + 3_600_000,
    ...changes,
  };
}

export const eventEntry = (changes: Partial<SportEvent> = {}): StreamEntry => ({
  tag: 'event',
  event: sportEvent(changes),
});

/** A price list from `[price, stake in USDT]` pairs. */
export const prices = (...levels: readonly (readonly [price: number, stake: number])[]): PriceList =>
  packLevels(
    levels.map(([price, stake]) => ({ price, minMicros: null, maxMicros: Math.round(stake * 1e6) })),
  );

export function offer(betType: string, priceList: PriceList, changes: Partial<Offer> = {}): Offer {
  const name = { sport: FB, eventId: EVENT, betType: ids.betType(betType) };
  return { ...name, marketType: 'wdw', inRunning: false, priceList, ...changes };
}

export const offerEntry = (...of: Parameters<typeof offer>): StreamEntry => ({
  tag: 'offer',
  offer: offer(...of),
});

export function quoteEntry(betType: string, priceList: PriceList, changes: Partial<Quote> = {}): StreamEntry {
  const name = { betslipId: ids.betslipId('s1'), sport: FB, eventId: EVENT, betType: ids.betType(betType) };
  return { tag: 'pmm', quote: { ...name, statusCode: 'success', priceList, totalMicros: null, ...changes } };
}

let orders = 0;

export function liveOrder(changes: Partial<LiveOrder> = {}): LiveOrder {
  const direction = changes.direction ?? 'against';
  return {
    requestUuid: ids.requestUuid(`uuid-${orders++}`),
    orderId: ids.orderId(1),
    betslipId: ids.betslipId('s1'),
    selectionId: HOME,
    sport: FB,
    eventId: EVENT,
    betType: ids.betType(`${direction},h`),
    direction,
    priceKind: SELECTION_KINDS[direction],
    mode: 'make_and_take',
    tick: 100,
    stakeMicros: 10e6,
    filledMicros: 0,
    state: 'live',
    createdMonotonicMs: 0,
    expiryMs: null,
    closeReason: null,
    ...changes,
  };
}

/** The offers of others on the home team. */
export const [FOR, AGAINST] = [prices([2, 100], [1.99, 50]), prices([2.06, 70], [2.04, 40])];

/** A bet of ours on the home team. */
export const FILL: Fill = {
  betId: ids.betId(1),
  orderId: ids.orderId(1),
  requestUuid: null,
  selectionId: HOME,
  sport: FB,
  eventId: EVENT,
  betType: ids.betType('for,h'),
  direction: 'for',
  price: 2,
  stakeMicros: 1,
  priceKind: 'odds-for',
  role: 'maker',
  atMs: 0,
};
