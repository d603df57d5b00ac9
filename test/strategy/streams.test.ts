import fc from 'fast-check';
import {
  combineLatest,
  concat,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  Subject,
  take,
  throwError,
  withLatestFrom,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import type { EventName } from '../../src/domain/events.ts';
import { eventId } from '../../src/domain/ids.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import type { Viewed } from '../../src/engine/strategies.ts';
import type { StreamStrategy } from '../../src/strategy/contract.ts';
import type { StrategyHost } from '../../src/strategy/host.ts';
import type { Surroundings } from '../../src/strategy/session.ts';
import {
  defineStrategy,
  type OwnFill,
  type QuoteIntent,
  type StrategyContext,
  z,
} from '../../src/strategy/sdk.ts';
import { anOrder } from '../../src/testing/index.ts';
import { hostedBy, stillStrategies, stillSurroundings } from '../support/strategy-host.ts';
import { EVENT, eventView, FB, ownFill, selectionView } from './support.ts';

const SELECTION = selectionView([[2, 10]], [[2.1, 10]]);
const VIEW = eventView([SELECTION]);
const ID = SELECTION.selectionId;
const MATCH = { sport: FB, eventId: EVENT };
const OTHER: EventName = { sport: FB, eventId: eventId('2026-11-21,30,40') };

/** One quote, whose stake tells what the strategy knows. */
const quoteOf = (stakeMicros: number): readonly QuoteIntent[] => [
  { selectionId: ID, direction: 'against', tick: 90, stakeMicros, level: 0 },
];

type Quotes = StreamStrategy<{ readonly edge: number }>['quotes'];

const strategyOf = (quotes: Quotes): StreamStrategy<{ readonly edge: number }> =>
  defineStrategy({ name: 'test', description: '', parameters: z.object({ edge: z.number() }), quotes });

const hosted = (quotes: Quotes, surroundings?: Surroundings) =>
  hostedBy(strategyOf(quotes), { edge: 1 }, surroundings);

const fill = (number: number, stakeMicros: number, changes: Partial<Fill> = {}): Fill =>
  ownFill(number, ID, { stakeMicros, ...changes });

/** Counts fills in a kept state and quotes their sum. */
const summing: Quotes = (view$, { fill$, keep }) =>
  combineLatest([
    view$,
    fill$.pipe(keep('sum', (sum, { stakeMicros }: OwnFill) => sum + stakeMicros, 0)),
  ]).pipe(map(([, sum]) => quoteOf(sum + 1)));

const stakeIn = ({ intents }: { readonly intents: readonly QuoteIntent[] }): number | undefined =>
  intents[0]?.stakeMicros;

/** What a host saved, after a journey through the journal. */
const saved = (host: StrategyHost<never>) =>
  JSON.parse(JSON.stringify(host.save())) as ReturnType<StrategyHost['save']>;

describe('a stream strategy', () => {
  it('answers a view with what it emits while the view is delivered', () => {
    const { quote } = hosted((view$) => view$.pipe(map(({ nowMs }) => quoteOf(nowMs))));
    expect(stakeIn(quote({ ...VIEW, nowMs: 5 }))).toBe(5);
    expect(stakeIn(quote({ ...VIEW, nowMs: 6 }))).toBe(6);
  });

  it('keeps its last set until it emits the next one', () => {
    const more$ = new Subject<number>();
    const woken: unknown[] = [];
    const surroundings = { ...stillSurroundings(), wake: (event: unknown) => woken.push(event) };
    const { quote } = hosted(() => more$.pipe(map(quoteOf)), surroundings);
    expect(stakeIn(quote(VIEW))).toBeUndefined();
    more$.next(7);
    expect(woken).toEqual([MATCH]);
    expect([stakeIn(quote(VIEW)), stakeIn(quote(VIEW))]).toEqual([7, 7]);
  });

  it('is subscribed once per event, and completes with the event', () => {
    const seen: string[] = [];
    const { host, quote } = hosted((view$, { event }) => {
      seen.push(`began ${event.eventId}`);
      view$.subscribe({ complete: () => seen.push(`ended ${event.eventId}`) });
      return of(quoteOf(1));
    });
    const other = eventView([SELECTION], OTHER);
    for (const view of [VIEW, other, VIEW, other]) quote(view);
    host.end(MATCH);
    expect(seen).toEqual([`began ${EVENT}`, 'began 2026-11-21,30,40', `ended ${EVENT}`]);
  });

  it('costs its event the quotes when it fails, and is called again at the next view', () => {
    let calls = 0;
    const { quote } = hosted((view$) => {
      calls++;
      return calls === 1
        ? view$.pipe(
            map(({ nowMs }) => {
              if (nowMs === 2) throw new Error('no price');
              return quoteOf(1);
            }),
          )
        : concat(of(quoteOf(9)), NEVER);
    });
    expect(stakeIn(quote({ ...VIEW, nowMs: 1 }))).toBe(1);
    expect(quote({ ...VIEW, nowMs: 2 })).toMatchObject({
      intents: [],
      problems: [
        { kind: 'threw', message: expect.stringMatching(/^no price \(streams\.test\.ts:\d+\)$/) as string },
      ],
    });
    expect(stakeIn(quote({ ...VIEW, nowMs: 3 }))).toBe(9);
  });

  it.each<[string, Quotes, string]>([
    [
      'throws at once',
      () => {
        throw new Error('not today');
      },
      'not today',
    ],
    [
      'returns no observable',
      () => Promise.reject(new Error('late')) as unknown as ReturnType<Quotes>,
      'must return an observable',
    ],
    [
      'emits no list',
      () => concat(of('quotes' as unknown as readonly QuoteIntent[]), NEVER),
      'must be an array of intents',
    ],
    ['fails at once', () => throwError(() => new Error('down')), 'down'],
  ])('is named as throwing when it %s', (_, quotes, message) => {
    const { quote } = hosted(quotes);
    for (let view = 0; view < 3; view++)
      expect(quote(VIEW)).toMatchObject({ intents: [], problems: [{ kind: 'threw' }] });
    expect(quote(VIEW).problems[0]?.message).toContain(message);
  });

  it('gives no quotes and is named when it completes before its event', () => {
    let calls = 0;
    const { quote } = hosted(() => (calls++, of(quoteOf(1))));
    expect(quote(VIEW)).toMatchObject({ intents: [], problems: [{ kind: 'completed' }] });
    quote(VIEW);
    expect(calls).toBe(1);
  });

  it('sees parameters at once and each change', () => {
    const { host, quote } = hosted((view$, { parameters$ }) =>
      combineLatest([view$, parameters$]).pipe(map(([, { edge }]) => quoteOf(edge))),
    );
    expect(stakeIn(quote(VIEW))).toBe(1);
    host.setParameters({ edge: 4 });
    expect(stakeIn(quote(VIEW))).toBe(4);
  });

  it('is watched in everything that it does: views, orders, fills, parameters and timers', () => {
    const scheduler = new TestScheduler(() => undefined);
    const calls: string[] = [];
    let depth = 0;
    const observer = { onCall: () => void depth++, onReturn: () => void depth-- };
    const { host, quote } = hosted(
      (view$, { fill$, ownOrder$, parameters$, time }) =>
        merge(
          ...[view$, fill$, ownOrder$, parameters$, time.timer(5)].map((input$, index) =>
            (input$ as Observable<unknown>).pipe(map(() => (calls.push(`${index}: ${depth}`), []))),
          ),
        ),
      { ...stillSurroundings(), scheduler, observer },
    );
    quote(VIEW);
    calls.length = 0;
    quote(VIEW);
    host.onFill(fill(1, 5));
    host.onOrder({ ...anOrder(SELECTION), ...MATCH });
    host.setParameters({ edge: 3 });
    scheduler.flush();
    expect(calls).toEqual(['0: 1', '1: 1', '2: 1', '3: 1', '4: 1']);
    expect(depth).toBe(0);
  });

  it('waits on the daemon’s time', () => {
    const scheduler = new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted));
    scheduler.run(({ cold, expectObservable }) => {
      const { time } = contextSeen({ ...stillSurroundings(), scheduler });
      expectObservable(cold('ab--c|').pipe(time.debounceTime(2))).toBe('---b-(c|)');
      expectObservable(cold('a|').pipe(time.delay(3))).toBe('---(a|)');
      expectObservable(time.timer(2, 3).pipe(take(2))).toBe('--a--(b|)', { a: 0, b: 1 });
      expectObservable(time.interval(4).pipe(take(1))).toBe('----(a|)', { a: 0 });
      expectObservable(cold('ab-|').pipe(time.throttleTime(2))).toBe('a--|');
      expectObservable(cold('ab--|').pipe(time.auditTime(2))).toBe('--b-|');
      expectObservable(cold('ab---|').pipe(time.sampleTime(2))).toBe('--b--|');
      expectObservable(
        cold('ab---|').pipe(
          time.bufferTime(3),
          map((list) => list.join('')),
        ),
      ).toBe('---a-(b|)', {
        a: 'ab',
        b: '',
      });
    });
  });

  it('sees the views of another event: the last one at once, then each new one', () => {
    const strategies = stillStrategies({
      strategy: strategyOf((view$, { event, otherEvent }) =>
        event.eventId === EVENT
          ? combineLatest([view$, otherEvent(OTHER)]).pipe(map(([, { nowMs }]) => quoteOf(nowMs)))
          : view$.pipe(map(() => [])),
      ) as StreamStrategy,
      parameters: { edge: 1 },
    });
    const viewed$ = new Subject<Viewed>();
    const stakes: (number | undefined)[] = [];
    strategies.quotes(viewed$).subscribe((answer) => stakes.push(stakeIn(answer)));
    const show = (event: EventName, nowMs: number): void =>
      viewed$.next({ event, view: { ...VIEW, ...event, nowMs } });
    show(MATCH, 1);
    show(OTHER, 2);
    show(MATCH, 3);
    show(OTHER, 4);
    show(MATCH, 5);
    expect(stakes).toEqual([undefined, undefined, 2, undefined, 4]);
  });
});

