import { TransportError } from '../../domain/errors.ts';
import type { EventName } from '../../domain/events.ts';
import type { KeyInForce, Redact } from '../../domain/secret.ts';
import type { StreamEntry, StreamSignal } from '../../domain/stream.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Socket, SocketTransport } from '../../ports/transport.ts';
import { type DecodedEntry, type DecodedFrame, readRegistered, type ResponseEntry } from '../wire/frame.ts';
import { type Command, commandText, PendingCommands, StreamRequests } from './commands.ts';
import type { Registrations } from './registrations.ts';

export interface StreamSettings {
  /** Timeout from opening a connection to the response to the upgrade. */
  readonly connectTimeoutMs: number;
  /** Timeout from the response to the upgrade to `sync`. */
  readonly syncTimeoutMs: number;
  /** After this long without a message, an echo checks that the connection is alive. */
  readonly idleMs: number;
  /**
   * Timeout for any message after that echo. While a message is still arriving, the connection counts as alive, but not
   * for longer than `syncTimeoutMs`.
   */
  readonly echoTimeoutMs: number;
  /** The longest time between echoes, which measure the clock offset, and between lists of registrations. */
  readonly echoEveryMs: number;
  readonly lang: string | null;
}

export const DEFAULT_STREAM_SETTINGS: StreamSettings = {
  connectTimeoutMs: 10_000,
  syncTimeoutMs: 30_000,
  idleMs: 10_000,
  echoTimeoutMs: 5_000,
  echoEveryMs: 30_000,
  lang: null,
};

/** How a connection ended. `refusedStatus` is the upgrade's HTTP status when it was refused. */
export interface Ended {
  readonly kind: 'ended';
  readonly reason: string;
  readonly refusedStatus: number | null;
  /** How long the connection was in sync; 0 when never. */
  readonly syncedForMs: number;
}

export interface Decoder {
  decode(data: Uint8Array): DecodedFrame;
  /** Drops the event's offers, which will not come again soon. */
  forget(event: EventName): void;
}

/** An answer to an echo. It shows the round trip, and mostly the exchange's time. */
export interface Echoed {
  readonly kind: 'echoed';
  readonly sentMonotonicMs: number;
  readonly receivedMonotonicMs: number;
  readonly exchangeMs: number | null;
}

/** What each connection of a stream is made of. */
export interface StreamParts {
  readonly sockets: SocketTransport;
  readonly keys: Pick<KeyInForce, 'key'>;
  readonly redact: Redact;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Makes a decoder for each connection: a connection does not repeat the offers of an earlier one. */
  readonly createDecoder: () => Decoder;
  readonly settings: StreamSettings;
}

const TICK_MS = 1_000;

/** A connection of the stream, from opening to end. Emits in order, and nothing after `ended` or `end()`. */
export class Session {
  readonly #parts: StreamParts;
  readonly #registrations: Registrations;
  readonly #epoch: number;
  readonly #emit: (signal: StreamSignal | Echoed | Ended) => void;
  readonly #decoder: Decoder;
  readonly #pending = new PendingCommands();
  readonly #requests: StreamRequests;
  readonly #startedMs: number;
  #socket: Socket | null = null;
  #timer: Timer | null = null;
  #openedMs: number | null = null;
  #syncedMs: number | null = null;
  #lastTrafficMs = 0;
  /** The instant of the last bytes, even if they were only part of a message. */
  #lastBytesMs = 0;
  #lastEchoMs = 0;
  #lastListMs = 0;
  #echoes = 0;
  #ended = false;

