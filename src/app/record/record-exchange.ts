import { VenueRejection } from '../../domain/errors.ts';
import type { EventName } from '../../domain/events.ts';
import type { EventId, Sport } from '../../domain/ids.ts';
import type { Secret } from '../../domain/secret.ts';
import type { StreamSignal } from '../../domain/stream.ts';
import { configuredConvention } from '../../engine/convention/settings.ts';
import { seededRandom } from '../../lib/random.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { noMetrics } from '../../ports/metrics.ts';
import { allowRequests } from '../../ports/transport/allow.ts';
import { Recorder } from '../../recording/recorder.ts';
import { createClient, type ExchangeClient } from '../../venue/index.ts';
import type { Config } from '../config/load.ts';
import { openWriter, plainAddress } from './open-writer.ts';
import type { Wires } from '../exchange/wires.ts';
import { recordedWires } from './wire.ts';

/** The events to register. Empty lists let all through. */
export interface WantedEvents {
  readonly sports: readonly Sport[];
  readonly events: readonly EventId[];
}

export interface ExchangeRecording {
  readonly path: string;
  readonly config: Config;
  readonly apiKey: Secret;
  readonly version: string;
  readonly wires: Wires;
  readonly wanted: WantedEvents;
  /** Null: until `stopped`. */
  readonly durationMs: number | null;
  /** Resolves when a person ends the recording. */
  readonly stopped: Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Records the stream of the configured exchange until it is told to stop. Sends no REST request, so it can neither place nor close
 * anything. Rejects with RecordingError if the recording fails, and with VenueRejection if the exchange refuses the key.
 */
export async function recordExchange(recording: ExchangeRecording): Promise<void> {
  const { path, config, apiKey, clock, logger, wires, durationMs, stopped } = recording;
  const session = sessionOf(recording);
  const writer = await openWriter(path, session, { maxBytes: null });
  const recorder = new Recorder({ open: () => Promise.resolve(writer), clock, logger, metrics: noMetrics });
  const allowed = { http: allowRequests(wires.http, []), sockets: wires.sockets };
  const recorded = recordedWires(allowed, clock, apiKey, (note) => recorder.note(note));
  const client = createClient({
    ...recorded,
    apiKey,
    clock,
    logger,
    metrics: noMetrics,
    random: seededRandom(clock.wallMs(), 'backoff'),
    requestTimeoutMs: config.exchange.requestTimeoutS * 1000,
  });
  const ends = new AbortController();
  try {
    const refused = registerWanted(client, recording.wanted);
    const over = durationMs === null ? [] : [sleep(clock, durationMs, ends.signal)];
    const failed = recorder.failed.then((error) => Promise.reject(error));
    await Promise.race([stopped, refused, failed, ...over]);
  } finally {
    await client.close();
    await recorder.close();
    ends.abort();
    await writer.close();
  }
  if (recorder.failure !== null) throw recorder.failure;
}

const sessionOf = ({ config, version, clock, wanted }: ExchangeRecording) => ({
  startedWallMs: clock.wallMs(),
  source: 'record' as const,
  program: `touchline ${version}`,
  mode: config.mode,
  exchange: plainAddress(config.exchange.restUrl),
  convention: configuredConvention(config.exchange.againstPrices),
  about: { sports: [...wanted.sports], events: [...wanted.events] },
});

/** Registers each wanted event while the exchange lists it; the soonest first. Rejects when the stream is refused for good. */
function registerWanted(client: ExchangeClient, wanted: WantedEvents): Promise<never> {
  const refused = Promise.withResolvers<never>();
  client.stream$.subscribe({
    next: (signal) => {
      if (signal.kind === 'closed' && signal.retryInMs === null)
        refused.reject(
          new VenueRejection('auth_rejected', 401, `the exchange refused the stream: ${signal.reason}`),
        );
      if (signal.kind === 'frame') follow(client, signal, wanted);
    },
    error: refused.reject,
  });
  return refused.promise;
}

function follow(
  client: Pick<ExchangeClient, 'registerEvent' | 'unregisterEvent'>,
  { entries }: Extract<StreamSignal, { kind: 'frame' }>,
  wanted: WantedEvents,
): void {
  for (const entry of entries) {
    if (entry.tag === 'event' && isWanted(entry.event, wanted))
      client.registerEvent(entry.event.sport, entry.event.eventId, -(entry.event.startTimeMs ?? 0));
    if (entry.tag === 'remove_event') client.unregisterEvent(entry.sport, entry.eventId);
  }
}

const isWanted = ({ sport, eventId }: EventName, { sports, events }: WantedEvents): boolean =>
  (sports.length === 0 || sports.includes(sport)) && (events.length === 0 || events.includes(eventId));
