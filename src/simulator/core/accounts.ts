import type { Micros } from '../../domain/money.ts';
import { Exposure } from './exposure.ts';
import { Budgets } from './limits.ts';
import type { Account, BetslipRecord, HeartbeatRecord, OrderRecord } from './model.ts';
import type { AccountSpec, LimitSettings } from './settings.ts';

class Customer implements Account {
  readonly accountId: string;
  readonly owner: string;
  readonly #sports: ReadonlySet<string> | null;
  readonly knownToFeed: boolean;
  readonly budgets: Budgets;
  readonly exposure = new Exposure();
  readonly orders = new Map<number, OrderRecord>();
  readonly ordersByUuid = new Map<string, OrderRecord>();
  readonly openOrders = new Set<OrderRecord>();
  readonly betslips = new Map<string, BetslipRecord>();
  readonly heartbeats = new Map<string, HeartbeatRecord>();
  readonly eventStakes = new Map<string, Micros>();
  balanceMicros: Micros;
  reservedMicros: Micros = 0;
  openBetslipCount = 0;

  constructor(spec: AccountSpec, limits: LimitSettings, nowMs: number) {
    this.accountId = spec.accountId;
    this.owner = `account:${spec.accountId}`;
    this.#sports = spec.sports === undefined ? null : new Set(spec.sports);
    this.knownToFeed = spec.knownToFeed ?? true;
    this.balanceMicros = spec.balanceMicros;
    this.budgets = new Budgets(limits, nowMs);
  }

  get openStakeMicros(): Micros {
    return this.reservedMicros + this.exposure.liabilityMicros;
  }

  get availableMicros(): Micros {
    return this.balanceMicros - this.openStakeMicros + this.exposure.creditMicros;
  }

  isEnabledFor(sport: string): boolean {
    return this.#sports === null || this.#sports.has(sport);
  }
}

export interface KeyHolder {
  readonly account: Account;
  readonly readOnly: boolean;
}

/** All accounts. A key finds its account. */
export class Accounts {
  readonly all: readonly Account[];
  readonly #byKey = new Map<string, KeyHolder>();

  constructor(specs: readonly AccountSpec[], limits: LimitSettings, nowMs: number) {
    this.all = specs.map((spec) => {
      const account = new Customer(spec, limits, nowMs);
      for (const key of spec.keys) this.#byKey.set(key, { account, readOnly: false });
      for (const key of spec.readOnlyKeys ?? []) this.#byKey.set(key, { account, readOnly: true });
      return account;
    });
  }

  /** The account of a key; null for an unknown key. */
  byKey(key: string): KeyHolder | null {
    return this.#byKey.get(key) ?? null;
  }
}
