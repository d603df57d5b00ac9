import type { Clock } from '../../ports/clock.ts';
import type { Socket, SocketHandlers, SocketTransport } from '../../ports/transport.ts';
import type { ExchangeHost } from '../host/exchange-host.ts';
import type { StreamSession } from '../host/stream-session.ts';
import { DelayLine, type Latency } from './delay-line.ts';

type Query = Readonly<Record<string, string>>;
type Act = () => void;

const RESET = { kind: 'reset' } as const;

/** The stream of an exchange in the same process. */
export class InProcessSockets implements SocketTransport {
  readonly #host: ExchangeHost;
  readonly #clock: Clock;
  readonly #latency: Latency;

  constructor(host: ExchangeHost, clock: Clock, latency: Latency) {
    this.#host = host;
    this.#clock = clock;
    this.#latency = latency;
  }

  open(query: Query, handlers: SocketHandlers): Socket {
    return new InProcessSocket(query, handlers, this.#host, this.#clock, this.#latency);
  }
}

/** A connection. The acts of either side travel down one delay line per direction, in order. */
class InProcessSocket implements Socket {
  readonly #handlers: SocketHandlers;
  readonly #host: ExchangeHost;
  readonly #toExchange: DelayLine<Act>;
  readonly #toClient: DelayLine<Act>;
  #session: StreamSession | null = null;
  #open = false;
  #over = false;

  constructor(query: Query, handlers: SocketHandlers, host: ExchangeHost, clock: Clock, latency: Latency) {
    this.#handlers = handlers;
    this.#host = host;
    const run = (act: Act): void => act();
    this.#toExchange = new DelayLine(clock, () => latency.toExchangeMs(), run);
    this.#toClient = new DelayLine(clock, () => latency.toClientMs(), run);
    this.#toExchange.push(() => this.#shakeHands(query));
  }

  send(text: string): void {
    if (this.#open) this.#toExchange.push(() => this.#session?.receive(text));
  }

  /** Nothing more arrives. The exchange and the client's own handler learn of the end after the usual delay. */
  terminate(): void {
    if (this.#over) return;
    this.#toClient.clear();
    this.#toExchange.push(() => this.#session?.end());
    this.#toClient.push(() => this.#ended(null, ''));
    this.#open = false;
  }

  #shakeHands(query: Query): void {
    const opening = this.#host.isNetworkDown ? RESET : this.#host.open(query);
    if (opening.kind === 'opened') this.#attach(opening.session);
    if (opening.kind === 'reset') this.#toClient.push(() => this.#ended(null, ''));
    if (opening.kind === 'refused') {
      this.#toClient.push(() => this.#finish(() => this.#handlers.onRefused(opening.status, opening.body)));
    }
  }

  #attach(session: StreamSession): void {
    this.#session = session;
    const end = (code: number | null, reason: string): void => {
      this.#toClient.push(() => this.#ended(code, reason));
    };
    this.#toClient.push(() => this.#opened());
    session.attach({
      send: (text) => this.#toClient.push(() => this.#message(text)),
      cut: () => end(null, ''),
      close: end,
    });
  }

  #opened(): void {
    if (this.#over) return;
    this.#open = true;
    this.#handlers.onOpen();
  }

  #message(text: string): void {
    if (!this.#over) this.#handlers.onMessage(Buffer.from(text, 'utf8'));
  }

  #ended(code: number | null, reason: string): void {
    this.#finish(() => this.#handlers.onClose(code, reason));
  }

  /** Reports the end to the client, once. */
  #finish(report: Act): void {
    if (this.#over) return;
    this.#over = true;
    this.#open = false;
    report();
  }
}
