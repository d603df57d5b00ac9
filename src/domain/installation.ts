import type { Brand, RequestUuid } from './ids.ts';

/** The random name of one journal. A copy of a journal carries the same name. */
export type InstallationId = Brand<string, 'InstallationId'>;

/**
 * State of the process that held the journal before, as read from its lock. `dead`: that process ran on this boot of this machine
 * and no longer holds the lock. `alive`: the lock file is a copy and names a running process.
 */
export type EarlierOwner = 'dead' | 'alive' | 'unknown';

/** A process's claim to trade an account. */
export interface AccountClaim {
  readonly installation: InstallationId;
  readonly earlierOwner: EarlierOwner;
  /** No other process can trade the account, for example on a new embedded exchange. */
  readonly isSoleUser: boolean;
  /** A person confirmed that the other installation is gone. */
  readonly takesOver: boolean;
  /** A person confirmed that the journal goes on with another account, if the key opens another. Default: no. */
  readonly acceptsAccount?: boolean;
}

/** Contents of `user_data` on an order that Touchline placed. */
export interface OrderMark {
  /** Null when the text begins like a mark but has another form: another program wrote it, for another installation. */
  readonly installation: InstallationId | null;
  /** The number of the run within its installation. */
  readonly run: string;
  readonly uuid: RequestUuid;
}

const PROGRAM = 'touchline';
const FORM = 'v1';

/**
 * `touchline/v1/<installation>/<run>/<request_uuid>`, within the 512 characters that the exchange allows. Later versions
 * may add fields at the end; a change of meaning needs another form.
 */
export function userDataOf({ installation, run, uuid }: OrderMark): string {
  return [PROGRAM, FORM, installation, run, uuid].join('/');
}

/** The mark that an order carries; null when Touchline did not place it. */
export function markOf(userData: string | null): OrderMark | null {
  const [program, form, ...fields] = (userData ?? '').split('/');
  if (program !== PROGRAM || form === undefined) return null;
  const [installation, run, uuid] = fields;
  if (form === FORM && installation && run && uuid)
    return { installation: installation as InstallationId, run, uuid: uuid as RequestUuid };
  return { installation: null, run: form, uuid: (fields.at(-1) ?? '') as RequestUuid };
}
