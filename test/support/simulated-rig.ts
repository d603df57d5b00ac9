import { Account } from '../../src/account/account.ts';
import type { AccountChange } from '../../src/account/changes.ts';
import { directionOfKind } from '../../src/domain/odds.ts';
import type { Subscription } from 'rxjs';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { BetType, EventId, SelectionId, Sport } from '../../src/domain/ids.ts';
import type { Fill, LiveOrder } from '../../src/domain/live-order.ts';
import { mintApproval } from '../../src/domain/mint-approval.ts';
import { toMicros } from '../../src/domain/money.ts';
import { packLevels, type PriceList } from '../../src/domain/price-list.ts';
import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import { Secret } from '../../src/domain/secret.ts';
import { type Direction, opposite } from '../../src/domain/selection.ts';
import { type Random, seededRandom, uuidFrom } from '../../src/lib/random.ts';
import type { OrderManager, RecoveryReport } from '../../src/orders/api.ts';
import { createOrderManager } from '../../src/orders/manager.ts';
import { orderOptions } from '../../src/orders/options.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { type Logger, silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import type { InspectedOrder, Inspection, SimOutcome } from '../../src/simulator/core/api.ts';
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import { createExchange, type Exchange } from '../../src/simulator/core/exchange.ts';
import type { ExchangeSettings } from '../../src/simulator/core/settings.ts';
import { constantLatency, type Latency } from '../../src/simulator/in-process/delay-line.ts';
import { type InProcessExchange, inProcessTransports } from '../../src/simulator/in-process/transports.ts';
import { createMemoryJournal, memoryStore, type MemoryStore } from '../../src/storage/memory-journal.ts';
import { createVenue, type ExchangeVenue } from '../../src/venue/index.ts';
import { OWN_CLAIM } from './claims.ts';

export const KEY = 'key-a';
export const ACCOUNT = 'account-a';
const FOOTBALL = 'fb' as Sport;
const OWNER = 'a strategy';

export interface SimulatedRigOptions {
  readonly seed: number;
  readonly outcomes: readonly string[];
  readonly events?: number;
  readonly settings?: Partial<ExchangeSettings>;
  readonly latency?: (random: Random) => Latency;
  readonly options?: Parameters<typeof orderOptions>[0];
  readonly reduces?: (betType: string) => boolean;
  readonly logger?: Logger;
  readonly requestTimeoutMs?: number;
  /** The number of betslips requested just before the first run. */
  readonly betslipsBefore?: number;
  readonly journal?: (clock: VirtualClock, store: MemoryStore) => Journal;
}

/** The order manager on the simulated exchange, both in this process and on one virtual clock. */
export class SimulatedRig {
  readonly clock = new VirtualClock(Date.parse('2026-03-01T12:00:00Z'));
  readonly store: MemoryStore = memoryStore();
  readonly random: Random;
  readonly exchange: Exchange;
  readonly wires: InProcessExchange;
  readonly events: readonly EventId[];
  readonly fatals: unknown[] = [];
  /** Everything that the running manager told the account. */
  fills: Fill[] = [];
  changes: LiveOrder[] = [];
  venue!: ExchangeVenue;
  manager: OrderManager | null = null;
  /** Set once `start` has resolved. */
  report: RecoveryReport | null = null;
  readonly #given: SimulatedRigOptions;
  #stream: Subscription | null = null;
  #runs = 0;
  readonly #desired = new Map<EventId, readonly QuoteIntent[]>();

