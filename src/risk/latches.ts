import type { EventName } from '../domain/events.ts';
import { fromMicros, type Micros } from '../domain/money.ts';
import type { RiskNotice } from './api.ts';
import { type KillRecord, KillSwitch } from './states/kill-switch.ts';
import type { LossBreach } from './states/loss-watch.ts';
import {
  type EffectiveState,
  type Scope,
  type StateRecord,
  type TradingState,
  TradingStates,
} from './states/trading-states.ts';

/** The kill switch and the trading states: they decide what may trade, until a person releases them. */
export class Latches {
  readonly #wallNow: () => number;
  readonly #notify: (notice: RiskNotice) => void;
  readonly #states = new TradingStates();
  readonly #switch = new KillSwitch();

  constructor(wallNow: () => number, notify: (notice: RiskNotice) => void) {
    this.#wallNow = wallNow;
    this.#notify = notify;
  }

  get killed(): KillRecord | null {
    return this.#switch.record;
  }

  effective(scopes: readonly Scope[]): EffectiveState {
    return this.#switch.asState() ?? this.#states.effective(scopes);
  }

  /** `untilMs`: wall-clock milliseconds at which the state ends by itself. */
  set(scope: Scope, state: TradingState, by: string, why: string, untilMs?: number): void {
    const until = untilMs === undefined ? {} : { untilMs };
    const record = { scope, state, by, why, atMs: this.#wallNow(), latched: false, ...until };
    this.#states.set(record);
    this.#notify({ kind: 'state', record });
  }

  /** Halts a scope until a person resumes. Then the state that a person set before applies again. */
  latch(scope: Scope, by: string, why: string): void {
    const record = { scope, state: 'halted', by, why, atMs: this.#wallNow(), latched: true } as const;
    if (this.#states.latch(record)) this.#notify({ kind: 'state', record });
  }

  /** Halts a strategy that hung until a person resumes, also if a limit has halted it before. */
  latchStrategy(strategy: string, by: string, why: string): void {
    const scope = { kind: 'strategy', strategy } as const;
    const record = { scope, state: 'halted', by, why, atMs: this.#wallNow(), latched: true } as const;
    this.#states.relatch(record);
    this.#notify({ kind: 'state', record });
  }

  /** The account's loss stops everything, a strategy's stops that strategy. */
  onLoss({ of, since, lossMicros, limitMicros }: LossBreach): void {
    const why = `lost ${inCents(lossMicros)} since the ${since}, limit ${inCents(limitMicros)}`;
    if (of.kind === 'account') this.kill(why, 'loss limit');
    else this.latch(of, 'loss limit', why);
  }

  kill(reason: string, by: string): void {
    const record: KillRecord = { by, reason, atMs: this.#wallNow() };
    if (this.#switch.kill(record)) this.#notify({ kind: 'killed', record });
  }

  explainKill(kill: KillRecord, reason: string, by: string): void {
    const record = this.#switch.explain(kill, reason, by);
    if (record !== null) this.#notify({ kind: 'kill_explained', record });
  }

  resume(reason: string, by: string): void {
    const released = this.#states.release();
    if (this.#switch.resume() || released) {
      this.#notify({ kind: 'resumed', record: { by, reason, atMs: this.#wallNow() } });
    }
  }

  /** Ends the states whose time is over. */
  expire(): void {
    for (const record of this.#states.expire(this.#wallNow()))
      this.#notify({ kind: 'state', record: { ...record, state: 'active', why: `over: ${record.why}` } });
  }

  forgetEvent(event: EventName): void {
    this.#states.forgetEvent(event);
  }

  get states(): readonly StateRecord[] {
    return this.#states.records();
  }

  restore(kill: KillRecord | null, states: readonly StateRecord[]): void {
    this.#switch.restore(kill);
    this.#states.restore(states);
  }
}

/** USDT to the cent. */
const inCents = (micros: Micros): number => Number(fromMicros(micros).toFixed(2));
