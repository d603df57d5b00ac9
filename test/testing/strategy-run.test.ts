import { combineLatest, concat, from, map, merge, mergeMap, NEVER, of, repeat } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/domain/errors.ts';
import { defineStrategy, type QuoteIntent, type StreamStrategy, z } from '../../src/strategy/sdk.ts';
import { aFill, anOrder, aSelection, aView, runStrategy } from '../../src/testing/index.ts';

const SELECTION = aSelection();
const VIEW = aView({ selections: [SELECTION] });

const quoteOf = (stakeMicros: number): readonly QuoteIntent[] => [
  { selectionId: SELECTION.selectionId, direction: 'against', tick: 90, stakeMicros, level: 0 },
];

type Quotes = StreamStrategy<{ readonly stake: number }>['quotes'];

const run = (quotes: Quotes, options: Parameters<typeof runStrategy>[1] = {}) => {
  const parameters = z.strictObject({ stake: z.number().default(3) });
  return runStrategy(defineStrategy({ name: 'test', description: '', parameters, quotes }), options);
};

const stakes = ({ intents }: { readonly intents: readonly QuoteIntent[] }): number[] =>
  intents.map(({ stakeMicros }) => stakeMicros);

describe('a strategy that runs without a daemon', () => {
  it('has the defaults of its schema, and changes of its parameters', () => {
    const tested = run((view$, { parameters$ }) =>
      combineLatest([view$, parameters$]).pipe(map(([, { stake }]) => quoteOf(stake))),
    );
    expect(stakes(tested.view(VIEW))).toEqual([3]);
    tested.setParameters({ stake: 5 });
    expect(stakes(tested.view(VIEW))).toEqual([5]);
    expect(() => tested.setParameters({ stake: 'much' })).toThrow(ConfigError);
  });

  it('returns intents and problems of each answer', () => {
    const tested = run((view$) => view$.pipe(map(() => [...quoteOf(1), ...quoteOf(-1)])));
    expect(tested.view(VIEW)).toMatchObject({
      intents: quoteOf(1),
      problems: [{ kind: 'invalid-intent', strategy: 'test' }],
    });
  });

  it('sees orders and fills, and is viewed again when time moves on after they caused new quotes', () => {
    const tested = run((view$, { fill$, ownOrder$ }) =>
      merge(
        view$.pipe(map(() => [])),
        fill$.pipe(map(({ stakeMicros }) => quoteOf(stakeMicros))),
        ownOrder$.pipe(map(({ state }) => quoteOf(state === 'closed' ? 9 : 8))),
      ),
    );
    tested.view(VIEW);
    tested.fill(aFill(SELECTION, { stakeMicros: 7 }));
    expect(tested.advance(0).map(stakes)).toEqual([[]]);
    tested.order(anOrder(SELECTION, { state: 'closed' }));
    expect(tested.advance(0)).toHaveLength(1);
  });

  it('runs the timers of the strategy at their instants, on views of the present time', () => {
    const seen: [nowMs: number, startsInMs: number | null][] = [];
    const tested = run((view$, { time }) =>
      merge(
        view$.pipe(
          map(({ nowMs, startsInMs }) => {
            seen.push([nowMs - VIEW.nowMs, startsInMs]);
            return quoteOf(1);
          }),
        ),
        time.timer(250, 500).pipe(map((count) => quoteOf(2 + count))),
      ),
    );
    tested.view(VIEW);
    expect(tested.nextTimerInMs).toBe(250);
    expect(tested.advance(800)).toHaveLength(2);
    expect(seen).toEqual([
      [0, 3_600_000],
      [250, 3_599_750],
      [750, 3_599_250],
    ]);
    expect(tested.nowMs - VIEW.nowMs).toBe(800);
    tested.stop();
    expect(tested.advance(5_000)).toEqual([]);
  });

  it('slows a timer that sets itself again without a delay, and reports it', () => {
    const tested = run((view$, { time }) =>
      merge(
        view$.pipe(map(() => [])),
        time.timer(0).pipe(
          repeat(),
          map(() => quoteOf(1)),
        ),
      ),
    );
    tested.view(VIEW);
    const problems = [...tested.advance(1), tested.view(VIEW)].flatMap((answer) => answer.problems);
    expect(problems).toMatchObject([{ strategy: 'test', kind: 'too-many-emissions' }]);
  });

  it('keeps its kept states and its fills over a restart, and loses its timers', () => {
    const starts: number[] = [];
    const tested = run((view$, { fill$, keep, time }) => {
      starts.push(1);
      const sum$ = fill$.pipe(keep('sum', (sum: number, { stakeMicros }) => sum + stakeMicros, 0));
      return merge(
        combineLatest([view$, sum$]).pipe(map(([, sum]) => quoteOf(1 + sum))),
        time.timer(1000).pipe(map(() => [])),
      );
    });
    tested.view(VIEW);
    tested.fill(aFill(SELECTION, { number: 1, stakeMicros: 4 }));
    tested.restart();
    expect(tested.nextTimerInMs).toBeNull();
    expect(stakes(tested.view(VIEW))).toEqual([5]);
    tested.fill(aFill(SELECTION, { number: 2, stakeMicros: 4 }));
    expect(stakes(tested.view(VIEW))).toEqual([9]);
    expect(starts).toHaveLength(2);
  });

  it('completes the views of an event that is over', () => {
    const seen: string[] = [];
    const tested = run((view$) => {
      view$.subscribe({ complete: () => seen.push('complete') });
      return concat(of(quoteOf(1)), NEVER);
    });
    tested.view(VIEW);
    tested.end(VIEW);
    expect(seen).toEqual(['complete']);
  });

  it('reports quotes that come from outside the daemon’s time', async () => {
    const strays: string[] = [];
    const tested = run((view$) => view$.pipe(mergeMap(() => from(Promise.resolve(quoteOf(1))))), {
      onStray: ({ eventId }) => strays.push(eventId),
    });
    expect(tested.view(VIEW).intents).toEqual([]);
    await Promise.resolve();
    expect(strays).toEqual([VIEW.eventId]);
  });

  it('keeps the lines that it writes', () => {
    const tested = run((view$, { log }) =>
      view$.pipe(
        map(() => {
          log('seen', { count: 1 });
          return [];
        }),
      ),
    );
    tested.view(VIEW);
    expect(tested.log).toMatchObject([{ message: 'seen', fields: { count: 1, strategy: 'test' } }]);
  });
});
