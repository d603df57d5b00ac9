import type { Micros } from '../../domain/money.ts';
import { invariant } from '../../lib/assert.ts';
import { Accounts } from './accounts.ts';
import type {
  ConnectionId,
  ConnectResult,
  ExchangeCore,
  Feed,
  InspectedAccount,
  InspectedEvent,
  Inspection,
  Intervention,
  Market,
  Outgoing,
  SimEventName,
  SimRequest,
  SimResponse,
  Tuning,
} from './api.ts';
import { Bets, fillOf } from './bets.ts';
import { Betslips } from './betslips.ts';
import { Catalogue } from './catalogue.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import { Engines } from './engines.ts';
import { Heartbeats } from './heartbeats.ts';
import { inspectedAccount, inspectedEvents, inspectExchange } from './inspection.ts';
import { type KeptParts, putBack } from './kept-orders.ts';
import { ExchangeMarket } from './market.ts';
import { MatchingEngine } from './matching-engine.ts';
import { Delays, OrderLifecycle } from './order-lifecycle.ts';
import { Orders } from './orders.ts';
import { PRICE_TIME } from '../../fills/price-time.ts';
import { Retention } from './retention.ts';
import { Router } from './router.ts';
import { Scheduler } from './scheduler.ts';
import { Sequence } from './sequence.ts';
import { DEFAULT_SETTINGS, type ExchangeOptions } from './settings.ts';
import { ShadowFills, type ShadowParts } from './shadow-fills.ts';
import { Stream } from './stream.ts';

/**
 * The simulated exchange as one state machine, with the endpoints from which its API document is generated. The caller drives
 * its time.
 */
export interface Exchange extends ExchangeCore {
  /** The source of the server's API document. */
  readonly endpoints: readonly Endpoint[];
  /** Only the accounts that `inspect` reports. */
  inspectAccounts(): readonly InspectedAccount[];
}

export function createExchange(options: ExchangeOptions): Exchange {
  return new WiredExchange(options);
}

