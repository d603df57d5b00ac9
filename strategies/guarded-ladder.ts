/**
 * `guarded-ladder`: several levels on each side of the weighted mid, behind guards.
 *
 * Formula. Level i lies at L ± factor × (`halfSpread` + i × `levelStep`), where L is the log-odds of the weighted mid.
 * Its size is `stakeGrowth` times that of the level before. The factor is 1, rises to `startFactor` towards the start,
 * and is `inPlayFactor` in running, where it quotes only with `inPlay`.
 *
 * Parameters. A side pauses when fair has moved `toxicMove` past its latest fills, or when its fills exceed those of the
 * other side by `maxNetFilled`, until those fills are older than `toxicWindowS`.
 *
 * Off by default: minimum widths from the volatility (`k1`, `k2`), a wait after fills (`afterFillS`), and gates of depth and age
 * (`minDepth`, `minAgeS`). The first level lies at least at the minimum width of a new order; one that rests stays while its distance is at least that of a
 * resting order.
 *
 * It earns from short swings that reach the outer levels and come back. It loses when one move sweeps all levels, and
 * the pauses cost fills in a busy two-sided market.
 */
import {
  betDelays,
  closedGate,
  defineStrategy,
  type Direction,
  type EventView,
  fromMicros,
  halfOf,
  logit,
  logOddsOf,
  mayBeInPlay,
  mayQuoteAgain,
  newOrderHalf,
  numberParameter,
  opposite,
  placementLimits,
  type PriceKind,
  priceOf,
  PRICES_OUT_OF_ORDER,
  pricesInOrder,
  type QuoteIntent,
  quoteLimits,
  quoteTick,
  type RecentFill,
  restingHalf,
  restingQuotes,
  selectionPrice,
  type SelectionView,
  stakeParameter,
  type Tick,
  type TopOfBook,
  topOfBook,
  volatilityOfMids,
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
    stakeGrowth: numberParameter(
      1.5,
      [0.1, 10],
      'the size of each level, as a multiple of the one before; the largest has `stake`',
    ),
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
      'a side pauses while its fills exceed those of the other side by this much, in USDT, counted as `stake`',
    ),
    k1: numberParameter(
      0,
      [0, 20],
      'least half-width in standard deviations of the move until an order rests or closes; 0: off',
    ),
    k2: numberParameter(0, [0, 20], 'least half-width in standard deviations of a minute; 0: off'),
    requestMs: numberParameter(100, [0, 60_000], 'milliseconds to place or close an order, for `k1`'),
    untoldDelayMs: numberParameter(
      0,
      [0, 60_000],
      'milliseconds of bet delay where nobody tells it, for `k1`',
    ),
    afterFillS: numberParameter(0, [0, 600], 'a filled side waits this long, in seconds; 0: off'),
    afterFillMove: numberParameter(
      0.02,
      [0, 5],
      'and returns to the filled price once fair moved this far, in log-odds',
    ),
    minDepth: numberParameter(0, [0, 1e6], 'least risk at the best price of both sides, in USDT; 0: off'),
    minAgeS: numberParameter(0, [0, 600], 'the mid must have stood this long, in seconds; 0: off'),
    ...widthLimit,
    ...quoteLimits,
    stake: stakeParameter(45),
    ...placementLimits,
  })
  .refine(pricesInOrder, PRICES_OUT_OF_ORDER);

type Parameters = z.output<typeof schema>;

