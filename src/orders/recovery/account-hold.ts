import { type HeartbeatHooks, HeartbeatKeeper } from '../heartbeats/keeper.ts';
import { OldHeartbeats } from '../heartbeats/old-heartbeats.ts';
import { OtherInstallations, type OtherInstallationsParts } from '../heartbeats/other-installations.ts';
import type { OrderContext } from '../state/context.ts';
import type { Recovery } from './recovery.ts';

export interface AccountHoldParts
  extends
    Pick<HeartbeatHooks, 'trusted' | 'mustRunOut' | 'onLost'>,
    Pick<OtherInstallationsParts, 'closeAll' | 'resync'> {}

/**
 * The parts by which this process holds the account: its heartbeat, the old heartbeats of earlier runs, and the
 * watch for other processes.
 */
export interface AccountHold {
  readonly heartbeat: HeartbeatKeeper;
  readonly oldHeartbeats: OldHeartbeats;
  readonly others: OtherInstallations;
}

export function holdAccount(
  context: OrderContext,
  { closeAll, resync, ...hooks }: AccountHoldParts,
): AccountHold {
  const heartbeat: HeartbeatKeeper = new HeartbeatKeeper(context, {
    ...hooks,
    mayCreate: () => others.isFree,
    onListed: (listed, askedMs) => others.onListed(listed, askedMs),
    isContested: (listed) => !context.deps.claim.isSoleUser && others.sightings.isContested(listed),
    onContested: () => others.contested(),
    onUnanswered: () => {
      oldHeartbeats.expect();
      others.unanswered();
    },
    onGivenUp: (id) => oldHeartbeats.found([id], 'given up'),
  });
  const others: OtherInstallations = new OtherInstallations(context, {
    heartbeat,
    deleteOld: (ids) => oldHeartbeats.found(ids),
    closeAll,
    resync,
  });
  const oldHeartbeats: OldHeartbeats = new OldHeartbeats(context, heartbeat, others.sightings);
  return { heartbeat, oldHeartbeats, others };
}

/** Begins to hold the account, once recovery has read what earlier runs left. */
export function beginHolding(
  { others, oldHeartbeats }: AccountHold,
  { heartbeats, moreHeartbeatsMayCome }: Pick<Recovery, 'heartbeats' | 'moreHeartbeatsMayCome'>,
): void {
  others.begin(heartbeats);
  if (!moreHeartbeatsMayCome) return;
  // Expect late heartbeats only after `begin`: another process may have created those already listed.
  oldHeartbeats.expect();
  others.expectUnanswered();
}
