import { TransportError, VenueRejection } from '../../src/domain/errors.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { CallOptions } from '../../src/ports/venue.ts';

/** The result of one call. */
export type Fault =
  /** The request never arrives and no answer comes. */
  | { readonly kind: 'lost' }
  /** A connection for the request exists only this much later. */
  | { readonly kind: 'slow-connection'; readonly ms: number }
  /** No byte left. */
  | { readonly kind: 'not-sent' }
  /** The request is carried out and the answer is lost. */
  | { readonly kind: 'answer-lost' }
  /** The answer is lost, and the request is carried out this much later. */
  | { readonly kind: 'late'; readonly ms: number }
  /** The request is carried out, and the answer says something else. */
  | { readonly kind: 'reject'; readonly error: VenueRejection; readonly carriedOut?: boolean };

export type VenueMethod =
  | 'createBetslip'
  | 'refreshBetslip'
  | 'deleteBetslip'
  | 'placeOrder'
  | 'order'
  | 'trackedOrder'
  | 'orders'
  | 'orderUpdates'
  | 'closeOrder'
  | 'closeMany'
  | 'heartbeats'
  | 'createHeartbeat'
  | 'refreshHeartbeat'
  | 'deleteHeartbeat';

/** Whether a call asks for the close of an order, or of several. */
export const isClose = (method: VenueMethod): boolean => method === 'closeOrder' || method === 'closeMany';

export interface CallMade {
  readonly method: VenueMethod;
  readonly atMs: number;
}

export interface FatedCallsHooks {
  /** Decides the result of each call; null for no fault. */
  fateOf(method: VenueMethod): Fault | null;
  /** The request leaves now. */
  onCall(call: CallMade): void;
}

/** Calls to an exchange that take time, and each of which can fail. */
export class FatedCalls {
  readonly #clock: Clock;
  readonly #latencyMs: number;
  readonly #timeoutMs: number;
  readonly #hooks: FatedCallsHooks;

  constructor(
    clock: Clock,
    { latencyMs, timeoutMs }: { readonly latencyMs: number; readonly timeoutMs: number },
    hooks: FatedCallsHooks,
  ) {
    [this.#clock, this.#latencyMs, this.#timeoutMs, this.#hooks] = [clock, latencyMs, timeoutMs, hooks];
  }

  async run<T>(method: VenueMethod, options: CallOptions | undefined, act: () => T): Promise<T> {
    await this.#after(1);
    options?.beforeSend?.();
    this.#hooks.onCall({ method, atMs: this.#clock.monotonicMs() });
    const fault = this.#hooks.fateOf(method);
    await this.#after(this.#latencyMs);
    return fault === null
      ? act()
      : Promise.race([this.#faulty(fault, options, act), givenUp(options?.signal)]);
  }

  async #faulty<T>(fault: Fault, options: CallOptions | undefined, act: () => T): Promise<T> {
    if (fault.kind === 'slow-connection') return this.#connected(fault.ms, options, act);
    if (fault.kind === 'not-sent') throw new TransportError('not-sent', 'refused');
    if (fault.kind === 'answer-lost') quietly(act);
    if (fault.kind === 'late') this.#clock.after(fault.ms, () => quietly(act));
    if (fault.kind === 'reject') {
      if (fault.carriedOut === true) quietly(act);
      throw fault.error;
    }
    await this.#after(this.#timeoutMs);
    throw new TransportError('unknown', 'timeout');
  }

  async #connected<T>(ms: number, options: CallOptions | undefined, act: () => T): Promise<T> {
    await this.#after(ms);
    try {
      options?.whenConnected?.();
    } catch {
      throw new TransportError('not-sent', 'not wanted any more');
    }
    return act();
  }

  #after(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(ms, resolve));
  }
}

function quietly(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof VenueRejection)) throw error;
  }
}

/** Rejects when the caller no longer waits. */
function givenUp(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
