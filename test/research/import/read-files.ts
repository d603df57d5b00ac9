/** Generated files as the import and its second reading have them, side by side. */
import { expect } from 'vitest';
import type { ImportedEvent } from '../../../src/research/import/event-import.ts';
import type { EventTape } from '../../../src/research/tape.ts';
import { imported } from '../../support/betfair-lines.ts';
import {
  type GeneratedEvent,
  generatedFile,
  type GeneratedFile,
  linesOf,
} from '../../support/generated-betfair.ts';
import { momentAt, type NaiveLadder, type NaiveMarket, naiveMarkets } from './naive-import.ts';

const FILES = 20;
export const files = Array.from({ length: FILES }, (_, number) => generatedFile(number));

/** The tape of an event, with its markets as the second reading has them: those with bet types, in the tape's order. */
export interface Read {
  readonly event: GeneratedEvent;
  readonly tape: EventTape;
  readonly markets: readonly NaiveMarket[];
}

export async function readOf(file: GeneratedFile): Promise<Read[]> {
  const { events } = await imported([linesOf(file)]);
  const naive = naiveMarkets(file);
  const tapes = events.flatMap((event: ImportedEvent) => event.tapes);
  expect(tapes).toHaveLength(file.events.length);
  return file.events.map((event) => {
    const ids = new Set(event.markets.map(({ id }) => id));
    const tape = tapes.find(({ markets }) => markets.some(({ marketId }) => ids.has(marketId)));
    if (tape === undefined) throw new Error(`${event.eventName} has no tape`);
    return {
      event,
      tape,
      markets: tape.markets.map(({ marketId }) => naive.get(marketId) as NaiveMarket),
    };
  });
}

/** In the order of the ticks. */
export const shown = (ladder: NaiveLadder | undefined): unknown =>
  [...(ladder ?? [])].toSorted(([a], [b]) => a - b);

const SIDES = ['for', 'against'] as const;

/** What each selection of the second reading has at an instant, beside what `shownOf` says. */
export function expectBooks(
  markets: readonly NaiveMarket[],
  atMs: number,
  shownOf: (outcome: string, side: 'for' | 'against') => unknown,
): void {
  const books = markets.flatMap((market) => [...(momentAt(market, atMs)?.books ?? [])]);
  for (const [outcome, book] of books)
    for (const side of SIDES)
      expect([atMs, outcome, side, shownOf(outcome, side)]).toEqual([atMs, outcome, side, shown(book[side])]);
}
