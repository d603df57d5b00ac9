import { concat, map, NEVER, Observable, of, Subject, tap, throwError } from 'rxjs';
import { type RunHelpers, TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { SourceBatch, SourcePrice } from '../../../src/domain/source-price.ts';
import { conflatePrices, priceSources } from '../../../src/engine/sources/price-sources.ts';
import type { LogFields } from '../../../src/ports/logger.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import {
  definePriceSource,
  type PriceSource,
  type PriceSourceContext,
  z,
} from '../../../src/strategy/sdk.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { fakeInputs } from '../../support/fake-source-inputs.ts';

const PRICE: SourcePrice = { key: 'a', price: 2 };

type Connect = (context: PriceSourceContext) => Observable<readonly SourcePrice[]>;

const sourceNamed = (name: string, connect: Connect): PriceSource =>
  definePriceSource({ name, description: '', options: z.unknown(), connect });

/** Runs these sources on virtual time. */
function running(...connects: readonly Connect[]) {
  const clock = new VirtualClock();
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const logged: (readonly [message: string, fields: LogFields | undefined])[] = [];
  const keep = (message: string, fields?: LogFields): void => void logged.push([message, fields]);
  const batches: SourceBatch[] = [];
  const ended: unknown[] = [];
  const sources = connects.map((connect, index) => ({
    name: `source${index + 1}`,
    source: sourceNamed('mine', connect),
    options: { edge: index },
  }));
  const deps = { inputs: fakeInputs(clock).inputs, clock, random: { next: () => 1 }, metrics };
  const logger = { ...silentLogger, warn: keep, info: keep };
  const subscription = priceSources(sources, { ...deps, logger }).subscribe({
    next: (batch) => batches.push(batch),
    error: (error: unknown) => ended.push(error),
    complete: () => ended.push('complete'),
  });
  const metric = async (line: string): Promise<number> => {
    const found = (await metrics.expose()).text
      .split('\n')
      .find((each) => each.startsWith(`touchline_source_${line}`));
    return Number(found?.split(' ').at(-1) ?? NaN);
  };
  return { clock, batches, ended, logged, metric, subscription };
}

