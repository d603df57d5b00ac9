import type { HttpAnswer } from '../../src/ports/transport.ts';
import type { StreamRecord } from '../../src/ports/transport/record.ts';
import { DEFAULT_SETTINGS } from '../../src/simulator/core/settings.ts';
import { marketOf, type ReceivedMarket, ReceivedOffers } from './received-offers.ts';
import { closesOf, isCreate, type SentRequest } from './witness.ts';

/** A bet entry of the stream. */
export interface ReceivedBet {
  readonly orderId: number;
  readonly atMs: number;
}

/** An order as the answer to a create or a look-up shows it. */
export interface ShownOrder {
  readonly uuid: string;
  readonly price: number;
  readonly stake: number;
  readonly livesMs: number;
  readonly atMs: number;
}

const UTF8 = new TextDecoder();

/** Entries that are read besides prices. */
const OTHERS = ['order', 'bet', 'betslip', 'betslip_closed', 'sync'] as const;

type Tag = 'offer' | 'pmm' | (typeof OTHERS)[number];

type Entry = readonly [tag: Tag, data: Record<string, unknown>];

/** Everything that the exchange reported to one run of the daemon, with its time in monotonic milliseconds. */
export class Received {
  /** Orders that were reported to the run, by id. */
  readonly orders = new Map<number, number>();
  /** Matched bets that the stream reported. */
  readonly bets = new Map<number, ReceivedBet>();
  /** Bets that the stream reported as in danger. The reader of this list removes them. */
  readonly inDanger = new Set<number>();
  /** When the last close request of an order left. */
  readonly closes = new Map<number, number>();
  /** Answers that showed that the run's own heartbeat is gone: when they arrived, and when the run could read them. */
  readonly closeOuts: { readonly atMs: number; readonly readMs: number }[] = [];
  /** When betslips were requested and refused because too many are open. */
  readonly capRefusals: { readonly sentMs: number; readonly atMs: number }[] = [];
  /** The run's betslips, by their end without further requests: from its last request, or a later report. */
  readonly betslips = new Map<string, number>();
  /** Betslips that ended by themselves without a further request, and when. */
  readonly lapsed = new Map<string, number>();
  /** When the present stream connection last received anything, and since when it is up. */
  lastReceivedMs = -Infinity;
  connectedMs = -Infinity;
  /** When the present connection sent its sync; -Infinity before. */
  syncedMs = -Infinity;
  /** When the last request to arm or refresh a heartbeat left. */
  heartbeatSentMs = -Infinity;
  /** When the last request left that looks for a heartbeat that no answer reported. */
  heartbeatSoughtMs = -Infinity;
  /** When the answer to a create refused the key; null for never, or since a person resumed. */
  keyRefusedMs: number | null = null;
  /** When a refused key was last tried again. */
  keyTriedMs = -Infinity;
  /** When the last answer 429 arrived. */
  throttledMs = -Infinity;
  /** The end of the last answered updates window, by the wall clock. */
  updatesToMs = -Infinity;
  /** Orders of ours that answers have shown. The judge of this list removes them. */
  readonly shown: ShownOrder[] = [];
  /** Heartbeats that answers confirmed to the run as its own, and when. */
  readonly heartbeats = new Map<string, number>();
  /** The run has deleted its heartbeat: nothing of its own is open any more. */
  hasLetGo = false;
  /**
   * The run has deleted a heartbeat while no answer had confirmed its own: only a listing shows one whose create was
   * not answered.
   */
  mayHaveLetGo = false;
  readonly offers: ReceivedOffers;
  /** When prices of a selection were last reported, and when on this connection. */
  readonly #everPriced = new Map<string, number>();
  readonly #prices = new Map<string, number>();
  /** Selections by the first part of their prices' text. */
  readonly #selections = new Map<string, string>();
  readonly #nowMs: () => number;
  readonly #readsFromMs: () => number;
  readonly #startMs: number;
  #offersRead: { readonly body: string; readonly data: unknown } = { body: '', data: null };
  #connection: number | null = null;
  #heartbeat: string | null = null;
  #heartbeatMs = -Infinity;

