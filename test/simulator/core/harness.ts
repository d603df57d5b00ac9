import { toMicros } from '../../../src/domain/money.ts';
import type { SimulatedFill } from '../../../src/domain/simulated-fill.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import type { Feed, KeptOrder, SimEvent, SimEventName, SimOutcome } from '../../../src/simulator/core/api.ts';
import { createExchange, type Exchange } from '../../../src/simulator/core/exchange.ts';
import type { FillModel } from '../../../src/fills/fill-model.ts';
import type {
  AccountSpec,
  ExchangeOptions,
  ExchangeSettings,
  ParseBetType,
} from '../../../src/simulator/core/settings.ts';
import { INSTANT } from '../../support/instant.ts';
import { fakeParseBetType } from './fake-bet-types.ts';

export const START_MS = Date.parse('2026-03-01T12:00:00Z');
export const EVENT_ID = '2026-03-01,11,22';
export const football = (eventId: string): SimEventName => ({ sport: 'fb', eventId });
export const EVENT = football(EVENT_ID);
export const KEY = 'key-a';
export const OTHER_KEY = 'key-b';

export const event = (over: Partial<SimEvent> = {}): SimEvent => ({
  sport: 'fb',
  eventId: EVENT_ID,
  eventType: 'normal',
  eventName: 'Home v Away',
  competitionId: 7,
  competitionName: 'League',
  competitionCountry: 'GB',
  home: 'Home',
  away: 'Away',
  homeId: 11,
  awayId: 22,
  teams: [],
  startTimeMs: START_MS + 3_600_000,
  endTimeMs: null,
  ...over,
});

export const at = (outcome: string, eventId = EVENT_ID): SimOutcome => ({ sport: 'fb', eventId, outcome });

export interface HarnessOptions {
  /** Overrides an exchange of the convention `lay` that places, matches and confirms within one instant, with live offers. */
  readonly settings?: Partial<ExchangeSettings>;
  readonly accounts?: readonly AccountSpec[];
  readonly feeds?: readonly Feed[];
  readonly seed?: number;
  /** Default: the small grammar of the fake. */
  readonly parse?: ParseBetType;
  /** Default: price-time priority. */
  readonly fillModel?: FillModel;
  /** What an earlier exchange left to the first account. */
  readonly kept?: readonly KeptOrder[];
  /** Other fill models beside it. */
  readonly shadows?: readonly FillModel[];
  readonly onOrder?: ExchangeOptions['onOrder'];
  readonly onRest?: ExchangeOptions['onRest'];
  /** False for an exchange without the usual event and prices. */
  readonly priced?: boolean;
}

/** Any JSON that the exchange sent. Tests read it without types. */
export type Wire = ReturnType<typeof JSON.parse>;

interface Envelope {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly code?: string;
  readonly data: Wire;
  readonly release?: (() => void) | undefined;
}

const ACCOUNTS: readonly AccountSpec[] = [
  { accountId: 'a', keys: [KEY, 'key-a2'], readOnlyKeys: ['key-a-read'], balanceMicros: toMicros(100_000) },
  { accountId: 'b', keys: [OTHER_KEY], balanceMicros: toMicros(100_000) },
];

/** An exchange with two accounts on virtual time. */
export class Harness {
  readonly exchange: Exchange;
  /** Every fill, under the other models too. */
  readonly fills: SimulatedFill[] = [];
  /** Orders with bets, as they were last told. */
  readonly kept = new Map<number, KeptOrder>();
  nowMs = START_MS;

  constructor(options: HarnessOptions = {}) {
    this.exchange = createExchange({
      accounts: options.accounts ?? ACCOUNTS,
      feeds: options.feeds ?? [],
      parseBetType: options.parse ?? fakeParseBetType,
      random: seededRandom(options.seed ?? 1),
      startMs: START_MS,
      settings: { ...INSTANT, offersLagMs: 0, priceConvention: 'lay', ...options.settings },
      ...(options.fillModel === undefined ? {} : { fillModel: options.fillModel }),
      ...(options.shadows === undefined ? {} : { shadows: options.shadows }),
      onFill: (fill) => void this.fills.push(fill),
      onKept: (order) => void this.kept.set(order.orderId, order),
      ...(options.kept === undefined ? {} : { kept: options.kept }),
      ...(options.onOrder === undefined ? {} : { onOrder: options.onOrder }),
      ...(options.onRest === undefined ? {} : { onRest: options.onRest }),
    });
    if (options.priced !== false) this.price();
  }

