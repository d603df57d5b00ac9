import {
  PIECES,
  type LiveAlert,
  type LiveEvent,
  type LiveFill,
  type LiveMessage,
  type LiveMoney,
  type LiveRefused,
  type LivePayoffs,
  type LiveQuoting,
  type LiveRun,
  type LiveSelection,
  type LiveStrategies,
} from '../../../read-model/live/message.ts';
import { type Traces, tracesAfter, NO_TRACES } from './traces.ts';

/** What the page knows, and since when. */
export interface View {
  readonly pieces: ReadonlyMap<string, unknown>;
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
  const run = read<LiveRun>(view, PIECES.run);
  const money = read<LiveMoney>(view, PIECES.money);
  const quoting = read<LiveQuoting>(view, PIECES.quoting);
  if (run === null || money === null || quoting === null) return null;
  const ageMs = Math.max(0, nowMs - view.receivedMs);
  return { view, run, money, quoting, ageMs, atMs: view.atMs + ageMs };
}

export const isStale = ({ ageMs }: Shown): boolean => ageMs > STALE_MS;

const read = <T>({ pieces }: View, name: string): T | null => (pieces.get(name) as T | undefined) ?? null;

/** Other pieces of a view by their types. */
export const strategiesOf = (view: View): LiveStrategies['strategies'] =>
  read<LiveStrategies>(view, PIECES.strategies)?.strategies ?? [];
export const payoffsOf = (view: View, key: string): LivePayoffs | null => read(view, PIECES.payoffs(key));

/** All pieces whose names begin so. */
const all = <T>({ pieces }: View, prefix: string): readonly T[] =>
  [...pieces].flatMap(([name, value]) => (name.startsWith(prefix) ? [value as T] : []));

/** The selections of an event whose details are sent, those at most risk first. */
export const selectionsOf = (view: View, key: string): readonly LiveSelection[] =>
  all<LiveSelection>(view, PIECES.selection(`${key}|`)).toSorted((a, b) => atRisk(a) - atRisk(b));
const atRisk = ({ ifWin, ifLose }: LiveSelection): number => Math.min(ifWin, ifLose);
export const selectionOf = (view: View, id: string): LiveSelection | null => read(view, PIECES.selection(id));

const newestFirst = (a: { readonly atMs: number }, b: { readonly atMs: number }): number => b.atMs - a.atMs;

export const eventsOf = (view: View): readonly LiveEvent[] => all(view, PIECES.event(''));
export const alertsOf = (view: View): readonly LiveAlert[] => read(view, PIECES.alerts) ?? [];
/** The newest first. */
export const fillsOf = (view: View): readonly LiveFill[] =>
  all<LiveFill>(view, PIECES.fill('')).toSorted(newestFirst);
export const refusedOf = (view: View): readonly LiveRefused[] => all(view, PIECES.refused(''));
