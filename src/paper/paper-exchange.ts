/**
 * The exchange of a paper run: real prices, and an account that exists in this process alone. A daemon is an ordinary client of it, as
 * of any exchange. `requests.ts` says which request goes where; `real-exchange.ts` is the only way to the real one.
 */
import { parseBetType } from '../domain/bet-types/index.ts';
import type { EventResult } from '../domain/bet-types/result.ts';
import type { EventName } from '../domain/events.ts';
import { betType, eventId, sport } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import type { PriceConvention } from '../domain/odds.ts';
import type { SimulatedFill } from '../domain/simulated-fill.ts';
import type { Scenario } from '../fills/fill-model.ts';
import { FILL_MODELS } from '../fills/scenarios.ts';
import type { Random } from '../lib/random.ts';
import { DAY_MS } from '../lib/time.ts';
import { type Clock, repeat } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { knownValues, type Metrics } from '../ports/metrics.ts';
import type { HttpRequest, HttpTransport, SocketTransport } from '../ports/transport.ts';
import { mayNotSend } from '../ports/transport/allow.ts';
import type { InspectedOrder, KeptOrder } from '../simulator/core/api.ts';
import { createExchange, type Exchange } from '../simulator/core/exchange.ts';
import type { ExchangeSettings } from '../simulator/core/settings.ts';
import { constantLatency } from '../simulator/in-process/delay-line.ts';
import { InProcessSockets } from '../simulator/in-process/sockets.ts';
import { type InProcessExchange, inProcessTransports } from '../simulator/in-process/transports.ts';
import { ObservedFeed } from './observed-feed.ts';
import { PairedBetslips, type PairingParts } from './paired-betslips.ts';
import { PaperStream } from './paper-stream.ts';
import { ACCOUNT_TAGS } from './public-tags.ts';
import type { RealExchange } from './real-exchange.ts';
import type { RequestTimes } from './request-times.ts';
import { betslipActOf, isEmbedded, ReadRequest } from './requests.ts';
import { ShownOffers } from './shown-offers.ts';

