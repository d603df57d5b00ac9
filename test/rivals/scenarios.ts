import { pick } from '../sim/plan.ts';
import type { Trader } from '../sim/trader.ts';
import { HeartbeatProgram } from './heartbeat-program.ts';
import { positionsDiffer } from './positions.ts';
import { between } from './round.ts';
import type { Round } from './round.ts';

/** What people do with two installations, and what must come of it. */
export interface Scenario {
  readonly name: string;
  readonly play: (round: Round) => Promise<void>;
}

const S = 1_000;
/** A second that waits has seen by then for whom. */
const SEEN_MS = 40 * S;
/** Without another on the account an order comes within this time. */
const JUDGED_MS = 120 * S;
/** From a death to the first order of an installation that takes over, after the last order and heartbeat have lapsed. */
const TAKEN_OVER_MS = 10 * S;
/** From the end of presence to the first order: the longest pause between two looks, and a start. */
const [LONGEST_PAUSE_MS, START_MS] = [60 * S, 15 * S];
const COPIED_MS = 300 * S;
/** A drain, and the requests before it that were not answered. */
const DRAINED_MS = 40 * S;
/** The original is quoted as it would be without the copy: what is open is replaced within this time. */
const LONGEST_GAP_MS = 30 * S;
const POSITIONS_MS = 180 * S;

/** Starts a trader and waits until it has placed so many orders. */
async function trading(round: Round, name: string, orders = 10): Promise<Trader> {
  const trader = round.trader(name);
  await round.begin(trader);
  await round.until(`${orders} orders of the ${name}`, () => round.referee.ordersOf(trader).length >= orders);
  return trader;
}

/** Starts a trader that has to wait for another, whose installation its status names. */
async function waiting(round: Round, trader: Trader, other: Trader): Promise<void> {
  round.waits(trader, [other.run?.claim.installation ?? '']);
  await round.begin(trader);
}

/** Waits for the first order of a trader; a miss when it comes later than `dueMs`. Answers its monotonic instant. */
async function firstOrder(round: Round, trader: Trader, sinceMs: number, dueMs: number): Promise<number> {
  const hasPlaced = (): boolean => round.firstOrderMs(trader, sinceMs) !== null;
  await round.until(`an order of the ${trader.name}`, hasPlaced, dueMs - round.nowMs);
  return round.firstOrderMs(trader, sinceMs) ?? Infinity;
}

async function secondBesideFirst(round: Round): Promise<void> {
  const first = await trading(round, 'first');
  await round.pass(between(round.random, 0, round.lapseMs));
  const second = round.trader('second');
  await waiting(round, second, first);
  const sinceMs = round.nowMs;
  await round.pass(SEEN_MS);
  round.tellsWhatItSees(second);
  await round.pass(JUDGED_MS - SEEN_MS);
  round.tellsWhatItSees(second);
  const placedMs = round.firstOrderMs(first, sinceMs);
  round.holds(placedMs !== null, 'the first placed no order beside the second');
  round.figure('orders of the second', 'sum', round.referee.ordersOf(second).length);
  round.figure('s to the next order of the first', 'most', ((placedMs ?? 0) - sinceMs) / S);
}

async function bothAtOnce(round: Round): Promise<void> {
  const traders = [round.trader('one'), round.trader('other')] as const;
  await round.begin(traders[0]);
  await round.pass(between(round.random, 0, 2 * S));
  await round.begin(traders[1]);
  const sinceMs = round.nowMs;
  const winnerOf = (): Trader | undefined => traders.find((each) => round.referee.ordersOf(each).length > 0);
  await round.until('an order of one of both', () => winnerOf() !== undefined, JUDGED_MS);
  const [winner, loser] = winnerOf() === traders[0] ? traders : [traders[1], traders[0]];
  const placedMs = round.firstOrderMs(winner, 0) ?? 0;
  round.figure('s to the first order', 'most', (placedMs - sinceMs) / S);
  // What it has created to begin with is gone by the time that the referee looks again.
  await round.pass(LONGEST_PAUSE_MS);
  round.waits(loser, [winner.run?.claim.installation ?? '']);
  await round.pass(JUDGED_MS);
  round.tellsWhatItSees(loser);
  const later = round.firstOrderMs(winner, round.nowMs - JUDGED_MS);
  round.holds(later !== null, `the ${winner.name} placed no more orders`);
  round.holds(round.referee.ordersOf(loser).length === 0, 'both placed');
}