class WiredExchange implements Exchange {
  readonly market: Market;
  readonly endpoints: readonly Endpoint[];
  readonly #options: ExchangeOptions;
  readonly #scheduler: Scheduler;
  readonly #accounts: Accounts;
  readonly #catalogue: Catalogue;
  readonly #lifecycle: OrderLifecycle;
  readonly #bets: Bets;
  readonly #stream: Stream;
  readonly #router: Router;
  readonly #retune: (tuning: Tuning) => void;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    const configured = { ...DEFAULT_SETTINGS, ...options.settings };
    const settings = { ...configured };
    this.#retune = (tuning) => {
      const before = settings.priceConvention;
      Object.assign(settings, configured, tuning);
      if (settings.priceConvention !== before) this.#repriceOffers();
    };
    const scheduler = new Scheduler(options.startMs);
    const sequence = new Sequence(options.random);
    const delays = new Delays(options.random, settings);
    const accounts = new Accounts(options.accounts, settings.limits, options.startMs);
    const { fillModel = PRICE_TIME, onFill } = options;
    const catalogue = new Catalogue(options.parseBetType, settings, fillModel);
    const stream = new Stream({
      scheduler,
      sequence,
      accounts,
      catalogue,
      settings,
      onOrder: options.onOrder,
      onKept: options.onKept,
    });
    const lifecycle = new OrderLifecycle(scheduler, stream, delays, settings);
    const bets = new Bets(
      scheduler,
      sequence,
      lifecycle,
      stream,
      settings,
      onFill && ((bet) => onFill(fillOf(bet.order, bet, fillModel.name))),
    );
    const parts = { scheduler, sequence, settings, danger: bets.danger };
    const engines = new Engines(
      new MatchingEngine(lifecycle, bets, stream, settings, options.onRest),
      shadowsOf(options, parts),
      lifecycle,
    );
    const betslips = new Betslips({
      ...parts,
      notices: stream,
      catalogue,
      onAsked: (event, betType) => this.#tellAsked(event, betType),
    });
    const retention = new Retention(scheduler, lifecycle, catalogue, settings);
    putAllBack(options, accounts, { catalogue, lifecycle, bets, retention });
    const orders = new Orders({ scheduler, sequence, engines, lifecycle, betslips, retention, settings });
    const heartbeats = new Heartbeats(scheduler, sequence, lifecycle, settings);
    this.endpoints = endpoints({ orders, betslips, heartbeats, catalogue, bets, scheduler, settings });
    this.market = new ExchangeMarket({ scheduler, catalogue, lifecycle, engines, bets, notices: stream });
    this.#router = new Router(accounts, this.endpoints, stream);
    [this.#scheduler, this.#accounts] = [scheduler, accounts];
    this.#catalogue = catalogue;
    this.#lifecycle = lifecycle;
    this.#bets = bets;
    this.#stream = stream;
    listen(stream, betslips, retention);
    this.#startFeeds(settings.warmupMs);
  }

  #startFeeds(warmupMs: number): void {
    const { feeds, startMs } = this.#options;
    if (warmupMs > 0) this.#stream.feedLost();
    for (const feed of feeds) feed.start(this.market, startMs);
  }

  #tellAsked(event: SimEventName, betType: string): void {
    for (const feed of this.#options.feeds) feed.asked?.(this.market, event, betType, this.#scheduler.nowMs);
  }

  advance(nowMs: number): void {
    if (this.#hasSlept(nowMs)) for (const feed of this.#options.feeds) feed.lull?.(nowMs);
    while (this.#runNext(nowMs));
    this.#scheduler.moveTo(nowMs);
  }

  nextDueMs(): number | null {
    const due = [this.#scheduler.nextDueMs(), this.#nextFeed()?.dueMs ?? null].filter((ms) => ms !== null);
    return due.length === 0 ? null : Math.min(...due);
  }

  request(request: SimRequest, nowMs: number): SimResponse {
    this.advance(nowMs);
    const response = this.#router.answer(request, this.#scheduler.nowMs);
    // Effects of the request that are due now run after its response is written.
    this.advance(nowMs);
    return response;
  }

  connect(query: Readonly<Record<string, string>>, nowMs: number): ConnectResult {
    this.advance(nowMs);
    return this.#stream.connect(query);
  }

  receive(connection: ConnectionId, text: string, nowMs: number): void {
    this.advance(nowMs);
    this.#stream.receive(connection, text);
  }

  refuse(connection: ConnectionId, code: string, nowMs: number): void {
    this.advance(nowMs);
    this.#stream.refuse(connection, code);
  }

  disconnect(connection: ConnectionId): void {
    this.#stream.disconnect(connection);
  }

  drain(): readonly Outgoing[] {
    return this.#stream.drain();
  }

  inspect(): Inspection {
    return inspectExchange(this.#scheduler.nowMs, this.#accounts, this.#catalogue, this.#lifecycle);
  }

  intervene(event: SimEventName, act: Intervention, nowMs: number): void {
    this.advance(nowMs);
    const { feeds } = this.#options;
    const isTaken = feeds.some((feed) => feed.intervene?.(this.market, event, act, nowMs) ?? false);
    if (!isTaken) interveneDirectly(this.market, this.#catalogue, event, act, nowMs);
    this.advance(nowMs);
  }

  inspectAccounts(): readonly InspectedAccount[] {
    return this.#accounts.all.map(inspectedAccount);
  }

  inspectEvents(): readonly InspectedEvent[] {
    return inspectedEvents(this.#catalogue);
  }

  tune(tuning: Tuning): void {
    this.#retune(tuning);
  }

  /** Shows the offers anew: their prices mean something else now. */
  #repriceOffers(): void {
    for (const event of this.#catalogue.all()) {
      event.offersEpoch += 1;
      this.#stream.offersChanged(event);
    }
  }

  markBet(betId: number, status: 'success' | 'danger' | 'void', nowMs: number): boolean {
    this.advance(nowMs);
    const bet = [...this.#lifecycle.all()]
      .flatMap((order) => order.bets)
      .find((each) => each.betId === betId);
    if (bet !== undefined) this.#bets.markBet(bet, status);
    return bet !== undefined;
  }

  deposit(accountId: string, amountMicros: Micros, nowMs: number): boolean {
    this.advance(nowMs);
    const account = this.#accounts.all.find((each) => each.accountId === accountId);
    if (account === undefined) return false;
    account.balanceMicros += amountMicros;
    this.#stream.balanceChanged(account);
    return true;
  }

  /** Whether the earliest task is overdue by more than `longestCatchUpMs`. */
  #hasSlept(nowMs: number): boolean {
    const { longestCatchUpMs } = { ...DEFAULT_SETTINGS, ...this.#options.settings };
    if (nowMs - this.#scheduler.nowMs <= longestCatchUpMs) return false;
    return nowMs - (this.nextDueMs() ?? nowMs) > longestCatchUpMs;
  }

  /** Runs the earliest task or feed due by `nowMs`. At the same instant, the exchange's task runs before the feed. */
  #runNext(nowMs: number): boolean {
    const taskMs = this.#scheduler.nextDueMs() ?? Infinity;
    const next = this.#nextFeed();
    if (next === null || taskMs <= next.dueMs) return this.#scheduler.runNext(nowMs);
    if (next.dueMs > nowMs) return false;
    this.#scheduler.moveTo(next.dueMs);
    next.feed.advance(this.market, next.dueMs);
    invariant(
      (next.feed.nextDueMs() ?? Infinity) > next.dueMs,
      'a feed did not advance: its next action is still due at the same instant',
      { dueMs: next.dueMs },
    );
    return true;
  }

  #nextFeed(): { feed: Feed; dueMs: number } | null {
    let earliest: { feed: Feed; dueMs: number } | null = null;
    for (const feed of this.#options.feeds) {
      const dueMs = feed.nextDueMs();
      if (dueMs !== null && (earliest === null || dueMs < earliest.dueMs)) earliest = { feed, dueMs };
    }
    return earliest;
  }
}

function putAllBack(
  { kept = [], startMs }: ExchangeOptions,
  { all: [account] }: Accounts,
  parts: Omit<KeptParts, 'account' | 'nowMs'>,
): void {
  if (account === undefined) return;
  for (const order of kept) putBack(order, { ...parts, account, nowMs: startMs });
}

const shadowsOf = (
  { shadows = [], onFill = () => undefined }: ExchangeOptions,
  parts: Omit<ShadowParts, 'model' | 'onFill'>,
): readonly ShadowFills[] => shadows.map((model) => new ShadowFills({ ...parts, model, onFill }));

/** The stream tells betslips of their books, and betslips and retention of the end of an event. */
function listen(stream: Stream, betslips: Betslips, retention: Retention): void {
  stream.listen(
    (betslip) => betslips.bookChanged(betslip),
    (event) => {
      betslips.closeAllOf(event);
      retention.watchEvent(event);
    },
  );
}

/**
 * Applies an intervention on an event whose feed does not apply it itself, to the market only. A goal in a race is ignored:
 * a race has no score.
 */
export function interveneDirectly(
  market: Market,
  catalogue: Catalogue,
  event: SimEventName,
  act: Intervention,
  nowMs: number,
): void {
  switch (act.kind) {
    case 'goal':
      return addGoal(market, catalogue, event, act.side, nowMs);
    case 'suspend':
    case 'resume':
      return market.setSuspended(event, act.kind === 'suspend', nowMs);
    case 'in_running':
      return market.goInRunning(event, nowMs);
    case 'end':
      if (act.result === null) market.voidEvent(event, nowMs);
      else market.settle(event, act.result, nowMs);
  }
}

function addGoal(
  market: Market,
  catalogue: Catalogue,
  event: SimEventName,
  side: 'home' | 'away',
  nowMs: number,
): void {
  const record = catalogue.of(event);
  if (record?.info.eventType !== 'normal') return;
  const [home, away] = record.score ?? [0, 0];
  if (side === 'home') market.setScore(event, home + 1, away, nowMs);
  else market.setScore(event, home, away + 1, nowMs);
}
