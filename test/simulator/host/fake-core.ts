import type {
  ConnectionId,
  ConnectResult,
  ExchangeCore,
  InspectedAccount,
  InspectedEvent,
  InspectedOrder,
  Inspection,
  Intervention,
  Outgoing,
  SimEventName,
  SimRequest,
  SimResponse,
  Tuning,
} from '../../../src/simulator/core/api.ts';
import { failure, ok } from '../../../src/simulator/core/replies.ts';
import { FakeMarket } from './fake-market.ts';

/**
 * The smallest core for testing a shell: it echoes requests and frames, refuses a missing key, sends `tick` on every
 * connection at a fixed interval on request, and records how it was called.
 */
export class FakeCore implements ExchangeCore {
  readonly calls: string[] = [];
  readonly times: number[] = [];
  readonly market = new FakeMarket();
  accounts: readonly InspectedAccount[] = [];
  orders: readonly InspectedOrder[] = [];
  events: readonly InspectedEvent[] = [];
  readonly interventions: unknown[] = [];
  readonly bodies: string[] = [];
  /** `data` of answers by `METHOD target`. Other requests are echoed. */
  readonly answers = new Map<string, unknown>();
  released = 0;
  intervalMs: number | null = null;
  readonly connections = new Set<ConnectionId>();
  #outbox: Outgoing[] = [];
  #nextTickMs: number | null = null;
  #connection = 0;

  advance(nowMs: number): void {
    this.#note('advance', nowMs);
    if (this.#nextTickMs === null || this.intervalMs === null) return;
    while (this.#nextTickMs <= nowMs) {
      for (const connection of this.connections) this.say(connection, `tick ${this.#nextTickMs}`);
      this.#nextTickMs += this.intervalMs;
    }
  }

  nextDueMs(): number | null {
    return this.#nextTickMs;
  }

  request(request: SimRequest, nowMs: number): SimResponse {
    this.#note(`${request.method} ${request.target}`, nowMs);
    if (request.target.endsWith('/crash/')) throw new Error('a bug of the exchange');
    if (request.apiKey === null) return failure(401, 'auth_error', { detail: 'no key' });
    this.bodies.push(request.body);
    const data = this.answers.get(`${request.method} ${request.target}`) ?? request;
    const answer = ok(data, 200);
    return { ...answer, release: () => void this.released++ };
  }

  connect(query: Readonly<Record<string, string>>, nowMs: number): ConnectResult {
    this.#note('connect', nowMs);
    if (query['api_key'] === undefined) return { ok: false, status: 400, body: 'missing_credentials' };
    const connection = ++this.#connection;
    this.connections.add(connection);
    this.say(connection, 'hello');
    if (this.intervalMs !== null) this.#nextTickMs ??= nowMs + this.intervalMs;
    return { ok: true, connection };
  }

  receive(connection: ConnectionId, text: string, nowMs: number): void {
    this.#note(`receive ${text}`, nowMs);
    if (text === 'crash') throw new Error('a bug of the exchange');
    if (text === 'leave') this.#outbox.push({ kind: 'close', connection, code: 1000, reason: 'bye' });
    else this.say(connection, `echo ${text}`);
  }

  refuse(connection: ConnectionId, code: string, nowMs: number): void {
    this.#note(`refuse ${code}`, nowMs);
    this.say(connection, `refused ${code}`);
  }

  disconnect(connection: ConnectionId): void {
    this.calls.push(`disconnect ${connection}`);
    this.connections.delete(connection);
    if (this.connections.size === 0) this.#nextTickMs = null;
  }

  drain(): readonly Outgoing[] {
    const outgoing = this.#outbox;
    this.#outbox = [];
    return outgoing;
  }

  say(connection: ConnectionId, text: string): void {
    this.#outbox.push({ kind: 'frame', connection, text });
  }

  inspect(): Inspection {
    return {
      nowMs: this.times.at(-1) ?? 0,
      accounts: this.accounts,
      orders: this.orders,
      events: this.events,
    };
  }

  inspectEvents(): readonly InspectedEvent[] {
    return this.events;
  }

  markBet(betId: number, status: string): boolean {
    this.calls.push(`mark ${betId} ${status}`);
    return betId < 100;
  }

  deposit(accountId: string, amountMicros: number): boolean {
    this.calls.push(`deposit ${accountId} ${amountMicros}`);
    return accountId.startsWith('a');
  }

  intervene(event: SimEventName, act: Intervention): void {
    this.interventions.push([event, act]);
  }

  tune(tuning: Tuning): void {
    this.calls.push(`tune ${JSON.stringify(tuning)}`);
  }

  #note(call: string, nowMs: number): void {
    this.calls.push(call);
    this.times.push(nowMs);
  }
}
