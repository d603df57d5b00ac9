/** The stream: its connections, their registrations, and the entries that they receive (specification, Events). */
import type { Accounts } from './accounts.ts';
import type { ConnectionId, ConnectResult, Outgoing } from './api.ts';
import { type Catalogue, eventKey, hasPrices } from './catalogue.ts';
import { type Command, readCommand } from './commands.ts';
import { inspectedOrder } from './inspection.ts';
import { keptOf } from './kept-orders.ts';
import type {
  Account,
  BetRecord,
  BetslipRecord,
  EventRecord,
  LiveState,
  MarketBook,
  Notices,
  OrderRecord,
} from './model.ts';
import { type Connection, entry, Outbox, rawEntry } from './outbox.ts';
import { holdMsOf, publishOffers } from './published-offers.ts';
import type { Planned, Scheduler } from './scheduler.ts';
import type { Sequence } from './sequence.ts';
import type { ExchangeOptions, ExchangeSettings } from './settings.ts';
import { liveStateEntry, sees, Subscriptions } from './subscriptions.ts';
import { balanceJson, betJson, betslipJson, eventJson, orderJson } from './wire.ts';

export interface StreamParts {
  readonly scheduler: Scheduler;
  readonly sequence: Sequence;
  readonly accounts: Accounts;
  readonly catalogue: Catalogue;
  readonly settings: ExchangeSettings;
  /** Receives each order at each change, before the order's account does. */
  readonly onOrder: ExchangeOptions['onOrder'];
  readonly onKept: ExchangeOptions['onKept'];
}

const LANGUAGES = ['en', 'ko', 'zh-hans'];