/** The context that a strategy is given. */
function contextSeen(surroundings: Surroundings): StrategyContext<{ readonly edge: number }> {
  let seen: StrategyContext<{ readonly edge: number }> | null = null;
  const { quote } = hosted((view$, context) => {
    seen = context;
    return view$.pipe(map(() => []));
  }, surroundings);
  quote(VIEW);
  if (seen === null) throw new Error('the strategy was not called');
  return seen;
}

describe('the fills of a stream strategy', () => {
  it('are all of the event’s: earlier ones marked as replayed, then new ones', () => {
    const seen: string[] = [];
    const { host, quote } = hosted((view$, { fill$ }) => {
      fill$.subscribe(({ betId, replayed }) => seen.push(`${betId} ${replayed}`));
      return view$.pipe(map(() => []));
    });
    host.onFill(fill(1, 5));
    quote(VIEW);
    host.onFill(fill(2, 5));
    host.onFill(fill(3, 5, { requestUuid: null }));
    host.onFill(fill(4, 5, { eventId: 'another' as Fill['eventId'] }));
    expect(seen).toEqual(['1 true', '2 false']);
  });
});

describe('a kept state', () => {
  it('is emitted at once, then after each value', () => {
    const { host, quote } = hosted(summing);
    expect(stakeIn(quote(VIEW))).toBe(1);
    host.onFill(fill(1, 5));
    expect(stakeIn(quote(VIEW))).toBe(6);
  });

  it('counts each fill once over restarts and failures, whenever it was saved', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('fill' as const), stakeMicros: fc.integer({ min: 1, max: 1_000 }) }),
      fc.record({
        kind: fc.constantFrom('view' as const, 'save' as const, 'crash' as const, 'fail' as const),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const failing: Quotes = (view$, context) =>
          merge(
            summing(view$, context),
            view$.pipe(
              map(({ nowMs }) => {
                if (nowMs === 0) throw new Error('a failure');
                return quoteOf(1);
              }),
            ),
          );
        const booked: Fill[] = [];
        let states: ReturnType<StrategyHost['save']> = [];
        let { host, quote } = hosted(failing);
        for (const each of steps) {
          if (each.kind === 'fill') {
            booked.push(fill(booked.length + 1, each.stakeMicros));
            host.onFill(booked.at(-1) as Fill);
          } else if (each.kind === 'view') quote(VIEW);
          else if (each.kind === 'fail') quote({ ...VIEW, nowMs: 0 });
          else if (each.kind === 'save') states = saved(host as never);
          else {
            ({ host, quote } = hosted(failing));
            for (const state of states) host.restore(state);
            for (const known of booked) host.onFill(known);
          }
        }
        quote(VIEW);
        const sum = booked.reduce((total, { stakeMicros }) => total + stakeMicros, 0);
        const [session] = host.save();
        expect(session?.keeps['sum']?.state).toBe(sum);
      }),
    );
  });

  it('starts anew, and says so, when it has counted a fill that the journal lost', () => {
    const before = hosted(summing);
    before.quote(VIEW);
    before.host.onFill(fill(1, 5));
    const lines: string[] = [];
    const after = hosted(summing, { ...stillSurroundings(), log: (message) => lines.push(message) });
    for (const state of saved(before.host as never)) after.host.restore(state);
    after.host.onFill(fill(2, 7));
    expect(stakeIn(after.quote(VIEW))).toBe(8);
    expect(lines).toEqual([expect.stringContaining('the journal lost')]);
  });

  it('gives the same answers over a clean stop and start as without one', () => {
    const quotes: Quotes = (view$, { fill$, keep, random }) => {
      const sum$ = fill$.pipe(keep('sum', (sum, { stakeMicros }: OwnFill) => sum + stakeMicros, 0));
      const seen$ = view$.pipe(keep('views', (count: number) => count + 1, 0));
      return view$.pipe(
        withLatestFrom(seen$, sum$),
        map(([, seen, sum]) => quoteOf(1 + seen * 1_000 + sum + Math.floor(random.next() * 100))),
      );
    };
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.integer({ min: 1, max: 99 })), { minLength: 1, maxLength: 20 }),
        fc.nat(),
        (steps, seed) => {
          const at = seed % steps.length;
          const played = (restarts: boolean): readonly unknown[] => {
            let { host, quote } = hosted(quotes);
            const fills: Fill[] = [];
            return steps.map((stakeMicros, index) => {
              if (restarts && index === at) {
                const states = saved(host as never);
                ({ host, quote } = hosted(quotes));
                for (const state of states) host.restore(state);
                for (const known of fills) host.onFill(known);
              }
              if (stakeMicros === null) return stakeIn(quote(VIEW));
              fills.push(fill(fills.length + 1, stakeMicros));
              host.onFill(fills.at(-1) as Fill);
              return null;
            });
          };
          expect(played(true)).toEqual(played(false));
        },
      ),
    );
  });

  it('needs a name of its own', () => {
    const { quote } = hosted((view$, context) => merge(summing(view$, context), summing(view$, context)));
    expect(quote(VIEW).problems[0]?.message).toContain("keep('sum') is used twice");
  });
});

