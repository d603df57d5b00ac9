import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { EventName } from '../../../src/domain/events.ts';
import type { ExchangePrices } from '../../../src/domain/exchange-prices.ts';
import { betType, eventId, sport } from '../../../src/domain/ids.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import type { PriceConvention, PriceKind } from '../../../src/domain/odds.ts';
import type { Position } from '../../../src/domain/orders.ts';
import { packLevels } from '../../../src/domain/price-list.ts';
import type { StreamEntry } from '../../../src/domain/stream.ts';
import { ConventionWatch } from '../../../src/engine/convention/convention-watch.ts';
import {
  conventionEntry,
  PRICE_CONVENTION,
  type RecordedConvention,
  recordedConvention,
} from '../../../src/engine/convention/journalled.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { type Metrics, noMetrics } from '../../../src/ports/metrics.ts';
import { createMemoryJournal, memoryStore } from '../../../src/storage/memory-journal.ts';

export const SETTLE_MS = 15_000;
export const MATCH: EventName = { sport: sport('fb'), eventId: eventId('1') };

export interface Given {
  readonly configured?: PriceConvention;
  readonly recorded?: RecordedConvention;
  readonly isFresh?: boolean;
  readonly open?: number;
  readonly placed?: number;
  readonly held?: readonly EventName[];
  readonly reading?: Reading;
  /** The reading of each event, in the place of `reading`. */
  readonly readings?: Readonly<Record<string, Reading>>;
  readonly secondSide?: ExchangePrices['secondSide'];
  readonly metrics?: Metrics;
  readonly beforeAppend?: () => void;
  readonly rereadFills?: () => number;
}

type Reading = 'as booked' | 'read again' | null;

/** A watch on a fake account. */
export class Rig {
  readonly clock = new VirtualClock();
  readonly journal: Journal;
  readonly prices: ExchangePrices[] = [];
  readonly closes: string[] = [];
  readonly fatals: unknown[] = [];
  readonly reread: [readonly boolean[], PriceKind][] = [];
  readonly asked: string[] = [];
  hold: string | null = null;
  open: number | null;
  /** Positions cannot be read. */
  isDown = false;
  readonly watch: ConventionWatch;

  constructor(given: Given = {}) {
    const { configured, recorded, isFresh = false, open = 0, placed = 0, held = [], reading = null } = given;
    this.open = open;
    const store = memoryStore();
    if (recorded !== undefined)
      createMemoryJournal(this.clock, { store }).append([conventionEntry(recorded)]);
    this.journal = createMemoryJournal(this.clock, {
      store,
      beforeAppend: () => given.beforeAppend?.(),
    });
    this.watch = new ConventionWatch({
      configured: configured ?? null,
      recorded: recordedConvention(this.journal),
      isFresh,
      secondSide: given.secondSide ?? 'against',
      settleMs: SETTLE_MS,
      setPrices: (prices) => void this.prices.push(prices),
      orders: {
        holdForConvention: (detail) => void (this.hold = detail),
        closeAll: (reason) => void this.closes.push(reason),
        openOrders: () => this.open,
        rereadFills: (isMeant, to) => given.rereadFills?.() ?? this.reread.push([FILLS.map(isMeant), to]),
        status: () => ({ ordersPlaced: placed }) as never,
      },
      risk: {
        heldAt: (kind) => (kind === 'lay-for' ? held : []),
        compareReadings: ({ eventId: id }) => {
          const each = given.readings?.[id];
          return each === undefined ? reading : each;
        },
      },
      venue: {
        position: async (query) => {
          this.asked.push(String(query?.eventId));
          if (this.isDown) throw new Error('down');
          return {} as Position;
        },
      },
      journal: this.journal,
      clock: this.clock,
      logger: silentLogger,
      metrics: given.metrics ?? noMetrics,
      onFatal: (error) => void this.fatals.push(error),
    });
    this.watch.begin();
  }

  show(convention: PriceConvention, count = 10): void {
    const receivedMonotonicMs = this.clock.monotonicMs();
    const entries = Array.from({ length: count }, (_, at) => book(at, convention)).flat();
    this.watch.onSignal({ kind: 'frame', epoch: 1, sentMs: null, receivedMonotonicMs, entries });
  }

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await this.clock.advance(1_000);
      this.watch.tick();
    }
  }

  get written(): readonly unknown[] {
    return Array.from(this.journal.ofKind(PRICE_CONVENTION), ({ data }) => data);
  }
}

const fill = (bet: string, priceKind: PriceKind, event = '1') =>
  ({ ...MATCH, eventId: eventId(event), betType: betType(bet), priceKind }) as Fill;

const FILLS = [
  fill('against,h', 'lay-for'),
  fill('for,h', 'odds-for'),
  fill('for,h', 'lay-for'),
  fill('against,h', 'lay-for', '2'),
];

export function book(at: number, convention: PriceConvention): StreamEntry[] {
  const of = (direction: string, price: number): StreamEntry => ({
    tag: 'offer',
    offer: {
      ...MATCH,
      betType: betType(`${direction},over,${at}`),
      marketType: 'ou',
      inRunning: false,
      priceList: packLevels([{ price, minMicros: null, maxMicros: 1e6 }]),
    },
  });
  return [of('for', 3), of('against', convention === 'lay' ? 3.1 : 1.47)];
}
