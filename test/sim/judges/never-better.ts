import type { SimEventName } from '../../../src/simulator/core/api.ts';
import { eventKey } from '../../../src/simulator/core/catalogue.ts';
import { eventsOf } from '../selections.ts';
import { traitsOf } from '../traits.ts';
import type { Run } from '../world.ts';
import { WorstCases } from '../worst-case.ts';
import type { MakeJudgement } from './judge.ts';

/** Sums of exact amounts are off by less than this. */
const FLOAT_MICROS = 0.01;
const LOOK_EVERY_MS = 1_000;

/**
 * 9: whatever risk rounds, and whatever it has not heard of yet, the worst case of an event is never better in risk than by the
 * exchange's own orders and fills. Only a bet that was taken back may count in risk until it is told so.
 */
export const neverBetter: MakeJudgement = ({ world, plan, fail }) => {
  const worst = new WorstCases((event) => world.scoreOf(event));
  const excused = new Set<string>();
  const changedSince = new Set<string>();
  let lookedMs = -Infinity;

  const isExcused = (event: SimEventName): boolean => excused.has(eventKey(event)) || world.isDecided(event);
  const judge = (run: Run): void => {
    for (const { eventId, worstMicros, selections } of run.composed.core.risk.exposure().events) {
      const events = eventsOf(selections);
      if (!events.some((event) => changedSince.has(eventKey(event))) || events.some(isExcused)) continue;
      const exactMicros = events.reduce((sum, event) => sum + worst.of(event), 0);
      if (worstMicros > exactMicros + FLOAT_MICROS)
        fail('9 never better', `${worstMicros} micros in risk on ${eventId}, ${exactMicros} by the exchange`);
    }
    changedSince.clear();
  };

  return {
    onEvent(changed) {
      for (const { event, takenBack } of worst.after(changed)) {
        changedSince.add(eventKey(event));
        if (takenBack) excused.add(eventKey(event));
      }
      // Orders that people place are not in these worst cases.
      for (const order of changed) if (order.requestUuid === null) excused.add(eventKey(order));
      const { run, clock, disk } = world;
      const isComparable = run?.started === true && !disk.damageMet && !traitsOf(plan).doublesRequests;
      if (!isComparable || changedSince.size === 0 || clock.monotonicMs() < lookedMs + LOOK_EVERY_MS) return;
      lookedMs = clock.monotonicMs();
      judge(run);
    },
  };
};
