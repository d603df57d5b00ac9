import { type Observable, Subject } from 'rxjs';
import type { Account, AccountPort, BetsRead } from '../account/account.ts';
import type { AccountChange, AccountEvent } from '../account/changes.ts';
import type { TurnClock } from './turn-clock.ts';

/** The account as an input of the engine: emits what is told of it, and what that changes. */
export class AccountInputs implements AccountPort {
  readonly bets: BetsRead;
  readonly #account: Account;
  readonly #clock: TurnClock;
  readonly #events$ = new Subject<AccountEvent>();
  readonly #changes$ = new Subject<AccountChange>();

  constructor(account: Account, clock: TurnClock) {
    [this.#account, this.#clock, this.bets] = [account, clock, account.bets];
  }

  /** Each event, before it is applied: what it causes comes behind it. */
  get event$(): Observable<AccountEvent> {
    return this.#events$;
  }

  /** Each change, once the projections of the account have it. */
  get change$(): Observable<AccountChange> {
    return this.#changes$;
  }

  apply(event: AccountEvent): void {
    this.#clock.atOnce(() => {
      this.#events$.next(event);
      for (const change of this.#account.apply(event)) this.#changes$.next(change);
    });
  }
}