  constructor(
    parts: StreamParts,
    registrations: Registrations,
    epoch: number,
    emit: (signal: StreamSignal | Echoed | Ended) => void,
  ) {
    [this.#parts, this.#registrations] = [parts, registrations];
    [this.#epoch, this.#emit] = [epoch, emit];
    this.#decoder = parts.createDecoder();
    this.#requests = new StreamRequests(parts.clock, parts.settings.echoTimeoutMs);
    this.#startedMs = parts.clock.monotonicMs();
  }

  start(): void {
    const { keys, redact, settings, sockets } = this.#parts;
    this.#registrations.reset();
    this.#emit({ kind: 'connecting', epoch: this.#epoch });
    const lang = settings.lang === null ? {} : { lang: settings.lang };
    this.#scheduleTick();
    const socket = sockets.open(
      { api_key: keys.key.reveal(), ...lang },
      {
        onOpen: () => this.#opened(),
        onMessage: (data) => this.#received(data),
        onBytes: () => {
          this.#lastBytesMs = this.#nowMs;
        },
        onRefused: (status, body) => this.#finish(refusalReason(status, body), status),
        onClose: (code, reason) => this.#finish(closeReason(code, redact(reason)), null),
      },
    );
    if (this.#ended) socket.terminate();
    else this.#socket = socket;
  }

  /** Ends the connection, as if the exchange had. */
  drop(reason: string): void {
    this.#finish(reason, null);
  }

  /** Drops the connection. Nothing more is emitted. */
  end(): void {
    this.#ended = true;
    this.#timer?.cancel();
    this.#requests.rejectAll('the stream ended before the answer came');
    this.#socket?.terminate();
  }

  /** Asks the exchange which events it has registered for this connection. */
  async listRegistered(): Promise<readonly EventName[]> {
    if (this.#ended || this.#syncedMs === null) throw notSynced();
    return this.#requests.send((onResponse) => this.#send({ kind: 'list', onResponse }), readRegistered);
  }

  /** Sends what the registrations want now, if the connection is ready for it. */
  register(): void {
    if (this.#ended || this.#syncedMs === null) return;
    for (const command of this.#registrations.plan(this.#nowMs)) {
      if (command.kind === 'unregister') this.#decoder.forget(command);
      this.#send(command);
    }
  }

  get #nowMs(): number {
    return this.#parts.clock.monotonicMs();
  }

  #opened(): void {
    if (this.#ended) return;
    this.#openedMs = this.#nowMs;
    this.#lastTrafficMs = this.#openedMs;
    this.#emit({ kind: 'open', epoch: this.#epoch });
  }

  #received(data: Uint8Array): void {
    if (this.#ended) return;
    const receivedMonotonicMs = this.#nowMs;
    this.#lastTrafficMs = receivedMonotonicMs;
    const { sentMs, entries: decoded } = this.#decoder.decode(data);
    for (const entry of decoded)
      if (entry.tag === 'response') this.#answered(entry, sentMs, receivedMonotonicMs);
    const entries = withoutResponses(decoded);
    if (entries.length > 0) {
      this.#emit({ kind: 'frame', epoch: this.#epoch, sentMs, receivedMonotonicMs, entries });
    }
    if (entries.some((entry) => entry.tag === 'sync')) this.#synced();
    const removed = entries.filter((entry) => entry.tag === 'remove_event');
    if (removed.length > 0) this.#removed(removed);
  }

  #removed(events: readonly EventName[]): void {
    for (const event of events) this.#registrations.removed(event);
    this.register();
  }

  /**
   * Registers everything anew, also at a `sync` after `clear_events`: whether registrations survive that is not published,
   * and registering twice does no harm.
   */
  #synced(): void {
    if (this.#ended) return;
    this.#registrations.reset();
    this.#syncedMs ??= this.#lastListMs = this.#nowMs;
    this.register();
    this.#emit({ kind: 'synced', epoch: this.#epoch });
  }

  #answered(response: ResponseEntry, sentMs: number | null, receivedMonotonicMs: number): void {
    for (const { command } of this.#pending.lostBefore(response)) this.#unanswered(command);
    const sent = this.#pending.match();
    if (sent === null) {
      return this.#parts.logger.warn('the stream answered without a command', { code: response.code });
    }
    const { command, sentMonotonicMs } = sent;
    if (command.kind === 'list') return command.onResponse(this.#redacted(response));
    // Any answer will do, even an error.
    if (command.kind === 'echo')
      return this.#emit({ kind: 'echoed', sentMonotonicMs, receivedMonotonicMs, exchangeMs: sentMs });
    const code = response.ok ? null : (response.code ?? 'unknown');
    if (code !== null) {
      const { kind, sport, eventId } = command;
      this.#parts.logger.warn('the exchange refused a stream command', { kind, sport, eventId, code });
    }
    this.#registrations.answered(command, code, receivedMonotonicMs);
  }

  /** Only registrations need care: a list has its own timeout, and echoes are sent again. */
  #unanswered(command: Command): void {
    if (command.kind === 'echo' || command.kind === 'list') return;
    this.#registrations.unanswered(command);
  }

  /** The caller gets the code in an error and may log it, so the key is removed. */
  #redacted({ code, ...others }: ResponseEntry): ResponseEntry {
    return { ...others, code: code === null ? null : this.#parts.redact(code) };
  }

  #send(command: Command): void {
    this.#pending.add(command, this.#nowMs);
    this.#socket?.send(commandText(command));
  }

  #scheduleTick(): void {
    this.#timer = this.#parts.clock.after(TICK_MS, () => this.#tick());
  }

  #tick(): void {
    const fault = this.#findFault();
    if (fault !== null) return this.#finish(fault, null);
    if (this.#openedMs !== null && this.#needsEcho()) this.#echo();
    this.register();
    this.#requestReconciliation();
    this.#scheduleTick();
  }

  /** The reason to give up the connection; null when there is none. */
  #findFault(): string | null {
    const { settings } = this.#parts;
    const nowMs = this.#nowMs;
    if (this.#openedMs === null) {
      return nowMs - this.#startedMs >= settings.connectTimeoutMs ? 'no answer to the upgrade' : null;
    }
    const lateForSync = this.#syncedMs === null && nowMs - this.#openedMs >= settings.syncTimeoutMs;
    if (lateForSync) return 'no sync';
    const silentSinceEcho = this.#lastEchoMs > this.#lastTrafficMs;
    const aliveMs = this.#isReceiving ? this.#lastBytesMs : this.#lastEchoMs;
    return silentSinceEcho && nowMs - aliveMs >= settings.echoTimeoutMs ? 'no sign of life' : null;
  }

