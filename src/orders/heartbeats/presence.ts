import type { HeartbeatId, OrderId } from '../../domain/ids.ts';
import type { EarlierOwner, InstallationId } from '../../domain/installation.ts';
import type { Heartbeat } from '../../domain/orders.ts';

export interface ListedHeartbeats {
  readonly listed: readonly Heartbeat[];
  /** Monotonic instant of the answer. */
  readonly listedMs: number;
  readonly originOf: (id: HeartbeatId) => HeartbeatOrigin;
}

/**
 * Origin of a heartbeat that this process did not create: the journal lists it, an unanswered request of ours
 * may have created it, or its origin is unknown.
 */
export type HeartbeatOrigin = 'journal' | 'unanswered' | 'unknown';

/** A heartbeat of the account that this process did not create, as listings showed it. */
export interface SeenHeartbeat {
  readonly heartbeatId: HeartbeatId;
  readonly origin: HeartbeatOrigin;
  /** Monotonic instant since which its expiry has not changed. */
  readonly stillSinceMs: number;
  /** Monotonic instant at which a listing showed a later expiry than before; null if none did. */
  readonly movedMs: number | null;
}

/** An order with Touchline's mark that is not in the journal. */
export interface SeenOrder {
  readonly orderId: OrderId;
  /** Null if the mark has another form. */
  readonly installation: InstallationId | null;
  readonly isOpen: boolean;
  /** Monotonic instant of the order's placement. */
  readonly placedMs: number;
}

/** The signs of other processes on the account. */
export interface AccountSigns {
  readonly orders: Iterable<SeenOrder>;
  readonly heartbeats: Iterable<SeenHeartbeat>;
  /** Monotonic instant since which the account has been watched. */
  readonly watchedSinceMs: number;
  /** Monotonic instant at which the last answered listing of heartbeats was requested. */
  readonly listedMs: number;
}

export interface PresenceRules {
  /** The installation of this process. */
  readonly installation: InstallationId;
  readonly earlierOwner: EarlierOwner;
  readonly isSoleUser: boolean;
  readonly takesOver: boolean;
  readonly toleratesHeartbeats: boolean;
  /** One refresh interval of a heartbeat plus the time that its answer may take, milliseconds. */
  readonly watchMs: number;
  /** An installation counts as present for this long after it placed an order, milliseconds. */
  readonly lingerMs: number;
}

/** How this process knows that another one uses the account. */
export type Sign =
  | { readonly kind: 'open_order' | 'recent_order'; readonly order: SeenOrder }
  | { readonly kind: 'moving_heartbeat' | 'standing_heartbeat'; readonly heartbeat: SeenHeartbeat };

export type Presence =
  | { readonly kind: 'free' }
  /** No sign is seen, but the account was not watched for long enough yet. */
  | { readonly kind: 'watching' }
  | { readonly kind: 'present'; readonly sign: Sign };

const FREE: Presence = { kind: 'free' };

/**
 * Decides whether this process may trade the account. The first row that applies decides:
 *
 * | sign                                                             | decision                                |
 * | ---------------------------------------------------------------- | --------------------------------------- |
 * | no other process can have the account                            | free                                    |
 * | an order is open that another installation or a copy placed      | present                                 |
 * | another installation or a copy placed an order a short time ago  | present, unless a person takes over     |
 * | an unknown heartbeat moves                                       | present, unless the setting tolerates it |
 * | an unknown heartbeat stands                                      | present until it runs out               |
 * | a heartbeat of the journal moves                                 | present: this journal is a copy         |
 * | a heartbeat of the journal stands, its owner died on this boot   | free                                    |
 * | a heartbeat of the journal stands, its owner is not known        | free after one refresh interval; where  |
 * |                                                                  | a person takes over, once it ran out    |
 * | nothing, and the lock's owner died on this boot                  | free                                    |
 * | nothing                                                          | free after one refresh interval         |
 *
 * A heartbeat moves if a listing shows a later expiry than before; otherwise it stands. A copy of the journal places
 * orders with our mark that are not in our journal.
 */
