/**
 * `inventory`: quotes that lean against the position, by the model of Guéant, Lehalle and Fernandez-Tapia (2013) with
 * bounded inventory, in log-odds.
 *
 * Formula. With q fills held, the distances from fair are ln(v_q / v_(q+1)) / k + ln(1 + γ/k) / γ for the bid, our `for`
 * quote, and the same with v_(q-1) for the ask. v solves the model up to the start of the event. A fill is the contracts
 * of a quote (`contractsFor`), which pay 1 USDT each. A move dL of the log-odds changes the value of a contract by
 * p(1-p)·dL. In log-odds the aversion is therefore γ × contracts × p(1-p).
 *
 * Parameters. σ of each selection, and A and k of the event, are measured while it trades (`eventEstimator`), unless a
 * parameter gives them. Each starts at a default, which counts as a little data and is soon outweighed.
 *
 * It earns the spread where takers come from both sides, and it holds little when the event starts. It loses where takers
 * know more than the market, since it leans only after a fill, and in a trend, where the side that is filled is always the
 * wrong one.
 */
import {
  contractsFor,
  defineStrategy,
  type Direction,
  eventEstimator,
  type EventReading,
  type EventView,
  fillsAtFair,
  fromMicros,
  glftDistances,
  type GlftModel,
  glftValue,
  intensityEstimator,
  type IntensityReading,
  logit,
  logOddsWidth,
  mayBeInPlay,
  numberParameter,
  optionalParameter,
  type PriceKind,
  type OwnFill,
  type OwnFillSample,
  PRICES_OUT_OF_ORDER,
  pricesInOrder,
  probabilityOf,
  type QuoteDistances,
  type QuoteIntent,
  quoteLimits,
  quoteTick,
  restingQuotes,
  rxjs,
  type SelectionView,
  topOfBook,
  weightedMid,
  wholeParameter,
  widthLimit,
  z,
} from '../src/strategy/sdk.ts';

const { map, scan, withLatestFrom } = rxjs;