  /** The usual event: `for` takers get 2.2 and 2.1, `against` takers 2.3 and 2.4, 100 each. */
  price(): void {
    this.exchange.market.putEvent(event(), this.nowMs);
    this.rest('h', 'against', 2.2, 100);
    this.rest('h', 'against', 2.1, 100);
    this.rest('h', 'for', 2.3, 100);
    this.rest('h', 'for', 2.4, 100);
  }

  rest(outcome: string, resting: Direction, price: number, stake: number, participant = 'maker'): void {
    this.exchange.market.setLevel(participant, at(outcome), resting, price, toMicros(stake), this.nowMs);
  }

  /** Moves time, and does everything due on the way. */
  pass(ms: number): void {
    this.nowMs += ms;
    this.exchange.advance(this.nowMs);
  }

  call(method: string, target: string, body?: unknown, apiKey: string | null = KEY): Envelope {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const response = this.exchange.request({ method, target, apiKey, body: text }, this.nowMs);
    const envelope = JSON.parse(response.body);
    return {
      status: response.status,
      headers: response.headers,
      code: envelope.code,
      data: envelope.data,
      release: response.release,
    };
  }

  betslip(betType = 'for,h', apiKey = KEY, eventId = EVENT_ID, type: unknown = 'normal'): string {
    const body = { sport: 'fb', event_id: eventId, bet_type: betType, betslip_type: type };
    const answer = this.call('POST', '/v2/betslips/', body, apiKey);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer));
    return answer.data.betslip_id;
  }

  /** Places an order on a fresh betslip, of the type `betslip_type` in `extra`. Returns the order as created. */
  place(
    betType: string,
    price: number,
    stake: number,
    extra: Record<string, unknown> = {},
    apiKey = KEY,
  ): Wire {
    const answer = this.tryPlace(betType, price, stake, extra, apiKey);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer));
    return answer.data;
  }

  tryPlace(
    betType: string,
    price: number,
    stake: number,
    extra: Record<string, unknown> = {},
    apiKey = KEY,
  ): Envelope {
    const { betslip_type: type, ...terms } = extra;
    const betslipId = this.betslip(betType, apiKey, EVENT_ID, type);
    const body = { betslip_id: betslipId, price, stake: ['USDT', stake], duration: 600, ...terms };
    const answer = this.call('POST', '/v2/orders/', body, apiKey);
    this.call('DELETE', `/v2/betslips/${betslipId}/`, undefined, apiKey);
    return answer;
  }

  order(orderId: number, apiKey = KEY): Wire {
    return this.call('GET', `/v2/orders/${orderId}/`, undefined, apiKey).data;
  }

  connect(apiKey = KEY): Client {
    const result = this.exchange.connect({ api_key: apiKey }, this.nowMs);
    if (!result.ok) throw new Error(result.body);
    return new Client(this, result.connection);
  }
}

type Entry = readonly [tag: string, payload: Wire];

const received = new WeakMap<Exchange, Map<number, Entry[]>>();

/** A connection, which reads what it received. */
export class Client {
  readonly connection: number;
  readonly #harness: Harness;

  constructor(harness: Harness, connection: number) {
    this.#harness = harness;
    this.connection = connection;
  }

  send(...frame: unknown[]): void {
    this.sendText(JSON.stringify(frame));
  }

  sendText(text: string): void {
    this.#harness.exchange.receive(this.connection, text, this.#harness.nowMs);
  }

  /** Entries since the last reading. */
  read(): Entry[] {
    const inboxes = received.get(this.#harness.exchange) ?? new Map<number, Entry[]>();
    received.set(this.#harness.exchange, inboxes);
    for (const outgoing of this.#harness.exchange.drain()) {
      if (outgoing.kind !== 'frame') continue;
      const inbox = inboxes.get(outgoing.connection) ?? [];
      inbox.push(...(JSON.parse(outgoing.text).data as Entry[]));
      inboxes.set(outgoing.connection, inbox);
    }
    const own = inboxes.get(this.connection) ?? [];
    inboxes.delete(this.connection);
    return own;
  }

  /** Payloads of one tag since the last reading. */
  payloads(tag: string): Wire[] {
    return this.read()
      .filter(([name]) => name === tag)
      .map(([, payload]) => payload);
  }
}
