import { ProtocolError, TransportError, VenueRejection } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ResponseEntry } from '../wire/frame.ts';
import type { RegistrationCommand } from './registrations.ts';

/** Handles the response to a command. */
export type OnResponse = (response: ResponseEntry) => void;

/** Requests on one connection. Each promise settles with the response, at the timeout, or when the connection ends. */
export class StreamRequests {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #open = new Set<(why: string) => void>();

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends a request with `sendCommand` and reads the response's data. Rejects with VenueRejection for an error response
   * (HTTP status 0, because it came on the stream), ProtocolError for an unreadable one, and TransportError `unknown` for
   * none.
   */
  send<T>(sendCommand: (onResponse: OnResponse) => void, read: (data: unknown) => T): Promise<T> {
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
    sendCommand((response) => {
      settle();
      resolve(readResponse(response, read));
    });
    return promise;
  }

  /** Rejects every open request with TransportError `unknown`, because the connection ended. */
  rejectAll(why: string): void {
    for (const lost of Array.from(this.#open)) lost(why);
  }
}

function readResponse<T>({ ok, code, data }: ResponseEntry, read: (data: unknown) => T): T | Promise<never> {
  if (!ok) return Promise.reject(refusal(code ?? 'unknown'));
  try {
    return read(data);
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new ProtocolError(String(error)));
  }
}

const refusal = (code: string): VenueRejection => new VenueRejection(code, 0, `the stream answered ${code}`);

export interface EchoCommand {
  readonly kind: 'echo';
  readonly nonce: string;
}

/** Asks which events this connection has registered. */
export interface ListCommand {
  readonly kind: 'list';
  readonly onResponse: OnResponse;
}

export type Command = RegistrationCommand | EchoCommand | ListCommand;

export interface SentCommand {
  readonly command: Command;
  readonly sentMonotonicMs: number;
}

/** The text of a command in the exchange's format. */
export function commandText(command: Command): string {
  if (command.kind === 'echo') return JSON.stringify(['echo', command.nonce]);
  if (command.kind === 'list') return JSON.stringify(['list_registered_events']);
  return JSON.stringify([`${command.kind}_event`, command.sport, command.eventId]);
}

/**
 * Commands without an answer yet. Answers carry no id and come in the order of the commands. An echo's answer repeats
 * our nonce, so it also shows that answers before it were lost.
 */
export class PendingCommands {
  readonly #sent: SentCommand[] = [];

  add(command: Command, sentMonotonicMs: number): void {
    this.#sent.push({ command, sentMonotonicMs });
  }

  /** Removes and returns the commands whose answers were lost, as this answer shows. Call it before `match`. */
  lostBefore(response: ResponseEntry): readonly SentCommand[] {
    const at = this.#sent.findIndex(
      ({ command }) => command.kind === 'echo' && repeats(response, command.nonce),
    );
    return at > 0 ? this.#sent.splice(0, at) : [];
  }

  /** Removes and returns the command that the next answer belongs to; null when none is outstanding. */
  match(): SentCommand | null {
    return this.#sent.shift() ?? null;
  }
}

function repeats(response: ResponseEntry, nonce: string): boolean {
  const data: unknown[] = Array.isArray(response.data) ? response.data : [response.data];
  return data.includes(nonce);
}
