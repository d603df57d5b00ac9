import { PAGE } from '../../../lib/formats.ts';
import type { LiveEvent, LiveQuoting, LiveTrading } from '../../../read-model/live/message.ts';

/** What closed the orders: a kill or a pause in force, or CLOSE ALL, after which what is wanted is quoted again. */
export type Stop = 'kill' | 'pause' | 'CLOSE ALL';

/** So long after CLOSE ALL it is told what came of it. */
const CLOSED_MS = 60_000;

/** The stop to tell of; null for none. `closedMs`: since CLOSE ALL was done from here, null if it was not. */
export function stopOf({ state }: Pick<LiveTrading, 'state'>, closedMs: number | null): Stop | null {
  if (state === 'killed') return 'kill';
  if (state === 'halted') return 'pause';
  return closedMs !== null && closedMs < CLOSED_MS ? 'CLOSE ALL' : null;
}

type Open = Pick<LiveQuoting, 'ordersOpen' | 'openStake'>;

/** Whether every order is closed. */
export function closedInWords(stop: Stop, { ordersOpen, openStake }: Open): string {
  if (ordersOpen === 0) return 'Every order: none is open.';
  const open = `${ordersOpen} open with ${PAGE.money(openStake)}`;
  return stop === 'CLOSE ALL'
    ? `Every order of then. What is still wanted is quoted again: ${open} by now.`
    : `Not all yet: ${open}. They are being closed.`;
}

/** No bet of a hedge is sent while all is stopped. */
const AFTER_RESUME =
  'Let them settle, or hedge them after RESUME: until then no hedge is sent. Set an event to “reduce only” before, and only what makes it better is sent then.';
const HEDGES: Readonly<Record<Stop, string>> = {
  kill: AFTER_RESUME,
  pause: AFTER_RESUME,
  'CLOSE ALL': 'Hedge them below, or let them settle.',
};

/** What may still win or lose. Matched bets stay: orders alone are closed. */
export function heldInWords(stop: Stop, events: readonly LiveEvent[]): string {
  const held = events.filter(({ profit }) => profit !== null);
  if (held.length === 0) return 'Nothing: no bet is matched.';
  const worst = held.reduce((sum, each) => sum + each.worstMatched, 0);
  const of = held.length === 1 ? (held[0]?.name ?? '') : `${held.length} events`;
  return `The matched bets on ${of}, at worst ${PAGE.gain(worst)}. ${HEDGES[stop]}`;
}

/** What a person does next. */
export function nextInWords(
  stop: Stop,
  ordersOpen: number,
  mayResume: boolean,
  kept: LiveTrading['kept'],
): string {
  if (stop === 'CLOSE ALL') return 'PAUSE also keeps the orders closed.';
  if (ordersOpen > 0)
    return 'Wait until no order is open. If that takes longer than a minute, look at the exchange.';
  const resume = mayResume
    ? 'Hold RESUME for a second'
    : 'Somebody with control holds RESUME, or runs touchline resume --reason "…"';
  const when = stop === 'kill' ? 'once the cause is gone' : 'to quote again';
  return `${resume} ${when}. ${KEPT[kept]}`;
}

/** Whether a restart keeps a stop, as `touchline kill` says it. */
const KEPT: Readonly<Record<LiveTrading['kept'], string>> = {
  'over restarts': 'Until then nothing is placed, also after a restart.',
  'for this run':
    'Until then this run places nothing. It is kept for this run alone: its journal is in memory. A daemon that starts will trade.',
  nowhere: 'Until then this run places nothing. NOT LATCHED: a daemon that starts will trade.',
};