export function presenceOf(signs: AccountSigns, rules: PresenceRules, nowMs: number): Presence {
  if (rules.isSoleUser) return FREE;
  const order = orderSign(signs.orders, rules, nowMs);
  if (order !== null) return { kind: 'present', sign: order };
  const heartbeats = [...signs.heartbeats];
  const heartbeat = heartbeatSign(heartbeats, rules, signs.listedMs);
  if (heartbeat !== null) return { kind: 'present', sign: heartbeat };
  return isWatched(heartbeats, signs, rules) ? FREE : { kind: 'watching' };
}

/** Returns whether a heartbeat that this process did not create may be deleted, because no process refreshes it. */
export function isAbandoned(
  { origin, stillSinceMs }: SeenHeartbeat,
  { earlierOwner, isSoleUser, watchMs }: Pick<PresenceRules, 'earlierOwner' | 'isSoleUser' | 'watchMs'>,
  listedMs: number,
): boolean {
  if (isSoleUser) return true;
  if (origin === 'unknown') return false;
  return (origin === 'journal' && earlierOwner === 'dead') || listedMs - stillSinceMs >= watchMs;
}

/** How long an account without any sign is watched before this process trades, milliseconds. */
export const watchMsOf = ({
  earlierOwner,
  watchMs,
}: Pick<PresenceRules, 'earlierOwner' | 'watchMs'>): number => (earlierOwner === 'dead' ? 0 : watchMs);

/**
 * Monotonic instant at which a closed order stops proving its installation present; Infinity while the order is
 * open.
 */
export const lapseMs = (
  { isOpen, placedMs }: SeenOrder,
  { lingerMs, takesOver }: Pick<PresenceRules, 'lingerMs' | 'takesOver'>,
): number => (isOpen ? Infinity : takesOver ? -Infinity : placedMs + lingerMs);

function orderSign(orders: Iterable<SeenOrder>, rules: PresenceRules, nowMs: number): Sign | null {
  let recent: SeenOrder | null = null;
  for (const order of orders) {
    if (order.isOpen) return { kind: 'open_order', order };
    if (lapseMs(order, rules) > nowMs && order.placedMs > (recent?.placedMs ?? -Infinity)) recent = order;
  }
  return recent === null ? null : { kind: 'recent_order', order: recent };
}

function heartbeatSign(
  heartbeats: readonly SeenHeartbeat[],
  rules: PresenceRules,
  listedMs: number,
): Sign | null {
  for (const heartbeat of heartbeats) {
    const { origin, movedMs } = heartbeat;
    if (origin === 'unknown') {
      const moves = movedMs !== null;
      if (moves && rules.toleratesHeartbeats) continue;
      return { kind: moves ? 'moving_heartbeat' : 'standing_heartbeat', heartbeat };
    }
    if (movedMs !== null && !isAbandoned(heartbeat, rules, listedMs))
      return { kind: 'moving_heartbeat', heartbeat };
    if (rules.takesOver && rules.earlierOwner !== 'dead') return { kind: 'standing_heartbeat', heartbeat };
  }
  return null;
}

function isWatched(
  heartbeats: readonly SeenHeartbeat[],
  { watchedSinceMs, listedMs }: AccountSigns,
  rules: PresenceRules,
): boolean {
  const own = heartbeats.filter(({ origin }) => origin !== 'unknown');
  if (own.some((heartbeat) => !isAbandoned(heartbeat, rules, listedMs))) return false;
  return listedMs - watchedSinceMs >= watchMsOf(rules);
}

const shortOf = (installation: InstallationId | null): string =>
  installation === null
    ? 'another program that marks its orders as Touchline does'
    : `installation ${installation}`;

/** Describes, for people, who is present and how that is known. */
export function presenceInWords(sign: Sign, own: InstallationId): string {
  if ('order' in sign) {
    const { installation, orderId } = sign.order;
    const who = installation === own ? `a copy of this journal (${shortOf(own)})` : shortOf(installation);
    return sign.kind === 'open_order'
      ? `${who}: its order ${orderId} is open`
      : `${who}: it placed order ${orderId} a short time ago`;
  }
  const { heartbeatId, origin } = sign.heartbeat;
  if (sign.kind === 'standing_heartbeat')
    return `heartbeat ${heartbeatId} of another process has not run out`;
  return origin === 'unknown'
    ? `a process that keeps heartbeat ${heartbeatId}`
    : `a copy of this journal (${shortOf(own)}): it keeps heartbeat ${heartbeatId}, which this journal lists`;
}
