import type { Clock } from '../../ports/clock.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import type { ExchangeCore, SimRequest, SimResponse, Tuning } from '../core/api.ts';
import { notAllowed } from '../core/replies.ts';
import { serverErrorAnswer } from '../faults/answers.ts';
import { FaultPlan } from '../faults/fault-plan.ts';
import type { Fault } from '../faults/schema.ts';
import { requestName } from '../faults/targets.ts';
import { exchangeTime } from './exchange-time.ts';
import { FaultActions } from './fault-actions.ts';
import { type Deliver, FaultyRequests } from './faulty-requests.ts';
import { Pump } from './pump.ts';
import { type Opening, Streams } from './streams.ts';
import { Timers } from './timers.ts';

export interface HostOptions {
  readonly core: ExchangeCore;
  readonly clock: Clock;
  readonly logger?: Logger;
  /** What goes wrong from the start. */
  readonly faults?: readonly Fault[];
  /** Decides where faults with a probability strike. */
  readonly faultSeed?: number;
  /** Answers to `GET`, by path, that need no key and no exchange: its description. */
  readonly documents?: ReadonlyMap<string, SimResponse>;
}

/** How many API keys are remembered, for faults that act on an account. */
const REMEMBERED_KEYS = 100;

/**
 * An exchange core brought to life on a clock: what the network server and the in-process transports both are. It
 * alone calls the core, tells it the time, runs its timer, applies faults and hands out what it says; a shell only
 * carries bytes.
 */
export class ExchangeHost {
  readonly core: ExchangeCore;
  readonly faults: FaultPlan;
  readonly #documents: HostOptions['documents'];
  readonly #logger: Logger;
  readonly #pump: Pump;
  readonly #timers: Timers;
  readonly #requests: FaultyRequests;
  readonly #actions: FaultActions;
  readonly #streams: Streams;
  readonly #keys = new Set<string>();
  #networkWatcher: ((isDown: boolean) => void) | null = null;
  #networkDown = false;
  #tuning: Tuning = {};
  #failures = 0;

  constructor({ core, clock, logger = silentLogger, faults = [], faultSeed, documents }: HostOptions) {
    this.core = core;
    this.faults = new FaultPlan(faultSeed);
    this.#documents = documents;
    this.#logger = logger;
    this.#timers = new Timers(clock);
    const driven = { advance: (nowMs: number) => this.#advance(nowMs), nextDueMs: () => this.#nextDueMs() };
    this.#pump = new Pump(driven, clock, exchangeTime(clock), () => this.run(() => undefined));
    this.#streams = new Streams({
      core,
      plan: this.faults,
      timers: this.#timers,
      run: (work) => this.run(work),
      now: () => this.#pump.now(),
      failed: (what, error) => void this.#failed(what, error),
    });
    const ask = (request: SimRequest): SimResponse => this.#ask(request);
    this.#requests = new FaultyRequests(ask, this.#timers);
    this.#actions = new FaultActions({
      core,
      timers: this.#timers,
      ask,
      sessions: () => this.#streams.sessions(),
      keys: () => [...this.#keys],
    });
    for (const fault of faults) this.addFault(fault);
    this.#pump.rearm();
  }

  /** Brings the exchange up to now, runs `work` on it at that instant, and sends what came of it. */
  run<T>(work: (nowMs: number) => T): T {
    try {
      return work(this.#pump.catchUp());
    } finally {
      this.#streams.dispatch();
      this.#pump.rearm();
    }
  }

  /**
   * Puts a request to the exchange, through whatever faults are in its way. Calls `deliver` exactly once unless the host
   * closes first; inside this call when no fault delays it. An internal error is the documented 500.
   */
  submit(request: SimRequest, deliver: Deliver): void {
    const document = this.#documents?.get(pathOf(request.target));
    if (document !== undefined) {
      const response = request.method === 'GET' ? document : notAllowed(['GET']);
      return deliver({ carriage: 'whole', response });
    }
    const name = requestName(request.method, request.target);
    const plan = this.run((nowMs) => this.faults.planRequest(name, nowMs));
    this.#requests.submit(request, plan, deliver);
  }

  /** Asks the exchange to open a stream connection; its frames wait until the session is attached to a link. */
  open(query: Readonly<Record<string, string>>): Opening {
    return this.run((nowMs) => this.#streams.open(query, nowMs));
  }

  /** Ends every stream connection with a raw close, as a network failure would. */
  dropStreams(): void {
    this.#streams.drop();
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  /** Adds a fault; a relative `at` counts from now. Answers its id. */
  addFault(fault: Fault): number {
    const id = this.run((nowMs) => this.faults.add(fault, nowMs));
    this.run(() => undefined);
    return id;
  }

  /** Ends a fault. Answers false when there is none of this id. */
  removeFault(id: number): boolean {
    return this.run((nowMs) => {
      const removed = this.faults.remove(id);
      if (removed !== null) this.#actions.end(removed, nowMs);
      this.#followState(nowMs);
      return removed !== null;
    });
  }

  /** Whether nobody can connect. */
  get isNetworkDown(): boolean {
    return this.#networkDown;
  }

  /** Tells a shell when `isNetworkDown` changes. */
  onNetwork(watcher: (isDown: boolean) => void): void {
    this.#networkWatcher = watcher;
  }

  /** Stops time and ends every stream connection. */
  close(): void {
    this.#pump.stop();
    this.#timers.cancelAll();
    this.dropStreams();
  }

  #nextDueMs(): number | null {
    const [core, faults] = [this.core.nextDueMs(), this.faults.nextDueMs()];
    return core === null || faults === null ? (core ?? faults) : Math.min(core, faults);
  }

  #advance(nowMs: number): void {
    this.core.advance(nowMs);
    this.#actions.suspendNew(nowMs);
    const faultsMs = this.faults.nextDueMs();
    if (faultsMs === null || faultsMs > nowMs) return;
    for (let due = this.faults.take(nowMs); due !== null; due = this.faults.take(nowMs)) {
      this.#actions.run(due, nowMs);
    }
    this.#followState(nowMs);
  }

  /** Brings network and exchange to the state that the faults ask for. */
  #followState(nowMs: number): void {
    const { networkDown, tuning } = this.faults.state(nowMs);
    if (JSON.stringify(tuning) !== JSON.stringify(this.#tuning)) this.core.tune(tuning);
    this.#tuning = tuning;
    if (networkDown === this.#networkDown) return;
    this.#networkDown = networkDown;
    if (networkDown) this.dropStreams();
    this.#networkWatcher?.(networkDown);
  }

  #ask(request: SimRequest): SimResponse {
    return this.run((nowMs) => {
      try {
        const answer = this.core.request(request, nowMs);
        if (answer.status < 400) this.#remember(request.apiKey);
        return answer;
      } catch (error) {
        return serverErrorAnswer(this.#failed('request', error));
      }
    });
  }

  #remember(apiKey: string | null): void {
    if (apiKey === null) return;
    this.#keys.delete(apiKey);
    if (this.#keys.size < REMEMBERED_KEYS) this.#keys.add(apiKey);
  }

  #failed(what: string, error: unknown): string {
    const token = `sim-${++this.#failures}`;
    this.#logger.error('the simulated exchange failed', { what, token, error });
    return token;
  }
}

/** Without the query and the optional closing slash. */
const pathOf = (target: string): string => (target.split('?', 1)[0] ?? '').replace(/\/$/, '');
