import type { EventTape } from './tape.ts';

/** A remark on the fills of a backtest for its reader: that they are inferred where no trade was recorded. */
export function fillRemarks(tapes: readonly Pick<EventTape, 'hasTrades'>[]): string[] {
  const without = tapes.filter(({ hasTrades }) => !hasTrades).length;
  if (without === 0) return [];
  const events = without === 1 ? '1 event has' : `${without} events have`;
  return [
    `${events} no recorded trades: fills are inferred from books that cross the price of an order, and queues move by changes of levels alone`,
  ];
}
