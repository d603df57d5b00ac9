import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { factsIn } from '../../../src/app/history/facts-in-journal.ts';
import { betId, betType, eventId, orderId, sport } from '../../../src/domain/ids.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import { directionOfKind, PRICE_KINDS, type PriceKind } from '../../../src/domain/odds.ts';
import { selectionIdOf } from '../../../src/domain/selection.ts';
import { IN_MEMORY, openHistory } from '../../../src/history/sqlite-history.ts';
import { UTC_DAYS } from '../../../src/lib/trading-day.ts';
import { entryOf } from '../../../src/orders/journal/records.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';

function filled(n: number, priceKind: PriceKind): Fill {
  const type = betType(priceKind === 'odds-for' || priceKind === 'lay-for' ? 'for,h' : 'against,h');
  const market = { sport: sport('fb'), eventId: eventId('2026-11-21,1,2'), betType: type };
  return {
    ...market,
    betId: betId(n),
    orderId: orderId(n),
    selectionId: selectionIdOf(market),
    atMs: n,
    direction: directionOfKind(priceKind),
    priceKind,
    price: 2.02,
    stakeMicros: 5e6,
    requestUuid: null,
    role: 'maker',
  };
}

it('rebuilds a history with what each price is', () => {
  const journal = createMemoryJournal(new VirtualClock());
  const fills = PRICE_KINDS.map((kind, n) => filled(n, kind));
  journal.append(fills.map((fill) => entryOf({ kind: 'fill_booked', fill })));
  const history = openHistory(IN_MEMORY, UTC_DAYS);
  history.write(factsIn(journal));
  const found = history.fills({ limit: 9 }).toReversed();
  expect(
    found.map(({ direction, priceKind, price, stakeMicros }) => [direction, priceKind, price, stakeMicros]),
  ).toEqual(
    fills.map(({ direction, priceKind, price, stakeMicros }) => [direction, priceKind, price, stakeMicros]),
  );
  history.close();
});
