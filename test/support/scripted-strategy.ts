/** Strategies whose quotes a test writes down. */
import { toMicros } from '../../src/domain/money.ts';
import { tickOf } from '../../src/domain/ladder.ts';
import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import type { Direction } from '../../src/domain/selection.ts';
import type { EventView } from '../../src/domain/event-view.ts';
import { defineStrategy, z } from '../../src/strategy/sdk.ts';

/** A quote of a selection, by its position in the view: price and stake in USDT. */
export type Written = readonly [direction: Direction, price: number, stake: number, selection?: number];

/** A strategy that wants what `wanted` says of each view. */
export const scripted = (wanted: (view: EventView) => readonly Written[]) =>
  defineStrategy({
    name: 'scripted',
    description: 'quotes what the test says',
    parameters: z.unknown(),
    quote: (view) => wanted(view).map((written) => intentOf(view, written)),
  });

function intentOf({ selections }: EventView, [direction, price, stake, at = 0]: Written): QuoteIntent {
  const tick = tickOf(price);
  const selection = selections[at];
  if (tick === null || selection === undefined) throw new Error(`no quote at ${price} of selection ${at}`);
  return { selectionId: selection.selectionId, direction, tick, stakeMicros: toMicros(stake), level: 0 };
}
