import { isHung, isStalled } from './duties.ts';
import type { ReceivedMarket } from './received-offers.ts';
import type { SimPlan } from './plan.ts';
import type { Received } from './received.ts';
import { traitsOf } from './traits.ts';
import type { Unclosed } from './failed-closing.ts';
import { isCreate, type SentRequest, uuidOf, type Witness } from './witness.ts';

const SENDING_IS_OVER_MS = 50;
const SETTLED_MS = 60_000;
const LONGEST_WINDOW_MS = 70 * 60_000;
/** Requests to the exchange are cut off after this time at most. */
const LARGEST_RESERVE = 0.5;
const SEND_RESERVE_MS = 12_000;
/** Prices older than 15 s are not quoted on. The engine checks once a second, and a request may wait in its queue. */
const OLDEST_PRICES_MS = 18_000;
/** The account stream may be lost for 15 s before the heartbeat is left to expire. */
const STREAM_GRACE_MS = 17_000;
/** The time between the failure of closing and the last refresh. */
const CLOSING_GRACE_MS = 3_000;
/** After a close-out nothing is placed for 5 s, and then not everything at once. */
const [PAUSE_MS, SLOW_MS, MOST_QUOTES] = [4_000, 10_000, 12];

/** The facts of the world that the gates need at the instant of a send. */
export interface GateFacts {
  readonly witness: Witness;
  readonly received: Received;
  /** The market of the order that is being created, by its journal record; null for other requests. */
  readonly market: ReceivedMarket | null;
  /** This run has met an unreadable record of its journal. */
  readonly damageMet: boolean;
  /** The engine hangs since then; null when it does not. */
  readonly wedgedSinceMs: number | null;
  /** The daemon's wall clock. */
  readonly wallMs: number;
  /** The exchange's clock. */
  readonly exchangeMs: number;
  /** A person has stopped everything and has not resumed. */
  readonly killed: boolean;
  /** Orders that a kill has not certainly closed. */
  readonly leftByKill: Unclosed;
  /** The last cursor in the journal, null before the first. */
  readonly cursorMs: number | null;
  /** This run can write nothing to its journal: its cursor is in memory only. */
  readonly journalFailed: () => boolean;
}

/** Judges each request at the instant of sending: the name of the broken rule, and the evidence. */
export function* brokenGates(
  sent: SentRequest,
  facts: GateFacts,
  plan: SimPlan,
): Generator<readonly [invariant: string, seen: string]> {
  if (isCreate(sent)) {
    yield* brokenByCreate(sent, facts, plan);
    yield* brokenByHaste(sent, facts);
  }
  if (sent.what.startsWith('POST /v2/heartbeats/')) yield* brokenByRefresh(sent, facts, plan);
  if (sent.path.startsWith('/v2/orders/updates/')) yield* brokenByWindow(sent, facts, plan);
}

function* brokenByCreate(
  { atMs }: SentRequest,
  { witness, received, market, killed, damageMet }: GateFacts,
  { daemon }: SimPlan,
): Generator<readonly [string, string]> {
  const { streamDownSinceMs, listedMs, streamOpenedMs, provenUntilMs } = witness;
  if (damageMet) yield ['23 close-only', 'a create left though the journal is damaged'];
  if (killed) yield ['19 kill switch', 'a create left after the kill'];
  if (streamDownSinceMs !== null && atMs - streamDownSinceMs > SENDING_IS_OVER_MS)
    yield ['17 no stream', `a create left, the stream is down since ${streamDownSinceMs / 1000} s`];
  const ageMs = market === null ? 0 : received.priceAgeMs(market);
  if (ageMs > OLDEST_PRICES_MS) yield ['17 old data', `a create left on prices ${ageMs / 1000} s old`];
  if (listedMs < streamOpenedMs)
    yield ['18 resync first', 'a create left before the open orders were listed'];
  const reserveMs = Math.min(SEND_RESERVE_MS, daemon.heartbeatS * 1000 * LARGEST_RESERVE);
  if (provenUntilMs - atMs < reserveMs)
    yield ['13 proven heartbeat', `a create left with ${provenUntilMs - atMs} ms proven`];
}

