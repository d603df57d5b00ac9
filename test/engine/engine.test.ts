import { map, merge, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { AccountChange } from '../../src/account/changes.ts';
import { settle, VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { EventName } from '../../src/domain/events.ts';
import { betslipId } from '../../src/domain/ids.ts';
import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import type { StreamEntry, StreamSignal } from '../../src/domain/stream.ts';
import { Core } from '../../src/engine/core.ts';
import { Engine, type EngineParts } from '../../src/engine/engine.ts';
import { Strategies } from '../../src/engine/strategies.ts';
import { StrategyTimers } from '../../src/engine/strategy-timers.ts';
import { TurnClock } from '../../src/engine/turn-clock.ts';
import { orderOptions } from '../../src/orders/options.ts';
import { type Logger, silentLogger } from '../../src/ports/logger.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { type Metrics, noMetrics } from '../../src/ports/metrics.ts';
import { defineStrategy, type Strategy, z } from '../../src/strategy/sdk.ts';
import {
  AGAINST,
  eventEntry,
  FILL,
  FIXTURE,
  FOR,
  liveOrder,
  HOME,
  offerEntry,
  quoteEntry,
} from '../market/support.ts';
import { limitsWith } from '../risk/support/harness.ts';

const INTENT: QuoteIntent = { selectionId: HOME, direction: 'for', tick: 120, stakeMicros: 5e6, level: 0 };
const SLIP = betslipId('s1');

/** An engine over a real core; orders, risk's door and the exchange take notes alone. */
function rig(orderStart: Promise<void> = Promise.resolve(), metrics: Metrics = noMetrics) {
  const clock = new VirtualClock();
  const turnClock = new TurnClock(clock);
  const calls: unknown[] = [];
  const fatals: unknown[] = [];
  const inputs: unknown[] = [];
  const timers: number[] = [];
  const lines: string[] = [];
  const now = { isHalted: false, breaks: '', isLay: false };
  const note =
    (name: string) =>
    (...given: unknown[]): void => {
      calls.push([name, ...given]);
      if (now.breaks === name) throw new Error(`${name} is broken`);
    };
  const quoter = defineStrategy({
    name: 'mine',
    description: '',
    parameters: z.unknown(),
    quotes: (view$, { time }) => {
      time.timer(500).subscribe(() => timers.push(clock.monotonicMs()));
      return view$.pipe(map(() => [INTENT]));
    },
  }) as Strategy;
  const logger: Logger = {
    ...silentLogger,
    info: (line) => void lines.push(line),
    child: () => silentLogger,
  };
  const around = { clock: turnClock, logger, metrics };
  const core = new Core({
    ...around,
    staleAfterMs: 15_000,
    limits: limitsWith({}),
    strategyLimits: new Map(),
    strategies: () =>
      new Strategies([{ strategy: quoter, parameters: {} }], {
        timers: new StrategyTimers(turnClock),
        log: () => undefined,
      }),
    onNotice: () => undefined,
  });
  core.input$.subscribe((input) => void inputs.push(input));
  const [stream$, sourcePrices$] = [new Subject<StreamSignal>(), new Subject<never>()];
  const wakes: ((event: EventName | null) => void)[] = [];
  const memory = (name: string) => ({
    restore: note(`${name} restored`),
    housekeeping: note(`${name} kept`),
    end: note(`${name} ended`),
  });
  const parts: object = {
    ...around,
    core,
    staleAfterMs: 15_000,
    sourcePrices$,
    onProblem: note('problem'),
    venue: {
      stream$,
      registerEvent: note('register'),
      unregisterEvent: note('unregister'),
      budgets: () => ({ ordersNow: 4, betslipsNow: 8, betslipsToday: 900, generalNow: 70 }),
    },
    orders: {
      adopt: note('adopt'),
      onSignal: note('orders signal'),
      setTargets: note('targets'),
      stopQuoting: note('orders stop'),
      isLayBetslip: () => now.isLay,
      start: () => orderStart,
      planBasis: () => ({ held: [], policy: orderOptions({}) }),
    },
    riskInputs: {
      restore: (wake: (event: EventName | null) => void) => (wakes.push(wake), note('risk restored')()),
      onSignal: note('risk signal'),
      onChange: note('risk change'),
      housekeeping: note('risk second'),
      isHalted: () => now.isHalted,
      kept: { watchKills: note('watch kills') },
    },
    convention: {
      begin: note('convention begins'),
      onSignal: note('convention signal'),
      tick: note('convention tick'),
    },
    firstFills: {
      tick: note('first fills tick'),
      onChange: note('first fills change'),
      capped: (_: EventName, intents: readonly QuoteIntent[]) =>
        intents.map((intent) => ({ ...intent, stakeMicros: 1e6 })),
    },
    memories: [memory('one'), memory('two')],
    rules: {
      sports: [],
      competitions: [],
      marketTypes: [],
      startsWithinMs: null,
      leaveBeforeStartMs: 0,
      inPlay: true,
      minLiquidityMicros: 0,
      maxEvents: 9,
      maxSelections: 9,
    },
  };
  const engine = new Engine(parts as EngineParts, (error) => void fatals.push(error));
  const say = (...entries: readonly StreamEntry[]): void =>
    stream$.next({
      kind: 'frame',
      epoch: 1,
      sentMs: null,
      receivedMonotonicMs: clock.monotonicMs(),
      entries,
    });
  /** The calls since the last look, of these names. */
  const seen = (...names: readonly string[]): unknown[] => {
    const found = calls.filter((call) => names.includes((call as [string])[0]));
    calls.length = 0;
    return found;
  };
  const names = (): unknown[] => calls.splice(0).map((call) => (call as [string])[0]);
  const quoting = async (): Promise<void> => {
    await engine.start();
    say(eventEntry(), offerEntry('for,h', FOR), offerEntry('against,h', AGAINST));
    await clock.advance(1_000);
  };
  return {
    clock,
    core,
    engine,
    stream$,
    calls,
    fatals,
    inputs,
    timers,
    now,
    wakes,
    say,
    seen,
    names,
    quoting,
    lines,
    sourcePrices$,
  };
}

const SECOND = ['risk second', 'convention tick', 'first fills tick', 'one kept', 'two kept'];

describe('the start of an engine', () => {
  it('restores risk, then the other memories, then adopts orders', () => {
    const { engine, names } = rig();
    engine.recall();
    expect(names()).toEqual(['risk restored', 'one restored', 'two restored', 'convention begins', 'adopt']);
  });

  it('watches for kills every second until housekeeping begins, which waits for recovery', async () => {
    const started = Promise.withResolvers<void>();
    const { engine, clock, names } = rig(started.promise);
    engine.recall();
    names();
    const starting = engine.start();
    await clock.advance(2_000);
    expect(names()).toEqual(['watch kills', 'watch kills']);
    started.resolve();
    await starting;
    expect(names()).toEqual(SECOND);
    await clock.advance(2_000);
    expect(names()).toEqual([...SECOND, ...SECOND]);
  });
});

describe('a signal of the stream', () => {
  it('reaches convention, risk and orders in this order', async () => {
    const { engine, stream$, names } = rig();
    const seen: StreamSignal[] = [];
    engine.signal$.subscribe((signal) => seen.push(signal));
    await engine.start();
    names();
    stream$.next({ kind: 'open', epoch: 1 });
    expect(names()).toEqual(['convention signal', 'risk signal', 'orders signal']);
    expect(seen).toEqual([{ kind: 'open', epoch: 1 }]);
  });

  it('of a refused stream ends the run', async () => {
    const { engine, stream$, fatals } = rig();
    await engine.start();
    stream$.next({ kind: 'closed', epoch: 1, reason: 'no', retryInMs: null });
    expect(fatals).toMatchObject([{ code: 'auth_rejected' }]);
  });

  it('with a quote of a lay betslip is told to the core once, and so is its end', async () => {
    const { engine, say, inputs, now } = rig();
    await engine.start();
    const told = () => inputs.splice(0).filter((input) => (input as { kind: string }).kind === 'lay_betslip');
    const closed: StreamEntry = { tag: 'betslip_closed', betslipId: SLIP, closeReason: null };
    say(eventEntry(), quoteEntry('for,h', FOR), closed);
    expect(told()).toEqual([]);
    now.isLay = true;
    say(quoteEntry('for,h', FOR));
    say(quoteEntry('for,h', FOR), { tag: 'betslip', betslipId: SLIP, expiryMs: 1 });
    expect(told()).toEqual([{ kind: 'lay_betslip', betslip: SLIP, isOpen: true }]);
    say(closed, closed);
    expect(told()).toEqual([{ kind: 'lay_betslip', betslip: SLIP, isOpen: false }]);
  });
});

describe('a quoted event', () => {
  it('is decided, and its targets go to orders, cut down by the first fills', async () => {
    const { quoting, engine, seen } = rig();
    await quoting();
    expect(seen('targets', 'register').slice(0, 2)).toEqual([
      ['register', FIXTURE.sport, FIXTURE.eventId, -0],
      ['targets', FIXTURE, 'mine', expect.any(Array), null],
    ]);
    expect([...engine.chosen.values()]).toEqual([[HOME]]);
    expect([engine.universe.events, engine.universe.selections]).toEqual([[FIXTURE], [HOME]]);
  });

  it('is seen by risk when its market changes, and no other event is', async () => {
    const { quoting, say, inputs } = rig();
    await quoting();
    inputs.length = 0;
    say(eventEntry({ ...FIXTURE, eventId: 'other' as never }));
    expect(inputs).toEqual([]);
    say(offerEntry('for,h', AGAINST));
    expect(inputs).toEqual([{ kind: 'seen', event: FIXTURE }]);
  });

  it('has no targets before its offers arrive, unless it is halted', async () => {
    const { engine, say, seen, clock, now } = rig();
    await engine.start();
    say(eventEntry());
    await clock.advance(3_000);
    expect(seen('targets')).toEqual([]);
    now.isHalted = true;
    await clock.advance(1_000);
    expect(seen('targets')).toEqual([['targets', FIXTURE, 'mine', [], null]]);
  });

  it('is decided again when it is woken, and every event when all are', async () => {
    const { engine, quoting, seen, wakes, clock } = rig();
    engine.recall();
    await quoting();
    seen();
    wakes[0]?.(FIXTURE);
    await clock.advance(1);
    expect(seen('targets')).toHaveLength(1);
    wakes[0]?.(null);
    await clock.advance(1);
    expect(seen('targets')).toHaveLength(1);
    wakes[0]?.({ ...FIXTURE, eventId: 'unknown' as never });
    await clock.advance(1);
    // It is not quoted, so its offers count as not arrived.
    expect(seen('targets')).toEqual([]);
  });

  it('leaves with the rules, and is decided once more', async () => {
    const { engine, quoting, seen, clock } = rig();
    await quoting();
    seen();
    engine.setRules({ ...RULES, sports: ['tennis'] });
    await clock.advance(1_000);
    expect(seen('unregister', 'targets').at(-2)).toEqual(['unregister', FIXTURE.sport, FIXTURE.eventId]);
    expect([...engine.chosen]).toEqual([]);
  });

  it('has no targets of a strategy once quoting has ended', async () => {
    const { engine, quoting, seen, clock } = rig();
    await quoting();
    seen();
    engine.stopQuoting('drill');
    expect(seen('orders stop')).toEqual([['orders stop', 'drill']]);
    await clock.advance(1_000);
    const [first] = seen('targets') as [unknown[]];
    expect(first).toEqual(['targets', FIXTURE, 'mine', [], null]);
  });

  it('shows the state of each selection while there is one', async () => {
    const { engine, quoting, say } = rig();
    await quoting();
    const states: unknown[] = [];
    engine.selection$(HOME).subscribe({
      next: ({ selection }) => states.push(selection.id),
      complete: () => states.push('end'),
    });
    say(offerEntry('for,h', AGAINST));
    say({ tag: 'remove_event', ...FIXTURE });
    expect(states).toEqual([HOME, HOME, 'end']);
  });
});

const RULES = {
  sports: [],
  competitions: [],
  marketTypes: [],
  startsWithinMs: null,
  leaveBeforeStartMs: 0,
  inPlay: true,
  minLiquidityMicros: 0,
  maxEvents: 9,
  maxSelections: 9,
};

describe('a change of the account', () => {
  it('reaches risk, the strategy and the first fills', async () => {
    const { core, quoting, names, seen } = rig();
    await quoting();
    names();
    const balance = { balanceMicros: 5, openStakeMicros: 0, smartCreditMicros: null };
    core.account.apply({ kind: 'balance', balance });
    const change = { kind: 'balance', balance } as object as AccountChange;
    expect(seen('risk change', 'first fills change')).toMatchObject([
      ['risk change', change],
      ['first fills change', change],
    ]);
  });

  it('is written to the log, with what the exchange shows of orders and bets', async () => {
    const { core, quoting, lines } = rig();
    await quoting();
    lines.length = 0;
    core.account.apply({ kind: 'bet', fill: FILL });
    expect(lines).toEqual(['fill']);
  });
});

describe('the metrics of turns', () => {
  it('measure the way from a frame to its quotes, and to an order that is begun at once, and no other', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const { core, say, clock, quoting } = rig(undefined, metrics);
    const counts = async (): Promise<readonly number[]> => {
      const { text } = await metrics.expose();
      return ['frame_to_intent', 'frame_to_request'].map((name) =>
        Number(new RegExp(`^touchline_${name}_seconds_count (\\d+)`, 'm').exec(text)?.[1]),
      );
    };
    const begin = (): void => {
      core.account.apply({ kind: 'order', order: liveOrder({ state: 'prepared' }), before: null });
    };
    await quoting();
    const [quotes = 0, none] = await counts();
    expect(none).toBe(0);
    say(offerEntry('for,h', AGAINST));
    begin();
    await clock.advance(500);
    expect(await counts()).toEqual([quotes + 1, 1]);
    begin();
    await clock.advance(500);
    expect((await counts())[1]).toBe(1);
  });
});

describe('the prices of sources', () => {
  it('are followed from the start to the stop, and their failure ends the run', async () => {
    const { engine, fatals, sourcePrices$ } = rig();
    await engine.start();
    expect(sourcePrices$.observed).toBe(true);
    engine.stop();
    expect(sourcePrices$.observed).toBe(false);
    const failing = rig();
    await failing.engine.start();
    const fault = new Error('broken');
    failing.sourcePrices$.error(fault);
    expect([fatals, failing.fatals]).toEqual([[], [fault]]);
  });
});

describe('a part that fails', () => {
  it.each(SECOND)('(%s) is reported, and the others still have their second', async (name) => {
    const { engine, clock, names, fatals, now } = rig();
    await engine.start();
    names();
    now.breaks = name;
    await clock.advance(1_000);
    expect(names()).toEqual(SECOND);
    expect(fatals.map(String)).toEqual([`Error: ${name} is broken`]);
  });

  it.each(['convention signal', 'risk signal', 'orders signal'])(
    '(%s) at a signal is reported, and the next signal is taken',
    async (name) => {
      const { engine, stream$, names, fatals, now } = rig();
      await engine.start();
      now.breaks = name;
      stream$.next({ kind: 'open', epoch: 1 });
      now.breaks = '';
      names();
      stream$.next({ kind: 'synced', epoch: 1 });
      expect([names().length, fatals.length]).toEqual([3, 1]);
    },
  );
});

describe('an engine', () => {
  it('tells how long ago its last second was', async () => {
    const { engine, clock } = rig();
    await clock.advance(700);
    expect(engine.idleMs()).toBe(700);
    await engine.start();
    expect(engine.idleMs()).toBe(0);
    await clock.advance(1_400);
    expect(engine.idleMs()).toBe(400);
  });

  it('fires the timers of strategies', async () => {
    const { quoting, clock, timers, inputs } = rig();
    await quoting();
    await clock.advance(600);
    expect(timers).toHaveLength(1);
    expect(inputs).toContainEqual({ kind: 'timer', timer: 1 });
  });

  it('does nothing after it was stopped', async () => {
    const { engine, quoting, stream$, clock, names } = rig();
    await quoting();
    let ended = 0;
    engine.end$.subscribe({ complete: () => ended++ });
    merge(engine.turn$, engine.decision$, engine.look$, engine.selection$(HOME)).subscribe({
      complete: () => ended++,
    });
    names();
    engine.stop();
    stream$.next({ kind: 'open', epoch: 2 });
    await clock.advance(5_000);
    await settle();
    expect([ended, names(), stream$.observed]).toEqual([2, [], false]);
  });
});
