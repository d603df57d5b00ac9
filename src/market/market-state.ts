import type { RecordedFacts } from '../domain/event-view.ts';
import type { SelectionId } from '../domain/ids.ts';
import { Betslips } from './betslips.ts';
import { Books } from './books.ts';
import { Candidates } from './candidates.ts';
import { Grids } from './grids.ts';
import { OwnStakes } from './own-stake.ts';
import { type PriceMeaning, Prices } from './prices.ts';
import { QuotedSelections } from './quoted-selections.ts';
import { RecentFills } from './recent-fills.ts';
import { SourcePrices, type SourceRules } from './source-prices.ts';

export interface MarketOptions {
  /** Prices that were not seen for longer than this are stale. */
  readonly staleAfterMs: number;
  /** How long a broadcast of an event may take to arrive in full. A market that is missing by then is gone. Default 1500. */
  readonly absentAfterMs?: number;
  /** How long after a fill or a close the exchange may still show the stake as ours. Default 2500. */
  readonly ownLingerMs?: number;
  /** The configured price sources. Default: none. */
  readonly priceSources?: readonly SourceRules[];
  /** What a recorded market tells of a selection now, and an exchange's stream does not; null: nothing. Default: nothing. */
  readonly recordedFacts?: (id: SelectionId) => RecordedFacts | null;
}

const ABSENT_AFTER_MS = 1_500;
/** An order may take two seconds to reach a book in play. */
const OWN_LINGER_MS = 2_500;

/** All that the market knows. The reducer changes it with each input; views and reads show it. */
export class MarketState {
  readonly books = new Books();
  readonly betslips = new Betslips();
  readonly fills = new RecentFills();
  readonly grids = new Grids();
  readonly quoted = new QuotedSelections();
  readonly own: OwnStakes;
  readonly sourcePrices: SourcePrices;
  readonly prices: Prices;
  readonly candidates: Candidates;
  readonly recordedFacts: MarketOptions['recordedFacts'];
  readonly meaning: PriceMeaning;
  readonly staleAfterMs: number;
  readonly absentAfterMs: number;

  constructor(options: MarketOptions, meaning: PriceMeaning) {
    const { staleAfterMs, absentAfterMs = ABSENT_AFTER_MS, ownLingerMs = OWN_LINGER_MS } = options;
    this.recordedFacts = options.recordedFacts;
    [this.meaning, this.staleAfterMs, this.absentAfterMs] = [meaning, staleAfterMs, absentAfterMs];
    this.own = new OwnStakes(ownLingerMs, staleAfterMs);
    this.sourcePrices = new SourcePrices(options.priceSources ?? []);
    this.prices = new Prices(this.betslips, this.own, meaning, staleAfterMs, absentAfterMs);
    this.candidates = new Candidates(this.prices, this.own, meaning);
  }
}