  /** `startMs` is the exchange's wall clock at the beginning. A stalled run reads nothing before `readsFromMs`. */
  constructor(nowMs: () => number, startMs: number, readsFromMs: () => number = nowMs) {
    [this.#nowMs, this.#readsFromMs] = [nowMs, readsFromMs];
    this.offers = new ReceivedOffers(nowMs);
    this.#startMs = startMs;
  }

  /** The age of a selection's latest prices, in either direction; Infinity when this connection reported none. */
  priceAgeMs(market: ReceivedMarket): number {
    return this.#nowMs() - (this.#prices.get(selectionOf(market)) ?? -Infinity);
  }

  /** When prices of a selection were last reported on any connection; -Infinity for never. */
  pricedMs(market: ReceivedMarket): number {
    return this.#everPriced.get(selectionOf(market)) ?? -Infinity;
  }

  /** A person has resumed, so the daemon tries its key again. */
  keyTried(): void {
    if (this.keyRefusedMs !== null) this.keyTriedMs = this.#nowMs();
    this.keyRefusedMs = null;
  }

  request(sent: SentRequest): void {
    const { what, atMs } = sent;
    for (const orderId of closesOf(sent)) this.closes.set(orderId, atMs);
    if (what.startsWith('POST /v2/heartbeats/')) this.heartbeatSentMs = atMs;
    if (what === 'GET /v2/heartbeats/' && this.#heartbeat === null) this.heartbeatSoughtMs = atMs;
    if (what.startsWith('DELETE /v2/heartbeats/')) this.#deletesHeartbeat(what);
    const betslip = OF_BETSLIP.exec(what);
    if (betslip?.[2] === undefined) return;
    if (betslip[1] === 'DELETE') this.betslips.delete(betslip[2]);
    else this.#betslipLives(betslip[2], atMs + DEFAULT_SETTINGS.betslipLifetimeMs);
  }

  answered(sent: SentRequest, { status, body }: HttpAnswer): void {
    if (status === 429) this.throttledMs = this.#nowMs();
    // Only an explicit answer counts: a proxy's page is no evidence.
    const isUnknown = status === 404 && parsed(body)?.['status'] === 'error';
    // The betslip has ended unnoticed, as on a connection that had died silently.
    if (isUnknown) this.betslips.delete(OF_BETSLIP.exec(sent.what)?.[2] ?? '');
    if (status === 401) this.keyRefusedMs ??= this.#nowMs();
    if (!tells(sent)) return;
    const data = this.#dataOf(sent.path, body);
    if (sent.what === 'POST /v2/betslips/') this.#betslipAnswered(sent, status, body, data);
    if (sent.path.startsWith('/v2/heartbeats/')) this.#heartbeatAnswered(sent, isUnknown, data);
    if (sent.path.startsWith('/v2/offers/')) this.#offers(sent, data);
    if (sent.path.startsWith('/v2/orders/')) this.#ordersAnswered(sent, data);
  }

  /** Offers of an unchanged market are read again and again. */
  #dataOf(path: string, body: string): unknown {
    if (!path.startsWith('/v2/offers/')) return parsed(body)?.['data'];
    if (this.#offersRead.body !== body) this.#offersRead = { body, data: parsed(body)?.['data'] };
    return this.#offersRead.data;
  }

  stream(record: StreamRecord): void {
    const { kind, connection } = record;
    if (kind === 'open') this.#connected(connection);
    if (connection !== this.#connection) return;
    if (kind === 'received') this.#frame(UTF8.decode(record.data));
    // Nobody receives what it still delivers.
    if (kind === 'terminated') this.#connection = null;
  }

  #connected(connection: number): void {
    this.#connection = connection;
    this.connectedMs = this.#nowMs();
    this.syncedMs = -Infinity;
    this.#prices.clear();
    this.offers.connected();
  }

  #frame(text: string): void {
    this.lastReceivedMs = this.#nowMs();
    const heads = pricesOnly(text);
    if (heads !== null) {
      this.offers.frame(text);
      return heads.forEach((head) => this.#pricedBy(head));
    }
    const entries = parsed(text)?.['data'];
    if (!Array.isArray(entries)) return;
    this.offers.frame(text);
    for (const [tag, data] of entries as readonly Entry[]) this.#entry(tag, data);
  }

  #entry(tag: Tag, data: Record<string, unknown>): void {
    if (tag === 'offer' || tag === 'pmm') this.#priced(data, this.#nowMs());
    else if (tag === 'order') this.#order(data);
    else if (tag === 'bet') this.#bet(data);
    else if (tag === 'sync') this.syncedMs = this.#nowMs();
    else if (tag === 'betslip') this.#betslipReceived(data);
    else if (tag === 'betslip_closed') this.#betslipClosed(String(data['betslip_id']));
  }

  /** Prices by the text that names their selection. Most recur. */
  #pricedBy(head: string): void {
    const selection = this.#selections.get(head) ?? selectionOfHead(head);
    this.#selections.set(head, selection);
    this.#pricedAt(selection, this.#nowMs());
  }

