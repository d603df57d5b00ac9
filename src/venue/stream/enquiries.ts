import { ProtocolError, TransportError, VenueRejection } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ResponseEntry } from '../wire/entries.ts';

/** What to do with the answer to a command that somebody waits for. */
export type Answered = (response: ResponseEntry) => void;

/** Questions asked on one connection. Each promise settles: by the answer, in time, or with the connection. */
export class Enquiries {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #open = new Set<(why: string) => void>();

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Asks by `send`, and reads the answer's data. Rejects with VenueRejection for an error answer (HTTP status 0: it came
   * on the stream), ProtocolError for one that cannot be read, and TransportError `unknown` when there is none.
   */
  ask<T>(send: (answered: Answered) => void, read: (data: unknown) => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const settle = (): void => {
      timer.cancel();
      this.#open.delete(lost);
    };
    const lost = (why: string): void => {
      settle();
      reject(new TransportError('unknown', why));
    };
    const timer = this.#clock.after(this.#timeoutMs, () => lost('no answer on the stream in time'));
    this.#open.add(lost);
    send((response) => {
      settle();
      resolve(attempt(response, read));
    });
    return promise;
  }

  /** The connection ended: nothing will be answered. */
  end(why: string): void {
    for (const lost of [...this.#open]) lost(why);
  }
}

function attempt<T>({ ok, code, data }: ResponseEntry, read: (data: unknown) => T): T | Promise<never> {
  if (!ok) return Promise.reject(refusal(code ?? 'unknown'));
  try {
    return read(data);
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new ProtocolError(String(error)));
  }
}

const refusal = (code: string): VenueRejection => new VenueRejection(code, 0, `the stream answered ${code}`);
