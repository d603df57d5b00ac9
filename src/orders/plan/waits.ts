/**
 * A blocked target waits for what blocks it. Each row of the send gate names the sources of its wait; here they become topics of
 * the one target. Whoever changes something wakes its topic. A target is judged again when a topic of its own is woken, or when its
 * time has come, and not before.
 */
import type { EventKey } from '../../domain/ids.ts';

/**
 * What can end a wait.
 * - `halt`: a halt is set or lifted.
 * - `heartbeat`: the proof of our heartbeat changes.
 * - `creates`: a create request begins or ends, or another strategy waits.
 * - `order`: an order of ours on the event changes.
 * - `prices`: the event was decided anew. Each turn decides the events whose market changed, and each second all of them.
 * - `betslip`: the betslip of the market changes, or the plan of betslips gives the market one.
 * - `time`: an instant.
 * - `target`: the strategy wants another quote, or a person sets other options.
 */
export const WAIT_SOURCES = [
  ...(['halt', 'heartbeat', 'creates', 'order', 'prices', 'betslip', 'time', 'target'] as const),
] as const;

export type WaitSource = (typeof WAIT_SOURCES)[number];

/** The name of what is woken together. */
export type Topic = string & { readonly __brand: 'Topic' };

const topic = (name: string): Topic => name as Topic;

export const HALT_TOPIC = topic('halt');
export const HEARTBEAT_TOPIC = topic('heartbeat');
export const CREATES_TOPIC = topic('creates');
export const orderTopic = (event: EventKey): Topic => topic(`order ${event}`);
export const pricesTopic = (event: EventKey): Topic => topic(`prices ${event}`);
/** `market` is the key of a betslip. */
export const betslipTopic = (market: string): Topic => topic(`betslip ${market}`);

/** Where a target waits. */
export interface WaitPlace {
  readonly event: EventKey;
  /** The key of the market's betslip; null while the exchange has not named the market. */
  readonly market: string | null;
  /** Monotonic instant at which time alone may end the wait; Infinity if it cannot. */
  readonly untilMs: number;
}

/** What a blocked target waits for. */
export interface Wait {
  readonly topics: readonly Topic[];
  readonly untilMs: number;
}

/** The wait of a target that is blocked for a reason with these sources. Pure. */
export function waitFor(sources: readonly WaitSource[], { event, market, untilMs }: WaitPlace): Wait {
  const topics = sources.flatMap((source): readonly Topic[] => {
    switch (source) {
      case 'halt':
        return [HALT_TOPIC];
      case 'heartbeat':
        return [HEARTBEAT_TOPIC];
      case 'creates':
        return [CREATES_TOPIC];
      case 'order':
        return [orderTopic(event)];
      case 'prices':
        return [pricesTopic(event)];
      case 'betslip':
        return market === null ? [] : [betslipTopic(market)];
      case 'time':
      case 'target':
        return [];
    }
  });
  return { topics, untilMs: sources.includes('time') ? untilMs : Infinity };
}

/** The waits of all blocked targets, by topic and by time. */
export class Waits<Key> {
  readonly #waits = new Map<Key, Wait>();
  readonly #byTopic = new Map<Topic, Set<Key>>();
  readonly #timed = new Set<Key>();
  /** A lower bound of all instants. */
  #nextMs = Infinity;

  /** Replaces the target's wait. */
  add(key: Key, wait: Wait): void {
    this.delete(key);
    this.#waits.set(key, wait);
    for (const each of wait.topics) {
      const keys = this.#byTopic.get(each);
      if (keys === undefined) this.#byTopic.set(each, new Set([key]));
      else keys.add(key);
    }
    if (wait.untilMs === Infinity) return;
    this.#timed.add(key);
    this.#nextMs = Math.min(this.#nextMs, wait.untilMs);
  }

  delete(key: Key): void {
    const wait = this.#waits.get(key);
    if (wait === undefined) return;
    this.#waits.delete(key);
    this.#timed.delete(key);
    for (const each of wait.topics) {
      const keys = this.#byTopic.get(each);
      keys?.delete(key);
      if (keys?.size === 0) this.#byTopic.delete(each);
    }
  }

  /** The targets that wait for the topic. */
  on(woken: Topic): Iterable<Key> {
    return this.#byTopic.get(woken) ?? [];
  }

  /** The targets whose time has come. */
  due(nowMs: number): readonly Key[] {
    if (nowMs < this.#nextMs) return [];
    const timed = [...this.#timed].map((key) => ({
      key,
      untilMs: this.#waits.get(key)?.untilMs ?? Infinity,
    }));
    this.#nextMs = Math.min(Infinity, ...timed.flatMap(({ untilMs }) => (untilMs > nowMs ? [untilMs] : [])));
    return timed.filter(({ untilMs }) => untilMs <= nowMs).map(({ key }) => key);
  }

  /** Monotonic instant before which no target's time has come. */
  get nextMs(): number {
    return this.#nextMs;
  }
}
