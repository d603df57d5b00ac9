import type { EventView, SelectionView } from '../../domain/event-view.ts';
import { priceOf } from '../../domain/ladder.ts';
import { logit, midProbability } from '../../domain/odds.ts';
import type { Direction } from '../../domain/selection.ts';
import { logOddsWidth, topOfBook, weightedMid } from '../pricing/fair.ts';
import { edgeAt } from '../pricing/placement.ts';
import type { Estimator } from './estimator.ts';
import { type IntensityOptions, type IntensityState, intensityEstimator } from './intensity.ts';
import {
  type VolatilityOptions,
  type VolatilityReading,
  type VolatilityState,
  volatilityEstimator,
} from './volatility.ts';

/**
 * A view of the event. Give every one.
 *
 * @example
 * const sample: ViewSample = { kind: 'view', view, maxWidth: 0.6 };
 */
export interface ViewSample {
  readonly kind: 'view';
  readonly view: EventView;
  /** A market whose sides are further apart, in log-odds, counts as one without a mid. */
  readonly maxWidth: number;
}

/**
 * A fill of an own order on the event. Give replayed fills before the first view: their distance from fair is unknown then, and they
 * are counted alone.
 *
 * @example
 * const sampleOf = ({ stakeMicros, ...fill }: OwnFill, wholeMicros: Micros): OwnFillSample => ({
 *   kind: 'fill',
 *   ...fill,
 *   share: Math.min(1, stakeMicros / wholeMicros),
 * });
 */
export interface OwnFillSample {
  readonly kind: 'fill';
  readonly selectionId: string;
  readonly direction: Direction;
  /** Decimal. */
  readonly price: number;
  readonly role: 'maker' | 'taker' | 'unknown';
  /** The part of a whole quote that was filled, 0 to 1. */
  readonly share: number;
}

/**
 * Options of `eventEstimator`.
 *
 * @example
 * const options: Partial<EventOptions> = { volatility: { leastS: 120 }, everyS: 10 };
 */
export interface EventOptions {
  readonly volatility: Partial<VolatilityOptions>;
  readonly intensity: Partial<IntensityOptions>;
  /** Least time between two looks at the own quotes, in seconds. */
  readonly everyS: number;
  /** A longer time without a view, in seconds, is a gap: nothing counts as quoted in it. */
  readonly gapS: number;
}

const DEFAULTS: EventOptions = { volatility: {}, intensity: {}, everyS: 5, gapS: 30 };

/**
 * Plain data.
 *
 * @example
 * const selectionsSeen = ({ selections }: EventState): number => Object.keys(selections).length;
 */
export interface EventState {
  readonly selections: Readonly<Record<string, SelectionState>>;
  readonly intensity: IntensityState;
  /** When the own quotes were last looked at. Null before the first view. */
  readonly lookedMs: number | null;
  readonly fills: number;
}

interface SelectionState {
  /** Log-odds of the weighted mid of the latest view. Null without a mid. */
  readonly fair: number | null;
  readonly volatility: VolatilityState;
}

/**
 * The reading of `eventEstimator`.
 *
 * @example
 * const measured = ({ volatility }: EventReading): number => Object.values(volatility).filter(Boolean).length;
 */
export interface EventReading {
  /** Volatility of the mid by selection. Null before its first counted move. */
  readonly volatility: Readonly<Record<string, VolatilityReading | null>>;
  /**
   * Quoting time and fills by distance from the weighted mid, of all selections together. `intensityEstimator().read` and
   * `fillsAtFair` say what they mean. The same object until something is added.
   */
  readonly intensity: IntensityState;
  /** Own fills so far, replayed and taking ones included. */
  readonly fills: number;
}

