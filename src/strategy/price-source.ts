import { distinctUntilChanged, map, type Observable, type SchedulerLike } from 'rxjs';
import type { z } from 'zod';
import type { EventView, SourcePriceView } from '../domain/event-view.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { SourcePrice } from '../domain/source-price.ts';
import { CONTRACT } from './contract.ts';
import type { TimeOperators } from './time.ts';

export type { SourcePrice } from '../domain/source-price.ts';

/**
 * The input that a price source may use. Each observable starts anew for each subscription and ends with it.
 *
 * @example
 * const twice = ({ http }: SourceInputs, url: string) => rxjs.concat(http(url), http(url));
 */
export interface SourceInputs {
  /**
   * Emits the answer to one GET, read as JSON, and completes. A server that answers 304 (not modified) gives its last answer again.
   * Fails if the answer is no JSON, has another status than 200, is larger than 8 MB, or does not arrive in time.
   */
  http(this: void, url: string, request?: HttpQuery): Observable<unknown>;
  /**
   * Opens a WebSocket and emits each message, read as JSON if it is JSON, else as text. Fails when the connection ends, cannot be
   * opened, or stays silent for too long.
   */
  socket(this: void, url: string, options?: SocketOptions): Observable<unknown>;
  /**
   * Emits each line that is added to a file from now on. A file that is missing, replaced or emptied is read from its beginning once
   * it is there again. Lines of more than 64 KiB are left out.
   */
  lines(this: void, path: string): Observable<string>;
}

/**
 * The options of a GET request.
 *
 * @example
 * const query: HttpQuery = { headers: { accept: 'application/json' }, timeoutMs: 2_000 };
 */
export interface HttpQuery {
  readonly headers?: Readonly<Record<string, string>>;
  /** Default 10 000. */
  readonly timeoutMs?: number;
}

/**
 * How a WebSocket is opened, and how long it may be silent.
 *
 * @example
 * const options: SocketOptions = { hello: [{ subscribe: 'odds' }], silentMs: 30_000 };
 */
export interface SocketOptions {
  /** Sent when the connection opens: texts as they are, anything else as JSON. */
  readonly hello?: readonly unknown[];
  /** The connection fails after this long without a message. Default 60 000. */
  readonly silentMs?: number;
}

/**
 * Everything that a price source may use.
 *
 * @example
 * const poll = ({ options: { url }, http, time }: PriceSourceContext<{ url: string }>) =>
 *   time.timer(0, 5_000).pipe(rxjs.exhaustMap(() => http(url)));
 */
export interface PriceSourceContext<O = unknown> extends SourceInputs {
  /** The options of the configuration, as the schema returned them. */
  readonly options: O;
  /** The daemon's time. Give it to every RxJS operator that waits. */
  readonly scheduler: SchedulerLike;
  /** The RxJS operators that wait, bound to the scheduler. */
  readonly time: TimeOperators;
  /** Writes a line to the daemon's log. A source that writes too much is cut short. */
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/**
 * A connection to prices of others, such as a bookmaker's or a model's.
 *
 * @example
 * const titleOf = ({ name, description }: PriceSource): string => `${name}: ${description}`;
 */
export interface PriceSource<O = unknown> {
  readonly contract: typeof CONTRACT;
  /** The default name in the configuration, in logs, metrics and views. Not empty. */
  readonly name: string;
  /** A line for people. */
  readonly description: string;
  /** A zod schema that validates the options of the configuration and fills in defaults. */
  readonly options: z.ZodType<O>;
  /**
   * Returns a stream of prices, each emission any number of them. A price counts until the source sends another one for its key,
   * withdraws it, or lets it become stale; a source therefore repeats prices that still hold. A stream that fails or completes is
   * connected again, after a pause that doubles up to a minute.
   */
  connect(context: PriceSourceContext<O>): Observable<readonly SourcePrice[]>;
}

/**
 * Makes a price source from its definition and marks it with the version of the contract. It lets the compiler infer the type of
 * the options from the schema.
 *
 * @example
 * const evens = definePriceSource({
 *   name: 'evens',
 *   description: 'prices one selection at evens',
 *   options: z.strictObject({ key: z.string() }),
 *   connect: ({ options: { key }, time }) =>
 *     time.timer(0, 1_000).pipe(rxjs.map(() => [{ key, price: 2 }])),
 * });
 * evens.name; // 'evens'
 */
export const definePriceSource = <O>(definition: Omit<PriceSource<O>, 'contract'>): PriceSource<O> => ({
  ...definition,
  contract: CONTRACT,
});

/**
 * The prices of a source for the selections in the views of an event: in the first view, and then each time that a price changes,
 * appears, or becomes stale.
 */
export function sourcePricesIn(
  view$: Observable<EventView>,
  source: string,
): Observable<ReadonlyMap<SelectionId, SourcePriceView>> {
  return view$.pipe(
    map(
      ({ selections }) =>
        new Map(
          selections.flatMap(({ selectionId, sourcePrices: { [source]: price } }) =>
            price === undefined ? [] : [[selectionId, price]],
          ),
        ),
    ),
    distinctUntilChanged(haveSamePrices),
  );
}

const haveSamePrices = (
  a: ReadonlyMap<SelectionId, SourcePriceView>,
  b: ReadonlyMap<SelectionId, SourcePriceView>,
): boolean => a.size === b.size && [...a].every(([id, { price }]) => b.get(id)?.price === price);
