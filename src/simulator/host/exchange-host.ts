import type { Clock } from '../../ports/clock.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import type { ExchangeCore, SimRequest, SimResponse, Tuning } from '../core/api.ts';
import { notAllowed } from '../core/replies.ts';
import { serverErrorAnswer } from '../faults/request-plan.ts';
import { FaultPlan } from '../faults/fault-plan.ts';
import type { Fault } from '../faults/schema.ts';
import { requestName } from '../faults/targets.ts';
import { exchangeTime, Pump, Timers } from './exchange-time.ts';
import { FaultActions } from './fault-actions.ts';
import { type Deliver, FaultyRequests } from './faulty-requests.ts';
import { type Opening, Streams } from './streams.ts';

export interface HostOptions {
  readonly core: ExchangeCore;
  readonly clock: Clock;
  readonly logger?: Logger;
  /** Faults that are added at the start. */
  readonly faults?: readonly Fault[];
  /** Seed of the faults that have a probability. */
  readonly faultSeed?: number;
  /** The exchange's description: answers to `GET` by path, without a key and without the core. */
  readonly documents?: ReadonlyMap<string, SimResponse>;
}

/** How many API keys are remembered, for faults that act on an account. */
const REMEMBERED_KEYS = 100;

/**
 * Runs an exchange core on a clock, for both the network server and the in-process transports. The host alone calls the
 * core, passes it the time, runs its timer, applies faults and delivers its output. A shell (server or transports) only
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

  /** Advances the exchange to now, runs `work` at that instant, and sends the frames that result. */
  run<T>(work: (nowMs: number) => T): T {
    try {
      return work(this.#pump.catchUp());
    } finally {
      this.#streams.dispatch();
      this.#pump.rearm();
    }
  }

  /**
   * Submits a request to the exchange, with the faults that apply to it. Calls `deliver` exactly once unless the host
   * closes first; within this call when no fault delays it. An internal error becomes the documented 500.
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

  /** Opens a stream connection, or refuses it. Frames wait until the session is attached to a link. */
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

  /** Adds a fault and returns its id. A relative `at` counts from now. */
  addFault(fault: Fault): number {
    const id = this.run((nowMs) => this.faults.add(fault, nowMs));
    this.run(() => undefined);
    return id;
  }

  /** Ends a fault. Returns false when no fault has this id. */
  removeFault(id: number): boolean {
    return this.run((nowMs) => {
      const removed = this.faults.remove(id);
      if (removed !== null) this.#actions.end(removed, nowMs);
      this.#followState(nowMs);
      return removed !== null;
    });
  }

  /** Whether all connections are refused. */
  get isNetworkDown(): boolean {
    return this.#networkDown;
  }

  /** Sets the shell's watcher, which is called when `isNetworkDown` changes. */
  onNetwork(watcher: (isDown: boolean) => void): void {
    this.#networkWatcher = watcher;
  }

  /** Cancels all timers and ends every stream connection. */
  close(): void {
    this.#pump.stop();
    this.#timers.cancelAll();
    this.dropStreams();
  }

  #nextDueMs(): number | null {
    const core = this.core.nextDueMs();
    const faults = this.faults.nextDueMs();
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

  /** Applies the conditions of the active faults to network and exchange. */
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
    this.#logger.error('the simulated exchange failed: the request gets 500, or the stream closes', {
      what,
      token,
      error,
    });
    return token;
  }
}

/** The path without the query and the optional final slash. */
const pathOf = (target: string): string => (target.split('?', 1)[0] ?? '').replace(/\/$/, '');
