import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { RunningSimulator } from '../../../src/simulator/server/start-simulator.ts';
import { EVENT_ID } from './names.ts';
import type { DocumentValidator, Wire } from './validator.ts';

export type { Wire } from './validator.ts';

export interface Answer {
  readonly http: number;
  readonly headers: Headers;
  readonly status: string;
  readonly code?: string;
  readonly data: Wire;
}

/** A client of the exchange over real sockets, with one key. */
export class Client {
  readonly #simulator: RunningSimulator;
  readonly #apiKey: string;
  readonly #validator: DocumentValidator;
  readonly #streams: StreamClient[] = [];
  readonly #problems: string[] = [];

  constructor(simulator: RunningSimulator, validator: DocumentValidator, apiKey: string) {
    this.#simulator = simulator;
    this.#validator = validator;
    this.#apiKey = apiKey;
  }

  /** A request; `path` is relative to `/v2/`. */
  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await this.fetch(method, path, body === undefined ? undefined : JSON.stringify(body));
    const envelope = (await response.json()) as Envelope;
    this.#problems.push(...this.#validator.response(method, response.url, response.status, envelope));
    return { http: response.status, headers: response.headers, ...envelope };
  }

  /** The received answers and frames that contradict the exchange's own description. */
  problems(): readonly string[] {
    const frames = this.#streams.flatMap((stream) => stream.frames);
    return [...this.#problems, ...frames.flatMap((frame) => this.#validator.frame(frame))];
  }

  /** The raw answer to a request with any text as its body. */
  fetch(
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const url = path.startsWith('/') ? new URL(path, this.#simulator.rest) : `${this.#simulator.rest}${path}`;
    const all = { 'X-Api-Key': this.#apiKey, ...headers };
    return fetch(url, { method, headers: all, ...(body === undefined ? {} : { body }) });
  }

  get(path: string): Promise<Answer> {
    return this.ask('GET', path);
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.ask('POST', path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.ask('DELETE', path);
  }

  /** The id of a fresh betslip. */
  async betslip(betType = 'for,h', eventId = EVENT_ID, type = 'normal'): Promise<string> {
    const body = { sport: 'fb', event_id: eventId, bet_type: betType, betslip_type: type };
    const answer = await this.post('betslips/', body);
    if (answer.http !== 201) throw new Error(`betslip refused: ${JSON.stringify(answer)}`);
    return answer.data.betslip_id;
  }

  /** Places an order on a fresh betslip, which stays open. */
  async place(betType: string, price: number, stake: number, more: object = {}): Promise<Answer> {
    const betslipId = await this.betslip(betType);
    const body = { betslip_id: betslipId, price, stake: ['USDT', stake], duration: 600, ...more };
    return this.post('orders/', body);
  }

  /** The current state of an accepted order. */
  async placed(betType: string, price: number, stake: number, more: object = {}): Promise<Wire> {
    const answer = await this.place(betType, price, stake, more);
    if (answer.http !== 201) throw new Error(`order refused: ${JSON.stringify(answer)}`);
    return this.order(answer.data.order_id);
  }

  async order(orderId: number): Promise<Wire> {
    return (await this.get(`orders/${orderId}/`)).data;
  }

  /** Opens the stream and waits for its `sync`. */
  async stream(query: Record<string, string> = {}): Promise<StreamClient> {
    const params = new URLSearchParams({ api_key: this.#apiKey, ...query });
    const stream = new StreamClient(`${this.#simulator.stream}?${params.toString()}`);
    this.#streams.push(stream);
    await stream.until('sync');
    return stream;
  }

  close(): void {
    for (const stream of this.#streams) stream.terminate();
  }
}

interface Envelope {
  readonly status: string;
  readonly code?: string;
  readonly data: Wire;
}

export type Entry = readonly [tag: string, payload: Wire];

/** A stream connection, which remembers everything that it received. */
export class StreamClient {
  readonly socket: WebSocket;
  readonly frames: Wire[] = [];
  readonly entries: Entry[] = [];
  readonly #closed: Promise<number>;
  #read = 0;
  #wake: () => void = () => undefined;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.socket.on('message', (data: Buffer) => this.#take(data.toString()));
    this.#closed = once(this.socket, 'close').then(([code]) => code as number);
    this.socket.on('error', () => undefined);
  }

  /** Waits for the next entry of this tag (that satisfies `fits`), skipping the others. */
  async until(tag: string, fits: (payload: Wire) => boolean = () => true): Promise<Wire> {
    for (;;) {
      const entry = await this.#next();
      if (entry[0] === tag && fits(entry[1])) return entry[1];
    }
  }

  /** Payloads of a tag so far. */
  all(tag: string): Wire[] {
    return this.entries.filter(([each]) => each === tag).map(([, payload]) => payload);
  }

  /** Sends a command and waits for its response. */
  async command(...parts: unknown[]): Promise<Wire> {
    return this.say(JSON.stringify(parts));
  }

  /** Sends any text and waits for the response to it. */
  async say(text: string): Promise<Wire> {
    this.socket.send(text);
    return this.until('response');
  }

  register(eventId = EVENT_ID): Promise<Wire> {
    return this.command('register_event', 'fb', eventId);
  }

  /** Waits until the exchange has sent everything: the answer to an echo comes last. */
  async settled(): Promise<void> {
    await this.command('echo', 'settled');
  }

  /** The close code; 1006 for an end without a close frame. */
  closed(): Promise<number> {
    return this.#closed;
  }

  terminate(): void {
    this.socket.terminate();
  }

  #take(text: string): void {
    const frame = JSON.parse(text) as Wire;
    this.frames.push(frame);
    this.entries.push(...frame.data);
    this.#wake();
  }

  async #next(): Promise<Entry> {
    while (this.#read >= this.entries.length) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.entries[this.#read++] as Entry;
  }
}
