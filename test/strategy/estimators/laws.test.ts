import fc from 'fast-check';
import { from, map, scan } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  type Estimator,
  eventEstimator,
  type FairSample,
  type FillSample,
  intensityEstimator,
  keyedEstimator,
  markOutEstimator,
  type MarkSample,
  type MidSample,
  type OwnFillSample,
  type QuotedSample,
  toxicityEstimator,
  type ViewSample,
  volatilityEstimator,
  priceOf,
} from '../../../src/strategy/sdk.ts';
import { eventView, selectionView } from '../support.ts';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });

/** Puts samples at ascending instants, some of them equal. */
function inOrder<Sample extends { atMs: number }>(samples: fc.Arbitrary<Sample>): fc.Arbitrary<Sample[]> {
  return fc.array(samples, { maxLength: 60 }).map((list) => {
    let atMs = 1_700_000_000_000;
    return list.map((sample) => ({ ...sample, atMs: (atMs += sample.atMs) }));
  });
}

const step = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 4_000_000 }));

const mids: fc.Arbitrary<MidSample[]> = inOrder(
  fc.record({ atMs: step, logOdds: fc.oneof(fc.constantFrom(null, 0, 0.5, -0.5), number(-3, 3)) }),
);

const marks: fc.Arbitrary<MarkSample[]> = inOrder<MarkSample>(
  fc.oneof(
    fc.record<FillSample>({
      kind: fc.constant('fill'),
      atMs: step,
      direction: fc.constantFrom('for', 'against'),
      price: number(1.01, 50),
      stakeMicros: fc.integer({ min: 1, max: 1e9 }),
    }),
    fc.record<FairSample>({ kind: fc.constant('fair'), atMs: step, probability: number(0.01, 0.99) }),
  ),
);

const quoted: fc.Arbitrary<QuotedSample[]> = fc.array(
  fc.record({ distance: number(-0.01, 0.3), quotedS: number(0, 1e4), fills: fc.integer({ min: 0, max: 4 }) }),
  { maxLength: 60 },
);

const OUTCOMES = ['h', 'd'] as const;
const anyTick = fc.integer({ min: 60, max: 140 });

const views: fc.Arbitrary<ViewSample> = fc
  .record({
    nowMs: step,
    sides: fc.array(fc.tuple(anyTick, anyTick), { minLength: 2, maxLength: 2 }),
    quotes: fc.array(fc.record({ direction: fc.constantFrom('for', 'against'), tick: anyTick }), {
      maxLength: 3,
    }),
  })
  .map(({ nowMs, sides, quotes }) => {
    const selections = OUTCOMES.map((outcome, i) => {
      const [low, high] = (sides[i] as [number, number]).map((tick) => priceOf(tick)) as [number, number];
      const own = quotes.map((quote) => ({
        ...quote,
        unfilledMicros: 1e6,
        phase: 'resting' as const,
        aheadMicros: null,
      }));
      return { ...selectionView([[low, 10]], [[high, 20]], { outcome }), quotes: own };
    });
    return { kind: 'view', view: eventView(selections, { nowMs }), maxWidth: 0.3 };
  });

const ownFills: fc.Arbitrary<OwnFillSample> = fc.record({
  kind: fc.constant('fill'),
  selectionId: fc.constantFrom(
    ...OUTCOMES.map((outcome) => selectionView(null, null, { outcome }).selectionId),
  ),
  direction: fc.constantFrom('for', 'against'),
  price: number(1.5, 3),
  role: fc.constantFrom('maker', 'taker', 'unknown'),
  share: number(0.01, 1),
});

/** Views at ascending instants, and fills between them. */
const eventSamples = fc.array(fc.oneof(views, ownFills), { maxLength: 40 }).map((list) => {
  let nowMs = 1_700_000_000_000;
  return list.map((sample) =>
    sample.kind === 'fill'
      ? sample
      : { ...sample, view: { ...sample.view, nowMs: (nowMs += sample.view.nowMs) } },
  );
});

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

