import type { KeyInForce, Secret } from '../../domain/secret.ts';
import { seededRandom } from '../../lib/random.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Metrics, noMetrics } from '../../ports/metrics.ts';
import {
  createVenue,
  type EarlierBudgets,
  type ExchangeVenue,
  undiciTransport,
  wsTransport,
} from '../../venue/index.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Config } from '../config/load.ts';
import { requestLimitsOf } from '../config/part-options.ts';
import type { RunRecording } from '../record/run-recording.ts';

/** What differs between the venue of a run and one that only checks a key. */
interface Access {
  readonly apiKey: Secret | KeyInForce;
  readonly wires: ReturnType<typeof wiresTo>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly earlierBudgets?: EarlierBudgets;
}

const wiresTo = ({ restUrl, streamUrl }: Config['exchange']) => ({
  http: undiciTransport({ baseUrl: restUrl, clock: systemClock }),
  sockets: wsTransport({ url: streamUrl }),
});

function venueAt(config: Config, { wires, ...access }: Access): ExchangeVenue {
  return createVenue({
    ...access,
    ...wires,
    kind: config.mode,
    clock: systemClock,
    requestTimeoutMs: config.exchange.requestTimeoutS * 1000,
    random: seededRandom(systemClock.wallMs(), 'backoff'),
    limits: requestLimitsOf(config),
  });
}

/** The exchange as a run uses it. What passes is recorded if the run is. */
export const openVenue = (
  config: Config,
  keys: KeyInForce,
  recording: RunRecording,
  access: Pick<Access, 'logger' | 'metrics' | 'earlierBudgets'>,
): ExchangeVenue =>
  venueAt(config, { ...access, apiKey: keys, wires: recording.wires(wiresTo(config.exchange), keys) });

/** A client of its own that tries a key. */
export const probeWith = (config: Config, apiKey: Secret, logger: Logger): ExchangeVenue =>
  venueAt(config, { apiKey, wires: wiresTo(config.exchange), logger, metrics: noMetrics });
