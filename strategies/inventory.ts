import {
  contractsFor,
  defineStrategy,
  type Direction,
  type EventView,
  fromMicros,
  glftDistances,
  type GlftModel,
  glftValue,
  logit,
  logOddsWidth,
  mayBeInPlay,
  numberParameter,
  PRICES_OUT_OF_ORDER,
  pricesInOrder,
  type QuoteDistances,
  type QuoteIntent,
  quoteLimits,
  quoteTick,
  restingQuotes,
  type SelectionView,
  topOfBook,
  weightedMid,
  wholeParameter,
  widthLimit,
  z,
} from '../src/strategy/sdk.ts';

const schema = z
  .strictObject({
    aversion: numberParameter(0.01, [1e-9, 10], 'absolute risk aversion γ, per USDT'),
    volatilityPerHour: numberParameter(
      0.08,
      [1e-6, 10],
      'volatility of the fair log-odds, per square root of an hour',
    ),
    fillsPerMinute: numberParameter(
      3,
      [1e-6, 1e4],
      'fills that a quote at the fair price would get in a minute: A',
    ),
    decay: numberParameter(40, [1e-3, 1e4], 'how fast fills fall with distance, per unit of log-odds: k'),
    maxFills: wholeParameter(
      8,
      [1, 30],
      'fills held in one direction at which that side is no longer quoted: Q',
    ),
    horizonS: numberParameter(
      21_600,
      [1, 1e6],
      'the furthest horizon, in seconds; nearer it is the start of the event',
    ),
    leastHorizonS: numberParameter(60, [1, 1e6], 'the nearest horizon, in seconds; also the one in running'),
    ...widthLimit,
    ...quoteLimits,
  })
  .refine(pricesInOrder, PRICES_OUT_OF_ORDER);

type Parameters = z.output<typeof schema>;

const SECONDS_PER_HOUR = 3600;
const SECONDS_PER_MINUTE = 60;

/**
 * Quotes by the model of Guéant, Lehalle and Fernandez-Tapia (2013) with bounded inventory. Distances are in log-odds,
 * and the horizon is the start of the event.
 *
 * A unit of inventory is one fill: the contracts of a quote (`contractsFor`), which pay 1 USDT each. A move dL of the
 * log-odds changes the value of a contract by p(1-p)·dL. In log-odds the aversion is therefore γ × contracts × p(1-p).
 */
export default defineStrategy<Parameters>({
  name: 'inventory',
  description: 'log-odds quotes that lean against the inventory, to be flat by the start',
  parameters: schema,
  quote: (view, parameters) =>
    view.selections.flatMap((selection) => quoteSelection(view, selection, parameters)),
});

function quoteSelection(view: EventView, selection: SelectionView, parameters: Parameters): QuoteIntent[] {
  const top = topOfBook(selection.market);
  if (top === null || logOddsWidth(top) > parameters.maxWidth) return [];
  const fairProbability = weightedMid(top);
  const distances = distancesFor(view, selection, fairProbability, parameters);
  const tickOf = (direction: Direction) => {
    const halfSpread = distanceOf(direction, distances);
    if (halfSpread === null) return null;
    const fairLogOdds = logit(fairProbability);
    const terms = { ...parameters, fairLogOdds, halfSpread, minEdge: 0, placement: 'model' } as const;
    return quoteTick(direction, terms, top);
  };
  return restingQuotes(selection, { fairProbability, tickOf }, parameters);
}

/** A resting `for` order buys contracts, so it is the bid. */
const distanceOf = (direction: Direction, { bid, ask }: QuoteDistances): number | null =>
  direction === 'for' ? bid : ask;

function distancesFor(
  view: EventView,
  { position }: SelectionView,
  fairProbability: number,
  parameters: Parameters,
): QuoteDistances {
  const contracts = contractsFor(parameters.stake, fairProbability);
  const model: GlftModel = {
    aversion: parameters.aversion * contracts * fairProbability * (1 - fairProbability),
    volatility: parameters.volatilityPerHour / Math.sqrt(SECONDS_PER_HOUR),
    arrivals: parameters.fillsPerMinute / SECONDS_PER_MINUTE,
    decay: parameters.decay,
    bound: parameters.maxFills,
  };
  const held = Math.round(fromMicros(position.ifWinMicros - position.ifLoseMicros) / contracts);
  const bounded = Math.max(-parameters.maxFills, Math.min(parameters.maxFills, held));
  return glftDistances(model, glftValue(model, horizonS(view, parameters)), bounded);
}

function horizonS(view: EventView, { horizonS: furthest, leastHorizonS }: Parameters): number {
  const untilStartS = view.startsInMs === null ? furthest : view.startsInMs / 1000;
  // An event can go in play before its start time, or without a known start time.
  return Math.max(leastHorizonS, mayBeInPlay(view) ? 0 : Math.min(furthest, untilStartS));
}
