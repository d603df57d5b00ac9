import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import { isOwn } from '../exchange-orders.ts';
import { closesOf, isCreate, type SentRequest } from '../witness.ts';
import type { MakeJudgement } from './judge.ts';

/** An installation counts as present for this long after the time that its order, or its heartbeat, may live. */
const LINGER_MS = 60_000;
/** The other does not know yet what happened just now. */
const GRACE_MS = 2_000;

/** Either of the two installations of a day. */
interface Side {
  readonly name: string;
  readonly orders: Set<number>;
  /** Heartbeats that answers gave it. */
  readonly heartbeats: Pick<ReadonlySet<string>, 'has' | 'size'>;
  openedMs: number;
}

/** 32: while another installation is present, none places, closes or deletes what is not its own, nor keeps a heartbeat. */
export const oneTrader: MakeJudgement = ({ world, plan, fail }) => {
  if (plan.acts.every((act) => act.do !== 'second_trader')) return {};
  const { durationS, heartbeatS } = plan.daemon;
  const lingerMs = Math.max(durationS, heartbeatS) * 1000 + LINGER_MS - GRACE_MS;
  const sideOf = (name: string, heartbeats: Side['heartbeats']): Side => ({
    name,
    heartbeats,
    orders: new Set<number>(),
    openedMs: -Infinity,
  });
  const ownHeartbeats = new Set<string>();
  const first = sideOf('the first', ownHeartbeats);
  const second = sideOf('the second', world.second.trader.heartbeats);

  const see = (order: InspectedOrder): void => {
    if (order.requestUuid === null) return;
    const side = isOwn(order) ? first : second;
    side.orders.add(order.orderId);
    side.openedMs = Math.max(side.openedMs, order.createdMs - world.startMs);
  };
  const hasOpen = ({ orders }: Side): boolean =>
    world.orders.open().some(({ orderId }) => orders.has(orderId));
  const isPresent = (side: Side): boolean =>
    hasOpen(side) || world.clock.monotonicMs() - side.openedMs < lingerMs;

  const judge = (sent: SentRequest, by: Side, other: Side): void => {
    for (const orderId of closesOf(sent).filter((id) => other.orders.has(id)))
      fail('32 one trader', `${by.name} closes order ${orderId} of ${other.name}`);
    const deleted = /^DELETE \/v2\/heartbeats\/(.+)\/$/.exec(sent.what);
    if (deleted !== null && other.heartbeats.has(deleted[1] ?? ''))
      fail('32 one trader', `${by.name} deletes a heartbeat of ${other.name}`);
    if (sent.what === 'POST /v2/orders/close_all/') fail('32 one trader', `${by.name} sends ${sent.what}`);
    if (isUse(sent) && isPresent(other))
      fail('32 one trader', `${by.name} sends ${sent.what} beside ${other.name}`);
  };
  world.second.onSent = (sent) => judge(sent, second, first);
  return {
    onSent(sent, border) {
      for (const id of border.received.heartbeats.keys()) ownHeartbeats.add(id);
      if (second.orders.size > 0 || second.heartbeats.size > 0) judge(sent, first, second);
    },
    onEvent(changed) {
      for (const order of changed) see(order);
    },
  };
};

/** Requests of one that trades. Who waits needs none of them. */
const isUse = (sent: SentRequest): boolean =>
  isCreate(sent) || sent.what === 'POST /v2/betslips/' || sent.what === 'POST /v2/heartbeats/';
