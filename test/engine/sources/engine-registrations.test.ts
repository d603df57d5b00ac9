import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { Engine, type EngineParts } from '../../../src/engine/engine.ts';
import { type Sport, sport } from '../../../src/domain/ids.ts';
import type { StreamEntry, StreamSignal } from '../../../src/domain/stream.ts';
import { TurnClock } from '../../../src/engine/turn-clock.ts';
import { Core } from '../../../src/engine/core.ts';
import { orderOptions } from '../../../src/orders/options.ts';
import type { PlanBasis } from '../../../src/orders/targets/reconcile.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { noMetrics } from '../../../src/ports/metrics.ts';
import { limitsWith } from '../../risk/support/harness.ts';
import { stillStrategies } from '../../support/strategy-host.ts';
import { defineStrategy, type Strategy, z } from '../../../src/strategy/sdk.ts';
import { EVENT, FB, sportEvent } from '../../market/support.ts';

const CORNERS = sport('fb_corn');

const SILENT = defineStrategy({ name: 'silent', description: '', parameters: z.unknown(), quote: () => [] });
const NO_ORDERS: PlanBasis = { held: [], policy: orderOptions({}) };

it('registers an event under both of its sports, and unregisters the sport that goes', async () => {
  const clock = new VirtualClock();
  const commands: string[] = [];
  const note = (what: string) => (name: Sport) => void commands.push(`${what} ${name}`);
  const stream$ = new Subject<StreamSignal>();
  const around = { clock: new TurnClock(clock), logger: silentLogger, metrics: noMetrics };
  const nothing = (): void => undefined;
  const parts: object = {
    ...around,
    staleAfterMs: 15_000,
    core: new Core({
      ...around,
      staleAfterMs: 15_000,
      limits: limitsWith({}),
      strategyLimits: new Map(),
      strategies: () => stillStrategies({ strategy: SILENT as Strategy, parameters: {} }),
      onNotice: nothing,
    }),
    venue: {
      stream$,
      registerEvent: note('register'),
      unregisterEvent: note('give back'),
      budgets: () => ({ ordersNow: 4, betslipsNow: 8, betslipsToday: 900, generalNow: 70 }),
    },
    orders: {
      start: async () => undefined,
      onSignal: nothing,
      setTargets: nothing,
      planBasis: () => NO_ORDERS,
    },
    riskInputs: {
      watch: { see: nothing },
      onSignal: nothing,
      housekeeping: nothing,
      isHalted: () => false,
      latchedStrategies: () => [],
    },
    convention: { onSignal: nothing, tick: nothing },
    firstFills: { tick: nothing, capped: (_: unknown, intents: unknown) => intents },
    memories: [],
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
  const engine = new Engine(parts as EngineParts, (error) => {
    throw error;
  });
  const say = (entries: readonly StreamEntry[]): void =>
    stream$.next({
      kind: 'frame',
      epoch: 1,
      sentMs: null,
      receivedMonotonicMs: clock.monotonicMs(),
      entries,
    });
  await engine.start();
  stream$.next({ kind: 'open', epoch: 1 });
  say([{ tag: 'event', event: sportEvent({ sport: FB }) }]);
  await clock.advance(2_000);
  expect(commands).toEqual(['register fb']);
  say([{ tag: 'event', event: sportEvent({ sport: CORNERS }) }]);
  await clock.advance(2_000);
  expect(commands.slice(1)).toEqual(['register fb_corn']);
  say([{ tag: 'remove_event', sport: FB, eventId: EVENT }]);
  await clock.advance(2_000);
  expect(commands.slice(2)).toEqual(['give back fb']);
  engine.stop();
});