  /** A refresh that was given up may still arrive. Then the stream reports the life of the betslip. */
  #betslipReceived({ betslip_id: betslipId, expiry_ts: expiry }: Record<string, unknown>): void {
    const endsMs = Date.parse(String(expiry)) - this.#startMs;
    if (Number.isFinite(endsMs)) this.#betslipLives(String(betslipId), endsMs);
  }

  #betslipClosed(betslipId: string): void {
    const endsMs = this.betslips.get(betslipId) ?? Infinity;
    this.betslips.delete(betslipId);
    if (endsMs <= this.#nowMs()) this.lapsed.set(betslipId, this.#nowMs());
  }

  #betslipLives(betslipId: string, untilMs: number): void {
    const knownMs = this.betslips.get(betslipId);
    if (knownMs !== undefined) this.betslips.set(betslipId, Math.max(knownMs, untilMs));
  }

  #priced(data: Record<string, unknown>, atMs: number): void {
    this.#pricedAt(selectionOf(marketOf(data)), atMs);
  }

  /** A REST answer may arrive after later stream reports. */
  #pricedAt(selection: string, atMs: number): void {
    for (const known of [this.#prices, this.#everPriced])
      known.set(selection, Math.max(atMs, known.get(selection) ?? -Infinity));
  }

  #deletesHeartbeat(what: string): void {
    if (this.#heartbeat === null) this.mayHaveLetGo = true;
    else if (what === `DELETE /v2/heartbeats/${this.#heartbeat}/`) this.hasLetGo = true;
  }

  #order(data: unknown): void {
    const orderId = (data as Record<string, unknown> | null)?.['order_id'];
    if (typeof orderId === 'number' && !this.orders.has(orderId)) this.orders.set(orderId, this.#nowMs());
  }

  #bet(data: Record<string, unknown>): void {
    const { bet_id: betId, order_id: orderId, status } = data;
    const code = (status as { code?: string } | undefined)?.code;
    if (typeof betId !== 'number' || typeof orderId !== 'number') return;
    if (code === 'danger') this.inDanger.add(betId);
    if (code !== 'success') return;
    if (!this.bets.has(betId)) this.bets.set(betId, { orderId, atMs: this.#nowMs() });
  }

  #betslipAnswered({ atMs }: SentRequest, status: number, body: string, data: unknown): void {
    if (status === 403 && body.includes('too_many_open_betslips'))
      this.capRefusals.push({ sentMs: atMs, atMs: this.#nowMs() });
    const betslipId = (data as Record<string, unknown> | null)?.['betslip_id'];
    if (typeof betslipId === 'string')
      this.betslips.set(betslipId, atMs + DEFAULT_SETTINGS.betslipLifetimeMs);
  }

  #heartbeatAnswered({ what, atMs }: SentRequest, isUnknown: boolean, data: unknown): void {
    if (what === 'GET /v2/heartbeats/') this.#heartbeatsListed(atMs, data);
    const refreshed = /^POST \/v2\/heartbeats\/([^/]+)\/refresh\/$/.exec(what)?.[1];
    if (refreshed !== undefined && refreshed === this.#heartbeat && isUnknown) this.#closedOut();
    const created = (data as Record<string, unknown> | null)?.['heartbeat_id'];
    if (what !== 'POST /v2/heartbeats/' || typeof created !== 'string') return;
    this.heartbeats.set(created, this.#nowMs());
    this.#heartbeat = created;
    this.#heartbeatMs = this.#nowMs();
  }

  /** A listing that was requested while we had a heartbeat, and does not show it. */
  #heartbeatsListed(askedMs: number, data: unknown): void {
    const listed = (data as Record<string, unknown> | null)?.['heartbeats'];
    if (this.#heartbeat === null || askedMs < this.#heartbeatMs || !Array.isArray(listed)) return;
    const ids = (listed as Record<string, unknown>[]).map(({ heartbeat_id: id }) => id);
    if (!ids.includes(this.#heartbeat)) this.#closedOut();
  }

  #closedOut(): void {
    this.closeOuts.push({ atMs: this.#nowMs(), readMs: Math.max(this.#nowMs(), this.#readsFromMs()) });
    this.#heartbeat = null;
  }

  /** Data read over REST is as old as its request. */
  #offers({ atMs }: SentRequest, data: unknown): void {
    if (!Array.isArray(data)) return;
    for (const offer of data as Record<string, unknown>[]) {
      this.#priced(offer, atMs);
      this.offers.read(offer);
    }
  }

  #updatesRead({ path }: SentRequest): void {
    const to = new URL(path, 'http://exchange').searchParams.get('updated_at_to');
    this.updatesToMs = Date.parse(to ?? '');
  }

  #shows(data: unknown): void {
    const order = (data ?? {}) as Record<string, unknown>;
    const uuid = /^touchline\/v1\/[^/]+\/[^/]+\/(.+)$/.exec(String(order['user_data']))?.[1];
    if (uuid === undefined) return;
    const [placedMs, endsMs] = ['placement_time', 'expiry_time'].map((name) =>
      Date.parse(String(order[name])),
    );
    this.shown.push({
      uuid,
      price: Number(order['want_price']),
      stake: Number((order['want_stake'] as unknown[])[1]),
      livesMs: Number(endsMs) - Number(placedMs),
      atMs: this.#nowMs(),
    });
  }

  #ordersAnswered(sent: SentRequest, data: unknown): void {
    if (sent.path.startsWith('/v2/orders/updates/') && Array.isArray(data)) this.#updatesRead(sent);
    this.#shows(data);
    if (isCreate(sent)) this.#order(data);
    else if (Array.isArray(data)) for (const order of data as unknown[]) this.#order(order);
  }
}

/** A request that refreshes or deletes a betslip. */
const OF_BETSLIP = /^(POST|DELETE) \/v2\/betslips\/([^/]+)\/(refresh\/)?$/;

/** Answers that may report orders, betslips, heartbeats or prices. */
const tells = (sent: SentRequest): boolean =>
  isCreate(sent) ||
  /^\/v2\/(betslips|heartbeats|offers|orders\/((updates|tracked\/[^/]+|\d+)\/)?(\?|$))/.test(sent.path);

/** Prices in a frame, with their selection when it stands at its usual place. */
const PRICES =
  /\["(?:offer|pmm)",(?:\{(?:"betslip_id":"[^"\\]+",)?"sport":"\w+","event_id":"[^"\\]+","bet_type":"[^"\\]+")?/g;
const OTHERS_TOLD = new RegExp(`\\["(${OTHERS.join('|')})",`);

/**
 * The first part of a frame's prices, when the frame reports nothing else that is read here; null when it must be
 * parsed as a whole.
 */
function pricesOnly(text: string): readonly string[] | null {
  if (!text.endsWith(']]}') || OTHERS_TOLD.test(text)) return null;
  const heads: readonly string[] = text.match(PRICES) ?? [];
  return heads.some((head) => head.endsWith(',')) ? null : heads;
}

function selectionOfHead(head: string): string {
  return selectionOf(marketOf(JSON.parse(`${head.slice(head.indexOf('{'))}}`) as Record<string, unknown>));
}

/** Both directions of an outcome are one selection. */
const selectionOf = ({ sport, eventId, betType }: ReceivedMarket): string =>
  `${sport} ${eventId} ${betType.replace(/^(for|against),/, '')}`;

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