/**
 * Measures an event from its views and own fills: the volatility of each selection, and how fills fall with the distance
 * from fair. Own quotes are looked at every `everyS`, and each counts as resting where it is for the time since the last
 * look. Distances of quotes and of fills are from fair in the view before. Selections are never dropped, so keep it to one
 * event.
 *
 * @example
 * const { seed, reduce, read } = eventEstimator();
 * const state = reduce(seed, { kind: 'view', view, maxWidth: 0.6 });
 * read(state).fills; // 0
 */
export function eventEstimator(
  options: Partial<EventOptions> = {},
): Estimator<EventState, ViewSample | OwnFillSample, EventReading> {
  const settings = { ...DEFAULTS, ...options };
  const volatility = volatilityEstimator(settings.volatility);
  const intensity = intensityEstimator(settings.intensity);
  return {
    seed: { selections: {}, intensity: intensity.seed, lookedMs: null, fills: 0 },
    reduce: (state, sample) =>
      sample.kind === 'view'
        ? withView(withQuotes(state, sample.view, settings, intensity), sample, volatility)
        : withFill(state, sample, intensity),
    read({ selections, intensity: measured, fills }) {
      const readings: Record<string, VolatilityReading | null> = {};
      for (const [id, one] of Object.entries(selections)) readings[id] = volatility.read(one.volatility);
      return { volatility: readings, intensity: measured, fills };
    },
  };
}

type Volatility = ReturnType<typeof volatilityEstimator>;
type Intensity = ReturnType<typeof intensityEstimator>;

function withView(
  state: EventState,
  { view, maxWidth }: ViewSample,
  { reduce, seed }: Volatility,
): EventState {
  const selections = { ...state.selections };
  for (const { selectionId, market } of view.selections) {
    const { fair, mid } = placeOf(market, maxWidth);
    const before = selections[selectionId]?.volatility ?? seed;
    selections[selectionId] = { fair, volatility: reduce(before, { atMs: view.nowMs, logOdds: mid }) };
  }
  return { ...state, selections };
}

/** Log-odds of the weighted mid and of the plain one, which does not move with the sizes. */
function placeOf(
  market: SelectionView['market'],
  maxWidth: number,
): { readonly fair: number | null; readonly mid: number | null } {
  const top = topOfBook(market);
  if (top === null || logOddsWidth(top) > maxWidth) return { fair: null, mid: null };
  const mid = midProbability(top.forTakers.price, top.againstTakers.price) as number;
  return { fair: logit(weightedMid(top)), mid: logit(mid) };
}

/**
 * Counts the own quotes as resting where they are since the last look, if it is time to look again. Fair is that of the
 * view before: a view often comes with a change of the prices, and the quotes have not followed that yet.
 */
function withQuotes(
  state: EventState,
  view: EventView,
  settings: EventOptions,
  intensity: Intensity,
): EventState {
  const quotedS = (view.nowMs - (state.lookedMs ?? -Infinity)) / 1000;
  if (quotedS >= 0 && quotedS < settings.everyS) return state;
  const looked = { ...state, lookedMs: view.nowMs };
  if (quotedS < 0 || quotedS > settings.gapS) return looked;
  const samples = view.selections.flatMap(({ selectionId, quotes }) => {
    const fair = state.selections[selectionId]?.fair ?? null;
    if (fair === null) return [];
    return quotes.map(({ direction, tick }) => ({
      distance: edgeAt(direction, priceOf(tick), fair),
      quotedS,
      fills: 0,
    }));
  });
  return { ...looked, intensity: samples.reduce(intensity.reduce, state.intensity) };
}

function withFill(state: EventState, fill: OwnFillSample, intensity: Intensity): EventState {
  const { selectionId, direction, price, role, share } = fill;
  const counted = { ...state, fills: state.fills + 1 };
  const fair = state.selections[selectionId]?.fair ?? null;
  if (fair === null || role === 'taker') return counted;
  const sample = { distance: edgeAt(direction, price, fair), quotedS: 0, fills: share };
  return { ...counted, intensity: intensity.reduce(state.intensity, sample) };
}
