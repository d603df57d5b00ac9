import { pick } from '../sim/plan.ts';
import type { Trader } from '../sim/trader.ts';
import { firstOrder, S, secondOf, stop, trading } from './acts.ts';
import { positionsDiffer } from './positions.ts';
import { between, type Round } from './round.ts';

/**
 * The time from a death to the first order of an installation that takes over, after the last order and heartbeat have
 * lapsed.
 */
const TAKEN_OVER_MS = 10 * S;
/**
 * The time from the start to the first order: where the lock shows that the earlier owner is dead, and where heartbeats
 * are watched.
 */
const [RESTARTED_MS, REBOOTED_MS] = [15 * S, 30 * S];
const POSITIONS_MS = 180 * S;
const FILLS = 3;
const FROM_START = { figure: 's to the first order' };

/**
 * The first dies, and a person starts a second and states that the first is gone. Or the person starts it too early.
 */
export async function takeOver(round: Round): Promise<void> {
  const first = await trading(round, 'first');
  const second = secondOf(round, first);
  const isHasty = round.random.next() < 0.3;
  round.waits(second);
  await round.begin(second, { takesOver: isHasty });
  await round.pass(between(round.random, 30 * S, 90 * S));
  first.kill();
  const diedMs = round.nowMs;
  if (!isHasty) {
    await stop(round, second);
    await round.begin(second, { takesOver: true });
  }
  round.waitsNoMore(second);
  const countedFromMs = diedMs + round.lapseMs;
  const dueMs = countedFromMs + TAKEN_OVER_MS;
  const figure = 's after all had lapsed';
  await firstOrder(round, second, { sinceMs: diedMs, dueMs, countedFromMs, figure });
}

/** The daemon dies and restarts at once, or once everything that it left has lapsed. */
async function died(round: Round): Promise<Trader> {
  const trader = await trading(round, 'daemon');
  await round.pass(between(round.random, 0, 60 * S));
  trader.kill();
  await round.pass(pick(round.random, [between(round.random, 0.2 * S, 5 * S), round.lapseMs + 5 * S]));
  return trader;
}

/** The machine runs on: the lock shows that the earlier owner is dead. */
export async function restart(round: Round): Promise<void> {
  const trader = await died(round);
  const sinceMs = round.nowMs;
  await round.begin(trader);
  const owner = trader.run?.claim.earlierOwner;
  round.holds(owner === 'dead', `the lock tells that the earlier owner is ${owner ?? 'untold'}`);
  const isQuoting = (): boolean => trader.isReady && round.referee.openOf(trader).length > 0;
  await round.until('the daemon quotes again', isQuoting, RESTARTED_MS);
  await firstOrder(round, trader, {
    ...FROM_START,
    sinceMs,
    dueMs: sinceMs + RESTARTED_MS,
    countedFromMs: sinceMs,
  });
}

/** The machine has rebooted: the lock shows nothing. */
export async function reboot(round: Round): Promise<void> {
  const trader = await died(round);
  const sinceMs = round.nowMs;
  await round.begin(trader, { earlierOwner: 'unknown' });
  const dueMs = sinceMs + round.refreshMs + REBOOTED_MS;
  await firstOrder(round, trader, { ...FROM_START, sinceMs, dueMs, countedFromMs: sinceMs });
}

/**
 * The host is lost with its disk. Its journal is restored elsewhere from a backup that is older than the last fills.
 */
export async function restoreDrill(round: Round): Promise<void> {
  const lost = await trading(round, 'lost host', 20);
  const restored = round.copyOf(lost, 'restored host');
  const before = fills(round, lost);
  await round.until('fills after the backup', () => fills(round, lost) - before >= FILLS, 3_600 * S);
  lost.kill();
  await round.pass(between(round.random, 1 * S, 20 * S));
  await round.begin(restored, { takesOver: true });
  const sinceMs = round.nowMs;
  const hasThem = (): boolean =>
    restored.run?.started === true && positionsDiffer(round.world, restored) === null;
  const tookMs = await round.until('the positions of the exchange', everySome(round, hasThem), POSITIONS_MS);
  round.figure('fills after the backup', 'sum', fills(round, lost) - before);
  round.figure('s to the positions of the exchange', 'most', tookMs / S);
  const dueMs = sinceMs + POSITIONS_MS;
  await firstOrder(round, restored, { ...FROM_START, sinceMs, dueMs, countedFromMs: sinceMs });
}

/** A condition that costs the account requests is checked every few seconds. */
function everySome(round: Round, isSo: () => boolean): () => boolean {
  let askedMs = -Infinity;
  return () => {
    if (round.nowMs - askedMs < 5 * S) return false;
    askedMs = round.nowMs;
    return isSo();
  };
}

const fills = (round: Round, trader: Trader): number =>
  round.referee.ordersOf(trader).reduce((sum, order) => sum + order.fills.length, 0);
