import type { OrderLifecycle } from './order-lifecycle.ts';
import type { Account, HeartbeatRecord } from './model.ts';
import { failure, notFound, ok, type Reply } from './replies.ts';
import type { Planned, Scheduler } from './scheduler.ts';
import type { Sequence } from './sequence.ts';
import type { ExchangeSettings } from './settings.ts';
import { heartbeatJson } from './wire.ts';

/** Dead-man's timers: an expiry closes the account's orders (specification, Heartbeat states). */
export class Heartbeats {
  readonly #scheduler: Scheduler;
  readonly #sequence: Sequence;
  readonly #lifecycle: OrderLifecycle;
  readonly #settings: ExchangeSettings;
  readonly #armed = new Set<HeartbeatRecord>();
  #planned: Planned | null = null;
  /** The exchange time of the planned check. */
  #checkMs = Infinity;

  constructor(
    scheduler: Scheduler,
    sequence: Sequence,
    lifecycle: OrderLifecycle,
    settings: ExchangeSettings,
  ) {
    this.#scheduler = scheduler;
    this.#sequence = sequence;
    this.#lifecycle = lifecycle;
    this.#settings = settings;
  }

  list(account: Account): Reply {
    return ok({ heartbeats: this.#allAlive(account).map(heartbeatJson) });
  }

  create(account: Account, timeoutS: number): Reply {
    if (this.#allAlive(account).length >= this.#settings.heartbeatCap) {
      return failure(409, 'limit_reached', { detail: 'Maximum number of heartbeats reached.' });
    }
    const timeoutMs = timeoutS * 1000;
    const heartbeatId = this.#sequence.nextToken();
    const heartbeat = { heartbeatId, account, timeoutMs, expiryMs: this.#scheduler.nowMs + timeoutMs };
    account.heartbeats.set(heartbeatId, heartbeat);
    this.#armed.add(heartbeat);
    this.#planCheck();
    return ok(heartbeatJson(heartbeat));
  }

  get(account: Account, heartbeatId: string): Reply {
    const heartbeat = this.#findAlive(account, heartbeatId);
    return heartbeat === null ? notFound() : ok(heartbeatJson(heartbeat));
  }

  refresh(account: Account, heartbeatId: string): Reply {
    const heartbeat = this.#findAlive(account, heartbeatId);
    if (heartbeat === null) return notFound();
    heartbeat.expiryMs = this.#scheduler.nowMs + heartbeat.timeoutMs;
    return ok(heartbeatJson(heartbeat));
  }

  delete(account: Account, heartbeatId: string): Reply {
    const heartbeat = this.#findAlive(account, heartbeatId);
    if (heartbeat === null) return notFound();
    this.#disarm(heartbeat);
    return ok(null);
  }

  #allAlive(account: Account): HeartbeatRecord[] {
    return [...account.heartbeats.values()].filter(this.#isAlive);
  }

  /** An alive heartbeat. An expired one is gone for its owner, even before the next check closes the orders. */
  #findAlive(account: Account, heartbeatId: string): HeartbeatRecord | null {
    const heartbeat = account.heartbeats.get(heartbeatId);
    return heartbeat !== undefined && this.#isAlive(heartbeat) ? heartbeat : null;
  }

  readonly #isAlive = (heartbeat: HeartbeatRecord): boolean => heartbeat.expiryMs > this.#scheduler.nowMs;

  #disarm(heartbeat: HeartbeatRecord): void {
    heartbeat.account.heartbeats.delete(heartbeat.heartbeatId);
    this.#armed.delete(heartbeat);
  }

  /** Plans the next check: the first multiple of the interval after now, and not before the earliest expiry. */
  #planCheck(): void {
    if (this.#armed.size === 0) return;
    const every = this.#settings.heartbeatCheckMs;
    const expiryMs = Math.min(...Array.from(this.#armed, (heartbeat) => heartbeat.expiryMs));
    const nextMs =
      Math.max(Math.floor(this.#scheduler.nowMs / every) + 1, Math.ceil(expiryMs / every)) * every;
    if (this.#checkMs <= nextMs) return;
    this.#planned?.cancel();
    this.#checkMs = nextMs;
    this.#planned = this.#scheduler.at(nextMs, () => this.#check());
  }

  #check(): void {
    this.#checkMs = Infinity;
    for (const heartbeat of Array.from(this.#armed)) {
      if (!this.#isAlive(heartbeat)) this.#expire(heartbeat);
    }
    this.#planCheck();
  }

  /** Closes every open order of the account, except orders created after the expiry instant. */
  #expire(heartbeat: HeartbeatRecord): void {
    this.#disarm(heartbeat);
    for (const order of Array.from(heartbeat.account.openOrders)) {
      if (order.placedMs <= heartbeat.expiryMs) this.#lifecycle.finish(order, 'heartbeat');
    }
  }
}
