import { type BetslipId, betType, eventId, requestUuid, sport } from '../../src/domain/ids.ts';
import { mintApproval } from '../../src/domain/mint-approval.ts';
import type { PlaceOrder } from '../../src/domain/orders.ts';
import { type Clock, sleep } from '../../src/ports/clock.ts';
import type { Venue } from '../../src/ports/venue.ts';

export interface Demand {
  readonly venue: Venue;
  readonly clock: Clock;
  readonly eventId: string;
  readonly durationMs: number;
}

/** The number of completed requests of each kind within the time. */
export interface Done {
  orders: number;
  betslips: number;
  reads: number;
  offers: number;
}

const CONCURRENCY = { orders: 10, betslips: 10, reads: 40, offers: 8 };

/** Requests more of a venue than its budgets allow, of everything at once, for a time. */
export async function fullDemand({ venue, clock, eventId: id, durationMs }: Demand): Promise<Done> {
  const untilMs = clock.monotonicMs() + durationMs;
  const done: Done = { orders: 0, betslips: 0, reads: 0, offers: 0 };
  const market = { sport: sport('fb'), eventId: eventId(id), betType: betType('for,h') };
  const { betslipId } = await venue.createBetslip(market);
  let sequence = 0;
  const kinds: Record<keyof Done, () => Promise<unknown>> = {
    orders: () => {
      const uuid = requestUuid(`00000000-0000-4000-8000-${String(++sequence).padStart(12, '0')}`);
      const terms = {
        requestUuid: uuid,
        betslipId,
        priceKind: 'odds-for' as const,
        price: 2.26,
        stakeMicros: 1_000_000,
        durationS: 15,
      };
      return venue.placeOrder(mintApproval<PlaceOrder>({ ...market, ...terms }));
    },
    betslips: async () => {
      const made = await venue.createBetslip(market);
      await venue.deleteBetslip(made.betslipId, { priority: 'reducing' });
    },
    reads: () => venue.balance(),
    offers: () => venue.offers({ sport: market.sport, eventIds: [market.eventId] }),
  };
  const loop = async (kind: keyof Done): Promise<void> => {
    while (clock.monotonicMs() < untilMs) {
      await kinds[kind]();
      if (clock.monotonicMs() <= untilMs) done[kind] += 1;
    }
  };
  const loops = (Object.keys(kinds) as (keyof Done)[]).flatMap((kind) =>
    Array.from({ length: CONCURRENCY[kind] }, () => loop(kind)),
  );
  // The venue's close rejects requests that still wait when the time is over. Their callers no longer care.
  const running = Promise.allSettled(loops);
  await Promise.race([running, keepOpen(venue, clock, betslipId, untilMs)]);
  return done;
}

const REFRESH_MS = 10_000;

async function keepOpen(venue: Venue, clock: Clock, id: BetslipId, untilMs: number): Promise<void> {
  while (clock.monotonicMs() < untilMs) {
    await venue.refreshBetslip(id, { priority: 'urgent' });
    await sleep(clock, Math.min(REFRESH_MS, untilMs - clock.monotonicMs()));
  }
}
