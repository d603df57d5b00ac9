import type { Clock } from '../../../src/ports/clock.ts';
import type { JournalEntry } from '../../../src/ports/journal.ts';
import type { Logger } from '../../../src/ports/logger.ts';
import type { HttpAnswer, HttpRequest, HttpTransport } from '../../../src/ports/transport.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import type { ChainedJournal } from '../../../src/storage/chained-journal.ts';
import type { SourceInputs } from '../../../src/strategy/price-source.ts';
import type { VenueLimits } from '../../../src/venue/index.ts';
import type { DiskOptions } from '../disk.ts';
import type { StartOptions } from '../trader.ts';

/** A realistic mistake, put into the daemon from outside. The campaign must catch it. */
export interface Planted {
  readonly name: string;
  readonly http?: (http: HttpTransport, log: Logger) => HttpTransport;
  readonly disk?: DiskOptions;
  readonly journal?: (journal: ChainedJournal, clock: Clock) => ChainedJournal;
  readonly clock?: (clock: Clock) => Clock;
  readonly venue?: (venue: Venue, clock: Clock) => Venue;
  readonly limits?: Partial<VenueLimits>;
  readonly settings?: Readonly<Record<string, string>>;
  /** A further file of settings. */
  readonly file?: string;
  /** What price sources read. */
  readonly sourceInputs?: (clock: Clock) => SourceInputs;
  /** How the second trader is started. */
  readonly second?: StartOptions;
  /** Breaks methods of our classes. Returns a function that restores them. */
  readonly patch?: () => () => void;
}

/** Replaces one method of a class, or of an object. */
export function replace<T extends object, K extends keyof T>(
  target: T,
  name: K,
  make: (original: T[K]) => T[K],
): () => void {
  const original = target[name];
  target[name] = make(original);
  return () => void (target[name] = original);
}

type Change = (request: HttpRequest) => HttpRequest;

export const changingRequests =
  (make: () => Change) =>
  (http: HttpTransport): HttpTransport => {
    const change = make();
    return { send: (request) => http.send(change(request)), close: () => http.close() };
  };

export const changingAnswers =
  (change: (answer: HttpAnswer, request: HttpRequest) => HttpAnswer) =>
  (http: HttpTransport): HttpTransport => ({
    send: async (request) => change(await http.send(request), request),
    close: () => http.close(),
  });

/** A create request with some of its fields changed. */
export function withBody(
  request: HttpRequest,
  change: (body: Record<string, unknown>) => object,
): HttpRequest {
  if (!isCreate(request) || request.body === null) return request;
  const body = JSON.parse(request.body) as Record<string, unknown>;
  return { ...request, body: JSON.stringify(change(body)) };
}

export const isCreate = ({ method, path }: HttpRequest): boolean =>
  method === 'POST' && path === '/v2/orders/';

/** A journal that silently omits entries that the test rejects. */
export const dropping =
  (drop: (entry: JournalEntry) => boolean) =>
  (journal: ChainedJournal): ChainedJournal => ({
    ...journal,
    append: (entries) => {
      const kept = entries.filter((entry) => !drop(entry));
      if (kept.length > 0) journal.append(kept);
    },
  });
