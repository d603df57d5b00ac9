import { pick } from '../sim/plan.ts';
import type { Trader } from '../sim/trader.ts';
import { firstOrder, nameOf, S, secondOf, stop, trading } from './acts.ts';
import { HeartbeatProgram } from './heartbeat-program.ts';
import { between, type Round } from './round.ts';

/** A process that waits has seen for whom by then, and says so. */
const SEEN_MS = 40 * S;
/** Of two, one trades within this time. */
const JUDGED_MS = 120 * S;
const COPIED_MS = 300 * S;
/** Without the other, an order is followed by the next within this time. */
const LONGEST_GAP_MS = 30 * S;
/** The longest pause between two looks at the account, and a start. */
const [LONGEST_PAUSE_MS, START_MS] = [60 * S, 15 * S];

/** A second is started beside a first that trades. */
export async function secondBesideFirst(round: Round): Promise<void> {
  const first = await trading(round, 'first');
  await round.pass(between(round.random, 0, round.lapseMs));
  const second = round.trader('second');
  round.waits(second);
  await round.begin(second);
  const sinceMs = round.nowMs;
  await round.pass(SEEN_MS);
  await round.tells(second, nameOf(first, second));
  await round.pass(JUDGED_MS - SEEN_MS);
  await round.tells(second, nameOf(first, second));
  const placedMs = round.firstOrderMs(first, sinceMs);
  round.holds(placedMs !== null, 'the first placed no order beside the second');
  round.figure('orders of the second', 'sum', round.referee.ordersOf(second).length);
  round.figure('s to the next order of the first', 'most', ((placedMs ?? 0) - sinceMs) / S);
}

/** Two machines that have not met: with journals of their own, or with copies of a journal whose daemon was stopped. */
async function pairOf(round: Round): Promise<readonly [Trader, Trader]> {
  if (round.random.next() < 0.6) return [round.trader('one'), round.trader('other')];
  const one = await trading(round, 'one');
  await stop(round, one);
  return [one, round.copyOf(one, 'copy')];
}

/** Two are started within two seconds. */
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
  // It may be about to take a heartbeat of its own back.
  await round.pass(LONGEST_PAUSE_MS);
  round.waits(loser);
  const waitsMs = round.nowMs;
  await round.pass(JUDGED_MS);
  await round.tells(loser, nameOf(winner, loser));
  round.holds(round.firstOrderMs(winner, waitsMs) !== null, `the ${winner.name} placed no more orders`);
  round.holds(!hasPlaced(loser), 'both placed');
}

/** A copy of a journal is started beside its original, and is stopped or killed meanwhile, or the original starts anew. */
export async function copiedJournal(round: Round): Promise<void> {
  const original = await trading(round, 'original');
  const copy = round.copyOf(original, 'copy');
  await round.pass(between(round.random, 0, 60 * S));
  round.waits(copy);
  await round.begin(copy, { earlierOwner: pick(round.random, ['unknown', 'alive']) });
  const sinceMs = round.nowMs;
  const isTimeOver = watchingGaps(round, original, between(round.random, SEEN_MS, 200 * S));
  await round.until('time passes', isTimeOver);
  await round.tells(copy, nameOf(original, copy));
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

/** Soon enough for the heartbeat to be taken over. */
async function startAnew(round: Round, trader: Trader): Promise<void> {
  trader.kill();
  await round.pass(between(round.random, 0.2 * S, 2 * S));
  await round.begin(trader);
}

/** Whether so much time is over; a miss when the trader has had no order open for too long. */
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

/** The first dies while a second waits, or before that is started; nobody says anything. */
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

/** The first is stopped in order while a second waits. */
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

/** The second trades once the presence of the first is over, and no sooner, which the referee sees to. */
async function tradesAfter(round: Round, first: Trader, second: Trader): Promise<void> {
  const lapsedMs = round.referee.lastPlacedMs(first) + round.lingerMs;
  const dueMs = lapsedMs + LONGEST_PAUSE_MS + round.refreshMs + START_MS;
  const figure = 's after the presence lapsed';
  await firstOrder(round, second, { sinceMs: round.nowMs, dueMs, countedFromMs: lapsedMs, figure });
}

/** A person's program keeps a heartbeat on the account, since before the daemon or since later. */
export async function otherHeartbeat(round: Round): Promise<void> {
  // A slow one is not seen to move for long.
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
  await round.tells(daemon, [program.heartbeatId]);
  await round.pass(JUDGED_MS);
  await round.tells(daemon, [program.heartbeatId]);
  round.waitsNoMore(daemon);
  await stop(round, daemon);
  const tolerant = round.trader('tolerant daemon', { 'orders.otherHeartbeats': 'tolerate' });
  const sinceMs = round.nowMs;
  await round.begin(tolerant);
  // It has to be seen moving first; a daemon that has its orders before a person's program comes is told by `lingerMs`.
  const dueMs = sinceMs + Math.max(round.lingerMs, seenMs) + round.refreshMs + START_MS + LONGEST_PAUSE_MS;
  const figure = 's to the first order where it is tolerated';
  await firstOrder(round, tolerant, { sinceMs, dueMs, countedFromMs: sinceMs, figure });
  round.holds(program.isAlive, 'the heartbeat of a person’s program is gone');
}
