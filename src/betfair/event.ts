/** The bet types of an event's markets: each once, however many markets have it. */
import { type Mapped, mapMarket } from './mapping.ts';
import type { FoldedMarket } from './market-fold.ts';
import { endOf, type Ended } from './results.ts';

/** A market with the bet types of its runners. */
export interface MappedMarket<M extends FoldedMarket> {
  readonly market: M;
  readonly mapped: Mapped;
  /** By the position of the market's runners; null for runners without a bet type. */
  readonly outcomes: readonly (string | null)[];
}

/** A market without a bet type on the exchange. */
export interface UnmappedMarket<M extends FoldedMarket> {
  readonly market: M;
  readonly why: string;
}

export interface MappedEvent<M extends FoldedMarket> {
  /** By the sport on the exchange: a half is an event of its own. */
  readonly bySport: ReadonlyMap<string, readonly MappedMarket<M>[]>;
  readonly unmapped: readonly UnmappedMarket<M>[];
}

/** Maps the markets of one event, in their order. */
export function mappedEvent<M extends FoldedMarket>(markets: readonly M[]): MappedEvent<M> {
  const bySport = new Map<string, MappedMarket<M>[]>();
  const unmapped: UnmappedMarket<M>[] = [];
  for (const market of markets) {
    const mapped = mapMarket(market.definition);
    if ('why' in mapped) unmapped.push({ market, why: mapped.why });
    else {
      const listed = bySport.get(mapped.sport) ?? [];
      bySport.set(mapped.sport, listed);
      listed.push({ market, mapped, outcomes: outcomesOf(market, mapped) });
    }
  }
  return { bySport, unmapped };
}

/** The definition lists the runners by priority, the changes by appearance. */
function outcomesOf({ definition, runners }: FoldedMarket, { outcomes }: Mapped): (string | null)[] {
  const byRunner = new Map(
    definition.runners.map(({ runnerId, handicap }, at) => [`${runnerId}:${handicap}`, outcomes[at] ?? null]),
  );
  return runners.map(({ runnerId, handicap }) => byRunner.get(`${runnerId}:${handicap}`) ?? null);
}

export interface ListedSelection {
  readonly outcome: string;
  /** Position of the market. */
  readonly market: number;
  readonly name: string | null;
  readonly startingPrice: number | null;
  readonly ended: Ended;
}

export interface ListedSelections {
  readonly selections: readonly ListedSelection[];
  /** By market, by the position of its runners: the selection; -1 for runners that are none. */
  readonly places: readonly (readonly number[])[];
}

/** The selections of an event's markets. A bet type that an earlier market has is not listed again. */
export function listedSelections(markets: readonly MappedMarket<FoldedMarket>[]): ListedSelections {
  const taken = new Set<string>();
  const selections: ListedSelection[] = [];
  const places = markets.map(({ market, mapped, outcomes }, index) =>
    outcomes.map((outcome, of) => {
      if (outcome === null || taken.has(outcome)) return -1;
      taken.add(outcome);
      const ended = endOf(market, of, mapped.family, outcome);
      const { name = null, startingPrice = null } = market.runners[of] ?? {};
      return selections.push({ outcome, market: index, name, startingPrice, ended }) - 1;
    }),
  );
  return { selections, places };
}
