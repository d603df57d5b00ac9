import { PAGE } from '../../../lib/formats.ts';
import type { LiveEvent, LiveQuoting } from '../../../read-model/live/message.ts';

type Open = Pick<LiveQuoting, 'ordersOpen' | 'openStake'>;

/** Whether every order is closed. */
export const closedInWords = ({ ordersOpen, openStake }: Open): string =>
  ordersOpen === 0
    ? 'Every order: none is open.'
    : `Not all yet: ${ordersOpen} open with ${PAGE.money(openStake)}. They are being closed.`;

/** What may still win or lose. Matched bets stay: a kill closes orders alone. */
export function heldInWords(events: readonly LiveEvent[]): string {
  const held = events.filter(({ profit }) => profit !== null);
  if (held.length === 0) return 'Nothing: no bet is matched.';
  const worst = held.reduce((sum, each) => sum + each.worst, 0);
  const of = held.length === 1 ? (held[0]?.name ?? '') : `${held.length} events`;
  return `The matched bets on ${of}, at worst ${PAGE.gain(worst)}. Hedge them below, or let them settle.`;
}

/** What a person does next. */
export function nextInWords(ordersOpen: number, mayResume: boolean): string {
  if (ordersOpen > 0)
    return 'Wait until no order is open. If that takes longer than a minute, look at the exchange.';
  const resume = mayResume
    ? 'Hold RESUME for a second'
    : 'Somebody with control holds RESUME, or runs touchline resume,';
  return `${resume} once the cause is gone. Until then nothing is placed, also after a restart.`;
}
