import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import { isStalled } from '../duties.ts';
import { isOwn } from '../exchange-orders.ts';
import { closesOf, type Witness } from '../witness.ts';
import type { MakeJudgement } from './judge.ts';

/** A request that hangs for 5 s, three more of its kind, and the pauses between them. */
const NEXT_ATTEMPT_MS = 12_000;
/** A throttled run waits as long as the answer says, 5 s at most, before it looks up again. */
const THROTTLED_MS = 6_000;
/** Between two close requests there may be lookups of the first one's effect. */
const NEXT_CLOSE_MS = 30_000;
/** Many orders that stay open are looked up in turn, so that others keep most of the budget: each adds this much. */
const TURN_MS = 600;

interface Attempt {
  readonly atMs: number;
  /**
   * The greatest number of orders to be closed or looked up at one time since then: the next attempt waits behind
   * theirs.
   */
  most: number;
}

/** The last close request for the order, and its last lookup. */
interface Attempts {
  close: Attempt;
  ask: Attempt;
}

/** 10, 19, 20: a run that has requested a close goes on until the order is closed, whatever becomes of the request. */
export const closesGoOn: MakeJudgement = ({ world, plan, fail }) => {
  const attempts = new Map<number, Attempts>();
  /** Looked-up orders: while open, they take turns as well, even without a close request. */
  const asked = new Set<number>();
  let witness: Witness | null = null;
  let resumedMs = -Infinity;

  const judge = (orderId: number, { close, ask }: Attempts, throttledMs: number, nowMs: number): void => {
    const closeAgoMs = nowMs - Math.max(close.atMs, resumedMs);
    const agoMs = Math.min(closeAgoMs, nowMs - ask.atMs);
    const { atMs, most } = close.atMs > ask.atMs ? close : ask;
    const heldBackMs = throttledMs > atMs ? THROTTLED_MS : 0;
    if (agoMs > NEXT_ATTEMPT_MS + heldBackMs + most * TURN_MS)
      fail(
        '20 closes go on',
        `order ${orderId} is open ${agoMs / 1000} s after the last attempt to close it`,
      );
    if (closeAgoMs > NEXT_CLOSE_MS + 2 * close.most * TURN_MS)
      fail('20 closes go on', `order ${orderId} was told to close ${closeAgoMs / 1000} s ago, and not again`);
  };

  const waiting = (): number => {
    const isOther = ({ orderId }: InspectedOrder): boolean => asked.has(orderId) && !attempts.has(orderId);
    return attempts.size + world.orders.open().filter(isOther).length;
  };

  const begin = (run: Witness): void => {
    attempts.clear();
    asked.clear();
    witness = run;
  };

  return {
    onSent(sent, border) {
      if (border.witness !== witness) begin(border.witness);
      const { what, atMs } = sent;
      for (const orderId of closesOf(sent)) {
        const none = { atMs: -Infinity, most: 0 };
        attempts.set(orderId, { ask: none, ...attempts.get(orderId), close: { atMs, most: waiting() } });
      }
      const orderId = Number(/^GET \/v2\/orders\/(\d+)\/$/.exec(what)?.[1] ?? NaN);
      if (Number.isNaN(orderId)) return;
      asked.add(orderId);
      const known = attempts.get(orderId);
      if (known !== undefined) known.ask = { atMs, most: waiting() };
    },
    onEvent(changed) {
      const most = attempts.size === 0 ? 0 : waiting();
      for (const { close, ask } of attempts.values()) {
        for (const attempt of [close, ask]) attempt.most = Math.max(attempt.most, most);
      }
      for (const { orderId } of changed.filter(({ closed }) => closed)) {
        attempts.delete(orderId);
        asked.delete(orderId);
      }
      const { run } = world;
      if (attempts.size === 0 || run?.witness !== witness) return;
      const nowMs = world.clock.monotonicMs();
      if (isStalled(plan, nowMs)) resumedMs = nowMs;
      for (const order of world.orders.open()) {
        const known = isOwn(order) ? attempts.get(order.orderId) : undefined;
        if (known !== undefined) judge(order.orderId, known, run.received.throttledMs, nowMs);
      }
    },
  };
};