async function copiedJournal(round: Round): Promise<void> {
  const original = await trading(round, 'original');
  const copy = round.copyOf(original, 'copy');
  await round.pass(between(round.random, 0, 60 * S));
  const meanwhile = pick(round.random, ['nothing', 'stop', 'kill'] as const);
  const atMs = between(round.random, 20 * S, 200 * S);
  round.waits(copy, ['copy']);
  await round.begin(copy, { earlierOwner: pick(round.random, ['unknown', 'alive']) });
  const sinceMs = round.nowMs;
  const gap = gapsOf(round, original);
  await round.until('time passes', () => gap() || round.nowMs - sinceMs >= atMs);
  if (meanwhile === 'nothing')
    await round.until('time passes', () => gap() || atMs + sinceMs + SEEN_MS < round.nowMs);
  if (meanwhile === 'nothing') round.tellsWhatItSees(copy);
  if (meanwhile === 'stop') await stop(round, copy);
  if (meanwhile === 'kill') copy.run?.daemon.controls().kill('a drill', 'a person');
  await round.until('time passes', () => gap() || round.nowMs - sinceMs >= COPIED_MS);
  const own = round.referee.ordersOf(original);
  round.holds(
    own.every(({ closedBy }) => closedBy !== 'heartbeat'),
    'a heartbeat closed orders of the original',
  );
  round.figure('orders of the copy', 'sum', round.referee.ordersOf(copy).length);
}

/** Looks at each step whether a trader has an order open; a miss when it has had none for too long. Answers false. */
function gapsOf(round: Round, trader: Trader): () => boolean {
  let openMs = round.nowMs;
  let longestMs = 0;
  return () => {
    if (round.referee.openOf(trader).length > 0) openMs = round.nowMs;
    longestMs = Math.max(longestMs, round.nowMs - openMs);
    round.holds(
      longestMs < LONGEST_GAP_MS,
      `the ${trader.name} had no order open for ${LONGEST_GAP_MS / S} s`,
    );
    return false;
  };
}

async function stop(round: Round, trader: Trader): Promise<void> {
  trader.stop();
  await round.until(`the ${trader.name} has ended`, () => trader.run === null, DRAINED_MS);
}

/** A second on a disk of its own, or on a copy of the first's. */
function secondOf(round: Round, first: Trader): Trader {
  return round.random.next() < 0.5 ? round.copyOf(first, 'copy') : round.trader('second');
}

async function takeOver(round: Round): Promise<void> {
  const first = await trading(round, 'first');
  const second = secondOf(round, first);
  const isHasty = round.random.next() < 0.3;
  round.waits(second, []);
  await round.begin(second, { takesOver: isHasty });
  await round.pass(between(round.random, 30 * S, 90 * S));
  first.kill();
  const diedMs = round.nowMs;
  if (!isHasty) {
    await stop(round, second);
    await round.begin(second, { takesOver: true });
  }
  round.waitsNoMore(second);
  const placedMs = await firstOrder(round, second, diedMs, diedMs + round.lapseMs + TAKEN_OVER_MS);
  round.figure('s after everything lapsed', 'most', (placedMs - diedMs - round.lapseMs) / S);
}

/** The second trades once the presence of the first is over, and no sooner, which the referee sees to. */
async function tradesAfter(round: Round, first: Trader, second: Trader): Promise<void> {
  const lapsedMs = round.referee.lastPlacedMs(first) + round.lingerMs;
  round.waitsNoMore(second);
  const dueMs = lapsedMs + LONGEST_PAUSE_MS + round.refreshMs + START_MS;
  const placedMs = await firstOrder(round, second, round.nowMs, dueMs);
  round.figure('s after the presence lapsed', 'most', (placedMs - lapsedMs) / S);
}

async function killedFirst(round: Round): Promise<void> {
  const first = await trading(round, 'first');
  const second = secondOf(round, first);
  round.waits(second, []);
  await round.begin(second);
  await round.pass(between(round.random, 20 * S, 200 * S));
  first.kill();
  await tradesAfter(round, first, second);
}

async function cleanStop(round: Round): Promise<void> {
  const first = await trading(round, 'first');
  const second = round.trader('second');
  await waiting(round, second, first);
  await round.pass(between(round.random, 20 * S, 200 * S));
  await stop(round, first);
  await tradesAfter(round, first, second);
}

const RESTARTED_MS = 15 * S;

