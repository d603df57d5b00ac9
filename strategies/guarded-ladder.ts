import {
  definePlugin,
  type Direction,
  DIRECTIONS,
  type EventView,
  logit,
  logOddsOf,
  logOddsWidth,
  opposite,
  placementLimits,
  PRICES_OUT_OF_ORDER,
  pricesInOrder,
  type QuoteIntent,
  quoteLimits,
  quoteTick,
  restingIntent,
  type SelectionView,
  topOfBook,
  type TopOfBook,
  weightedMid,
  z,
} from '../src/strategy/sdk.ts';

const parameters = z
  .strictObject({
    levels: z.int().min(1).max(10).default(3),
    /** Distance of the first level from fair, and of each next one from the last, in log-odds. */
    halfSpread: z.number().positive().max(5).default(0.03),
    levelStep: z.number().positive().max(5).default(0.03),
    /** Each level's stake is this many times the last one's. */
    stakeGrowth: z.number().min(0.1).max(10).default(1.5),
    /** Markets whose sides are further apart than this, in log-odds, are not quoted. */
    maxWidth: z.number().positive().default(0.6),
    /** Spreads grow from this long before the start, evenly, to `startFactor` times at the start. */
    widenBeforeStartS: z.number().min(0).default(900),
    startFactor: z.number().min(1).max(100).default(3),
    /** In running: whether to quote at all, and how many times wider. */
    inPlay: z.boolean().default(false),
    inPlayFactor: z.number().min(1).max(100).default(4),
    /** Fills of this age or younger tell whether a side is being picked off. */
    toxicWindowS: z.number().positive().max(600).default(120),
    /** A side rests while its fills, by stake, have moved this far against us, in log-odds. */
    toxicMove: z.number().positive().default(0.04),
    /** A side that got this much in the window, net of the other, rests as well; in USDT. */
    maxNetFilled: z.number().positive().default(200),
    ...quoteLimits,
    ...placementLimits,
  })
  .refine(pricesInOrder, PRICES_OUT_OF_ORDER);

type Parameters = z.output<typeof parameters>;

/**
 * Several levels on each side around the weighted mid, with guards: a side whose latest fills went wrong, or that alone
 * was filled, rests until they have aged; spreads widen towards the start; in running it quotes only when told to.
 */
export default definePlugin<Parameters>({
  name: 'guarded-ladder',
  description: 'several levels, with toxicity and in-play guards and wider quotes near the start',
  parameters,
  quote(view, chosen) {
    if (view.inRunning && !chosen.inPlay) return [];
    const factor = widening(view, chosen);
    return view.selections.flatMap((selection) => quoteSelection(selection, factor, chosen));
  },
});

/** How many times wider than in quiet times. */
function widening({ startsInMs, inRunning }: EventView, chosen: Parameters): number {
  if (inRunning) return chosen.inPlayFactor;
  const { widenBeforeStartS, startFactor } = chosen;
  if (startsInMs === null || startsInMs >= widenBeforeStartS * 1000) return 1;
  const nearness = 1 - Math.max(0, startsInMs) / (widenBeforeStartS * 1000);
  return 1 + (startFactor - 1) * nearness;
}

function quoteSelection(selection: SelectionView, factor: number, chosen: Parameters): QuoteIntent[] {
  const top = topOfBook(selection.market);
  if (top === null || logOddsWidth(top) > chosen.maxWidth) return [];
  const fairProbability = weightedMid(top);
  return DIRECTIONS.flatMap((direction) =>
    isResting(direction, selection, logit(fairProbability), chosen)
      ? []
      : ladder(direction, selection, top, { fairProbability, factor, chosen }),
  );
}

interface LadderTerms {
  readonly fairProbability: number;
  readonly factor: number;
  readonly chosen: Parameters;
}

/** The levels outwards from the first; a level that falls on the one before it is left out. */
function ladder(
  direction: Direction,
  selection: SelectionView,
  top: TopOfBook,
  { fairProbability, factor, chosen }: LadderTerms,
): QuoteIntent[] {
  const fairLogOdds = logit(fairProbability);
  const intents: QuoteIntent[] = [];
  for (let level = 0; level < chosen.levels; level++) {
    const halfSpread = factor * (chosen.halfSpread + level * chosen.levelStep);
    const placement = level === 0 ? chosen.placement : 'model';
    const terms = { ...chosen, fairLogOdds, halfSpread, placement, minEdge: factor * chosen.minEdge };
    const tick = quoteTick(direction, terms, top);
    if (tick === intents.at(-1)?.tick) continue;
    const stake = chosen.stake * chosen.stakeGrowth ** level;
    intents.push(...restingIntent(selection, { direction, tick, fairProbability, level, stake }, chosen));
  }
  return intents;
}

/** Whether a guard keeps this side out of the market. */
function isResting(
  direction: Direction,
  selection: SelectionView,
  fairLogOdds: number,
  chosen: Parameters,
): boolean {
  const stake = filledStake(direction, selection, chosen);
  if (stake === 0) return false;
  const net = stake - filledStake(opposite(direction), selection, chosen);
  return (
    net >= chosen.maxNetFilled || adverseMove(direction, selection, fairLogOdds, chosen) >= chosen.toxicMove
  );
}

const windowOf = (direction: Direction, { recentFills = [] }: SelectionView, { toxicWindowS }: Parameters) =>
  recentFills.filter((fill) => fill.direction === direction && fill.ageMs <= toxicWindowS * 1000);

const filledStake = (direction: Direction, selection: SelectionView, chosen: Parameters): number =>
  windowOf(direction, selection, chosen).reduce((sum, { stakeMicros }) => sum + stakeMicros, 0) / 1e6;

/** How far fair has gone past the prices that we were filled at, against us, by stake; in log-odds. */
function adverseMove(
  direction: Direction,
  selection: SelectionView,
  fairLogOdds: number,
  chosen: Parameters,
): number {
  let [weighted, total] = [0, 0];
  for (const { price, stakeMicros } of windowOf(direction, selection, chosen)) {
    const move = direction === 'for' ? logOddsOf(price) - fairLogOdds : fairLogOdds - logOddsOf(price);
    weighted += move * stakeMicros;
    total += stakeMicros;
  }
  return total === 0 ? 0 : weighted / total;
}
