/** The fills and orders that a run of both worlds leaves. */
import type { SimulatedFill } from '../../src/domain/simulated-fill.ts';
import { SCENARIOS } from '../../src/fills/fill-model.ts';
import type { ComparedFill } from './compare.ts';
import { Fair } from './fair.ts';
import type { MarketTrade } from './market.ts';
import type { ToldQuote, WorldChoice } from './world.ts';

export interface WorldsOptions extends Pick<WorldChoice, 'seed' | 'recorded' | 'convention' | 'halfSpread'> {
  readonly hours: number;
  /** For files of the run. */
  readonly folder: string;
}

export interface WorldFills {
  readonly live: readonly ComparedFill[];
  /** Trades of the undisturbed market; none where nobody could look. */
  readonly trades: readonly MarketTrade[];
  /** By fill model. */
  readonly paper: Readonly<Record<string, readonly ComparedFill[]>>;
}

/** Fills from before both daemons quote are left out. */
export const WARM_UP_MS = 60_000;

export type WorldFill = Omit<ComparedFill, 'marks'>;

interface Left extends Pick<WorldChoice, 'convention'> {
  readonly live: readonly WorldFill[];
  readonly paper: readonly SimulatedFill[];
  readonly quotes: readonly ToldQuote[];
  readonly trades: readonly MarketTrade[];
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The fills of the time in between, with their marks. */
export function worldFills({ live, paper, quotes, trades, convention, fromMs, untilMs }: Left): WorldFills {
  const fair = new Fair(quotes, convention);
  const compared = (fills: readonly WorldFill[]): readonly ComparedFill[] =>
    fills
      .filter(({ atMs }) => atMs >= fromMs && atMs < untilMs)
      .map((fill) => ({ ...fill, marks: fair.marks(fill) }));
  const ofModel = (model: string): readonly WorldFill[] =>
    paper
      .filter((fill) => fill.model === model)
      .map(({ sport, eventId, betType, price, stakeMicros, cause, atMs }) => ({
        event: `${sport}|${eventId}`,
        betType,
        price,
        stake: stakeMicros / 1e6,
        cause,
        atMs,
      }));
  return {
    live: compared(live),
    trades,
    paper: Object.fromEntries(SCENARIOS.map((model) => [model, compared(ofModel(model))])),
  };
}
