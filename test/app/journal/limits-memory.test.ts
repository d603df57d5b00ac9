import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import {
  earlierBudgets,
  learnedBetslipCap,
  LIMITS,
  LimitsMemory,
  rememberedLimits,
} from '../../../src/app/journal/limits-memory.ts';
import { JournalError } from '../../../src/domain/errors.ts';
import { betslipId, betType, eventId, requestUuid, sport } from '../../../src/domain/ids.ts';
import { mintApproval } from '../../../src/domain/mint-approval.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import type { OrderManager } from '../../../src/orders/api.ts';
import { entryOf } from '../../../src/orders/journal/records.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { noMetrics } from '../../../src/ports/metrics.ts';
import type { HttpTransport } from '../../../src/ports/transport.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { constantLatency } from '../../../src/simulator/in-process/delay-line.ts';
import { inProcessTransports } from '../../../src/simulator/in-process/transports.ts';
import { createMemoryJournal, memoryStore } from '../../../src/storage/memory-journal.ts';
import { createVenue, type EarlierBudgets, type ExchangeVenue } from '../../../src/venue/index.ts';
import { EVENT_ID, exchangeWithMarket, SUBJECT_KEY } from '../../contract/venue-subject.ts';
import { CalmDay } from '../../support/calm-day.ts';

const HOUR_MS = 3_600_000;
const MARKET = { sport: sport('fb'), eventId: eventId(EVENT_ID), betType: betType('for,h') };

/** The part of an order manager that the memory reads. */
function ordersWith(part: Partial<ReturnType<OrderManager['status']>> = {}) {
  const status = { betslipCap: 9, betslipCapLearned: false, journalFailed: false, ...part };
  const manager = { status: () => status };
  return { status, manager: manager as unknown as OrderManager };
}

/** The exchange, and consecutive runs of a daemon’s client on it. */
class Restarts {
  readonly clock = new VirtualClock();
  readonly core = exchangeWithMarket(this.clock);
  readonly disk = memoryStore();
  readonly wires = inProcessTransports({
    core: this.core,
    clock: this.clock,
    latency: constantLatency(10),
  });
  #uuids = 0;

  journal(): Journal {
    return createMemoryJournal(this.clock, { store: this.disk });
  }

  venue(earlier: EarlierBudgets): ExchangeVenue {
    const { sockets } = this.wires;
    // A run that ends leaves the wires to the next one.
    const http: HttpTransport = {
      send: (request) => this.wires.http.send(request),
      close: () => Promise.resolve(),
    };
    return createVenue({
      kind: 'simulated',
      http,
      sockets,
      clock: this.clock,
      apiKey: new Secret(SUBJECT_KEY),
      random: seededRandom(1),
      logger: silentLogger,
      metrics: noMetrics,
      earlierBudgets: earlier,
    });
  }