const schema = z
  .strictObject({
    aversion: numberParameter(0.01, [1e-9, 10], 'absolute risk aversion γ, per USDT'),
    volatilityPerHour: optionalParameter(
      [1e-6, 10],
      'σ, volatility of the fair log-odds, per square root of an hour; measured if not given',
    ),
    fillsPerMinute: optionalParameter(
      [1e-6, 1e4],
      'A, fills that a quote at the fair price would get in a minute; measured if not given',
    ),
    decay: optionalParameter(
      [1e-3, 1e4],
      'k, how fast fills fall with distance, per unit of log-odds; measured if not given',
    ),
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
const MINUTES_PER_HOUR = 60;

/** A mid on the ladder flickers between two prices. Over two minutes its diffusion outweighs that. */
const VOLATILITY = { leastS: 120 };
/** Few buckets, so that the state stays small. */
const INTENSITY = { bucketWidth: 0.01, buckets: 20 };

const { reduce, seed, read } = eventEstimator({ volatility: VOLATILITY, intensity: INTENSITY });
const { read: fitOf } = intensityEstimator(INTENSITY);

/** What is used before anything was measured, and the evidence that each counts as. */
const TYPICAL = {
  /** σ, as if measured over this many hours. */
  volatilityPerHour: 0.08,
  hours: 0.25,
  /** A, as if measured from this many fills. */
  fillsPerMinute: 3,
  fills: 10,
  /** k, as if measured with this standard error. */
  decay: 40,
  decayError: 20,
};

/** Fits of noise can be far off, or even rise with the distance. */
const LEAST_DECAY = 1;

/** What was measured on the event. `fit` is null while the fills do not determine A and k. */
interface Measured extends EventReading {
  readonly fit: IntensityReading | null;
}

/** A and k of the event. */
interface Fills {
  readonly perMinute: number;
  readonly decay: number;
}

/** What the quotes of a selection rest on. */
interface Basis extends Fills {
  readonly volatilityPerHour: number;
  /** The figures in words. */
  readonly reason: string;
}

export default defineStrategy<Parameters>({
  name: 'inventory',
  description: 'log-odds quotes that lean against the inventory, to be flat by the start',
  parameters: schema,
  quotes(view$, { fill$, keep, parameters$ }) {
    // Earlier fills come first: they belong to the market of earlier views.
    const sample$ = rxjs.merge(
      fill$.pipe(
        withLatestFrom(parameters$),
        map(([fill, { stake }]) => fillSample(fill, stake)),
      ),
      view$.pipe(
        withLatestFrom(parameters$),
        map(([view, { maxWidth }]) => ({ kind: 'view', view, maxWidth }) as const),
      ),
    );
    const measured$ = sample$.pipe(keep('measured', reduce, seed), map(read), scan(withFit, null));
    return view$.pipe(
      withLatestFrom(measured$, parameters$),
      map(([view, measured, parameters]) => quoteEvent(view, measured, parameters)),
    );
  },
});

/** The part of a quote that was filled. A quote of an earlier, larger `stake` counts as a whole one, too. */
function fillSample({ price, stakeMicros, ...fill }: OwnFill, stake: number): OwnFillSample {
  const contracts = price * fromMicros(stakeMicros);
  const share = Math.min(1, contracts / contractsFor(stake, probabilityOf(price)));
  return { kind: 'fill', ...fill, price, share };
}

/** Fits A and k, again only after quoting or a fill was added. */
function withFit(before: Measured | null, reading: EventReading): Measured {
  const isSame = before !== null && before.intensity === reading.intensity;
  return { ...reading, fit: isSame ? before.fit : fitOf(reading.intensity) };
}

function quoteEvent(view: EventView, measured: Measured | null, parameters: Parameters): QuoteIntent[] {
  if (measured === null) return [];
  const fills = fillsOf(measured, parameters);
  const horizon = horizonS(view, parameters);
  return view.selections.flatMap((selection) =>
    quoteSelection(selection, horizon, basisOf(selection, fills, measured, parameters), parameters),
  );
}

/** The mean of what was measured and of the default, by precision. A follows from the k that is used. */
function fillsOf({ fit, intensity }: Measured, given: Parameters): Fills {
  const decay = given.decay ?? rounded(Math.max(LEAST_DECAY, decayOf(fit)));
  const { fills, hours } = fillsAtFair(intensity, decay);
  const typicalPerHour = TYPICAL.fillsPerMinute * MINUTES_PER_HOUR;
  const perHour = (fills + TYPICAL.fills) / (hours + TYPICAL.fills / typicalPerHour);
  return { decay, perMinute: given.fillsPerMinute ?? rounded(perHour / MINUTES_PER_HOUR) };
}

function decayOf(fit: IntensityReading | null): number {
  if (fit === null) return TYPICAL.decay;
  const [measured, typical] = [fit.standardErrors.decay ** -2, TYPICAL.decayError ** -2];
  return (fit.decay * measured + TYPICAL.decay * typical) / (measured + typical);
}

function basisOf({ selectionId }: SelectionView, fills: Fills, measured: Measured, given: Parameters): Basis {
  const { value = 0, hours = 0 } = measured.volatility[selectionId] ?? {};
  const variance =
    (value ** 2 * hours + TYPICAL.volatilityPerHour ** 2 * TYPICAL.hours) / (hours + TYPICAL.hours);
  const volatilityPerHour = given.volatilityPerHour ?? rounded(Math.sqrt(variance));
  const { perMinute, decay } = fills;
  const reason = `σ ${volatilityPerHour}/√h, A ${perMinute}/min, k ${decay}, fills seen: ${measured.fills}`;
  return { ...fills, volatilityPerHour, reason };
}

/** Two digits: estimates are not better, and the quotes do not follow each small change. */
const rounded = (value: number): number => Number(value.toPrecision(2));

function quoteSelection(
  selection: SelectionView,
  horizon: number,
  basis: Basis,
  parameters: Parameters,
): QuoteIntent[] {
  const top = topOfBook(selection.market);
  if (top === null || logOddsWidth(top) > parameters.maxWidth) return [];
  const fairProbability = weightedMid(top);
  const distances = distancesFor(selection, horizon, fairProbability, basis, parameters);
  const tickOn = (direction: Direction, kind: PriceKind) => {
    const halfSpread = distanceOf(direction, distances);
    if (halfSpread === null) return null;
    const fairLogOdds = logit(fairProbability);
    const terms = { ...parameters, fairLogOdds, halfSpread, minEdge: 0, placement: 'model' } as const;
    return quoteTick(direction, terms, top, kind);
  };
  return restingQuotes(selection, { fairProbability, tickOn, reason: basis.reason }, parameters);
}

/** A resting `for` order buys contracts, so it is the bid. */
const distanceOf = (direction: Direction, { bid, ask }: QuoteDistances): number | null =>
  direction === 'for' ? bid : ask;

function distancesFor(
  { position }: SelectionView,
  horizon: number,
  fairProbability: number,
  { volatilityPerHour, perMinute, decay }: Basis,
  { aversion, maxFills, stake }: Parameters,
): QuoteDistances {
  const contracts = contractsFor(stake, fairProbability);
  const model: GlftModel = {
    aversion: aversion * contracts * fairProbability * (1 - fairProbability),
    volatility: volatilityPerHour / Math.sqrt(SECONDS_PER_HOUR),
    arrivals: perMinute / SECONDS_PER_MINUTE,
    decay,
    bound: maxFills,
  };
  const held = Math.round(fromMicros(position.ifWinMicros - position.ifLoseMicros) / contracts);
  const bounded = Math.max(-maxFills, Math.min(maxFills, held));
  return glftDistances(model, glftValue(model, horizon), bounded);
}

function horizonS(view: EventView, { horizonS: furthest, leastHorizonS }: Parameters): number {
  const untilStartS = view.startsInMs === null ? furthest : view.startsInMs / 1000;
  // An event can go in play before its start time, or without a known start time.
  return Math.max(leastHorizonS, mayBeInPlay(view) ? 0 : Math.min(furthest, untilStartS));
}