  constructor(given: SimulatedRigOptions) {
    this.#given = given;
    this.random = seededRandom(given.seed, 'rig');
    this.exchange = createExchange({
      accounts: [{ accountId: ACCOUNT, keys: [KEY, 'by-hand'], balanceMicros: toMicros(10_000_000) }],
      feeds: [],
      parseBetType,
      random: seededRandom(given.seed, 'exchange'),
      startMs: this.clock.wallMs(),
      // The parts under test are given prices of the selection, unless a test says otherwise.
      settings: { priceConvention: 'lay', ...given.settings },
    });
    const latency = given.latency?.(this.random) ?? constantLatency(20);
    this.wires = inProcessTransports({ core: this.exchange, clock: this.clock, latency });
    this.events = Array.from({ length: given.events ?? 1 }, (_, at) => this.#putEvent(at));
  }

  /** Starts a run: a new client and a new manager on the same journal. It is ready after some time has passed. */
  begin(): void {
    // Only a single process runs at a time: a second one would book the fills that the first reports.
    if (this.manager !== null) this.kill();
    this.#runs++;
    this.fills = [];
    this.changes = [];
    this.report = null;
    this.venue = this.#makeVenue();
    this.manager = this.#makeManager();
    const { manager } = this;
    this.#stream = this.venue.stream$.subscribe((signal) => manager.onSignal(signal));
    this.#startUntilItWorks(manager);
  }

  /** Ends the run as kill -9 does: nothing more is sent or received. */
  kill(): void {
    this.manager?.stop();
    this.#stream?.unsubscribe();
    void this.venue.close();
    this.manager = null;
    this.report = null;
  }

  at(outcome: string, event = 0): SimOutcome {
    return { sport: 'fb', eventId: this.events[event] as string, outcome };
  }

  selection(outcome: string, event = 0): SelectionId {
    return `fb|${this.events[event]}|${outcome}` as SelectionId;
  }

  /** The resting background: one level on each side of a price. */
  setMarket(outcome: string, below: number, above: number, event = 0): void {
    const { market } = this.exchange;
    const now = this.clock.wallMs();
    const at = this.at(outcome, event);
    market.clearLevels('maker', at, now);
    market.setLevel('maker', at, 'against', below, toMicros(1_000), now);
    market.setLevel('maker', at, 'for', above, toMicros(1_000), now);
  }

  /** The wanted quotes. A later run receives them again once it has started. */
  desire(intents: readonly QuoteIntent[], event = 0): void {
    const eventId = this.events[event] as EventId;
    this.#desired.set(eventId, intents);
    this.manager?.setTargets({ sport: FOOTBALL, eventId }, OWNER, intents);
  }

  inspect(): Inspection {
    return this.exchange.inspect();
  }

  /** Orders of the account that carry our mark. */
  ours(): readonly InspectedOrder[] {
    return this.inspect().orders.filter((order) => order.userData?.startsWith('touchline/') === true);
  }

  openOrders(): readonly InspectedOrder[] {
    return this.ours().filter((order) => !order.closed);
  }

  #startUntilItWorks(manager: OrderManager): void {
    manager.start().then(
      (report) => {
        if (this.manager !== manager) return;
        this.report = report;
        for (const [eventId, intents] of this.#desired)
          manager.setTargets({ sport: FOOTBALL, eventId }, OWNER, intents);
      },
      () => {
        if (this.manager !== manager) return;
        this.kill();
        this.clock.after(2_000, () => this.begin());
      },
    );
  }

  #makeVenue(): ExchangeVenue {
    const { betslipsBefore = 0 } = this.#given;
    const betslipsAtMs = Array.from({ length: betslipsBefore }, () => this.clock.wallMs());
    const earlierBudgets = this.#runs === 1 ? { betslipsAtMs } : { snapshot: this.venue.budgetSnapshot() };
    // The wires outlive a run.
    const http = { send: this.wires.http.send.bind(this.wires.http), close: async () => undefined };
    return createVenue({
      http,
      sockets: this.wires.sockets,
      apiKey: new Secret(KEY),
      clock: this.clock,
      logger: silentLogger,
      metrics: noMetrics,
      kind: 'simulated',
      random: seededRandom(this.#given.seed, `venue-${this.#runs}`),
      requestTimeoutMs: this.#given.requestTimeoutMs ?? 5_000,
      earlierBudgets,
    });
  }

  #makeManager(): OrderManager {
    const { clock, venue } = this;
    return createOrderManager({
      venue,
      clock,
      metrics: noMetrics,
      logger: this.#given.logger ?? silentLogger,
      journal: this.#given.journal?.(clock, this.store) ?? createMemoryJournal(clock, { store: this.store }),
      ids: { uuid: () => uuidFrom(this.random) },
      risk: {
        approve: (order) => ({ ok: true, order: mintApproval({ ...order }) }),
        precheck: () => [],
        recheck: () => [],
        reduces: ({ betType }) => this.#given.reduces?.(betType) ?? false,
      },
      prices: {
        resolve: (selectionId, kind) => marketOf(selectionId, directionOfKind(kind)),
        marketOf: (selectionId) => ({
          for: this.#prices(selectionId, 'for'),
          against: this.#prices(selectionId, 'against'),
        }),
        playOf: () => ({ inRunning: false, score: null }),
        youngerOffersOf: () => ({ for: null, against: null }),
      },
      health: { progressing: () => true, closingFailed: () => false },
      account: new Account([{ onChange: (change) => this.#onChange(change) }], this.clock),
      onUnwrittenLatch: () => undefined,
      onFatal: (error) => void this.fatals.push(error),
      claim: OWN_CLAIM,
      options: orderOptions(this.#given.options),
    });
  }

  #onChange(change: AccountChange): void {
    if (change.kind === 'order') this.changes.push(change.order);
    else if (change.kind === 'booked') this.fills.push(change.fill);
  }

  /** The offers to takers in a direction: the resting stake of the other direction. */
  #prices(selectionId: SelectionId, direction: Direction): PriceList {
    const [sport, eventId, outcome] = selectionId.split('|') as [string, string, string];
    const levels = this.exchange.market.levels({ sport, eventId, outcome }, opposite(direction));
    return packLevels(
      levels.map(({ price, stakeMicros }) => ({ price, minMicros: null, maxMicros: stakeMicros })),
    );
  }

  #putEvent(at: number): EventId {
    const eventId = `2026-03-01,${at * 2 + 1},${at * 2 + 2}` as EventId;
    const [homeId, awayId] = [at * 2 + 1, at * 2 + 2];
    const now = this.clock.wallMs();
    this.exchange.market.putEvent(
      {
        sport: 'fb',
        eventId,
        eventType: 'normal',
        eventName: 'A v B',
        competitionId: 7,
        competitionName: 'League',
        competitionCountry: 'GB',
        home: 'A',
        away: 'B',
        homeId,
        awayId,
        teams: [],
        startTimeMs: now + 30 * 86_400_000,
        endTimeMs: null,
      },
      now,
    );
    for (const outcome of this.#given.outcomes) this.#firstLevels(eventId, outcome);
    return eventId;
  }

  #firstLevels(eventId: EventId, outcome: string): void {
    const at = { sport: 'fb', eventId, outcome };
    const now = this.clock.wallMs();
    this.exchange.market.setLevel('maker', at, 'against', 1.9, toMicros(1_000), now);
    this.exchange.market.setLevel('maker', at, 'for', 2.1, toMicros(1_000), now);
  }
}

function marketOf(selectionId: SelectionId, direction: Direction) {
  const [sport, eventId, outcome] = selectionId.split('|') as [string, string, string];
  return {
    sport: sport as Sport,
    eventId: eventId as EventId,
    betType: `${direction},${outcome}` as BetType,
  };
}

/** A version 4 UUID from a seeded source. */
