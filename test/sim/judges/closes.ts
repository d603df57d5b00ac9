import { isStalled } from '../duties.ts';
import { isOwn } from '../exchange-orders.ts';
import type { Witness } from '../witness.ts';
import type { MakeJudgement } from './judge.ts';

/** A request that hangs for 5 s, three more of its kind, and the pauses between them. */
const NEXT_ATTEMPT_MS = 12_000;
/** Between two requests to close there may be questions whether the first has done it. */
const NEXT_CLOSE_MS = 30_000;
/** Many orders that stay open are asked after in turn, so that others keep most of the budget: each adds so much. */
const TURN_MS = 600;

interface Attempts {
  /** When a request to close the order last left, and one that asks for it. */
  closeMs: number;
  askMs: number;
}

/** 10, 19, 20: whoever has asked for a close does not rest before the order is closed, whatever became of the request. */
export const closesGoOn: MakeJudgement = ({ world, plan, fail }) => {
  const attempts = new Map<number, Attempts>();
  let witness: Witness | null = null;
  let resumedMs = -Infinity;

  const judge = (orderId: number, { closeMs, askMs }: Attempts, nowMs: number): void => {
    const closeAgoMs = nowMs - Math.max(closeMs, resumedMs);
    const agoMs = Math.min(closeAgoMs, nowMs - askMs);
    const turnsMs = attempts.size * TURN_MS;
    if (agoMs > NEXT_ATTEMPT_MS + turnsMs)
      fail(
        '20 closes go on',
        `order ${orderId} is open ${agoMs / 1000} s after the last attempt to close it`,
      );
    if (closeAgoMs > NEXT_CLOSE_MS + 2 * turnsMs)
      fail('20 closes go on', `order ${orderId} was told to close ${closeAgoMs / 1000} s ago, and not again`);
  };

  return {
    onSent({ what, path, atMs }, border) {
      if (border.witness !== witness) attempts.clear();
      witness = border.witness;
      const named = /^\/v2\/orders\/(\d+)\/(close\/)?$/.exec(path);
      if (named === null) return;
      const orderId = Number(named[1]);
      const isClose = what.startsWith('POST');
      const known = attempts.get(orderId);
      if (isClose) attempts.set(orderId, { askMs: -Infinity, ...known, closeMs: atMs });
      else if (known !== undefined) known.askMs = atMs;
    },
    onEvent(changed) {
      for (const { orderId, closed } of changed) if (closed) attempts.delete(orderId);
      if (attempts.size === 0 || world.run?.witness !== witness) return;
      const nowMs = world.clock.monotonicMs();
      if (isStalled(plan, nowMs)) resumedMs = nowMs;
      for (const order of world.orders.open()) {
        const known = isOwn(order) ? attempts.get(order.orderId) : undefined;
        if (known !== undefined) judge(order.orderId, known, nowMs);
      }
    },
  };
};
