import { combineLatest, map, Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { clockScheduler } from '../../src/engine/clock-scheduler.ts';
import { Strategies } from '../../src/engine/strategies.ts';
import { limitedLog } from '../../src/engine/strategy-log.ts';
import { StrategyTimers } from '../../src/engine/strategy-timers.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import type { StrategyProblem } from '../../src/strategy/host.ts';
import { defineStrategy, type QuoteIntent, type Strategy, z } from '../../src/strategy/sdk.ts';
import { anOrder } from '../../src/testing/index.ts';
import { hostedBy, stillSurroundings } from '../support/strategy-host.ts';
import { EVENT, eventView, FB, selectionView } from './support.ts';

const SELECTION = selectionView([[2, 10]], [[2.1, 10]]);
const VIEW = eventView([SELECTION]);

const intentAt = (level: number): QuoteIntent => ({
  selectionId: SELECTION.selectionId,
  direction: 'for',
  tick: 200,
  stakeMicros: 1e6,
  level,
});

it('reads no more than forty intents a selection of an answer, and reports how many it had', () => {
  const answer = (count: number) => {
    const quote = () => Array.from({ length: count }, (_, level) => intentAt(level));
    return hostedBy(
      defineStrategy({ name: 'mine', description: '', parameters: z.unknown(), quote }),
      {},
    ).quote(VIEW);
  };
  expect(answer(40)).toMatchObject({ intents: { length: 40 }, problems: [] });
  const { intents, problems } = answer(5_000);
  expect(intents).toHaveLength(40);
  expect(problems).toMatchObject([
    { kind: 'too-many-intents', message: 'its answer has 5000 intents; only the first 40 are read' },
  ]);
});

it('delays the timers of a strategy that sets them without end, and reports it once a second', async () => {
  const clock = new VirtualClock();
  let [calls, hasty] = [0, 0];
  const strategy = defineStrategy({
    name: 'mine',
    description: '',
    parameters: z.unknown(),
    quotes: (view$, { time }) => combineLatest([view$, time.interval(0)]).pipe(map(() => (calls++, []))),
  });
  const surroundings = {
    ...stillSurroundings(),
    scheduler: clockScheduler(clock),
    onHaste: () => void hasty++,
  };
  const { quote } = hostedBy(strategy, {}, surroundings);
  quote(VIEW);
  await clock.advance(10_500);
  expect(calls).toBeLessThanOrEqual(11 * 20);
  expect(calls).toBeGreaterThan(9 * 20);
  expect(hasty).toBeGreaterThanOrEqual(10);
  expect(hasty).toBeLessThanOrEqual(11);
});

it('wakes an event twenty times a second at most for what a strategy emits', async () => {
  const clock = new VirtualClock();
  const problems: StrategyProblem[] = [];
  const strategy = defineStrategy({
    name: 'mine',
    description: '',
    parameters: z.unknown(),
    quotes: (view$, { ownOrder$ }) => combineLatest([view$, ownOrder$]).pipe(map(() => [])),
  }) as Strategy;
  const these = new Strategies([{ strategy, parameters: {} }], {
    timers: new StrategyTimers(clock),
    log: () => undefined,
    onFault: (problem) => void problems.push(problem),
  });
  let wakes = 0;
  these.wake$.subscribe(() => void wakes++);
  const event = { sport: FB, eventId: EVENT };
  const view$ = new Subject<{ readonly event: typeof event; readonly view: typeof VIEW }>();
  these.quotes(view$).subscribe();
  view$.next({ event, view: VIEW });
  for (let order = 0; order < 100; order++)
    these.onChange({ kind: 'order', order: { ...anOrder(SELECTION), ...event }, before: null });
  expect(wakes).toBe(20);
  expect(problems).toMatchObject([{ kind: 'too-many-emissions', strategy: 'mine', ...event }]);
  await clock.advance(1_000);
  these.onChange({ kind: 'order', order: { ...anOrder(SELECTION), ...event }, before: null });
  expect(wakes).toBe(21);
});

it('writes a hundred lines a minute of each strategy, and reports the first one beyond', async () => {
  const clock = new VirtualClock();
  const lines: unknown[] = [];
  const problems: StrategyProblem[] = [];
  const logger = { ...silentLogger, info: (_: string, fields: object = {}) => void lines.push(fields) };
  const log = limitedLog(logger, clock, (problem) => void problems.push(problem));
  const write = (strategy: string, times: number): void => {
    for (let line = 0; line < times; line++) log('a line', { strategy, sport: FB, eventId: EVENT });
  };
  write('loud', 500);
  write('quiet', 3);
  expect([lines.length, problems]).toMatchObject([103, [{ kind: 'too-many-lines', strategy: 'loud' }]]);
  await clock.advance(60_000);
  write('loud', 101);
  expect([lines.length, problems.length]).toEqual([203, 2]);
});
