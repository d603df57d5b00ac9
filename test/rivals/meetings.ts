import { pick } from '../sim/plan.ts';
import type { Trader } from '../sim/trader.ts';
import { firstOrder, nameOf, S, secondOf, stop, trading } from './acts.ts';
import { HeartbeatProgram } from './heartbeat-program.ts';
import { between, type Round } from './round.ts';

/** A waiting process knows by then which other it waits for, and reports that. */
const SEEN_MS = 40 * S;
/** Either of two installations trades within this time. */
const JUDGED_MS = 120 * S;
const COPIED_MS = 300 * S;
/** Without another installation, the next order follows within this time. */
const LONGEST_GAP_MS = 30 * S;
/** The longest pause between two looks at the account, plus a start. */
const [LONGEST_PAUSE_MS, START_MS] = [60 * S, 15 * S];

/** A second installation starts beside a first that trades. */
export async function secondBesideFirst(round: Round): Promise<void> {
  const first = await trading(round, 'first');
  await round.pass(between(round.random, 0, round.lapseMs));
  const second = round.trader('second');
  round.waits(second);
  await round.begin(second);
  const sinceMs = round.nowMs;
  await round.pass(SEEN_MS);
  await round.reports(second, nameOf(first, second));
  await round.pass(JUDGED_MS - SEEN_MS);
  await round.reports(second, nameOf(first, second));
  const placedMs = round.firstOrderMs(first, sinceMs);
  round.holds(placedMs !== null, 'the first placed no order beside the second');
  round.figure('orders of the second', 'sum', round.referee.ordersOf(second).length);
  round.figure('s to the next order of the first', 'most', ((placedMs ?? 0) - sinceMs) / S);
}

/** Two machines that have not met: with their own journals, or with copies of a journal whose daemon was stopped. */
async function pairOf(round: Round): Promise<readonly [Trader, Trader]> {
  if (round.random.next() < 0.6) return [round.trader('one'), round.trader('other')];
  const one = await trading(round, 'one');
  await stop(round, one);
  return [one, round.copyOf(one, 'copy')];
}

/** Two installations start within two seconds. */
export async function bothAtOnce(round: Round): Promise<void> {
  const traders = await pairOf(round);
  const beganMs = round.nowMs;
  await round.begin(traders[0], { earlierOwner: 'unknown' });
  await round.pass(between(round.random, 0, 2 * S));
  await round.begin(traders[1], { earlierOwner: 'unknown' });
  const secondMs = round.nowMs;
  const hasPlaced = (trader: Trader): boolean => round.firstOrderMs(trader, beganMs) !== null;
  await round.until('an order of one of both', () => traders.some(hasPlaced), JUDGED_MS);
  const [winner, loser] = hasPlaced(traders[0]) ? traders : [traders[1], traders[0]];
  round.figure('s to the first order', 'most', ((round.firstOrderMs(winner, beganMs) ?? 0) - secondMs) / S);
  // A process may be about to delete the heartbeat that it has just created.
  await round.pass(LONGEST_PAUSE_MS);
  round.waits(loser);
  const waitsMs = round.nowMs;
  await round.pass(JUDGED_MS);
  await round.reports(loser, nameOf(winner, loser));
  round.holds(round.firstOrderMs(winner, waitsMs) !== null, `the ${winner.name} placed no more orders`);
  round.holds(!hasPlaced(loser), 'both placed');
}

/** A copy of a journal starts beside its original and is stopped or killed meanwhile, or the original restarts. */
export async function copiedJournal(round: Round): Promise<void> {
  const original = await trading(round, 'original');
  const copy = round.copyOf(original, 'copy');
  await round.pass(between(round.random, 0, 60 * S));
  round.waits(copy);
  await round.begin(copy, { earlierOwner: pick(round.random, ['unknown', 'alive']) });
  const sinceMs = round.nowMs;
  const isTimeOver = watchingGaps(round, original, between(round.random, SEEN_MS, 200 * S));
  await round.until('time passes', isTimeOver);
  await round.reports(copy, nameOf(original, copy));
  const meanwhile = pick(round.random, ['nothing', 'stop', 'kill', 'restart'] as const);
  if (meanwhile === 'stop') copy.stop();
  if (meanwhile === 'kill') copy.run?.daemon.controls().kill('a drill', 'a person');
  if (meanwhile === 'restart') await startAnew(round, original);
  await round.until('time passes', watchingGaps(round, original, sinceMs + COPIED_MS - round.nowMs));
  const closed = round.referee.ordersOf(original).filter(({ closedBy }) => closedBy === 'heartbeat');
  round.holds(closed.length === 0, `a heartbeat closed ${closed.length} orders of the original`);
  round.holds(meanwhile !== 'stop' || copy.run === null, 'the copy did not end');
  round.figure('orders of the copy', 'sum', round.referee.ordersOf(copy).length);
}

