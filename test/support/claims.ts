import type { RequestUuid } from '../../src/domain/ids.ts';
import {
  type AccountClaim,
  type InstallationId,
  type OrderMark,
  userDataOf,
} from '../../src/domain/installation.ts';

export const OWN = 'installation-own' as InstallationId;
export const OTHER = 'installation-other' as InstallationId;

/** A start on the machine where the earlier run of the same journal is known to have died. */
export const OWN_CLAIM: AccountClaim = {
  installation: OWN,
  earlierOwner: 'dead',
  isSoleUser: false,
  takesOver: false,
};

/** The `user_data` of an order. */
export const markedBy = (installation: InstallationId, run: string, uuid: string): string =>
  userDataOf({ installation, run, uuid: uuid as RequestUuid } satisfies OrderMark);
