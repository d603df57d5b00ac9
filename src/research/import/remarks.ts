/** Remarks on imported data for a reader of results, in sentences. */
import type { EventCounts, ImportedEvent, LeftOut } from './event-import.ts';

/** Gathers what the events of an import lack. */
export class ImportRemarks {
  readonly #leftOut = new Map<string, LeftOut>();
  readonly #ofEvents: string[] = [];
  readonly #counts: { -readonly [K in keyof EventCounts]: number } = {
    offLadder: 0,
    outside: 0,
    corrections: 0,
    newImages: 0,
    rankedMarkets: 0,
    marketsWithoutDepth: 0,
  };
  #events = 0;
  #ofExchange = 0;

  add({ leftOut, remarks, counts }: ImportedEvent): void {
    for (const each of leftOut) this.#leave(each);
    this.#ofEvents.push(...remarks);
    if (counts === null) this.#ofExchange++;
    else this.#count(counts);
  }

  #count(counts: EventCounts): void {
    this.#events++;
    for (const name of Object.keys(this.#counts) as (keyof EventCounts)[]) this.#counts[name] += counts[name];
  }

  remarks(): string[] {
    const ofExchange = this.#ofExchange === 0 ? [] : [OFFERS];
    if (this.#events === 0) return [...ofExchange, ...some(this.#ofEvents)];
    const { offLadder, outside, corrections, newImages, rankedMarkets, marketsWithoutDepth } = this.#counts;
    const counted: readonly (readonly [number, string])[] = [
      [offLadder, 'levels and trades at prices between two ticks stand at the tick that is worse for us'],
      [outside, 'levels and trades at prices outside the ladder are left out'],
      [corrections, 'falls of traded volume, and changes with its currency, are corrections, not trades'],
      [
        newImages,
        'new images that tell more than was known: the file lacks what happened before each, in its market',
      ],
      [
        rankedMarkets,
        'markets have the best levels alone, or those that takers see: a level that leaves the ranks counts as cancelled',
      ],
      [
        marketsWithoutDepth,
        'markets have no levels, so that nothing can be quoted or filled there in any scenario',
      ],
    ];
    return [
      ...ofExchange,
      'Raw ladders lack the prices that Betfair matches across selections: real prices were at times better.',
      'Betfair counts both sides of a trade, so traded volume is halved. Amounts count as USDT, one to one.',
      ...counted.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}.`])),
      ...Array.from(
        this.#leftOut.values(),
        ({ marketType, why, markets, selections }) =>
          `Left out: ${marketType}, ${selections} selections of ${markets} markets: ${why}.`,
      ),
      ...some(this.#ofEvents),
    ];
  }

  #leave(each: LeftOut): void {
    const key = `${each.marketType}: ${each.why}`;
    const before = this.#leftOut.get(key);
    this.#leftOut.set(key, {
      ...each,
      markets: each.markets + (before?.markets ?? 0),
      selections: each.selections + (before?.selections ?? 0),
    });
  }
}

const OFFERS =
  'Levels come from public offers: the stake of all accounts, our own of a recorded run included, as often as the exchange sent it.';

/** Remarks of single events beyond this number are only counted. */
const SHOWN = 10;

function some(remarks: readonly string[]): string[] {
  if (remarks.length <= SHOWN) return remarks.map((remark) => `${remark}.`);
  return [
    ...remarks.slice(0, SHOWN).map((remark) => `${remark}.`),
    `And ${remarks.length - SHOWN} more of this kind.`,
  ];
}
