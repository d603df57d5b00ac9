import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { eventId, sport } from '../../../src/domain/ids.ts';
import { toMicros } from '../../../src/domain/money.ts';
import { KeyInForce, Secret } from '../../../src/domain/secret.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import {
  openPaperExchange,
  type PaperExchange,
  type PaperOptions,
} from '../../../src/paper/paper-exchange.ts';
import type { SimulatedFill } from '../../../src/domain/simulated-fill.ts';
import { realExchange, type SentKind } from '../../../src/paper/real-exchange.ts';
import { RequestTimes } from '../../../src/paper/request-times.ts';
import { sharedLimits } from '../../../src/paper/share.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { noMetrics } from '../../../src/ports/metrics.ts';
import { recordHttp, recordSockets } from '../../../src/ports/transport/record.ts';
import type { HttpAnswer } from '../../../src/ports/transport.ts';
import type { KeptOrder, SimEvent } from '../../../src/simulator/core/api.ts';
import { createExchange, type Exchange } from '../../../src/simulator/core/exchange.ts';
import { constantLatency } from '../../../src/simulator/in-process/delay-line.ts';
import { inProcessTransports } from '../../../src/simulator/in-process/transports.ts';
import { Budgets } from '../../../src/venue/index.ts';

export const REAL_KEY = 'the-real-key';
export const EVENT = { sport: sport('fb'), eventId: eventId('2026-03-01,1,2') };
const START_MS = Date.parse('2026-03-01T12:00:00Z');

const MATCH: SimEvent = {
  ...EVENT,
  eventType: 'normal',
  eventName: 'One v Two',
  competitionId: 7,
  competitionName: 'League',
  competitionCountry: 'GB',
  home: 'One',
  away: 'Two',
  homeId: 1,
  awayId: 2,
  teams: [],
  startTimeMs: START_MS + 3_600_000,
  endTimeMs: null,
};

/** What the client receives on the stream: a tag and its payload. */
export type Entry = readonly [tag: string, payload: Record<string, unknown>];

export interface PaperRigOptions extends Partial<
  Pick<PaperOptions, 'fills' | 'settings' | 'metrics' | 'kept' | 'results'>
> {
  /** One way, between us and the real exchange. */
  readonly latencyMs?: number;
  readonly mostRegistrations?: number;
  readonly share?: number;
  /** `paper.betslips = "real"`. */
  readonly keepsBetslips?: boolean;
}

/** A simulated exchange in the place of the real one, and a paper exchange before it, on one virtual clock. */
export class PaperRig {
  readonly clock = new VirtualClock(START_MS);
  readonly real: Exchange;
  readonly realHost;
  readonly paper: PaperExchange;
  /** Everything that reached the real exchange, as `METHOD path` and as commands of the stream. */
  readonly wire: string[] = [];
  /** The kinds of its requests, as the way to the real exchange tells them. */
  readonly sent: SentKind[] = [];
  /** Their bodies. */
  readonly bodies: (string | null)[] = [];
  readonly entries: Entry[] = [];
  /** Under every fill model. */
  readonly fills: SimulatedFill[] = [];
  /** Orders with bets, as they were last told. */
  readonly kept = new Map<number, KeptOrder>();
  readonly closed: (readonly [code: number | null, reason: string])[] = [];
  #socket: ReturnType<PaperExchange['sockets']['open']> | null = null;

  constructor(options: PaperRigOptions = {}) {
    const { clock } = this;
    this.real = createExchange({
      accounts: [{ accountId: 'real', keys: [REAL_KEY], balanceMicros: toMicros(5_000) }],
      feeds: [],
      parseBetType,
      random: seededRandom(1, 'real'),
      startMs: START_MS,
    });
    const latency = constantLatency(options.latencyMs ?? 20);
    const { http, sockets, host } = inProcessTransports({ core: this.real, clock, latency });
    this.realHost = host;
    const keys = new KeyInForce(new Secret(REAL_KEY));
    const times = new RequestTimes(seededRandom(1, 'times'));
    this.paper = openPaperExchange({
      times,
      clock,
      logger: silentLogger,
      metrics: options.metrics ?? noMetrics,
      real: realExchange({
        wires: {
          http: recordHttp(
            http,
            (record) => {
              if (record.kind !== 'request') return;
              this.wire.push(`${record.method} ${record.path}`);
              this.bodies.push(record.body);
            },
            clock,
            keys,
          ),
          sockets: recordSockets(
            sockets,
            (record) => {
              if (record.kind === 'sent') this.wire.push(record.text);
            },
            clock,
            keys,
          ),
        },
        keys,
        budgets: new Budgets(clock, sharedLimits(options.share ?? 1)),
        clock,
        keepsBetslips: options.keepsBetslips ?? false,
        onAnswer: (tookMs) => times.note(tookMs),
        onSent: (kind) => void this.sent.push(kind),
      }),
      balanceMicros: toMicros(1_000),
      settings: { placementDelayMs: [0, 0], ...options.settings },
      fills: options.fills ?? 'queue',
      onFill: (fill) => void this.fills.push(fill),
      kept: options.kept ?? [],
      results: options.results ?? [],
      onKept: (order) => void this.kept.set(order.orderId, structuredClone(order)),
      mostRegistrations: options.mostRegistrations ?? 10,
      random: seededRandom(1, 'paper'),
    });
    this.real.market.putEvent(MATCH, START_MS);
  }

