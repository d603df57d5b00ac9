import {
  PIECES,
  type LiveMessage,
  type LiveMoney,
  type LiveQuoting,
  type LiveRun,
} from '../../../read-model/live/message.ts';
import { type Held, pieceOf } from '../../../read-model/live/pieces.ts';
import { type Traces, tracesAfter, NO_TRACES } from './traces.ts';

export {
  alertsOf,
  eventsOf,
  fillsOf,
  payoffsOf,
  refusedOf,
  selectionOf,
  selectionsOf,
  strategiesOf,
} from '../../../read-model/live/pieces.ts';

/** What the page knows, and since when. */
export interface View extends Held {
  /** The daemon's clock at the last message. */
  readonly atMs: number;
  readonly frameAtMs: number | null;
  /** The page's own clock at the last message. */
  readonly receivedMs: number;
  /** How many orders the run had placed at the messages of the last seconds, the oldest first. */
  readonly placed: readonly Placed[];
  /** How profits and prices moved while the page looked. */
  readonly traces: Traces;
}

interface Placed {
  readonly atMs: number;
  readonly orders: number;
}

/** The view after a message; null while no message that holds everything has come. */
export function afterMessage(view: View | null, message: LiveMessage, receivedMs: number): View | null {
  if (view === null && !message.isFirst) return null;
  const { atMs, frameAtMs } = message;
  const pieces = piecesAfter(view?.pieces ?? new Map(), message);
  const orders = (pieces.get(PIECES.quoting) as LiveQuoting | undefined)?.ordersPlaced ?? 0;
  return {
    pieces,
    atMs,
    frameAtMs,
    receivedMs,
    placed: placedUntil(view?.placed ?? [], { atMs, orders }),
    traces: tracesAfter(view?.traces ?? NO_TRACES, pieces, atMs),
  };
}

function piecesAfter(
  before: View['pieces'],
  { isFirst, set = {}, gone = [] }: LiveMessage,
): ReadonlyMap<string, unknown> {
  const pieces = new Map(isFirst ? [] : before);
  for (const name of gone) pieces.delete(name);
  for (const [name, value] of Object.entries(set)) pieces.set(name, value);
  return pieces;
}

/** Orders per second are counted over this time. */
const PACE_MS = 10_000;

/** Starts again after a restart of the daemon, which counts from zero, and after a gap. */
function placedUntil(before: readonly Placed[], now: Placed): readonly Placed[] {
  const last = before.at(-1);
  const goesOn = last !== undefined && last.orders <= now.orders && now.atMs - last.atMs < PACE_MS;
  return [...(goesOn ? before.filter(({ atMs }) => atMs >= now.atMs - PACE_MS) : []), now];
}

/** Orders placed per second, over the last ten or as long as the page looks; null in its first second. */
export function ordersPerS({ placed }: View): number | null {
  const [first, last] = [placed[0], placed.at(-1)];
  if (first === undefined || last === undefined || last.atMs - first.atMs < 1_000) return null;
  return (1_000 * (last.orders - first.orders)) / (last.atMs - first.atMs);
}

/** Older data is shown as old. */
export const STALE_MS = 2_000;

/** A view at an instant of the page's clock. */
export interface Shown {
  readonly view: View;
  readonly run: LiveRun;
  readonly money: LiveMoney;
  readonly quoting: LiveQuoting;
  /** How long ago the last message came. */
  readonly ageMs: number;
  /** The daemon's clock now. */
  readonly atMs: number;
}

/** Null while the pieces that every message of a daemon begins with are not there. */
export function shownAt(view: View, nowMs: number): Shown | null {
  const run = pieceOf<LiveRun>(view, PIECES.run);
  const money = pieceOf<LiveMoney>(view, PIECES.money);
  const quoting = pieceOf<LiveQuoting>(view, PIECES.quoting);
  if (run === null || money === null || quoting === null) return null;
  const ageMs = Math.max(0, nowMs - view.receivedMs);
  return { view, run, money, quoting, ageMs, atMs: view.atMs + ageMs };
}

export const isStale = ({ ageMs }: Pick<Shown, 'ageMs'>): boolean => ageMs > STALE_MS;
