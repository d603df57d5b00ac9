import {
  defineStrategy,
  type Direction,
  DIRECTIONS,
  type EventView,
  logit,
  logOddsOf,
  logOddsWidth,
  mayBeInPlay,
  numberParameter,
  opposite,
  placementLimits,
  PRICES_OUT_OF_ORDER,
  pricesInOrder,
  type QuoteIntent,
  quoteLimits,
  quoteTick,
  restingIntent,
  type SelectionView,
  type TopOfBook,
  topOfBook,
  weightedMid,
  wholeParameter,
  widthLimit,
  z,
} from '../src/strategy/sdk.ts';

const schema = z
  .strictObject({
    levels: wholeParameter(3, [1, 10], 'quotes on each side'),
    halfSpread: numberParameter(0.03, [1e-4, 5], 'distance of the first level from fair, in log-odds'),
    levelStep: numberParameter(0.03, [1e-4, 5], 'distance of each next level from the last, in log-odds'),
    stakeGrowth: numberParameter(1.5, [0.1, 10], 'the stake of each level, as a multiple of the one before'),
    widenBeforeStartS: numberParameter(900, [0, 1e6], 'spreads grow from this many seconds before the start'),
    startFactor: numberParameter(3, [1, 100], 'how many times wider they are at the start'),
    inPlay: z.boolean().default(false).describe('whether to quote in running'),
    inPlayFactor: numberParameter(4, [1, 100], 'how many times wider spreads are in running'),
    toxicWindowS: numberParameter(120, [1, 600], 'the guards count fills of at most this age, in seconds'),
    toxicMove: numberParameter(
      0.04,
      [1e-4, 50],
      'a side pauses while fair is this far past its fills, in log-odds',
    ),
    maxNetFilled: numberParameter(
      200,
      [0.01, 1e9],
      'a side pauses while its fills exceed those of the other side by this much, in USDT',
    ),
    ...widthLimit,
    ...quoteLimits,
    ...placementLimits,
  })
  .refine(pricesInOrder, PRICES_OUT_OF_ORDER);

type Parameters = z.output<typeof schema>;

/**
 * Quotes several levels on each side around the weighted mid, behind guards. A side pauses when fair has moved past its
 * latest fills, or when only this side was filled, until those fills have aged. Spreads widen towards the start. In
 * running it quotes only with `inPlay`, and wider.
 */
export default defineStrategy<Parameters>({
  name: 'guarded-ladder',
  description: 'several levels, with toxicity and in-play guards and wider quotes near the start',
  parameters: schema,
  quote(view, parameters) {
    if (mayBeInPlay(view) && !parameters.inPlay) return [];
    const factor = widening(view, parameters);
    return view.selections.flatMap((selection) => quoteSelection(selection, factor, parameters));
  },
});

/** The factor on all spreads: 1 until `widenBeforeStartS`, rising to `startFactor` at the start, fixed in running. */
function widening(view: EventView, parameters: Parameters): number {
  if (mayBeInPlay(view)) return parameters.inPlayFactor;
  const { startsInMs } = view;
  const { widenBeforeStartS, startFactor } = parameters;
  if (startsInMs === null || startsInMs >= widenBeforeStartS * 1000) return 1;
  const nearness = 1 - startsInMs / (widenBeforeStartS * 1000);
  return 1 + (startFactor - 1) * nearness;
}

function quoteSelection(selection: SelectionView, factor: number, parameters: Parameters): QuoteIntent[] {
  const top = topOfBook(selection.market);
  if (top === null || logOddsWidth(top) > parameters.maxWidth) return [];
  const fairProbability = weightedMid(top);
  return DIRECTIONS.flatMap((direction) =>
    isPaused(direction, selection, logit(fairProbability), parameters)
      ? []
      : ladder(direction, selection, top, { fairProbability, factor, parameters }),
  );
}

interface LadderTerms {
  readonly fairProbability: number;
  readonly factor: number;
  readonly parameters: Parameters;
}

/** The levels from the innermost outwards. A level on the same tick as the one before it is left out. */
function ladder(
  direction: Direction,
  selection: SelectionView,
  top: TopOfBook,
  { fairProbability, factor, parameters }: LadderTerms,
): QuoteIntent[] {
  const fairLogOdds = logit(fairProbability);
  const intents: QuoteIntent[] = [];
  for (let level = 0; level < parameters.levels; level++) {
    const halfSpread = factor * (parameters.halfSpread + level * parameters.levelStep);
    const placement = level === 0 ? parameters.placement : 'model';
    const terms = { ...parameters, fairLogOdds, halfSpread, placement, minEdge: factor * parameters.minEdge };
    const tick = quoteTick(direction, terms, top);
    if (tick === intents.at(-1)?.tick) continue;
    const stake = parameters.stake * parameters.stakeGrowth ** level;
    intents.push(...restingIntent(selection, { direction, tick, fairProbability, level, stake }, parameters));
  }
  return intents;
}

/** Whether a guard pauses this side. */
function isPaused(
  direction: Direction,
  selection: SelectionView,
  fairLogOdds: number,
  parameters: Parameters,
): boolean {
  const stake = filledStake(direction, selection, parameters);
  if (stake === 0) return false;
  const net = stake - filledStake(opposite(direction), selection, parameters);
  return (
    net >= parameters.maxNetFilled ||
    adverseMove(direction, selection, fairLogOdds, parameters) >= parameters.toxicMove
  );
}

const recentFillsOf = (
  direction: Direction,
  { recentFills = [] }: SelectionView,
  { toxicWindowS }: Parameters,
) => recentFills.filter((fill) => fill.direction === direction && fill.ageMs <= toxicWindowS * 1000);

const filledStake = (direction: Direction, selection: SelectionView, parameters: Parameters): number =>
  recentFillsOf(direction, selection, parameters).reduce((sum, { stakeMicros }) => sum + stakeMicros, 0) /
  1e6;

/** How far fair has moved against our recent fills of this direction: the mean by stake, in log-odds. */
function adverseMove(
  direction: Direction,
  selection: SelectionView,
  fairLogOdds: number,
  parameters: Parameters,
): number {
  let weighted = 0;
  let total = 0;
  for (const { price, stakeMicros } of recentFillsOf(direction, selection, parameters)) {
    const move = direction === 'for' ? logOddsOf(price) - fairLogOdds : fairLogOdds - logOddsOf(price);
    weighted += move * stakeMicros;
    total += stakeMicros;
  }
  return total === 0 ? 0 : weighted / total;
}