/** 16: closed-out quotes return after a look at the account and a pause, and slowly. */
function* brokenByHaste(
  { atMs }: SentRequest,
  { witness, received }: GateFacts,
): Generator<readonly [string, string]> {
  const shown = received.closeOuts.at(-1);
  if (shown === undefined) return;
  const { readMs: shownMs } = shown;
  // A stalled loop does its due work before it reads what arrived meanwhile.
  if (shownMs > shown.atMs && atMs <= shownMs) return;
  if (witness.listedMs < shownMs)
    yield ['16 close-out verified', 'a create left before the orders were listed'];
  if (atMs < shownMs + PAUSE_MS)
    yield ['16 no instant quotes', `a create left ${atMs - shownMs} ms after the close-out was shown`];
  if (atMs >= shownMs + PAUSE_MS + SLOW_MS) return;
  const creates = witness.sent.filter((sent) => isCreate(sent) && sent.atMs >= shownMs);
  // An unanswered create that is not found leaves again: both are one quote.
  const quotes = new Set(creates.map(uuidOf)).size;
  if (quotes > MOST_QUOTES)
    yield ['16 no instant quotes', `${quotes} quotes left soon after the close-out was shown`];
}

/** 14, 19: a hung engine, a lost stream, or a kill that cannot close, leaves the heartbeat to expire. */
function* brokenByRefresh(
  { atMs, what }: SentRequest,
  { witness, wedgedSinceMs, leftByKill }: GateFacts,
  plan: SimPlan,
): Generator<readonly [string, string]> {
  const downMs = atMs - (witness.streamDownSinceMs ?? atMs);
  if (downMs > STREAM_GRACE_MS)
    yield ['14 refresh stops', `the heartbeat is kept, the stream is down for ${downMs / 1000} s`];
  // Another heartbeat keeps no order alive: it ends by itself sooner or later, and closes what is open.
  if (!what.endsWith('/refresh/')) return;
  // A stalled loop has yet to read that its orders are closed.
  if (leftByKill.isFailed(atMs, CLOSING_GRACE_MS) && !isStalled(plan, atMs))
    yield ['14 refresh stops', 'the heartbeat is kept over orders that a kill does not close'];
  if (isHung(wedgedSinceMs, atMs)) yield ['14 refresh stops', 'a hung engine keeps its heartbeat'];
}

/** A wall clock that jumps moves the ends of windows. Each still begins where the last one ended. */
function* brokenByWindow(
  { path }: SentRequest,
  { wallMs, exchangeMs, cursorMs, journalFailed, received, damageMet }: GateFacts,
  plan: SimPlan,
): Generator<readonly [string, string]> {
  if (cursorMs !== null && cursorMs > exchangeMs - SETTLED_MS)
    yield ['26 windows', `the cursor is ${cursorMs - exchangeMs + SETTLED_MS} ms ahead of what can be read`];
  const query = new URL(path, 'http://exchange').searchParams;
  const [fromMs, toMs] = ['updated_at_from', 'updated_at_to'].map((name) =>
    Date.parse(query.get(name) ?? ''),
  );
  if (fromMs === undefined || toMs === undefined || !(toMs - fromMs <= LONGEST_WINDOW_MS))
    return yield ['26 windows', `an updates window of ${(toMs ?? 0) - (fromMs ?? 0)} ms`];
  if (!traitsOf(plan).jumpsWall && toMs > wallMs - SETTLED_MS)
    yield ['26 windows', 'an updates window ends too late'];
  if (cursorMs === null) return;
  // A run that cannot read the cursor begins at its own start, and only closes.
  if (damageMet && received.updatesToMs === -Infinity) return;
  // The cursor cannot move then, but windows continue from those that this run has read.
  const readToMs = journalFailed() ? Math.max(cursorMs, received.updatesToMs) : cursorMs;
  if (fromMs > readToMs) yield ['26 windows', `a gap of ${fromMs - readToMs} ms`];
}