describe('the prices of a source', () => {
  const priced = (...prices: readonly (number | null)[]) =>
    eventView(
      prices.map((price, index) =>
        selectionView([[2, 10]], [[2.1, 10]], {
          outcome: `o${index}`,
          sourcePrices: price === null ? {} : { odds: { price, ageMs: index, latencyMs: null } },
        }),
      ),
    );

  it('come with the first view, and then when one changes, appears or becomes stale', () => {
    const seen: (readonly (readonly [string, number])[])[] = [];
    const { quote } = hosted((view$, { sourcePrice$ }) =>
      merge(
        view$.pipe(map(() => [])),
        sourcePrice$('odds').pipe(
          map((prices) => {
            seen.push(Array.from(prices, ([id, { price }]) => [id.split('|').at(-1) ?? '', price]));
            return [];
          }),
        ),
      ),
    );
    for (const view of [priced(2, null), priced(2, null), priced(2, 3), priced(4, 3), priced(null, 3)])
      quote(view);
    expect(seen).toEqual([
      [['o0', 2]],
      [
        ['o0', 2],
        ['o1', 3],
      ],
      [
        ['o0', 4],
        ['o1', 3],
      ],
      [['o1', 3]],
    ]);
  });

  it('count for the view that brought them', () => {
    const { quote } = hosted((_, { sourcePrice$ }) =>
      sourcePrice$('odds').pipe(
        map((prices) =>
          [...prices].flatMap(([selectionId, { price }]) =>
            quoteOf(price * 1e6).map((intent) => ({ ...intent, selectionId })),
          ),
        ),
      ),
    );
    expect(quote(priced(2)).intents.map(({ stakeMicros }) => stakeMicros)).toEqual([2e6]);
    expect(quote(priced(3)).intents.map(({ stakeMicros }) => stakeMicros)).toEqual([3e6]);
  });

  it('of an unknown source are none', () => {
    const { quote } = hosted((_, { sourcePrice$ }) =>
      sourcePrice$('other').pipe(map(({ size }) => quoteOf(7 + size))),
    );
    expect(quote(VIEW).intents.map(({ stakeMicros }) => stakeMicros)).toEqual([7]);
  });
});