  /** Requests more than the budgets allow, for a time, and records what a daemon would record. */
  async burst(venue: Venue, journal: Journal, forMs: number): Promise<void> {
    journal.append([entryOf({ kind: 'run_started', run: `${++this.#uuids}` })]);
    const beforeSend = (): void => {
      journal.append([entryOf({ kind: 'betslip_requested', betType: 'for,h', eventId: EVENT_ID })]);
    };
    const asked = Array.from({ length: 40 }, (_, i) => [
      venue.createBetslip(MARKET, { beforeSend }),
      venue.balance(),
      venue.balance(),
      venue.balance(),
      ...(i % 4 === 0 ? [venue.placeOrder(this.#order())] : []),
    ]).flat();
    for (const each of asked) each.catch(() => undefined);
    await this.clock.advance(forMs);
  }

  #order() {
    const uuid = requestUuid(`00000000-0000-4000-8000-${String(++this.#uuids).padStart(12, '0')}`);
    const terms = {
      betslipId: betslipId('none'),
      priceKind: 'odds-for' as const,
      price: 2.26,
      stakeMicros: 1_000_000,
      durationS: 15,
    };
    return mintApproval<PlaceOrder>({ ...MARKET, ...terms, requestUuid: uuid });
  }

  get throttled(): number {
    return this.core.inspect().accounts[0]?.throttledCount ?? NaN;
  }
}

const kinds = (journal: Journal): string[] => Array.from(journal.read(), ({ kind }) => kind);

/** The recorder of learned limits, and its sources. */
function taught() {
  const clock = new VirtualClock();
  const journal = createMemoryJournal(clock);
  const orders = ordersWith();
  const limits = { budgets: {}, registeredEvents: null as number | null };
  const venue = { throttledCount: 0, learnedLimits: () => limits };
  const memory = new LimitsMemory(venue as unknown as Venue, orders.manager, journal, clock);
  return { clock, journal, orders, limits, venue, memory };
}

describe('the budgets of an account over restarts', () => {
  /**
   * Counts the throttled requests of forty runs, each killed in the middle of its burst and restarted at
   * once.
   */
  async function throttledByCrashes(
    forMs: number,
    earlierOf: (journal: Journal, clock: VirtualClock) => EarlierBudgets,
  ): Promise<number> {
    const restarts = new Restarts();
    for (let run = 0; run < 40; run++) {
      const venue = restarts.venue(earlierOf(restarts.journal(), restarts.clock));
      await restarts.burst(venue, restarts.journal(), forMs);
      await venue.close();
    }
    return restarts.throttled;
  }

  it.each([0, 20, 150, 900])('are never overdrawn, killed every %d ms', async (forMs) => {
    expect(await throttledByCrashes(forMs, earlierBudgets)).toBe(0);
  });

  it('would be overdrawn if each run began with full budgets', async () => {
    expect(await throttledByCrashes(20, () => ({}))).toBeGreaterThan(0);
  });

  it('continue where an orderly end left them', async () => {
    const restarts = new Restarts();
    const journal = restarts.journal();
    const first = restarts.venue({});
    await restarts.clock.advance(10_000);
    await restarts.burst(first, journal, 100);
    new LimitsMemory(first, ordersWith().manager, journal, restarts.clock).end();
    const left = first.budgets();
    await first.close();
    const second = restarts.venue(earlierBudgets(restarts.journal(), restarts.clock));
    expect(second.budgets()).toEqual(left);
    expect(left).toMatchObject({ ordersNow: 1, betslipsNow: 2, generalNow: 20 });
    expect(left.betslipsToday).toBe(
      1980 - kinds(journal).filter((kind) => kind === 'betslip_requested').length,
    );
    await restarts.burst(second, journal, 60_000);
    expect(restarts.throttled).toBe(0);
  });

  it('take a few hundred bytes in the journal, however many betslips the day has seen', async () => {
    const restarts = new Restarts();
    const journal = restarts.journal();
    const venue = restarts.venue({});
    for (let minute = 0; minute < 100; minute++) {
      venue.createBetslip(MARKET).catch(() => undefined);
      await restarts.clock.advance(60_000);
    }
    new LimitsMemory(venue, ordersWith().manager, journal, restarts.clock).end();
    expect(JSON.stringify(journal.last(LIMITS)?.data).length).toBeLessThan(1_000);
  });

  it('start empty after a kill, however full they were when last recorded', async () => {
    const restarts = new Restarts();
    const journal = restarts.journal();
    await restarts.burst(restarts.venue({}), journal, 0);
    const earlier = earlierBudgets(restarts.journal(), restarts.clock);
    expect(earlier).toMatchObject({ snapshot: null, unaccountedSinceMs: restarts.clock.wallMs() });
    expect(restarts.venue(earlier).budgets()).toMatchObject({ ordersNow: 0, betslipsNow: 0, generalNow: 0 });
    await restarts.clock.advance(500);
    expect(restarts.venue(earlier).budgets()).toMatchObject({ ordersNow: 1, betslipsNow: 2, generalNow: 9 });
  });

  it('start at their defaults with a new journal, and take nothing from a damaged one', () => {
    const clock = new VirtualClock();
    expect(earlierBudgets(createMemoryJournal(clock), clock)).toEqual({
      snapshot: null,
      betslipsAtMs: [],
      unaccountedSinceMs: null,
    });
    const damaged = createMemoryJournal(clock);
    const read = () => {
      throw new JournalError('record 7 is damaged');
    };
    expect(() => earlierBudgets({ ...damaged, read }, clock)).toThrow('record 7 is damaged');
  });

  it('release betslips of the day in time with a clock that is days behind at the start', async () => {
    const clock = new VirtualClock();
    const journal = createMemoryJournal(clock);
    journal.append([
      { kind: 'betslip_requested', uuid: null, data: { betType: 'for,h', eventId: EVENT_ID } },
    ]);
    await clock.advance(20 * HOUR_MS);
    journal.append([entryOf({ kind: 'cursor', updatesToMs: clock.wallMs() - 63_000 })]);
    clock.jumpWall(-50 * HOUR_MS);
    const [askedMs = 0] = earlierBudgets(journal, clock).betslipsAtMs ?? [];
    expect(Math.round((clock.wallMs() - askedMs) / HOUR_MS)).toBe(20);
  });

  it('report no cap of betslips that was assumed or that cannot be read', () => {
    const { journal, orders, memory } = taught();
    expect(learnedBetslipCap(journal)).toBeNull();
    memory.end();
    expect(learnedBetslipCap(journal)).toBeNull();
    Object.assign(orders.status, { betslipCap: 7, betslipCapLearned: true });
    memory.housekeeping();
    expect(learnedBetslipCap(journal)).toBe(7);
    const last = () => {
      throw new JournalError('record 7 is damaged');
    };
    expect(learnedBetslipCap({ ...journal, last })).toBeNull();
  });

  it('begin with the cap of open betslips that the last run learned', async () => {
    const day = new CalmDay({ world: { openBetslips: 3 }, settings: { 'universe.maxSelections': '4' } });
    const cap = () => day.run.composed.parts.orders.status();
    await day.begin();
    await day.until('refused', () => cap().betslipCapLearned);
    await day.pass(10_000);
    await day.crash();
    await day.begin(false);
    expect(cap()).toMatchObject({ betslipCap: 3, betslipCapLearned: true });
  });
});

describe('limits that the exchange reveals', () => {
  it('are recorded once when they are new, and marked at the end', () => {
    const { journal, orders, limits, venue, memory } = taught();
    memory.housekeeping();
    expect(journal.lastSeq()).toBe(0);
    venue.throttledCount = 1;
    memory.housekeeping();
    memory.housekeeping();
    expect(rememberedLimits(journal)).toMatchObject({ seq: 1, throttled: 1, ended: false });
    limits.registeredEvents = 40;
    memory.housekeeping();
    Object.assign(orders.status, { betslipCap: 7, betslipCapLearned: true });
    memory.housekeeping();
    expect(rememberedLimits(journal)).toMatchObject({
      seq: 3,
      registeredEvents: 40,
      openBetslips: { cap: 7, learned: true },
    });
    memory.end();
    expect(kinds(journal)).toEqual([LIMITS, LIMITS, LIMITS, LIMITS]);
    expect(rememberedLimits(journal)).toMatchObject({ ended: true });
  });

  it('are not recorded for each answer 429, and never more than a minute late', async () => {
    const second = fc.constantFrom('quiet', 'throttled', 'throttled', 'throttled', 'cap');
    await fc.assert(
      fc.asyncProperty(fc.array(second, { maxLength: 200 }), async (seconds) => {
        const { clock, journal, limits, venue, memory } = taught();
        let [learned, unsavedS] = [0, 0];
        for (const happens of seconds) {
          if (happens === 'throttled') venue.throttledCount++;
          if (happens === 'cap') limits.registeredEvents = ++learned;
          memory.housekeeping();
          const { registeredEvents = null, throttled = 0 } = rememberedLimits(journal) ?? {};
          expect(registeredEvents ?? 0).toBe(learned);
          unsavedS = throttled === venue.throttledCount ? 0 : unsavedS + 1;
          expect(unsavedS).toBeLessThan(60);
          await clock.advance(1_000);
        }
        expect(journal.lastSeq()).toBeLessThanOrEqual(learned + Math.ceil(seconds.length / 60));
      }),
    );
  });

  it('are recorded again after ten thousand records, so that a start finds them soon', () => {
    const { journal, memory } = taught();
    const more = entryOf({ kind: 'cursor', updatesToMs: 1 });
    journal.append(Array.from({ length: 9_999 }, () => more));
    memory.housekeeping();
    expect(rememberedLimits(journal)).toBeNull();
    journal.append([more]);
    memory.housekeeping();
    memory.housekeeping();
    expect(rememberedLimits(journal)).toMatchObject({ seq: 10_001, ended: false });
    expect(journal.lastSeq()).toBe(10_001);
  });

  it('are no longer recorded once the journal fails', () => {
    const { clock, journal, orders, venue } = taught();
    let writes = 0;
    const append = () => {
      writes++;
      throw new JournalError('disk full');
    };
    const broken = { ...journal, append };
    const memory = new LimitsMemory(venue as unknown as Venue, orders.manager, broken, clock);
    memory.end();
    expect(writes).toBe(1);
    Object.assign(orders.status, { journalFailed: true });
    memory.end();
    expect(writes).toBe(1);
  });
});
