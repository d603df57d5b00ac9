import type { BetslipRequest } from '../../domain/orders.ts';
import { levelAt } from '../../domain/price-list.ts';
import { sleep } from '../../ports/clock.ts';
import type { BetslipDetails } from '../exchange/connect.ts';
import { type Bench, together, type Tried } from './bench.ts';
import { forOffers } from './measure-orders.ts';
import type { Chosen } from './choose-market.ts';
import type { BetslipSeen, BetslipsSeen, CountsSeen, HeartbeatSeen, RefreshSeen } from './evidence.ts';

/** A refresh this long after the creation shows whether it extends. */
export const REFRESH_AFTER_MS = 1_500;
/** The exchange tells its count every few seconds. */
const INFO_WITHIN_MS = 12_000;
const LOOK_EVERY_MS = 250;

/** The betslips of a run, each with its quote. */
export interface Betslips {
  readonly normal: Tried<BetslipDetails>;
  readonly layFor: Tried<BetslipDetails>;
  readonly seen: BetslipsSeen;
}

/** Creates the three betslips, waits for their quotes, and refreshes the first. */
export async function measureBetslips(bench: Bench, chosen: Chosen): Promise<Betslips> {
  const { sides } = chosen;
  const [normal, layFor, layAgainst] = await together([
    makeBetslip(bench, chosen, sides.against),
    makeBetslip(bench, chosen, { ...sides.for, betslipType: 'lay' }),
    makeBetslip(bench, chosen, { ...sides.against, betslipType: 'lay' }),
  ]);
  const refresh: Tried<RefreshSeen> = normal.slip.ok
    ? await refreshed(bench, normal.slip.value, normal.madeMs)
    : normal.slip;
  const seen = { normal: normal.seen, layFor: layFor.seen, layAgainst: layAgainst.seen, refresh };
  return { normal: normal.slip, layFor: layFor.slip, seen };
}

interface Made {
  readonly slip: Tried<BetslipDetails>;
  readonly seen: Tried<BetslipSeen>;
  readonly madeMs: number;
}

async function makeBetslip(bench: Bench, chosen: Chosen, request: BetslipRequest): Promise<Made> {
  const slip = await bench.tried(() => bench.createBetslip(request));
  const madeMs = bench.clock.monotonicMs();
  if (!slip.ok) return { slip, seen: slip, madeMs };
  const { betslipId, expiryMs } = slip.value;
  const leftMs = expiryMs === null ? null : expiryMs - bench.exchangeMs();
  const seen = await bench.tried(async (): Promise<BetslipSeen> => {
    const { entry, atMs } = await bench.until(
      'the betslip’s quote',
      ({ entry: each }) => each.tag === 'pmm' && each.quote.betslipId === betslipId,
    );
    const priceList = entry.tag === 'pmm' ? entry.quote.priceList : [];
    const bestFor = levelAt(forOffers(bench, chosen), 0)?.price ?? chosen.price;
    return { leftMs, quotedAfterMs: atMs - madeMs, priceList, bestFor };
  });
  return { slip, seen, madeMs };
}

async function refreshed(bench: Bench, slip: BetslipDetails, madeMs: number): Promise<Tried<RefreshSeen>> {
  return bench.tried(async () => {
    await untilPassed(bench, madeMs + REFRESH_AFTER_MS);
    const afterMs = bench.clock.monotonicMs() - madeMs;
    await bench.exchange.betslips.refresh(slip.betslipId);
    const { expiryMs } = await bench.exchange.betslips.get(slip.betslipId);
    const isKnown = expiryMs !== null && slip.expiryMs !== null;
    return { extendedMs: isKnown ? expiryMs - (slip.expiryMs as number) : null, afterMs };
  });
}

/** Creates a heartbeat, refreshes it, and deletes it. */
export function measureHeartbeat(bench: Bench): Promise<Tried<HeartbeatSeen>> {
  const { heartbeats } = bench.exchange;
  return bench.tried(async () => {
    const others = (await heartbeats.list()).length;
    const { heartbeatId, expiryMs } = await bench.createHeartbeat();
    const madeMs = bench.clock.monotonicMs();
    const leftMs = expiryMs === null ? null : expiryMs - bench.exchangeMs();
    await untilPassed(bench, madeMs + REFRESH_AFTER_MS);
    const refreshedAfterMs = bench.clock.monotonicMs() - madeMs;
    const answer = await heartbeats.refresh(heartbeatId);
    const later = answer.expiryMs ?? (await heartbeats.get(heartbeatId)).expiryMs;
    const extendedMs = later === null || expiryMs === null ? null : later - expiryMs;
    await heartbeats.delete(heartbeatId);
    const isGone = (await heartbeats.list()).every((each) => each.heartbeatId !== heartbeatId);
    return { leftMs, extendedMs, refreshedAfterMs, isGone, others };
  });
}

/** Compares the exchange's counts with ours. */
export function measureCounts(bench: Bench, before: Tried<number>, made: number): Promise<Tried<CountsSeen>> {
  return bench.tried(async () => {
    if (!before.ok) throw new Error(before.why);
    const now = (await bench.exchange.betslips.list()).length;
    return { ...(await registrationsSeen(bench)), betslips: { before: before.value, made, now } };
  });
}

/** How many registrations the exchange knows of, after the one of this run. */
export async function registrationsSeen(bench: Bench): Promise<Omit<CountsSeen, 'betslips'>> {
  const listed = (await bench.exchange.registeredEvents()).length;
  const informed = await informedAfter(bench, bench.clock.monotonicMs());
  return { registered: 1, listed, informed };
}

async function informedAfter(bench: Bench, sinceMs: number): Promise<number> {
  const { wire } = bench.options;
  while (wire.registeredAfter(sinceMs) === null && bench.clock.monotonicMs() < sinceMs + INFO_WITHIN_MS)
    await sleep(bench.clock, LOOK_EVERY_MS, bench.options.signal);
  const count = wire.registeredAfter(sinceMs);
  if (count === null) throw new Error(`no count came on the stream within ${INFO_WITHIN_MS / 1000} s`);
  return count;
}

async function untilPassed(bench: Bench, monotonicMs: number): Promise<void> {
  const waitMs = monotonicMs - bench.clock.monotonicMs();
  if (waitMs > 0) await sleep(bench.clock, waitMs, bench.options.signal);
}
