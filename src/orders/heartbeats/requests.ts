import { isNotFound } from '../../domain/errors.ts';
import type { HeartbeatId } from '../../domain/ids.ts';
import type { Heartbeat } from '../../domain/orders.ts';
import type { CallOptions } from '../../ports/venue.ts';
import type { OrderContext } from '../state/context.ts';

/** A request that creates or refreshes our heartbeat. */
export interface KeepingRequest {
  readonly call: (options: CallOptions) => Promise<Heartbeat>;
  /** Called before each sending, and after waiting for a connection. Throws if the heartbeat must not be kept any more. */
  readonly atLast: () => void;
  /** `sentMs`: the monotonic instant at which the bytes left, where the proof starts. */
  readonly done: (heartbeat: Heartbeat, sentMs: number) => void;
  readonly failed: (error: unknown) => void;
}

/** The requests about our heartbeat. */
export class HeartbeatRequests {
  readonly #context: OrderContext;

  constructor(context: OrderContext) {
    this.#context = context;
  }

  /**
   * Sends a request whose proof starts when its bytes leave, never when the answer comes. The venue repeats
   * unanswered requests.
   */
  keep({ call, atLast, done, failed }: KeepingRequest): void {
    const { clock } = this.#context.deps;
    let sentMs = clock.monotonicMs();
    const beforeSend = (): void => {
      atLast();
      sentMs = clock.monotonicMs();
    };
    this.#context.queue.call(
      () => call({ priority: 'urgent', beforeSend, whenConnected: atLast }),
      (heartbeat) => done(heartbeat, sentMs),
      failed,
    );
  }

  /** Resolves to whether the heartbeat is certainly gone. */
  async delete(id: HeartbeatId): Promise<boolean> {
    try {
      await this.#context.deps.venue.deleteHeartbeat(id, { priority: 'urgent' });
    } catch (error) {
      if (!isNotFound(error)) return false;
    }
    this.#context.queue.post(() =>
      this.#context.journalWriter.note({ kind: 'heartbeat_ended', heartbeatId: id, how: 'removed' }),
    );
    return true;
  }
}