  /** The real exchange's offers of one market: stake that takers of a direction can get. */
  offer(
    betType: string,
    levels: readonly (readonly [price: number, stake: number, leastBet?: number])[],
  ): void {
    this.realHost.run((nowMs) => {
      for (const [price, stake, leastBet = 0] of levels)
        this.real.market.setOffer(
          'others',
          EVENT,
          betType,
          { price, stakeMicros: toMicros(stake), minBetMicros: toMicros(leastBet) },
          nowMs,
        );
    });
  }

  /** Opens the stream as a daemon does, and registers the event. */
  async connect(): Promise<void> {
    this.#socket = this.paper.sockets.open(
      { api_key: REAL_KEY },
      {
        onOpen: () => undefined,
        onMessage: (data) => {
          const frame = JSON.parse(Buffer.from(data).toString('utf8')) as { data: Entry[] };
          this.entries.push(...frame.data);
        },
        onRefused: (status, body) => this.closed.push([status, body]),
        onClose: (code, reason) => this.closed.push([code, reason]),
      },
    );
    await this.pass(0.5);
    this.send('register_event', EVENT.sport, EVENT.eventId);
    await this.pass(3);
  }

  send(...command: readonly string[]): void {
    this.#socket?.send(JSON.stringify(command));
  }

  async pass(seconds: number): Promise<void> {
    await this.clock.advance(seconds * 1_000);
  }

  tags(): string[] {
    return [...new Set(this.entries.map(([tag]) => tag))].sort();
  }

  /** The last price list that the stream showed of a bet type: price and stake. */
  shown(betType: string): readonly (readonly [number, number])[] | null {
    const last = this.entries.findLast(([tag, { bet_type: type }]) => tag === 'offer' && type === betType);
    return last === undefined ? null : levelsIn(last[1]);
  }

  /** Sends a request and lets its answer come. */
  async ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<{ status: number; data: unknown }> {
    const answer = this.paper.http.send({
      method,
      path,
      headers: { 'x-api-key': REAL_KEY },
      timeoutMs: 5_000,
      body: body === undefined ? null : JSON.stringify(body),
    });
    let settled: HttpAnswer | Error | null = null;
    answer.then(
      (value) => void (settled = value),
      (error: unknown) => void (settled = error as Error),
    );
    await this.pass(1);
    if ((settled as unknown) instanceof Error) throw settled as unknown as Error;
    const { status, body: text } = settled as unknown as HttpAnswer;
    return { status, data: (JSON.parse(text) as { data: unknown }).data };
  }

  /** Places a paper order on a fresh betslip. */
  async place(
    betType: string,
    price: number,
    stake: number,
    type: 'normal' | 'lay' = 'normal',
  ): Promise<Record<string, unknown>> {
    const slip = await this.ask('POST', '/v2/betslips/', {
      sport: EVENT.sport,
      event_id: EVENT.eventId,
      bet_type: betType,
      betslip_type: type,
    });
    const { betslip_id } = slip.data as { betslip_id: string };
    const order = await this.ask('POST', '/v2/orders/', {
      betslip_id,
      price,
      stake: ['USDT', stake],
      duration: 600,
    });
    return order.data as Record<string, unknown>;
  }

  /** A customer of the real exchange takes offers of `for,h` down to a price. */
  take(price: number, stake: number): void {
    const at = { ...EVENT, outcome: 'h' };
    this.realHost.run((nowMs) => this.real.market.take(at, 'for', price, toMicros(stake), nowMs));
  }

  /** An order as the paper account has it. */
  async order(orderId: unknown): Promise<Record<string, unknown>> {
    return (await this.ask('GET', `/v2/orders/${String(orderId)}/`)).data as Record<string, unknown>;
  }
}

export function levelsIn(offer: Record<string, unknown>): readonly (readonly [number, number])[] {
  const list = offer['price_list'] as { effective: { price: number; max: [string, number] } }[];
  return list.map(({ effective }) => [effective.price, effective.max[1]] as const);
}