describe('priceSources', () => {
  it('emits the prices of each source under its configured name', () => {
    const { batches } = running(
      () => concat(of([PRICE]), NEVER),
      ({ options }) => concat(of([{ key: 'b', price: 2 + (options as { edge: number }).edge }]), NEVER),
    );
    expect(batches).toEqual([
      { source: 'source1', prices: [PRICE] },
      { source: 'source2', prices: [{ key: 'b', price: 3 }] },
    ]);
  });

  it('connects a source that fails again, after pauses that double up to a minute', async () => {
    const atS: number[] = [];
    const { clock, metric, logged, ended } = running(({ scheduler }) => {
      atS.push(scheduler.now() / 1000);
      throw new Error('no route');
    });
    await clock.advance(200_000);
    expect(atS).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
    expect(await metric('reconnects_total{source="source1"}')).toBe(9);
    expect(await metric('faults_total{source="source1",kind="failed"}')).toBe(9);
    expect(logged).toHaveLength(4);
    expect(logged[0]?.[0]).toBe('price source source1: it failed (no route); it is connected again');
    expect(ended).toEqual([]);
  });

  it('begins with short pauses again after a price', async () => {
    let count = 0;
    const { clock, batches } = running(() =>
      concat(
        count++ < 3 ? [] : of([PRICE]),
        throwError(() => new Error('x')),
      ),
    );
    await clock.advance(7_000);
    expect([count, batches.length]).toEqual([4, 1]);
    await clock.advance(1_000);
    expect([count, batches.length]).toEqual([5, 2]);
  });

  it('connects a source that ends again', async () => {
    const { clock, batches, logged, metric } = running(() => of([PRICE]));
    await clock.advance(3_000);
    expect(batches).toHaveLength(4);
    expect(logged[0]?.[0]).toContain('its stream ended; it is connected again');
    expect(await metric('faults_total{source="source1",kind="ended"}')).toBe(4);
  });

  it('goes on with the others when one fails, floods or sends rubbish', async () => {
    const good$ = new Subject<readonly SourcePrice[]>();
    const { clock, batches, metric } = running(
      () => good$,
      () => throwError(() => new Error('down')),
      () =>
        new Observable<readonly SourcePrice[]>((to) => {
          while (!to.closed) to.next([PRICE]);
        }),
      () => of<readonly SourcePrice[]>('rubbish' as never),
      () => 7 as never,
    );
    batches.length = 0;
    good$.next([PRICE]);
    await clock.advance(100);
    expect(batches.filter(({ source }) => source === 'source1')).toHaveLength(1);
    for (const number of [2, 3, 5])
      expect(await metric(`faults_total{source="source${number}",kind="failed"}`)).toBe(1);
    expect(await metric('faults_total{source="source4",kind="invalid"}')).toBe(1);
  });

  it('counts, names once a minute and drops what is no price', async () => {
    const message = [
      PRICE,
      { key: '', price: 2 },
      { key: 'x'.repeat(201), price: 2 },
      { key: 'b', price: 1 },
      null,
      5,
      { key: 'b', price: NaN },
      { key: 'b', price: '2' },
      { key: 'b', price: 2, atMs: 'now' },
      { price: 2 },
      { key: 'c', price: null },
      { key: 'd', price: 2, atMs: 7, more: 1 },
    ] as readonly SourcePrice[];
    const message$ = new Subject<readonly SourcePrice[]>();
    const { clock, batches, logged, metric } = running(() => message$);
    for (let count = 0; count < 3; count++) {
      message$.next(message);
      await clock.advance(1_000);
    }
    expect(batches[0]?.prices).toEqual([PRICE, { key: 'c', price: null }, { key: 'd', price: 2, atMs: 7 }]);
    expect(await metric('prices_total{source="source1"}')).toBe(9);
    expect(await metric('faults_total{source="source1",kind="invalid"}')).toBe(3);
    expect(logged).toHaveLength(1);
    expect(logged[0]?.[0]).toContain('9 of 12 prices were dropped');
  });

  it('copies prices, because their objects belong to the source', () => {
    const mine = { key: 'a', price: 2 };
    const { batches } = running(() => concat(of([mine]), NEVER));
    mine.price = 9;
    expect(batches[0]?.prices).toEqual([{ key: 'a', price: 2 }]);
  });

  it('cuts a message that is too long', async () => {
    const long = Array.from({ length: 5_001 }, (_, index) => ({ key: `${index}`, price: 2 }));
    const { batches, logged, metric } = running(() => concat(of(long), NEVER));
    expect(batches[0]?.prices).toHaveLength(5_000);
    expect(logged[0]?.[0]).toContain('a message has 5001 prices; those beyond 5000 were dropped');
    expect(await metric('faults_total{source="source1",kind="too-many"}')).toBe(1);
  });

  it('gives sources the daemon’s time and a log of their own', async () => {
    const { clock, batches, logged } = running(({ time, log }) => {
      log('hello', { more: 1 });
      return time.interval(1_000).pipe(map((count) => [{ key: 'a', price: 2 + count }]));
    });
    await clock.advance(2_500);
    expect(batches).toHaveLength(2);
    expect(logged).toMatchObject([['hello', { more: 1, priceSource: 'source1' }]]);
  });

  it('cuts the log of a source short', async () => {
    const tick$ = new Subject<readonly SourcePrice[]>();
    const { clock, logged, metric } = running(({ log }) => tick$.pipe(tap(() => log('again'))));
    const burst = (): void => Array.from({ length: 150 }).forEach(() => tick$.next([PRICE]));
    burst();
    expect(logged.filter(([message]) => message === 'again')).toHaveLength(100);
    expect(await metric('faults_total{source="source1",kind="too-many-lines"}')).toBe(50);
    await clock.advance(60_000);
    burst();
    expect(logged.filter(([message]) => message === 'again')).toHaveLength(200);
  });

  it('leaves every source when nobody listens', async () => {
    let isOpen = true;
    const { clock, subscription } = running(() => new Observable(() => () => void (isOpen = false)));
    subscription.unsubscribe();
    await clock.advance(1_000);
    expect(isOpen).toBe(false);
  });
});

describe('conflatePrices', () => {
  const messages = {
    a: [PRICE],
    b: [{ key: 'b', price: 3 }],
    c: [
      { key: 'a', price: 4 },
      { key: 'c', price: null },
    ],
    m: [
      { key: 'b', price: 3 },
      { key: 'a', price: 4 },
      { key: 'c', price: null },
    ],
  };

  const marbles = (run: (helpers: RunHelpers, scheduler: TestScheduler) => void): void => {
    const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
    scheduler.run((helpers) => run(helpers, scheduler));
  };

  it('passes a message on at once, and the last prices of those within 50 ms together', () => {
    marbles(({ cold, expectObservable }, scheduler) => {
      const message$ = cold<readonly SourcePrice[]>('a 9ms b 9ms a 9ms c 100ms a', messages);
      expectObservable(message$.pipe(conflatePrices(scheduler))).toBe('a 49ms m 80ms a', messages);
    });
  });

  it('passes on what waits when the source ends, and drops it when the source fails', () => {
    marbles(({ cold, expectObservable }, scheduler) => {
      const conflated = (course: string) =>
        cold<readonly SourcePrice[]>(course, messages).pipe(conflatePrices(scheduler));
      expectObservable(conflated('ab|')).toBe('a-(b|)', messages);
      expectObservable(conflated('ab#')).toBe('a-#', messages);
    });
  });
});
