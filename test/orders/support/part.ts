import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { orderOptions } from '../../../src/orders/options.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';
import { FruitlessAttempts } from '../../../src/orders/state/fruitless.ts';
import { Halts } from '../../../src/orders/state/halts.ts';
import { orderMetrics } from '../../../src/orders/state/order-metrics.ts';
import { Takes } from '../../../src/orders/state/takes.ts';
import { WorkQueue } from '../../../src/orders/state/work-queue.ts';
import { type LogFields, silentLogger } from '../../../src/ports/logger.ts';
import { type Metrics, noMetrics } from '../../../src/ports/metrics.ts';
import type { CallOptions } from '../../../src/ports/venue.ts';

/** A request that waits until the test answers it. */
export interface Asked {
  readonly method: string;
  /** Its arguments without the options. */
  readonly args: readonly unknown[];
  readonly options: CallOptions;
  answer(value?: unknown): Promise<void>;
  fail(error: unknown): Promise<void>;
}

interface PartOptions {
  readonly options?: Parameters<typeof orderOptions>[0];
  readonly metrics?: Metrics;
  /** More of the context, and more of its dependencies. */
  readonly context?: object;
  readonly deps?: object;
  readonly venue?: object;
}

/** No event is in play. */
const NO_PLAY = { playOf: () => ({ inRunning: false, score: null }) };

/** What one part of the manager needs, on virtual time. Each request to the exchange waits for the test. */
export class PartRig {
  readonly clock = new VirtualClock();
  readonly halts = new Halts();
  /** All requests, in their order. */
  readonly asked: Asked[] = [];
  /** Records that were noted or committed. */
  readonly noted: { readonly kind: string; readonly by: 'note' | 'commit' }[] = [];
  readonly warned: (LogFields & { readonly message: string })[] = [];
  /** What came to nothing, and what lasted. */
  readonly fruitless: string[] = [];
  readonly fatals: unknown[] = [];
  readonly venue: { keyRefusal: unknown; [other: string]: unknown };
  readonly context: OrderContext;

  constructor(given: PartOptions = {}) {
    this.venue = new Proxy<PartRig['venue']>(
      { keyRefusal: null, ...given.venue },
      { get: (held, name: string) => (name in held ? held[name] : this.#ask(name)) },
    );
    const { clock, halts } = this;
    const write = (by: 'note' | 'commit') => (record: { readonly kind: string }) =>
      void this.noted.push({ ...record, by });
    const warn = (message: string, fields: LogFields = {}): void =>
      void this.warned.push({ message, ...fields });
    this.context = {
      halts,
      options: orderOptions(given.options),
      metrics: orderMetrics(given.metrics ?? noMetrics),
      deps: { clock, venue: this.venue, prices: NO_PLAY, ...given.deps },
      log: { ...silentLogger, warn },
      journalWriter: { note: write('note'), commit: write('commit'), failed: false },
      fruitless: this.#attempts(),
      takes: new Takes({ spentBy: () => null, active: () => [] }),
      queue: new WorkQueue({
        afterTurn: () => undefined,
        onOverflow: () => undefined,
        onFatal: (error) => void this.fatals.push(error),
      }),
      ...given.context,
    } as unknown as OrderContext;
  }

  /** The requests since the last call of this, each as its method. */
  methods(): string[] {
    return this.asked.splice(0).map(({ method }) => method);
  }

  /** The oldest request with this method, which is taken off the list. */
  take(method: string): Asked {
    const at = this.asked.findIndex((each) => each.method === method);
    const [found] = at < 0 ? [] : this.asked.splice(at, 1);
    if (found === undefined) throw new Error(`no request ${method}`);
    return found;
  }

  #attempts(): FruitlessAttempts {
    const attempts = new FruitlessAttempts({
      now: () => this.clock.monotonicMs(),
      onFruitless: (kind, { market }, reason) => void this.fruitless.push(`${kind} ${market} ${reason}`),
      onAlarm: () => undefined,
      onLatch: () => undefined,
    });
    const lasted = attempts.lasted.bind(attempts);
    attempts.lasted = (kind, attempt) => {
      this.fruitless.push(`${kind} ${attempt.market} lasted`);
      lasted(kind, attempt);
    };
    return attempts;
  }

  #ask(method: string): (...args: unknown[]) => Promise<unknown> {
    return async (...all) => {
      const options = all.at(-1) as CallOptions;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const settle = async (act: () => void): Promise<void> => {
        act();
        await this.clock.advance(0);
      };
      this.asked.push({
        method,
        args: all.slice(0, -1),
        options,
        answer: (value) => settle(() => resolve(value)),
        fail: (error) => settle(() => reject(error as Error)),
      });
      return promise;
    };
  }
}