/** Waits until a trader that was started again has an order open and may place more. */
async function quotesAgain(round: Round, trader: Trader, withinMs: number): Promise<number> {
  const isQuoting = (): boolean => trader.isReady && round.referee.openOf(trader).length > 0;
  return round.until(`the ${trader.name} quotes again`, isQuoting, withinMs);
}

async function restart(round: Round): Promise<void> {
  const trader = await trading(round, 'daemon');
  await round.pass(between(round.random, 0, 60 * S));
  trader.kill();
  // Some come back beside what they left, others when that has lapsed.
  await round.pass(pick(round.random, [between(round.random, 0.2 * S, 5 * S), round.lapseMs + 5 * S]));
  const sinceMs = round.nowMs;
  await round.begin(trader);
  const owner = trader.run?.claim.earlierOwner;
  round.holds(owner === 'dead', `the lock tells that the earlier owner is ${owner ?? 'untold'}`);
  await quotesAgain(round, trader, RESTARTED_MS);
  const placedMs = await firstOrder(round, trader, sinceMs, sinceMs + RESTARTED_MS);
  round.figure('s to the first order', 'most', (placedMs - sinceMs) / S);
}

async function reboot(round: Round): Promise<void> {
  const trader = await trading(round, 'daemon');
  await round.pass(between(round.random, 0, 60 * S));
  trader.kill();
  await round.pass(pick(round.random, [between(round.random, 1 * S, 5 * S), round.lapseMs + 5 * S]));
  const sinceMs = round.nowMs;
  await round.begin(trader, { earlierOwner: 'unknown' });
  const dueMs = sinceMs + round.refreshMs + RESTARTED_MS;
  const placedMs = await firstOrder(round, trader, sinceMs, dueMs);
  round.figure(
    's to the first order after one refresh interval',
    'most',
    (placedMs - sinceMs - round.refreshMs) / S,
  );
}

async function restoreDrill(round: Round): Promise<void> {
  const lost = await trading(round, 'lost host', 20);
  const restored = round.copyOf(lost, 'restored host');
  const before = fills(round, lost);
  const hasTraded = (): boolean => fills(round, lost) - before >= 3;
  await round.until('fills after the backup', hasTraded, 3_600 * S);
  lost.kill();
  await round.pass(between(round.random, 1 * S, 20 * S));
  await round.begin(restored, { takesOver: true });
  const tookMs = await round.until(
    'the restored host has the positions of the exchange',
    everySome(
      round,
      () => (restored.run?.started ?? false) && positionsDiffer(round.world, restored) === null,
    ),
    POSITIONS_MS,
  );
  round.figure('fills after the backup', 'sum', fills(round, lost) - before);
  round.figure('s to the positions of the exchange', 'most', tookMs / S);
  await firstOrder(round, restored, round.nowMs, round.nowMs + POSITIONS_MS);
}

/** A question that costs the account requests is asked every few seconds. */
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

async function personsProgram(round: Round): Promise<void> {
  // Slower than our own refreshes it would be seen to stand still.
  const program = new HeartbeatProgram(round.world, round.refreshMs / 2);
  await program.begin();
  await round.pass(between(round.random, 0, 20 * S));
  const waits = round.trader('daemon');
  round.waits(waits, ['heartbeat', program.heartbeatId]);
  await round.begin(waits);
  await round.pass(JUDGED_MS);
  round.tellsWhatItSees(waits);
  await stop(round, waits);
  const tolerates = round.trader('tolerant daemon', { 'orders.otherHeartbeats': 'tolerate' });
  const sinceMs = round.nowMs;
  await round.begin(tolerates);
  const placedMs = await firstOrder(round, tolerates, sinceMs, sinceMs + round.refreshMs + RESTARTED_MS);
  round.figure('s to the first order where it is tolerated', 'most', (placedMs - sinceMs) / S);
  round.holds(program.isAlive, 'the heartbeat of a person’s program is gone');
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'second beside a first', play: secondBesideFirst },
  { name: 'both at once', play: bothAtOnce },
  { name: 'copied journal', play: copiedJournal },
  { name: 'take-over', play: takeOver },
  { name: 'killed first', play: killedFirst },
  { name: 'clean stop', play: cleanStop },
  { name: 'restart', play: restart },
  { name: 'reboot', play: reboot },
  { name: 'restore drill', play: restoreDrill },
  { name: 'other heartbeat', play: personsProgram },
];
