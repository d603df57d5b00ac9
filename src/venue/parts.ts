import { inForce, type KeyInForce, type Redact, type Secret } from '../domain/secret.ts';
import type { Random } from '../lib/random.ts';
import type { Clock } from '../ports/clock.ts';
import { type LineLevel, type LogFields, type Logger, passingOn } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { HttpTransport, SocketTransport } from '../ports/transport.ts';
import { Budgets, DEFAULT_LIMITS, type EarlierBudgets, type VenueLimits } from './budgets/budgets.ts';
import { FrameDecoder } from './frames/frame-decoder.ts';
import { AccountApi } from './rest/account.ts';
import { BetslipsApi } from './rest/betslips.ts';
import { RestClient } from './rest/client.ts';
import { HeartbeatsApi } from './rest/heartbeats.ts';
import { MarketDataApi } from './rest/market-data.ts';
import { OrdersApi } from './rest/orders.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './rest/retry.ts';
import { DEFAULT_STREAM_SETTINGS, type StreamSettings } from './stream/session.ts';
import { DEFAULT_RECONNECT, VenueStream } from './stream/stream.ts';
import type { BackoffPolicy } from '../lib/backoff.ts';
import { BOUNDED_NAMES } from './wire/bounds.ts';
import { LoggingSurvey } from './wire/survey.ts';

export interface VenueOptions {
  readonly http: HttpTransport;
  readonly sockets: SocketTransport;
  /** A key in force may be replaced while the venue is in use. */
  readonly apiKey: Secret | KeyInForce;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Time from sending a request to the end of its answer. Default 10 s. */
  readonly requestTimeoutMs?: number;
  readonly limits?: Partial<VenueLimits>;
  readonly earlierBudgets?: EarlierBudgets;
  readonly retry?: Partial<RetryPolicy>;
  readonly reconnect?: Partial<BackoffPolicy>;
  readonly stream?: Partial<StreamSettings>;
}

/** The parts of which both the port and the public client are made. */
export interface VenueParts {
  readonly rest: RestClient;
  readonly budgets: Budgets;
  readonly stream: VenueStream;
  readonly survey: LoggingSurvey;
  readonly account: AccountApi;
  readonly betslips: BetslipsApi;
  readonly orders: OrdersApi;
  readonly heartbeats: HeartbeatsApi;
  readonly marketData: MarketDataApi;
  /** Ends the stream and every call in flight. */
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 10_000;

/** Makes the parts. Every log line and survey name goes through the redaction of the key. */
export function assemble(given: VenueOptions): VenueParts {
  const keys = inForce(given.apiKey);
  const { redact } = keys;
  const options = { ...given, keys, redact, logger: redactingLogger(given.logger, redact) };
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const budgets = new Budgets(options.clock, limits, options.earlierBudgets);
  const survey = new LoggingSurvey(options, redact, BOUNDED_NAMES);
  const settings = {
    timeoutMs: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    retry: { ...DEFAULT_RETRY, ...options.retry },
  };
  const rest = new RestClient({ ...options, budgets, survey, settings });
  const connections = {
    ...options,
    createDecoder: () => new FrameDecoder(survey),
    settings: { ...DEFAULT_STREAM_SETTINGS, ...options.stream },
  };
  const backoff = { ...DEFAULT_RECONNECT, ...options.reconnect };
  const stream = new VenueStream(connections, options.random, options.metrics, backoff);
  return {
    rest,
    budgets,
    survey,
    stream,
    close: () => {
      stream.close();
      rest.close();
      budgets.close();
      return options.http.close();
    },
    account: new AccountApi(rest),
    betslips: new BetslipsApi(rest),
    orders: new OrdersApi(rest),
    heartbeats: new HeartbeatsApi(rest),
    marketData: new MarketDataApi(rest),
  };
}

/** A logger that redacts its messages and every text field. */
export function redactingLogger(logger: Logger, redact: Redact): Logger {
  const clean = (fields: LogFields | undefined): LogFields =>
    Object.fromEntries(
      Object.entries(fields ?? {}).map(([name, value]) => [
        name,
        typeof value === 'string' ? redact(value) : value,
      ]),
    );
  const write =
    (level: LineLevel) =>
    (message: string, fields?: LogFields): void =>
      passingOn(logger)[level](redact(message), clean(fields));
  const [debug, info, warn, error] = [write('debug'), write('info'), write('warn'), write('error')];
  return {
    debug,
    info,
    warn,
    error,
    fatal: write('fatal'),
    child: (bindings) => redactingLogger(logger.child(clean(bindings)), redact),
  };
}