  /** Whether bytes of a message have arrived since the last echo, and the message is not overdue. */
  get #isReceiving(): boolean {
    const isLate = this.#nowMs - this.#lastTrafficMs >= this.#parts.settings.syncTimeoutMs;
    return this.#lastBytesMs > this.#lastEchoMs && !isLate;
  }

  #needsEcho(): boolean {
    const { idleMs, echoEveryMs } = this.#parts.settings;
    const isEchoOpen = this.#lastEchoMs > this.#lastTrafficMs;
    const idle = this.#nowMs - this.#lastTrafficMs >= idleMs;
    return this.#echoes === 0 || (idle && !isEchoOpen) || this.#nowMs - this.#lastEchoMs >= echoEveryMs;
  }

  #echo(): void {
    this.#lastEchoMs = this.#nowMs;
    this.#send({ kind: 'echo', nonce: `e${this.#epoch}-${this.#echoes++}` });
  }

  /**
   * Reconciles our registrations with the exchange's list every `echoEveryMs`. An event whose unregistration failed may
   * hold a place, even when we count none as registered.
   */
  #requestReconciliation(): void {
    const { settings } = this.#parts;
    const isDue = this.#syncedMs !== null && this.#nowMs - this.#lastListMs >= settings.echoEveryMs;
    const { wanted, registered } = this.#registrations.counts();
    if (!isDue || wanted + registered === 0) return;
    this.#lastListMs = this.#nowMs;
    this.#send({ kind: 'list', onResponse: (response) => this.#reconcileWith(response) });
  }

  #reconcileWith({ ok, code, data }: ResponseEntry): void {
    const { logger } = this.#parts;
    if (!ok) return logger.debug('the exchange refused to list registrations', { code });
    try {
      this.#registrations.reconcile(readRegistered(data));
    } catch (error) {
      logger.debug('the list of registrations cannot be read', { error });
    }
  }

  #finish(reason: string, refusedStatus: number | null): void {
    if (this.#ended) return;
    this.end();
    const syncedForMs = this.#syncedMs === null ? 0 : this.#nowMs - this.#syncedMs;
    this.#emit({ kind: 'ended', reason, refusedStatus, syncedForMs });
  }
}

/** The entries for the others. Hardly a frame has a response, and then they are the frame's own list. */
function withoutResponses(decoded: readonly DecodedEntry[]): readonly StreamEntry[] {
  const isOther = (entry: DecodedEntry): entry is StreamEntry => entry.tag !== 'response';
  return decoded.every(isOther) ? decoded : decoded.filter(isOther);
}

export const notSynced = (): TransportError => new TransportError('not-sent', 'the stream is not in sync');

/** The published refusal codes. Any other body is never logged, because it may contain the key. */
const REFUSAL_CODES = ['missing_credentials', 'auth_rejected', 'invalid_lang', 'unavailable'];

function refusalReason(status: number, body: string): string {
  const code = REFUSAL_CODES.find((known) => body.includes(known));
  return code ?? `the upgrade was answered by HTTP ${status}`;
}

const closeReason = (code: number | null, reason: string): string => {
  if (code === null) return reason === '' ? 'closed without a reason' : reason;
  return reason === '' ? `closed with code ${code}` : `closed with code ${code}: ${reason}`;
};
