import { betId, orderId, requestUuid } from '../../domain/ids.ts';
import { betTypeOf } from '../../domain/selection.ts';
import type { Fill } from '../../domain/live-order.ts';
import { SELECTION_KINDS } from '../../domain/odds.ts';
import type { EventTape } from '../tape.ts';
import type { OwnOrder } from './exchange/own-order.ts';
import type { FillCause } from './exchange/selection-book.ts';

/** A fill as a strategy is told of it: as in the daemon, with numbers in the place of ids. */
export function ownFill(
  tape: EventTape,
  { id, selection, direction }: OwnOrder,
  fill: {
    readonly bet: number;
    readonly price: number;
    readonly stakeMicros: number;
    readonly cause: FillCause;
    readonly atMs: number;
  },
): Fill {
  const { selectionId, outcome } = tape.selections[selection] as EventTape['selections'][number];
  const { price, stakeMicros, atMs } = fill;
  return {
    betId: betId(fill.bet),
    orderId: orderId(id),
    requestUuid: requestUuid(String(id)),
    selectionId,
    sport: tape.event.sport,
    eventId: tape.event.eventId,
    betType: betTypeOf(direction, outcome),
    direction,
    priceKind: SELECTION_KINDS[direction],
    price,
    stakeMicros,
    mode: 'make_and_take',
    atMs,
    role: fill.cause === 'taken' ? 'taker' : 'maker',
  };
}
