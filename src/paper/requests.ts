/**
 * Where each request of a paper run goes. The table names every endpoint of the specification; a request that it does not name is
 * refused. Only requests that read what everybody may read reach the real exchange, and those of betslips if the configuration says so.
 */
import type { HttpRequest } from '../ports/transport.ts';
import { matcherOf, type RequestPattern } from '../ports/transport/allow.ts';

/**
 * `real`: to the real exchange, which only reads. `embedded`: to the exchange in this process, which has the account. `betslip`: there too,
 * and with `paper.betslips = "real"` also to the real exchange.
 */
export type Way = 'real' | 'embedded' | 'betslip';

export const WAYS: Readonly<Record<RequestPattern, Way>> = {
  'GET /v2/events/': 'real',
  'GET /v2/offers/': 'real',
  'GET /v2/sports/{sport}/bet_types/{bet_type}/': 'real',
  'GET /v2/xrates/': 'real',

  'GET /v2/balance/': 'embedded',
  'GET /v2/betslips/': 'embedded',
  'POST /v2/betslips/': 'betslip',
  'GET /v2/betslips/{betslip_id}/': 'embedded',
  'DELETE /v2/betslips/{betslip_id}/': 'betslip',
  'POST /v2/betslips/{betslip_id}/refresh/': 'betslip',
  'GET /v2/orders/': 'embedded',
  'POST /v2/orders/': 'embedded',
  'GET /v2/orders/{order_id}/': 'embedded',
  'GET /v2/orders/updates/': 'embedded',
  'GET /v2/orders/position/': 'embedded',
  'POST /v2/orders/position/': 'embedded',
  'GET /v2/orders/tracked/{uuid}/': 'embedded',
  'POST /v2/orders/{order_id}/close/': 'embedded',
  'POST /v2/orders/close_many/': 'embedded',
  'POST /v2/orders/close_all/': 'embedded',
  'GET /v2/heartbeats/': 'embedded',
  'POST /v2/heartbeats/': 'embedded',
  'GET /v2/heartbeats/{heartbeat_id}/': 'embedded',
  'DELETE /v2/heartbeats/{heartbeat_id}/': 'embedded',
  'POST /v2/heartbeats/{heartbeat_id}/refresh/': 'embedded',
};

/** The requests that go one way. */
const requestsOf = (way: Way): readonly RequestPattern[] =>
  (Object.keys(WAYS) as RequestPattern[]).filter((pattern) => WAYS[pattern] === way);

const readsMarket = matcherOf(requestsOf('real'));

/** Whether the embedded exchange answers a request. */
export const isEmbedded = matcherOf([...requestsOf('embedded'), ...requestsOf('betslip')]);

const isOfBetslip = matcherOf(requestsOf('betslip'));

/**
 * A request that the real exchange may get: a GET of market data. Only `readRequestOf` makes one, and it holds nothing but the path:
 * no method and no body could be sent with it.
 */
export class ReadRequest {
  /** Path with query. */
  readonly path: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** The class is compared by this, not by its shape. */
  readonly #isRead = true;

  private constructor({ path, timeoutMs, signal }: HttpRequest) {
    [this.path, this.timeoutMs, this.signal] = [path, timeoutMs, signal];
  }

  /** Null for any other request. */
  static of(request: HttpRequest): ReadRequest | null {
    const mayPass = request.method === 'GET' && request.body === null && readsMarket(request);
    return mayPass ? new ReadRequest(request) : null;
  }

  /** Whether a value was made by `of`. */
  static is(value: ReadRequest): boolean {
    return #isRead in value;
  }
}

/** What a request does to a betslip. */
export type BetslipAct =
  | { readonly kind: 'open'; readonly wish: BetslipWish }
  /** The id is that of the embedded exchange. */
  | { readonly kind: 'refresh' | 'delete'; readonly paperId: string };

/** `other` for a request about no betslip; null for one that cannot be read. */
export function betslipActOf(request: HttpRequest): BetslipAct | 'other' | null {
  if (!isOfBetslip(request)) return 'other';
  const [, , , id = '', action] = (request.path.split('?', 1)[0] ?? '').split('/');
  if (request.method === 'DELETE') return { kind: 'delete', paperId: decodeURIComponent(id) };
  if (action === 'refresh') return { kind: 'refresh', paperId: decodeURIComponent(id) };
  const wish = BetslipWish.of(request);
  return wish === null ? null : { kind: 'open', wish };
}

/** The fields of a betslip that a paper run may open. A parlay is not among them, and neither is a text of the client's own. */
interface WishedFields {
  readonly sport: string;
  readonly event_id: string;
  readonly bet_type: string;
  readonly betslip_type?: 'normal' | 'lay' | undefined;
  readonly equivalent_bets?: boolean | undefined;
  readonly exclude_danger?: boolean | undefined;
  readonly live_score?: { readonly home: number; readonly away: number } | undefined;
}

/** A betslip to open on the real exchange. Only `betslipActOf` makes one. It holds the named fields and nothing else of the request. */
export class BetslipWish {
  readonly fields: WishedFields;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** The class is compared by this, not by its shape. */
  readonly #isWish = true;

  private constructor(fields: WishedFields, { timeoutMs, signal }: HttpRequest) {
    [this.fields, this.timeoutMs, this.signal] = [fields, timeoutMs, signal];
  }

  static of(request: HttpRequest): BetslipWish | null {
    const fields = wishedIn(request.body);
    return fields === null ? null : new BetslipWish(fields, request);
  }

  /** Whether a value was made by `of`. */
  static is(value: BetslipWish): boolean {
    return #isWish in value;
  }
}

/** Null for a body that asks for anything else. */
function wishedIn(body: string | null): WishedFields | null {
  const { sport, event_id, bet_type, betslip_type, equivalent_bets, exclude_danger, ...rest } =
    recordIn(body);
  if (!isName(sport) || !isName(event_id) || !isName(bet_type)) return null;
  if (betslip_type !== undefined && betslip_type !== 'normal' && betslip_type !== 'lay') return null;
  if (!isFlag(equivalent_bets) || !isFlag(exclude_danger)) return null;
  const { live_score: score } = rest;
  if (score !== undefined && !isScore(score)) return null;
  const live_score = score === undefined ? undefined : { home: score.home, away: score.away };
  return { sport, event_id, bet_type, betslip_type, equivalent_bets, exclude_danger, live_score };
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 300;

const isFlag = (value: unknown): value is boolean | undefined =>
  value === undefined || typeof value === 'boolean';

function isScore(value: unknown): value is { readonly home: number; readonly away: number } {
  if (typeof value !== 'object' || value === null) return false;
  const { home, away } = value as Readonly<Record<string, unknown>>;
  return [home, away].every((goals) => Number.isSafeInteger(goals) && (goals as number) >= 0);
}

/** Empty for a text that is no JSON. */
function recordIn(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
