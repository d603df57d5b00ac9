import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { sourceInputs } from '../../src/app/adapters/source-inputs.ts';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { SourceInputs } from '../../src/strategy/price-source.ts';
import { fakeInputs, type FakeSocket, type Page } from '../support/fake-source-inputs.ts';

/** Inputs of price sources, with the server and the files behind them. */
export interface InputsSubject {
  readonly inputs: SourceInputs;
  /** Address of the server without a path, with the scheme of HTTP. */
  readonly http: string;
  /** The same for WebSockets. */
  readonly ws: string;
  readonly folder: string;
  /** Sets the answer at a path; null: nothing listens there. */
  serve(path: string, page: Page | null): void;
  /** Headers of the requests so far. */
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  /** The open connections of sources. */
  readonly sockets: readonly Pick<FakeSocket, 'received' | 'send' | 'close'>[];
  append(path: string, text: string): void;
  /** Lets time pass until `condition` holds; throws when it never does. */
  until(condition: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

const STEP_MS = 20;
const MOST_MS = 10_000;

async function untilTrue(clock: Clock, step: () => Promise<void>, condition: () => boolean): Promise<void> {
  const deadlineMs = clock.monotonicMs() + MOST_MS;
  while (!condition()) {
    if (clock.monotonicMs() > deadlineMs) throw new Error('it never came to be');
    await step();
  }
}

export function inputsInMemory(): Promise<InputsSubject> {
  const clock = new VirtualClock();
  const { inputs, pages, requests, sockets, append } = fakeInputs(clock);
  const http = 'http://prices.test';
  return Promise.resolve({
    inputs,
    http,
    ws: 'ws://prices.test',
    folder: '/prices',
    sockets,
    append,
    serve: (path, page) => void (page === null ? pages.delete(http + path) : pages.set(http + path, page)),
    get requests() {
      return requests.map(({ headers }) => headers);
    },
    until: (condition) => untilTrue(clock, () => clock.advance(STEP_MS), condition),
    stop: () => Promise.resolve(),
  });
}

export async function inputsOfTheMachine(): Promise<InputsSubject> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-inputs-'));
  const pages = new Map<string, Page>();
  const requests: Readonly<Record<string, unknown>>[] = [];
  const server = createServer((request, answer) => {
    requests.push(request.headers);
    respond(pages.get(request.url ?? ''), request, answer);
  });
  const sockets: InputsSubject['sockets'][number][] = [];
  new WebSocketServer({ server }).on('connection', (ws) => sockets.push(socketOf(ws)));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    inputs: sourceInputs(systemClock),
    http: `http://127.0.0.1:${port}`,
    ws: `ws://127.0.0.1:${port}`,
    folder,
    requests,
    sockets,
    serve: (path, page) => void (page === null ? pages.delete(path) : pages.set(path, page)),
    append: (path, text) => appendFileSync(path, text),
    until: (condition) =>
      untilTrue(systemClock, () => new Promise((go) => void systemClock.after(STEP_MS, go)), condition),
    stop: () => {
      rmSync(folder, { recursive: true });
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

function respond(page: Page | undefined, request: IncomingMessage, answer: ServerResponse): void {
  if (page === undefined) return void request.destroy();
  const { status = 200, etag, body, stalls } = page;
  if (stalls === true) return;
  if (etag !== undefined) answer.setHeader('etag', etag);
  answer.writeHead(status).end(status === 304 ? '' : body);
}

function socketOf(ws: WebSocket): InputsSubject['sockets'][number] {
  const received: string[] = [];
  ws.on('message', (data: Buffer) => received.push(data.toString()));
  return { received, send: (text) => ws.send(text), close: () => ws.close() };
}
