/**
 * An estimator on a stream of samples.
 *
 * @example
 * const count: Estimator<number, unknown, number> = {
 *   seed: 0,
 *   reduce: (state) => state + 1,
 *   read: (state) => state,
 * };
 */
export interface Estimator<State, Sample, Reading> {
  /** The state before the first sample. */
  readonly seed: State;
  /** The state after one more sample. Changes nothing in the state that it gets. */
  readonly reduce: (state: State, sample: Sample) => State;
  /** The text of the state. */
  readonly read: (state: State) => Reading;
}

/**
 * A sample of one of many series, for instance of one selection of an event.
 *
 * @example
 * const sampled = (price: number): KeyedSample<number> => ({ key: selection.selectionId, sample: price });
 */
export interface KeyedSample<Sample> {
  readonly key: string;
  readonly sample: Sample;
}

/**
 * The same estimator for each key apart, as one reducer. The reading has those keys that had a sample. Keys are never
 * dropped, so keep it to one event.
 *
 * @example
 * const { seed, reduce, read } = keyedEstimator(volatilityEstimator());
 * const state = reduce(seed, { key: 'home', sample: { atMs: 0, logOdds: 0.1 } });
 * read(state).get('home'); // null
 */
export function keyedEstimator<State, Sample, Reading>(
  one: Estimator<State, Sample, Reading>,
): Estimator<Readonly<Record<string, State>>, KeyedSample<Sample>, ReadonlyMap<string, Reading>> {
  return {
    seed: {},
    reduce(states, { key, sample }) {
      const state = Object.hasOwn(states, key) ? (states[key] as State) : one.seed;
      return { ...states, [key]: one.reduce(state, sample) };
    },
    read: (states) => new Map(Object.entries(states).map(([key, state]) => [key, one.read(state)])),
  };
}
