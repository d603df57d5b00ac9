import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ATTEMPT_KINDS, type AttemptKind, FruitlessAttempts } from '../../../src/orders/state/fruitless.ts';

const MARKETS = ['', 'a', 'b'] as const;

type Step =
  | {
      readonly act: 'fail' | 'last';
      readonly kind: AttemptKind;
      readonly market: string;
      readonly agoMs: number;
    }
  | { readonly act: 'wait'; readonly ms: number }
  | { readonly act: 'tidy'; readonly by: 'sweep' | 'reset' };

const attempt = (act: 'fail' | 'last'): fc.Arbitrary<Step> =>
  fc.record({
    act: fc.constant(act),
    // Few kinds, so that runs become long.
    kind: fc.constantFrom('order', 'order', 'order', 'close', ...ATTEMPT_KINDS),
    market: fc.constantFrom(...MARKETS, 'a', 'a'),
    agoMs: fc.constantFrom(0, 0, 1, 999, 5_000),
  });

/** Failures that each know of the one before. */
const storm: fc.Arbitrary<readonly Step[]> = fc
  .record({ fail: attempt('fail'), count: fc.integer({ min: 3, max: 9 }) })
  .map(({ fail, count }) =>
    Array.from({ length: count }, (): readonly Step[] => [
      { act: 'wait', ms: 1 },
      { ...fail, agoMs: 0 } as Step,
    ]).flat(),
  );

const single: fc.Arbitrary<readonly Step[]> = fc
  .oneof(
    { weight: 8, arbitrary: attempt('fail') },
    { weight: 1, arbitrary: attempt('last') },
    {
      weight: 6,
      arbitrary: fc
        .constantFrom(1, 1, 1_000, 2_000, 60_000, 300_000, 300_001)
        .map((ms): Step => ({ act: 'wait', ms })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom<'sweep' | 'reset'>('sweep', 'sweep', 'reset')
        .map((by): Step => ({ act: 'tidy', by })),
    },
  )
  .map((step) => [step]);

const steps: fc.Arbitrary<readonly Step[]> = fc
  .array(fc.oneof({ weight: 12, arbitrary: single }, { weight: 1, arbitrary: storm }), { maxLength: 50 })
  .map((parts) => parts.flat());

/** The run of a market or of the account: the instants at which its rounds failed, and when the last failure was known. */
interface Run {
  rounds: number;
  knownMs: number;
}

/** The same from the description alone. The account is a market of every kind, named `*`. */
class Model {
  readonly told: string[] = [];
  readonly #runs = new Map<string, Run>();
  nowMs = 1_000_000;

  fail(kind: AttemptKind, market: string, beganMs: number): void {
    const [own, account] = [this.#failed(kind, market, beganMs), this.#failed(kind, '*', beganMs)];
    const pauseMs = Math.max(0, this.untilMs(kind, market) - this.nowMs);
    if (own > 0) this.told.push(`${kind} ${market} gone ${pauseMs}`);
    if (own === 3 || account === 3) this.told.push(`alarm ${kind} ${market} 3`);
    if (account === 8 && kind !== 'close' && kind !== 'betslip') this.told.push(`latch ${kind} 8`);
  }

  last(kind: AttemptKind, market: string, beganMs: number): void {
    for (const name of [market, '*']) {
      const run = this.#runs.get(`${kind} ${name}`);
      if (run !== undefined && beganMs > run.knownMs) run.rounds = 0;
    }
  }

  reset(): void {
    for (const key of [...this.#runs.keys()]) {
      if (!key.endsWith('*')) this.#runs.delete(key);
      else this.#runs.set(key, { rounds: 0, knownMs: this.#runs.get(key)?.knownMs ?? -Infinity });
    }
  }

  sweep(): void {
    for (const [key, run] of [...this.#runs]) {
      if (this.nowMs - run.knownMs > 300_000) run.rounds = 0;
      if (run.rounds === 0 && !key.endsWith('*')) this.#runs.delete(key);
    }
  }

  #rounds(kind: AttemptKind, name: string): number {
    return this.#runs.get(`${kind} ${name}`)?.rounds ?? 0;
  }

  isOn(kind: AttemptKind): boolean {
    return this.#rounds(kind, '*') > 0;
  }

  persists(kind: AttemptKind, market: string): boolean {
    return this.#rounds(kind, market) > 1;
  }

  untilMs(kind: AttemptKind, market: string, pending = () => 0): number {
    if (this.#rounds(kind, '*') >= 2 && pending() > 0) return Infinity;
    const pause = (name: string, firstMs: number): number => {
      const rounds = this.#rounds(kind, name);
      const knownMs = this.#runs.get(`${kind} ${name}`)?.knownMs ?? 0;
      return rounds < 2 ? -Infinity : knownMs + Math.min(60_000, firstMs * 2 ** (rounds - 2));
    };
    return Math.max(market === '' ? -Infinity : pause(market, 2_000), pause('*', 1_000));
  }

  /** The round that a failure begins; 0 if it belongs to the last one. */
  #failed(kind: AttemptKind, name: string, beganMs: number): number {
    const run = this.#runs.get(`${kind} ${name}`) ?? { rounds: 0, knownMs: -Infinity };
    this.#runs.set(`${kind} ${name}`, run);
    if (this.nowMs - run.knownMs > 300_000) run.rounds = 0;
    if (beganMs <= run.knownMs) return 0;
    run.knownMs = this.nowMs;
    return ++run.rounds;
  }
}

/** All that attempts, or the model, say of every kind and market. */
const shownBy = (of: Pick<FruitlessAttempts, 'isOn' | 'persists' | 'untilMs'>) =>
  ATTEMPT_KINDS.map((kind) => [
    kind,
    of.isOn(kind),
    ...MARKETS.flatMap((market) => [
      of.persists(kind, market),
      of.untilMs(kind, market),
      ...[0, 1].map((pending) => of.untilMs(kind, market, () => pending)),
    ]),
  ]);

it('follows the rule of rounds, pauses, alarms and latches over any course of failures and successes', () => {
  const seen = { alarm: 0, latch: 0 };
  fc.assert(
    fc.property(steps, (all) => {
      const model = new Model();
      const told: string[] = [];
      const attempts = new FruitlessAttempts({
        now: () => model.nowMs,
        onFruitless: (kind, { market }, reason, pauseMs) =>
          void told.push(`${kind} ${market} ${reason} ${pauseMs}`),
        onAlarm: (kind, market, rounds) => void told.push(`alarm ${kind} ${market} ${rounds}`),
        onLatch: (kind, rounds) => void told.push(`latch ${kind} ${rounds}`),
      });
      const take = (step: Step): void => {
        if (step.act === 'wait') model.nowMs += step.ms;
        else if (step.act === 'tidy') {
          attempts[step.by]();
          model[step.by]();
        } else {
          const { kind, market, agoMs } = step;
          const beganMs = model.nowMs - agoMs;
          if (step.act === 'fail') attempts.failed(kind, { market, beganMs }, 'gone');
          else attempts.lasted(kind, { market, beganMs });
          model[step.act](kind, market, beganMs);
        }
      };
      for (const step of all) {
        take(step);
        expect(told).toEqual(model.told);
        expect(shownBy(attempts)).toEqual(shownBy(model));
      }
      seen.alarm += told.filter((line) => line.startsWith('alarm')).length;
      seen.latch += told.filter((line) => line.startsWith('latch')).length;
    }),
    { numRuns: 300 },
  );
  expect(Math.min(seen.alarm, seen.latch)).toBeGreaterThan(5);
});