export interface PaperOptions {
  readonly real: RealExchange;
  readonly times: RequestTimes;
  readonly balanceMicros: Micros;
  readonly settings: Partial<ExchangeSettings>;
  /** The fill model of the account. The others run beside it. */
  readonly fills: Scenario;
  /** Learns of each fill of the account and of each under the other models, before the client does. */
  readonly onFill: (fill: SimulatedFill) => void;
  /** Orders of earlier runs. They are closed; their bets stand, and the balance has their results. */
  readonly kept: readonly KeptOrder[];
  /** Learns of each paper order that has bets, at each change, before the client does. */
  readonly onKept: (order: KeptOrder) => void;
  /** Events that are over for the account, with what settles its bets; null voids them. */
  readonly results: readonly (EventName & { readonly result: EventResult | null })[];
  readonly mostRegistrations: number;
  readonly random: Random;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface PaperExchange {
  readonly http: HttpTransport;
  readonly sockets: SocketTransport;
  /** The same account, with another way to the real exchange: another key is tried on it. */
  httpOver(real: RealExchange): HttpTransport;
  /** What `against` prices are on the real exchange; odds until this says otherwise. */
  setConvention(convention: PriceConvention): void;
  /** The event is over for the account. `result` settles its bets; null voids them. Again, it is a correction. */
  settle(event: EventName, result: EventResult | null): void;
}

/** The key of the embedded exchange's only account. The real key never gets there. */
const PAPER_KEY = 'paper-key';

/** The account alone is served by the embedded exchange, so its market data must not bound, and nothing is published for requests. */
const OWN_SETTINGS: Partial<ExchangeSettings> = {
  offerDepth: 1_000,
  offersLagMs: 0,
  infoIntervalMs: 3_600_000,
};

/** Behind each betslip is a real one, which tells its quotes and its end. */
const WITH_REAL_BETSLIPS: Partial<ExchangeSettings> = { betslipLifetimeMs: DAY_MS, quoteDelayMs: DAY_MS };

/** So that the time of a request is known, and is that of today. */
const PROBE_EVERY_MS = 30_000;
const PROBE: HttpRequest = { method: 'GET', path: '/v2/xrates/', headers: {}, body: null, timeoutMs: 10_000 };

export function openPaperExchange(options: PaperOptions): PaperExchange {
  const { real, clock, metrics, logger } = options;
  const feed = new ObservedFeed(() => embedded.host.run((nowMs) => nowMs));
  const core = embeddedCore(options, feed, (order) => follow(order));
  const embedded = inProcessTransports({ core, clock, latency: options.times, logger });
  const offers = new ShownOffers(core.market);
  const settle = (): void => embedded.host.run(() => undefined);
  const stop = repeat(clock, PROBE_EVERY_MS, () => void probe(real));
  let stream: PaperStream | null = null;
  let convention: PriceConvention = 'odds';
  const follow = (order: InspectedOrder): void => {
    const event = { sport: sport(order.sport), eventId: eventId(order.eventId) };
    offers.touch({ eventId: event.eventId, betType: betType(order.betType) });
    stream?.bookChanged(event);
  };
  const counters = countersOf(metrics);
  const ask: PairingParts['ask'] = ({ method, path, body }) => {
    const asked = { method, target: path, apiKey: PAPER_KEY, body: body ?? '' };
    const { release, ...answer } = embedded.host.run((nowMs) => core.request(asked, nowMs));
    release?.();
    return answer;
  };
  const show: PairingParts['show'] = (entries) => stream?.show(entries);
  const pairing = { ask, show, clock, onDropped: counters.dropped };
  const betslips = real.betslips === null ? null : new PairedBetslips({ ...pairing, real: real.betslips });
  const streamParts = {
    // What happens to the account is known at once: requests alone travel.
    embedded: new InProcessSockets(embedded.host, clock, constantLatency(0)),
    real,
    embeddedKey: PAPER_KEY,
    feed,
    offers,
    settle,
    clock,
    betslips,
    mostRegistrations: options.mostRegistrations,
    onDropped: counters.dropped,
    onRefused: counters.refused,
  };
  const httpOver = (to: RealExchange, pairs: PairedBetslips | null = null): HttpTransport =>
    paperHttp(to, embedded, offers, pairs, counters.refused);
  const own = httpOver(real, betslips);
  const settleEvent = settlingIn(core, embedded);
  for (const { result, ...event } of options.results) settleEvent(event, result);
  return {
    http: {
      send: (request) => own.send(request),
      async close() {
        stop();
        await betslips?.close();
        embedded.host.close();
        await embedded.http.close();
        await real.close();
      },
    },
    sockets: { open: (_query, handlers) => (stream = new PaperStream(streamParts, handlers)) },
    httpOver: (to) => httpOver(to),
    setConvention(next) {
      if (next === convention) return;
      convention = next;
      feed.repriced(next, () => core.tune({ priceConvention: next }));
      settle();
    },
    settle: settleEvent,
  };
}

/** Settles the bets of an event in the embedded account. */
const settlingIn =
  ({ market }: Exchange, { host }: InProcessExchange): PaperExchange['settle'] =>
  (event, result) =>
    host.run((nowMs) => {
      if (result === null) market.voidEvent(event, nowMs);
      else market.settle(event, result, nowMs);
    });

function embeddedCore(
  { real, balanceMicros, settings, fills, onFill, kept, onKept, random, clock }: PaperOptions,
  feed: ObservedFeed,
  onOrder: (order: InspectedOrder) => void,
): Exchange {
  return createExchange({
    accounts: [{ accountId: 'paper', keys: [PAPER_KEY], balanceMicros }],
    feeds: [feed],
    parseBetType,
    random,
    fillModel: FILL_MODELS[fills],
    shadows: Object.values(FILL_MODELS).filter((model) => model !== FILL_MODELS[fills]),
    onFill,
    onOrder,
    kept,
    onKept,
    startMs: clock.wallMs(),
    settings: {
      ...settings,
      ...OWN_SETTINGS,
      ...(real.betslips === null ? {} : WITH_REAL_BETSLIPS),
      priceConvention: 'odds',
    },
  });
}

function paperHttp(
  real: RealExchange,
  embedded: InProcessExchange,
  offers: ShownOffers,
  betslips: PairedBetslips | null,
  onRefused: (what: string) => void,
): HttpTransport {
  return {
    async send(request) {
      const read = ReadRequest.of(request);
      if (read !== null) {
        const answer = await real.get(read);
        const isOffers = answer.status === 200 && request.path.startsWith('/v2/offers/');
        return isOffers ? { ...answer, body: offers.shownBody(answer.body) } : answer;
      }
      const act = betslips === null ? 'other' : betslipActOf(request);
      if (betslips !== null && act !== null && act !== 'other') return betslips.send(request, act);
      if (act !== null && isEmbedded(request)) return embedded.http.send(asPaper(request));
      onRefused('a request');
      throw mayNotSend(request, 'mode = "paper" does not know where it would go');
    },
    close: () => real.close(),
  };
}

/** The request with the key of the paper account in the place of the real one. */
function asPaper(request: HttpRequest): HttpRequest {
  const others = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== 'x-api-key');
  return { ...request, headers: { ...Object.fromEntries(others), 'x-api-key': PAPER_KEY } };
}

async function probe(real: RealExchange): Promise<void> {
  const read = ReadRequest.of(PROBE);
  if (read !== null) await real.get(read).catch(() => undefined);
}

function countersOf(metrics: Metrics): {
  readonly dropped: (tag: string) => void;
  readonly refused: (what: string) => void;
} {
  const dropped = metrics.counter(
    'touchline_paper_dropped_entries_total',
    'Entries of the real stream that a paper run left out, by tag: they are about the real account, or are not known',
    ['tag'],
    knownValues('tag', [...ACCOUNT_TAGS, 'unreadable', 'other']),
  );
  const refused = metrics.counter(
    'touchline_paper_refused_total',
    'Requests and commands that a paper run kept from leaving, because its table does not name them',
  );
  const named: ReadonlySet<string> = new Set([...ACCOUNT_TAGS, 'unreadable']);
  return {
    dropped: (tag) => dropped.inc({ tag: named.has(tag) ? tag : 'other' }),
    refused: () => refused.inc(),
  };
}