export default defineStrategy<Parameters>({
  name: 'guarded-ladder',
  description: 'several levels, with toxicity and in-play guards and wider quotes near the start',
  parameters: schema,
  quote(view, parameters) {
    if (mayBeInPlay(view) && !parameters.inPlay) return [];
    const factor = widening(view, parameters);
    return view.selections.flatMap((selection) => quoteSelection(selection, view, factor, parameters));
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

function quoteSelection(
  selection: SelectionView,
  view: EventView,
  factor: number,
  parameters: Parameters,
): QuoteIntent[] {
  const top = topOfBook(selection.market);
  // The time is read only where a gate needs it.
  if (
    top === null ||
    closedGate(top, selection, parameters.minAgeS > 0 ? view.nowMs : 0, parameters) !== null
  )
    return [];
  const fairProbability = weightedMid(top);
  const fairLogOdds = logit(fairProbability);
  const least = leastHalves(selection, view, parameters);
  if (least === null) return [];
  // The ladder of our orders, as `tickOn` is asked for; without it the ladder of the selection.
  const kindOf = (direction: Direction) => selection.priceKinds?.[direction];
  const ticksOf = (direction: Direction): readonly (Tick | null)[] =>
    isPaused(direction, selection, fairProbability, parameters)
      ? []
      : ladder(
          direction,
          kindOf(direction),
          { fairLogOdds, factor, parameters, leastHalf: leastOn(direction, selection, fairLogOdds, least) },
          top,
        ).map((tick) =>
          tick !== null && mayReturn(direction, tick, selection, view, parameters) ? tick : null,
        );
  const ticks = { for: ticksOf('for'), against: ticksOf('against') };
  return Array.from({ length: parameters.levels }, (_, level) => {
    const tickOn = (direction: Direction) => ticks[direction][level] ?? null;
    const stake = stakeOfLevel(level, parameters);
    return restingQuotes(selection, { fairProbability, tickOn, level, stake }, parameters);
  }).flat();
}

/** `stake` for the largest level: the last one, or the first one if levels shrink. */
const stakeOfLevel = (level: number, { stake, stakeGrowth, levels }: Parameters): number =>
  (stake * stakeGrowth ** level) / Math.max(1, stakeGrowth ** (levels - 1));

interface LadderTerms {
  readonly fairLogOdds: number;
  readonly factor: number;
  readonly parameters: Parameters;
  /** The first level is at least so far from fair, in log-odds. */
  readonly leastHalf: number;
}

/** The least distances from fair of an order that is new, and of one that rests. */
interface LeastHalves {
  readonly fresh: number;
  readonly resting: number;
}

/** Null while the volatility is not known: then nobody knows how wide is wide enough. */
function leastHalves(selection: SelectionView, view: EventView, parameters: Parameters): LeastHalves | null {
  const { k1, k2, requestMs, untoldDelayMs } = parameters;
  if (k1 === 0 && k2 === 0) return NO_LEAST;
  const volatility = volatilityOfMids(selection.mids, view.nowMs);
  if (volatility === null) return null;
  const { market } = selection;
  const viewAgeMs = Math.max(market.for?.ageMs ?? 0, market.against?.ageMs ?? 0);
  const times = { viewAgeMs, requestMs, turnMs: 0, closeMs: requestMs };
  const delays = betDelays(selection, untoldDelayMs);
  return {
    fresh: newOrderHalf(volatility, times, delays, { k1, k2 }),
    resting: restingHalf(volatility, times, delays, { k1, k2 }),
  };
}

/** The distance of a tick is computed twice, in two ways. */
const ROUNDING = 1e-9;

const NO_LEAST: LeastHalves = { fresh: 0, resting: 0 };

/** An order that rests far enough from fair stays where a new one would have to be wider. */
function leastOn(
  direction: Direction,
  { quotes }: SelectionView,
  fairLogOdds: number,
  { fresh, resting }: LeastHalves,
): number {
  if (fresh <= resting) return fresh;
  let least = fresh;
  for (const quote of quotes) {
    if (quote.direction !== direction || quote.phase !== 'resting') continue;
    const half = halfOf(direction, priceOf(quote.tick), fairLogOdds);
    if (half >= resting && half < least) least = half;
  }
  return least;
}

/** Whether a side that was filled may be at a tick of the selection's own ladder again. */
const mayReturn = (
  direction: Direction,
  tick: Tick,
  selection: SelectionView,
  view: EventView,
  { afterFillS, afterFillMove: leastMove }: Parameters,
): boolean =>
  afterFillS === 0 ||
  mayQuoteAgain(direction, priceAt(direction, tick, selection), selection, view.nowMs, {
    afterFillS,
    leastMove,
  });

/** A tick of our order as a price of the selection. */
const priceAt = (direction: Direction, tick: Tick, { priceKinds }: SelectionView): number => {
  const kind = priceKinds?.[direction];
  return kind === undefined ? priceOf(tick) : selectionPrice(kind, priceOf(tick));
};

/** The ticks of the levels from the innermost outwards. Null for a level on the tick of the level before. */
function ladder(
  direction: Direction,
  kind: PriceKind | undefined,
  { fairLogOdds, factor, parameters, leastHalf }: LadderTerms,
  top: TopOfBook,
): (Tick | null)[] {
  const minEdge = Math.max(factor * parameters.minEdge, leastHalf - ROUNDING);
  const ticks = Array.from({ length: parameters.levels }, (_, level) => {
    const first = Math.max(factor * parameters.halfSpread, leastHalf);
    const halfSpread = first + factor * level * parameters.levelStep;
    const placement = level === 0 ? parameters.placement : 'model';
    return quoteTick(direction, { ...parameters, fairLogOdds, halfSpread, placement, minEdge }, top, kind);
  });
  return ticks.map((tick, level) => (level > 0 && tick === ticks[level - 1] ? null : tick));
}

/** Whether a guard pauses this side. */
function isPaused(
  direction: Direction,
  selection: SelectionView,
  fairProbability: number,
  parameters: Parameters,
): boolean {
  const contracts = filledContracts(direction, selection, parameters);
  if (contracts === 0) return false;
  const net = contracts - filledContracts(opposite(direction), selection, parameters);
  const netStake = net * Math.max(fairProbability, 1 - fairProbability);
  return (
    netStake >= parameters.maxNetFilled ||
    adverseMove(direction, selection, logit(fairProbability), parameters) >= parameters.toxicMove
  );
}

const recentFillsOf = (
  direction: Direction,
  { recentFills = [] }: SelectionView,
  { toxicWindowS }: Parameters,
) => recentFills.filter((fill) => fill.direction === direction && fill.ageMs <= toxicWindowS * 1000);

const contractsIn = ({ price, stakeMicros }: RecentFill): number => price * fromMicros(stakeMicros);

const filledContracts = (direction: Direction, selection: SelectionView, parameters: Parameters): number =>
  recentFillsOf(direction, selection, parameters).reduce((sum, fill) => sum + contractsIn(fill), 0);

/** How far fair has moved against our recent fills of this direction: the mean by contracts, in log-odds. */
function adverseMove(
  direction: Direction,
  selection: SelectionView,
  fairLogOdds: number,
  parameters: Parameters,
): number {
  let weighted = 0;
  let total = 0;
  for (const fill of recentFillsOf(direction, selection, parameters)) {
    const move =
      direction === 'for' ? logOddsOf(fill.price) - fairLogOdds : fairLogOdds - logOddsOf(fill.price);
    weighted += move * contractsIn(fill);
    total += contractsIn(fill);
  }
  return total === 0 ? 0 : weighted / total;
}
