import { ConfigError, ProtocolError, TouchlineError, VenueRejection } from '../../domain/errors.ts';
import type { HeartbeatId, OrderId } from '../../domain/ids.ts';
import { fromMicros } from '../../domain/money.ts';
import { lastPage } from '../../domain/order-listing.ts';
import type { VenueOrder } from '../../domain/orders.ts';
import type { Venue } from '../../ports/venue.ts';
import type { OrderContext } from '../state/context.ts';
import {
  type AccountVerdict,
  accountVerdict,
  isRecognised,
  type KnownAccount,
  type KnownOrder,
} from '../journal/account-identity.ts';

/** The requests that tell whose account a key opens. They change nothing. */
export type AccountQuestions = Pick<Venue, 'orders' | 'order'>;

/** Goes ahead of what is not urgent, as recovery does. */
const FIRST = { priority: 'reducing' } as const;
const NEWEST = 100;
/** Most orders that the exchange lists on one page (published facts). */
const LARGEST_PAGE = 1_000;
/** Known orders that are looked up one by one. An exchange may lose one of them. */
const LOOKED_UP = 8;
/** Ids that a message names. */
const NAMED = 5;

/**
 * Asks the exchange whose account a key opens, and judges the answers. Mostly a single request: the newest orders show
 * one that the journal knows. Rejects with the exchange's or network's error.
 */
export async function identify(
  venue: AccountQuestions,
  known: KnownAccount,
  heartbeats: readonly HeartbeatId[],
  nowMs: number,
): Promise<AccountVerdict> {
  const judge = (orders: readonly VenueOrder[], missing: ReadonlySet<OrderId> = new Set()): AccountVerdict =>
    accountVerdict(known, { orders, heartbeats, missing }, nowMs);
  const atOnce = judge([]);
  if (atOnce.kind === 'same' || (known.orders.length === 0 && known.covered === null)) return atOnce;
  const newest = await venue.orders({ page: 1, pageSize: NEWEST }, FIRST);
  if (judge(newest.orders).kind === 'same') return { kind: 'same' };
  const missing = new Set<OrderId>();
  for (const order of known.orders.slice(0, LOOKED_UP)) {
    const found = await isFound(venue, order);
    if (found === true) return { kind: 'same' };
    if (found === false) missing.add(order.orderId);
  }
  const isAll = lastPage(NEWEST)(newest);
  const shown = isAll ? newest : await venue.orders({ page: 1, pageSize: LARGEST_PAGE }, FIRST);
  return judge(shown.orders, missing);
}

/** Whether the exchange knows the order, and not another one by its id; null when the answer cannot be read, which proves neither. */
async function isFound(venue: AccountQuestions, known: KnownOrder): Promise<boolean | null> {
  try {
    return isRecognised(known, await venue.order(known.orderId, FIRST));
  } catch (error) {
    if (error instanceof VenueRejection && error.status === 404) return false;
    if (error instanceof ProtocolError) return null;
    throw error;
  }
}

/**
 * Compares the account of the key with the account of the journal, before recovery takes over anything. Throws
 * ConfigError if they differ and no person has accepted it.
 */
export async function mustBeOurAccount(
  context: OrderContext,
  heartbeats: readonly HeartbeatId[],
  nowMs: number,
): Promise<void> {
  const { deps, journalWriter, log, queue } = context;
  if (deps.claim.isSoleUser) return;
  const known = journalWriter.account();
  const verdict = await identify(deps.venue, known, heartbeats, nowMs);
  if (verdict.kind === 'undecided' && known.orders.length > 0)
    log.warn('the account cannot be compared with the one of the journal', { known: known.orders.length });
  if (verdict.kind !== 'other') return;
  const why = whyOther(verdict);
  if (deps.claim.acceptsAccount !== true) throw await otherAccount(context, why);
  log.warn('another account is accepted for this journal', { why });
  await queue.run(() => {
    journalWriter.commit({ kind: 'account_accepted', why });
    deps.account.apply({ kind: 'other_account' });
  });
}

/** Why a key is of another account, for people. */
export function whyOther({ missing, strange }: Extract<AccountVerdict, { kind: 'other' }>): string {
  const reasons = [
    missing.length === 0 ? [] : [`the exchange knows none of its last orders (${idsOf(missing)})`],
    strange.length === 0
      ? []
      : [`the account has orders (${idsOf(strange)}) from a time whose orders the journal knows`],
  ];
  return reasons.flat().join(', and ');
}

const idsOf = (ids: readonly OrderId[]): string => {
  const named = ids.slice(0, NAMED).join(', ');
  return ids.length > NAMED ? `${named} and ${ids.length - NAMED} more` : named;
};

async function otherAccount({ deps }: OrderContext, why: string): Promise<ConfigError> {
  const openStake = await openStakeOf(deps.venue);
  return new ConfigError(
    `the API key opens another account than the one of this journal, or its exchange began anew: ${why}${openStake}. Nothing was placed or closed. Set the key of the journal's account, or name another journal.path for this account. Only if the journal is to go on with this account: touchline run --accept-account`,
  );
}

/** Helps the person to recognise the account. */
async function openStakeOf(venue: Pick<Venue, 'balance'>): Promise<string> {
  try {
    const { openStakeMicros } = await venue.balance(FIRST);
    return `; this account has ${fromMicros(openStakeMicros)} USDT of open stake`;
  } catch (error) {
    if (error instanceof TouchlineError) return '';
    throw error;
  }
}