/** Asserts that JSON can hold a value: only finite numbers, texts, booleans, null, arrays and plain objects. */
function expectPlain(value: unknown): void {
  if (typeof value === 'number') expect(value).toSatisfy(Number.isFinite);
  else if (typeof value === 'object' && value !== null) {
    expect([Object.prototype, Array.prototype]).toContain(Object.getPrototypeOf(value));
    Object.values(value).forEach(expectPlain);
  } else expect([null, 'string', 'boolean']).toContain(value === null ? null : typeof value);
}

/** Every estimator must keep these, whatever the samples. */
function keepsTheLaws<State, Sample, Reading>(
  estimator: Estimator<State, Sample, Reading>,
  samples: fc.Arbitrary<Sample[]>,
): void {
  const run = (list: readonly Sample[], start = estimator.seed): State =>
    list.reduce((state, sample) => estimator.reduce(frozen(state), frozen(sample)), start);
  const cut = number(0, 1);
  fc.assert(
    fc.property(samples, cut, (list, share) => {
      const at = Math.round(share * list.length);
      const saved = run(list.slice(0, at));
      const restored = JSON.parse(JSON.stringify(saved)) as State;
      expectPlain(saved);
      expect(estimator.read(run(list.slice(at), restored))).toStrictEqual(estimator.read(run(list)));
    }),
  );
  fc.assert(
    fc.property(samples, (list) => {
      const readings: Reading[] = [];
      from(list)
        .pipe(scan(estimator.reduce, estimator.seed), map(estimator.read))
        .subscribe((reading) => readings.push(reading));
      expect(readings).toHaveLength(list.length);
      if (list.length > 0) expect(readings.at(-1)).toStrictEqual(estimator.read(run(list)));
    }),
  );
}

const KEYS = fc.constantFrom('a', 'b', 'constructor', '__proto__');

describe('a restored state gives the readings of an uninterrupted run, and scan takes the reducer', () => {
  it('for volatility', () => keepsTheLaws(volatilityEstimator(), mids));
  it('for the rate of fills', () => keepsTheLaws(intensityEstimator({ halfLifeS: 5e4 }), quoted));
  it('for an event', () => keepsTheLaws(eventEstimator(), eventSamples));
  it('for mark-outs', () => keepsTheLaws(markOutEstimator(), marks));
  it('for toxicity', () => keepsTheLaws(toxicityEstimator(), marks));

  it('for several series in one state', () => {
    const keyed = marks.chain((list) =>
      fc
        .array(KEYS, { minLength: list.length, maxLength: list.length })
        .map((keys) => list.map((sample, i) => ({ key: keys[i] as string, sample }))),
    );
    keepsTheLaws(keyedEstimator(toxicityEstimator()), keyed);
    fc.assert(
      fc.property(keyed, (list) => {
        const one = toxicityEstimator();
        const all = keyedEstimator(one);
        const readings = all.read(list.reduce(all.reduce, all.seed));
        const keys = new Set(list.map(({ key }) => key));
        expect(new Set(readings.keys())).toEqual(keys);
        for (const key of keys) {
          const own = list.filter((sample) => sample.key === key).map(({ sample }) => sample);
          expect(readings.get(key)).toStrictEqual(one.read(own.reduce(one.reduce, one.seed)));
        }
      }),
    );
  });
});

describe('an estimator without samples', () => {
  it('has no reading', () => {
    const emptyReading = <State, Sample, Reading>({ read, seed }: Estimator<State, Sample, Reading>) =>
      read(seed);
    expect(emptyReading(volatilityEstimator())).toBeNull();
    expect(emptyReading(intensityEstimator())).toBeNull();
    expect(emptyReading(toxicityEstimator())).toBeNull();
    expect(emptyReading(markOutEstimator())).toEqual(
      [1, 10, 60].map((horizonS) => ({
        horizonS,
        isObservable: false,
        fills: 0,
        notObservable: 0,
        profit: null,
        adverseMove: null,
        spreadEarned: null,
      })),
    );
  });
});
