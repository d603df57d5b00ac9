import { isStalled } from '../duties.ts';
import type { Intended } from '../journal-view.ts';
import { priceAt } from '../ladder.ts';
import { isOver } from '../order-terms.ts';
import type { ShownOrder } from '../received.ts';
import type { Run } from '../world.ts';
import type { MakeJudgement } from './judge.ts';

/** The time between an answer and its consequence. */
const PROMPT_MS = 1_000;
/** The allowed difference between the requested and the shown life of an order. */
const TOLERANCE_MS = 1_000;

interface Pending {
  readonly run: Run;
  readonly shown: ShownOrder;
  readonly invariant: string;
}

/** 6, 7: a run that is shown one of its orders on other terms than requested quotes no more. */
export const otherOrders: MakeJudgement = ({ world, plan, journal, fail }) => {
  let pending: Pending[] = [];

  const take = (run: Run): void => {
    for (const shown of run.received.shown.splice(0)) {
      const intended = journal.intended.get(shown.uuid);
      const invariant = intended === undefined ? null : brokenBy(shown, intended);
      if (invariant === null || isForgotten(run, shown.uuid)) continue;
      world.note('path: another order shown');
      pending.push({ run, shown, invariant });
    }
  };

  const judge = ({ run, shown, invariant }: Pending): boolean => {
    // A run that hangs, or has died, reads no answers.
    if (run !== world.run || isStalled(plan, world.clock.monotonicMs())) return run === world.run;
    // A person may resume it at once.
    if (run.composed.parts.orders.status().latched !== null) return false;
    if (world.clock.monotonicMs() < shown.atMs + PROMPT_MS) return true;
    fail(invariant, `quoting goes on, ${shownAs(shown)}`);
    return false;
  };

  return {
    onEvent() {
      const { run } = world;
      if (run !== null && run.received.shown.length > 0) take(run);
      if (pending.length > 0) pending = pending.filter(judge);
    },
  };
};

function brokenBy(shown: ShownOrder, { tick, place }: Intended): string | null {
  const sameStake = Math.abs(shown.stake * 1e6 - place.stakeMicros) < 1;
  if (shown.price !== priceAt(tick) || !sameStake) return '6 another order';
  return Math.abs(shown.livesMs - place.durationS * 1000) > TOLERANCE_MS ? '7 another lifetime' : null;
}

/** Ended orders are no longer compared. */
function isForgotten(run: Run, uuid: string): boolean {
  for (const order of run.composed.parts.orders.orders())
    if (order.requestUuid === uuid) return isOver(order.state);
  return true;
}

const shownAs = ({ uuid, price, stake, livesMs }: ShownOrder): string =>
  `order ${uuid} was shown at ${price} for ${stake}, living ${livesMs} ms`;
