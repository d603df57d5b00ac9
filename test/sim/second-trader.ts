import { type ExchangeOrders, isOwn } from './exchange-orders.ts';
import type { Act, SimPlan } from './plan.ts';
import { type Place, type StartOptions, Trader } from './trader.ts';
import type { SentRequest } from './witness.ts';

type Coming = Extract<Act, { do: 'second_trader' }>;

/** The simulated day in which it comes. */
interface Day extends Place {
  readonly orders: ExchangeOrders;
  note(what: string): void;
}

/** A service manager restarts a failed one after this long. */
const RESTART_MS = 5_000;

/**
 * A second installation on the account, with its own disk, for a part of the day. It starts when the first has an order
 * open. The rounds judge which of two simultaneous starts may trade (`test/rivals`).
 */
export class SecondTrader {
  readonly trader: Trader;
  onSent: (sent: SentRequest) => void = () => undefined;
  readonly #world: Day;
  readonly #how: StartOptions;
  #act: Coming | null = null;
  #beginAtMs = Infinity;

  constructor(world: Day, { seed, daemon, world: { betslipsPerDay } }: SimPlan, how: StartOptions = {}) {
    [this.#world, this.#how] = [world, how];
    this.trader = new Trader(world, { name: 'second', seed, daemon, betslipsPerDay });
    this.trader.onSent = (sent) => this.onSent(sent);
  }

  come(act: Coming): void {
    this.#act = act;
    this.#beginAtMs = act.atS * 1000;
  }

  /** Starts or ends it when due. */
  async attend(): Promise<void> {
    const nowMs = this.#world.clock.monotonicMs();
    if (this.#act === null) return;
    const { run } = this.trader;
    if (nowMs >= (this.#act.atS + this.#act.forS) * 1000) return this.#leave(this.#act);
    if (run !== null && run.failure !== null) {
      this.trader.kill();
      this.#beginAtMs = nowMs + RESTART_MS;
    }
    const isDue = this.trader.run === null && nowMs >= this.#beginAtMs;
    if (!isDue || !this.#world.orders.open().some(isOwn)) return;
    this.#world.note('act: second_trader');
    await this.trader.begin(this.#how);
  }

  /** Ends the second trader: at once, or in order while time passes. */
  #leave({ ends }: Coming): void {
    this.#act = null;
    if (this.trader.run === null) return;
    if (!this.trader.isReady) this.#world.note('path: second trader waited');
    if (ends === 'kill') this.trader.kill();
    else this.trader.stop();
  }
}