export class Stream implements Notices {
  readonly #parts: StreamParts;
  readonly #outbox: Outbox;
  readonly #connections = new Map<ConnectionId, Connection>();
  readonly #byAccount = new Map<Account, Set<Connection>>();
  readonly #subscriptions: Subscriptions;
  readonly #changedBalances = new Set<Account>();
  #nextId = 1;
  #lost = false;
  #feedReturn: Planned | null = null;
  /** The end of the longest outage; 0 while the feed is there. */
  #feedReturnMs = 0;
  #onBookChanged: (betslip: BetslipRecord) => void = () => undefined;
  #onEventEnded: (event: EventRecord) => void = () => undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    const { scheduler, settings } = parts;
    this.#outbox = new Outbox(scheduler, settings.unixTimestamps);
    this.#subscriptions = new Subscriptions(scheduler, this.#outbox, settings);
  }

  /** Sets the listeners for book changes that betslips watch, and for ended events. */
  listen(onBookChanged: (betslip: BetslipRecord) => void, onEventEnded: (event: EventRecord) => void): void {
    this.#onBookChanged = onBookChanged;
    this.#onEventEnded = onEventEnded;
  }

  connect(query: Readonly<Record<string, string>>): ConnectResult {
    const key = query['api_key'] ?? '';
    if (key === '') return { ok: false, status: 400, body: 'missing_credentials' };
    const holder = this.#parts.accounts.byKey(key);
    if (holder === null) return { ok: false, status: 401, body: 'auth_rejected' };
    if (!LANGUAGES.includes(query['lang'] ?? 'en')) return { ok: false, status: 400, body: 'invalid_lang' };
    const connection = this.#open(holder.account);
    if (!this.#lost) this.#sync(connection);
    return { ok: true, connection: connection.id };
  }

  receive(id: ConnectionId, text: string): void {
    const connection = this.#connections.get(id);
    if (connection === undefined) return;
    const command = readCommand(text);
    if (command.kind === 'error') this.#refuse(connection, command.code);
    else this.#execute(connection, command);
  }

  /** Answers a frame of the connection with an error. */
  refuse(id: ConnectionId, code: string): void {
    const connection = this.#connections.get(id);
    if (connection !== undefined) this.#refuse(connection, code);
  }

  disconnect(id: ConnectionId): void {
    const connection = this.#connections.get(id);
    if (connection === undefined) return;
    this.#connections.delete(id);
    this.#byAccount.get(connection.account)?.delete(connection);
    this.#subscriptions.removeAll(connection);
    this.#outbox.drop(connection);
  }

  drain(): readonly Outgoing[] {
    for (const account of this.#changedBalances) {
      this.#sendToAccount(account, 'balance', () => balanceJson(account));
    }
    this.#changedBalances.clear();
    return this.#outbox.drain();
  }

  orderChanged(order: OrderRecord): void {
    this.#parts.onOrder?.(inspectedOrder(order));
    this.#tellKept(order);
    this.#sendToAccount(order.account, 'order', () => orderJson(order));
  }

  #tellKept(order: OrderRecord): void {
    const { onKept } = this.#parts;
    const kept = onKept === undefined || order.bets.length === 0 ? null : keptOf(order);
    if (kept !== null) onKept?.(kept);
  }

  betMade(bet: BetRecord): void {
    this.#sendToAccount(bet.order.account, 'bet', () => betJson(bet));
  }

  balanceChanged(account: Account): void {
    this.#changedBalances.add(account);
  }

  bookChanged(market: MarketBook): void {
    const { event } = market;
    for (const betslip of market.watchers) this.#onBookChanged(betslip);
    if (!event.announced && hasPrices(event)) {
      event.announced = true;
      event.everAnnounced = true;
      this.eventChanged(event);
    }
    this.#subscriptions.planBroadcast(event, () => this.#broadcast(event));
  }

  eventChanged(event: EventRecord): void {
    if (!event.announced || !this.#parts.settings.eventsLater) return;
    this.#sendToAll(event, entry('event', eventJson(event)));
  }

  eventEnded(event: EventRecord): void {
    const { sport, eventId } = event.info;
    this.#subscriptions.cancelBroadcast(event);
    if (event.everAnnounced && !this.#lost) {
      if (this.#parts.settings.eventsLater)
        this.#sendToAll(event, entry('remove_event', { sport, event_id: eventId }));
      this.#subscriptions.endEvent(event);
    }
    event.announced = false;
    event.everAnnounced = false;
    event.advertised.clear();
    event.published.length = 0;
    this.#onEventEnded(event);
  }

  offersChanged(event: EventRecord): void {
    this.#subscriptions.cancelBroadcast(event);
    for (const { watchers } of event.books.values()) {
      for (const betslip of watchers) this.#onBookChanged(betslip);
    }
    this.#broadcast(event);
  }

  liveStateChanged(event: EventRecord, part: LiveState): void {
    if (this.#lost) return;
    const text = liveStateEntry(event, part);
    if (text === null) return;
    for (const connection of this.#subscriptions.audience(event)) this.#outbox.add(connection, text);
  }

  /** Sends `clear_events` now. When the feed is back: a new snapshot, `sync` and the registered offers. */
  feedLost(outageMs = this.#parts.settings.warmupMs): void {
    const { scheduler, catalogue } = this.#parts;
    for (const connection of this.#connections.values()) {
      this.#outbox.add(connection, entry('clear_events', null));
    }
    for (const event of catalogue.all()) event.advertised.clear();
    this.#lost = true;
    this.#feedReturnMs = Math.max(this.#feedReturnMs, scheduler.nowMs + outageMs);
    this.#feedReturn?.cancel();
    this.#feedReturn = scheduler.at(this.#feedReturnMs, () => this.feedFound());
  }

  feedFound(): void {
    if (!this.#lost) return;
    this.#feedReturn?.cancel();
    this.#feedReturn = null;
    this.#feedReturnMs = 0;
    this.#lost = false;
    for (const connection of this.#connections.values()) {
      this.#sync(connection);
      for (const key of connection.registrations.keys()) this.#snapshot(connection, key);
    }
  }

  /** Whether market data is being loaded. */
  get isLost(): boolean {
    return this.#lost;
  }

  betslipChanged(betslip: BetslipRecord): void {
    const { unixTimestamps } = this.#parts.settings;
    this.#sendToAccount(betslip.account, 'betslip', () => betslipJson(betslip, unixTimestamps));
  }

  betslipClosed(betslip: BetslipRecord): void {
    const { betslipId, closeReason, account } = betslip;
    this.#sendToAccount(account, 'betslip_closed', () => ({
      betslip_id: betslipId,
      close_reason: closeReason,
    }));
  }

  quoted(betslip: BetslipRecord, text: string): void {
    for (const connection of this.#byAccount.get(betslip.account) ?? []) {
      this.#outbox.add(connection, rawEntry('pmm', text));
    }
  }

  #open(account: Account): Connection {
    const sessionId = this.#parts.sequence.nextToken();
    const connection = { id: this.#nextId++, account, sessionId, registrations: new Map(), pending: [] };
    this.#connections.set(connection.id, connection);
    const siblings = this.#byAccount.get(account) ?? new Set();
    this.#byAccount.set(account, siblings.add(connection));
    this.#planInfo(connection);
    return connection;
  }

  #sync(connection: Connection): void {
    const { account } = connection;
    for (const event of this.#parts.catalogue.all()) {
      if (!sees(account, event)) continue;
      // An event without prices is announced with its next price, to this connection, too.
      event.announced = hasPrices(event);
      if (!event.announced) continue;
      event.everAnnounced = true;
      this.#outbox.add(connection, entry('event', eventJson(event)));
    }
    this.#outbox.add(connection, entry('sync', { session_id: connection.sessionId }));
    this.#outbox.add(connection, entry('balance', balanceJson(account)));
    for (const rate of this.#parts.settings.rates) this.#outbox.add(connection, entry('xrate', rate));
  }

  #execute(connection: Connection, command: Command): void {
    if (command.kind === 'echo') this.#answer(connection, command.args);
    else if (command.kind === 'list') {
      this.#answer(connection, { registered_events: [...connection.registrations.values()] });
    } else if (!connection.account.knownToFeed) this.#refuse(connection, 'invalid_customer');
    else if (command.kind === 'register') this.#register(connection, command.sport, command.eventId);
    else this.#unregister(connection, command.sport, command.eventId);
  }

  #register(connection: Connection, sport: string, eventId: string): void {
    const refusal = this.#subscriptions.add(connection, sport, eventId);
    if (refusal !== null) return this.#refuse(connection, refusal);
    if (!this.#lost) this.#snapshot(connection, eventKey({ sport, eventId }));
    return this.#answer(connection, null);
  }

  #unregister(connection: Connection, sport: string, eventId: string): void {
    this.#subscriptions.remove(connection, eventKey({ sport, eventId }));
    this.#answer(connection, null);
  }

  #snapshot(connection: Connection, key: string): void {
    const event = this.#parts.catalogue.byKey(key);
    if (event?.phase === 'live' && sees(connection.account, event))
      this.#subscriptions.snapshot(connection, event);
  }

  #broadcast(event: EventRecord): void {
    event.broadcast = null;
    event.announced = hasPrices(event);
    const { scheduler, settings } = this.#parts;
    publishOffers(event, scheduler.nowMs, holdMsOf(settings));
    if (!this.#lost) this.#subscriptions.broadcast(event);
  }

  #planInfo(connection: Connection): void {
    this.#parts.scheduler.after(this.#parts.settings.infoIntervalMs, () => {
      if (!this.#connections.has(connection.id)) return;
      this.#outbox.add(connection, entry('info', { registered_events: connection.registrations.size }));
      this.#planInfo(connection);
    });
  }

  #sendToAccount(account: Account, tag: string, payload: () => unknown): void {
    const connections = this.#byAccount.get(account);
    if (connections === undefined || connections.size === 0) return;
    const text = entry(tag, payload());
    for (const connection of connections) this.#outbox.add(connection, text);
  }

  /** Sends an entry to every connection that may see the event. */
  #sendToAll(event: EventRecord, text: string): void {
    if (this.#lost) return;
    for (const connection of this.#connections.values()) {
      if (sees(connection.account, event)) this.#outbox.add(connection, text);
    }
  }

  #answer(connection: Connection, data: unknown): void {
    this.#outbox.add(connection, entry('response', { status: 'ok', data }));
  }

  #refuse(connection: Connection, code: string): void {
    this.#outbox.add(connection, entry('response', { status: 'error', code }));
  }
}