/** This is soon enough to take over the heartbeat. */
async function startAnew(round: Round, trader: Trader): Promise<void> {
  trader.kill();
  await round.pass(between(round.random, 0.2 * S, 2 * S));
  await round.begin(trader);
}

/** Whether this time is over. The round misses when the trader had no open order for too long. */
function watchingGaps(round: Round, trader: Trader, ms: number): () => boolean {
  const untilMs = round.nowMs + ms;
  let openMs = round.nowMs;
  return () => {
    if (round.referee.openOf(trader).length > 0) openMs = round.nowMs;
    const what = `the ${trader.name} had no order open for ${LONGEST_GAP_MS / S} s`;
    round.holds(round.nowMs - openMs < LONGEST_GAP_MS, what);
    return round.nowMs >= untilMs;
  };
}

/** The first dies while a second waits, or before the second starts. No person says anything. */
export async function killedFirst(round: Round): Promise<void> {
  const first = await trading(round, 'first');
  const second = secondOf(round, first);
  const isLate = round.random.next() < 0.4;
  if (isLate) await round.pass(between(round.random, 0, 60 * S));
  else await watchedBy(round, second);
  first.kill();
  if (isLate) {
    await round.pass(between(round.random, 0, 60 * S));
    await round.begin(second);
  }
  await tradesAfter(round, first, second);
}

/** The first stops in order while a second waits. */
export async function cleanStop(round: Round): Promise<void> {
  const first = await trading(round, 'first');
  const second = secondOf(round, first);
  await watchedBy(round, second);
  await stop(round, first);
  await tradesAfter(round, first, second);
}

async function watchedBy(round: Round, second: Trader): Promise<void> {
  round.waits(second);
  await round.begin(second);
  await round.pass(between(round.random, 20 * S, 200 * S));
  round.waitsNoMore(second);
}

/** The second trades once the presence of the first is over. The referee checks that it does not trade earlier. */
async function tradesAfter(round: Round, first: Trader, second: Trader): Promise<void> {
  const lapsedMs = round.referee.lastPlacedMs(first) + round.lingerMs;
  const dueMs = lapsedMs + LONGEST_PAUSE_MS + round.refreshMs + START_MS;
  const figure = 's after the presence lapsed';
  await firstOrder(round, second, { sinceMs: round.nowMs, dueMs, countedFromMs: lapsedMs, figure });
}

/** Another program keeps a heartbeat on the account, since before the daemon started or since later. */
export async function otherHeartbeat(round: Round): Promise<void> {
  // A slow heartbeat shows no refresh for long.
  const everyMs = pick(round.random, [round.refreshMs / 2, 40 * S, 90 * S]);
  const program = new HeartbeatProgram(round.world, everyMs);
  const isFirst = round.random.next() < 0.5;
  if (isFirst) await program.begin();
  const daemon = isFirst ? round.trader('daemon') : await trading(round, 'daemon');
  if (isFirst) round.waits(daemon);
  if (isFirst) await round.begin(daemon);
  else await program.begin();
  const seenMs = everyMs + LONGEST_PAUSE_MS;
  await round.pass(seenMs);
  round.waits(daemon);
  await round.reports(daemon, [program.heartbeatId]);
  await round.pass(JUDGED_MS);
  await round.reports(daemon, [program.heartbeatId]);
  round.waitsNoMore(daemon);
  await stop(round, daemon);
  const tolerant = round.trader('tolerant daemon', { 'orders.otherHeartbeats': 'tolerate' });
  const sinceMs = round.nowMs;
  await round.begin(tolerant);
  // A refresh must show first. `lingerMs` tells how soon a daemon notices when it had orders before the other program
  // came.
  const dueMs = sinceMs + Math.max(round.lingerMs, seenMs) + round.refreshMs + START_MS + LONGEST_PAUSE_MS;
  const figure = 's to the first order where it is tolerated';
  await firstOrder(round, tolerant, { sinceMs, dueMs, countedFromMs: sinceMs, figure });
  round.holds(program.isAlive, 'the heartbeat of a person’s program is gone');
}
