import { TransportError } from '../../../src/domain/errors.ts';
import type {
  HttpAnswer,
  HttpRequest,
  HttpTransport,
  Socket,
  SocketHandlers,
  SocketTransport,
} from '../../../src/ports/transport.ts';

/** The fake exchange's reaction to a request: an answer, or a network failure. */
export type Answerer = (request: HttpRequest, index: number) => HttpAnswer | Error | Promise<HttpAnswer>;

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): HttpAnswer => ({
  status,
  headers,
  body: JSON.stringify(body),
});

export const ok = (data: unknown, status = 200): HttpAnswer => json(status, { status: 'ok', data });

export const refused = (status: number, code: string, data: unknown = null): HttpAnswer =>
  json(status, { status: 'error', code, data });

export const notSent = (): TransportError => new TransportError('not-sent', 'refused');
export const lost = (): TransportError => new TransportError('unknown', 'reset');

/** HTTP that answers by script and remembers its requests. */
export class FakeHttp implements HttpTransport {
  readonly requests: HttpRequest[] = [];
  answer: Answerer;

  constructor(answer: Answerer) {
    this.answer = answer;
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    const index = this.requests.push(request) - 1;
    const result = await this.answer(request, index);
    if (result instanceof Error) throw result;
    return result;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Answers in turn; the last one repeats. */
export const script =
  (...answers: readonly (HttpAnswer | Error)[]): Answerer =>
  (_request, index) =>
    answers[Math.min(index, answers.length - 1)] as HttpAnswer | Error;

const utf8 = new TextEncoder();

/** A connection as the fake exchange holds it. */
export class FakeSocket implements Socket {
  readonly query: Readonly<Record<string, string>>;
  readonly handlers: SocketHandlers;
  readonly sent: unknown[][] = [];
  terminated = false;
  /** Answers echoes, as the exchange does. */
  onEcho: (nonce: unknown) => void = (nonce) => this.push(['response', { status: 'ok', data: [nonce] }]);
  onSend: (command: unknown[]) => void = () => undefined;

  constructor(query: Readonly<Record<string, string>>, handlers: SocketHandlers) {
    this.query = query;
    this.handlers = handlers;
  }

  send(text: string): void {
    const command = JSON.parse(text) as unknown[];
    this.sent.push(command);
    if (command[0] === 'echo') this.onEcho(command[1]);
    else this.onSend(command);
  }

  terminate(): void {
    this.terminated = true;
  }

  push(...entries: readonly (readonly [string, unknown])[]): void {
    this.raw(JSON.stringify({ ts: '2026-01-01T00:00:00.000Z', data: entries }));
  }

  raw(text: string): void {
    this.handlers.onMessage(utf8.encode(text));
  }

  /** Opens and syncs. */
  begin(): void {
    this.handlers.onOpen();
    this.push(['sync', { session_id: 's' }]);
  }

  /** Commands, except the client's echoes. */
  commands(): unknown[][] {
    return this.sent.filter(([name]) => name !== 'echo');
  }
}

export class FakeSockets implements SocketTransport {
  readonly opened: FakeSocket[] = [];
  onOpen: (socket: FakeSocket) => void = () => undefined;

  open(query: Readonly<Record<string, string>>, handlers: SocketHandlers): Socket {
    const socket = new FakeSocket(query, handlers);
    this.opened.push(socket);
    this.onOpen(socket);
    return socket;
  }

  get last(): FakeSocket {
    return this.opened.at(-1) as FakeSocket;
  }
}
