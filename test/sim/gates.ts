import type { SimPlan } from './plan.ts';
import type { SentRequest, Witness } from './witness.ts';
import { isCreate } from './witness.ts';

const SENDING_IS_OVER_MS = 50;
const SETTLED_MS = 60_000;
const LONGEST_WINDOW_MS = 70 * 60_000;
/** Requests to the exchange take this long at most before they are cut off. */
const LARGEST_RESERVE = 0.5;
const SEND_RESERVE_MS = 12_000;

/** What the gates have to know of the world at the instant of a send. */
export interface GateFacts {
  readonly witness: Witness;
  /** The daemon's wall clock. */
  readonly wallMs: number;
  /** A person has stopped everything and has not resumed. */
  readonly killed: boolean;
  /** The last cursor in the journal, null before the first. */
  readonly cursorMs: number | null;
}

/** Judges each request at the instant at which it leaves: what is broken, by name, and what was seen. */
export function* brokenGates(
  sent: SentRequest,
  facts: GateFacts,
  plan: SimPlan,
): Generator<readonly [invariant: string, seen: string]> {
  if (isCreate(sent)) yield* brokenByCreate(sent, facts, plan);
  if (sent.path.startsWith('/v2/orders/updates/')) yield* brokenByWindow(sent, facts, plan);
}

function* brokenByCreate(
  { atMs }: SentRequest,
  { witness, killed }: GateFacts,
  { daemon }: SimPlan,
): Generator<readonly [string, string]> {
  const { streamDownSinceMs, listedMs, streamOpenedMs, provenUntilMs } = witness;
  if (killed) yield ['19 kill switch', 'a create left after the kill'];
  if (streamDownSinceMs !== null && atMs - streamDownSinceMs > SENDING_IS_OVER_MS)
    yield ['17 no stream', `a create left, the stream is down since ${streamDownSinceMs / 1000} s`];
  if (listedMs < streamOpenedMs)
    yield ['18 resync first', 'a create left before the open orders were listed'];
  const reserveMs = Math.min(SEND_RESERVE_MS, daemon.heartbeatS * 1000 * LARGEST_RESERVE);
  if (provenUntilMs - atMs < reserveMs)
    yield ['13 proven heartbeat', `a create left with ${provenUntilMs - atMs} ms proven`];
}

/** Wall clocks that jump move the windows; then only their length is judged. */
function* brokenByWindow(
  { path }: SentRequest,
  { wallMs, cursorMs }: GateFacts,
  { acts }: SimPlan,
): Generator<readonly [string, string]> {
  const query = new URL(path, 'http://exchange').searchParams;
  const [fromMs, toMs] = ['updated_at_from', 'updated_at_to'].map((name) =>
    Date.parse(query.get(name) ?? ''),
  );
  if (fromMs === undefined || toMs === undefined || !(toMs - fromMs <= LONGEST_WINDOW_MS))
    return yield ['26 windows', `an updates window of ${(toMs ?? 0) - (fromMs ?? 0)} ms`];
  if (acts.some((act) => act.do === 'jump_wall')) return;
  if (toMs > wallMs - SETTLED_MS) yield ['26 windows', 'an updates window ends too late'];
  if (cursorMs !== null && fromMs > cursorMs) yield ['26 windows', `a gap of ${fromMs - cursorMs} ms`];
}
