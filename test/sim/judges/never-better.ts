import { traitsOf } from '../traits.ts';
import { WorstCases } from '../worst-case.ts';
import type { Run } from '../world.ts';
import type { MakeJudgement } from './judge.ts';

/** Sums of exact amounts are off by less than this. */
const FLOAT_MICROS = 0.01;
const LOOK_EVERY_MS = 1_000;

/**
 * 9: whatever risk rounds, and whatever it has not heard of yet, the worst case of an event is never better in risk than by the
 * exchange's own orders and fills. Only a bet that was taken back may count in risk until it is told so.
 */
export const neverBetter: MakeJudgement = ({ world, plan, fail }) => {
  const worst = new WorstCases((eventId) => world.sportOf(eventId));
  const exact = new Map<string, number>();
  const excused = new Set<string>();
  const changedSince = new Set<string>();
  let lookedMs = -Infinity;

  const judge = (run: Run): void => {
    for (const { eventId, worstMicros } of run.composed.risk.exposure().events) {
      const exactMicros = exact.get(eventId) ?? 0;
      if (!changedSince.has(eventId) || excused.has(eventId) || world.isDecided(eventId)) continue;
      if (worstMicros > exactMicros + FLOAT_MICROS)
        fail('9 never better', `${worstMicros} micros in risk on ${eventId}, ${exactMicros} by the exchange`);
    }
    changedSince.clear();
  };

  return {
    onEvent(changed) {
      for (const { eventId, worstMicros, takenBack } of worst.after(changed)) {
        exact.set(eventId, worstMicros);
        changedSince.add(eventId);
        if (takenBack) excused.add(eventId);
      }
      // What people place is not in these worst cases.
      for (const { eventId, requestUuid } of changed) if (requestUuid === null) excused.add(eventId);
      const { run, clock, disk } = world;
      const isComparable = run?.started === true && !disk.damageMet && !traitsOf(plan).doublesRequests;
      if (!isComparable || changedSince.size === 0 || clock.monotonicMs() < lookedMs + LOOK_EVERY_MS) return;
      lookedMs = clock.monotonicMs();
      judge(run);
    },
  };
};
