import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';

export interface RegistrationCommand extends EventName {
  readonly kind: 'register' | 'unregister';
}

interface Wanted extends EventName {
  readonly value: number;
  readonly order: number;
}

/** The state of an event's registration on the current connection. Without a state, nothing was sent. */
type State =
  | { readonly kind: 'requested' | 'registered' | 'invalid' }
  | { readonly kind: 'retry'; readonly atMs: number; readonly attempt: number };

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** The wait from reaching the cap to the first probe for one more place. Each later wait doubles. */
const FIRST_PROBE_MS = 5_000;
const LONGEST_PROBE_MS = 300_000;
/** With a cap of 0 nothing can be quoted, so probes stay frequent: places may be free again at any time. */
const LONGEST_PROBE_AT_ZERO_MS = 60_000;

/**
 * The events whose offers we want, and their registration on the current connection. The most valuable are registered.
 *
 * The cap on registrations is not published and counts all connections of the account, so it is learned: a refusal sets
 * it to the number accepted, and now and then one more is tried. Pure: times come in, commands go out.
 */
export class Registrations {
  readonly #wanted = new Map<EventKey, Wanted>();
  readonly #states = new Map<EventKey, State>();
  readonly #events = new Map<EventKey, EventName>();
  #order = 0;
  #cap = Infinity;
  #probeMs = FIRST_PROBE_MS;
  #probeAtMs = Infinity;
  #probeStep = 1;
  /** Whether the cap is raised above the accepted number as a probe. */
  #probing = false;

  want(event: EventName, value: number): void {
    const key = eventKey(event);
    const order = this.#wanted.get(key)?.order ?? this.#order++;
    this.#wanted.set(key, { sport: event.sport, eventId: event.eventId, value, order });
  }

  unwant(event: EventName): void {
    const key = eventKey(event);
    this.#wanted.delete(key);
    const kind = this.#states.get(key)?.kind;
    if (kind === 'retry' || kind === 'invalid') this.#states.delete(key);
  }

  /** Forgets all registrations. They end with the connection, and cannot be trusted after `clear_events`. */
  reset(): void {
    this.#states.clear();
    this.#events.clear();
  }

  /**
   * The exchange removed an event. A wanted event is registered again: it may come back at once, and whether its
   * registration survives a removal is not published.
   */
  removed(event: EventName): void {
    const key = eventKey(event);
    if (this.#wanted.has(key) && this.#states.get(key)?.kind === 'registered') this.#states.delete(key);
  }

  /** Numbers of wanted and registered events on this connection, and the learned cap (Infinity when never reached). */
  counts(): { readonly wanted: number; readonly registered: number; readonly cap: number } {
    return { wanted: this.#wanted.size, registered: this.#count('registered'), cap: this.#cap };
  }

  /** Commands to send now, in order. They count as sent. */
  plan(nowMs: number): readonly RegistrationCommand[] {
    this.#probe(nowMs);
    const target = this.#target();
    const surplus = [...this.#states].filter(([key, { kind }]) => kind === 'registered' && !target.has(key));
    const missing = [...target].filter(([key]) => this.#mayRegister(key, nowMs));
    const unregister = surplus.map(([key]) => this.#unregister(key));
    return [...unregister, ...missing.map(([key, event]) => this.#register(key, event))];
  }

  /** Applies the answer to a command. `code` is null for ok. */
  answered(command: RegistrationCommand, code: string | null, nowMs: number): void {
    if (command.kind === 'unregister') return;
    const key = eventKey(command);
    // A reset may have come before this answer. The event is registered all the same.
    this.#events.set(key, { sport: command.sport, eventId: command.eventId });
    if (code === null || code === 'already_registered') this.#accept(key, nowMs);
    else if (code === 'customer_event_limit_exceeded') this.#reachCap(key, nowMs);
    else if (code === 'invalid_input' || code === 'bad_json') this.#states.set(key, { kind: 'invalid' });
    else this.#retryLater(key, nowMs);
  }

  /** A command's answer was lost. The event is registered again, or unregistered if it is no longer wanted. */
  unanswered(command: RegistrationCommand): void {
    const key = eventKey(command);
    const kind = this.#states.get(key)?.kind;
    if (command.kind === 'unregister' || kind === 'registered' || kind === 'invalid') return;
    this.#events.set(key, { sport: command.sport, eventId: command.eventId });
    if (this.#wanted.has(key)) this.#states.delete(key);
    else this.#states.set(key, { kind: 'registered' });
  }

  /**
   * Adopts the exchange's list of this connection's registrations. Ours can differ: answers carry no id, so an answer
   * that came twice or out of order was assigned to another command, and a failed unregistration is not retried.
   */
  reconcile(events: readonly EventName[]): void {
    const listed = new Map(events.map((event) => [eventKey(event), event]));
    for (const [key, { kind }] of this.#states) {
      if (kind === 'registered' && !listed.has(key)) this.#states.delete(key);
    }
    for (const [key, { sport, eventId }] of listed) {
      if (this.#states.has(key)) continue;
      this.#states.set(key, { kind: 'registered' });
      this.#events.set(key, { sport, eventId });
    }
  }

  #target(): Map<EventKey, Wanted> {
    const byValue = [...this.#wanted].sort(([, a], [, b]) => b.value - a.value || a.order - b.order);
    return new Map(byValue.slice(0, Math.min(this.#cap, byValue.length)));
  }

  #mayRegister(key: EventKey, nowMs: number): boolean {
    const state = this.#states.get(key);
    return state === undefined || (state.kind === 'retry' && state.atMs <= nowMs);
  }

  #register(key: EventKey, { sport, eventId }: EventName): RegistrationCommand {
    const earlier = this.#states.get(key);
    if (earlier?.kind !== 'retry') this.#states.set(key, { kind: 'requested' });
    else this.#states.set(key, { ...earlier, atMs: Infinity });
    return { kind: 'register', sport, eventId };
  }

  #unregister(key: EventKey): RegistrationCommand {
    const event = this.#events.get(key) as EventName;
    this.#states.delete(key);
    this.#events.delete(key);
    return { kind: 'unregister', ...event };
  }

  /** Records a registration. If it fills the cap, the next probe comes soon. */
  #accept(key: EventKey, nowMs: number): void {
    this.#states.set(key, { kind: 'registered' });
    if (this.#count('registered') < this.#cap) return;
    if (this.#probing) this.#probeStep *= 2;
    this.#probing = false;
    this.#probeMs = FIRST_PROBE_MS;
    this.#probeAtMs = nowMs + FIRST_PROBE_MS;
  }

  /**
   * The exchange refused a registration at its cap. If the cap is lower than before, a closed connection may hold the
   * places for a short time, so the next probe comes soon.
   */
  #reachCap(key: EventKey, nowMs: number): void {
    this.#states.delete(key);
    const before = this.#probing ? this.#cap - this.#probeStep : this.#cap;
    this.#cap = this.#count('registered');
    this.#probeStep = 1;
    this.#probing = false;
    if (this.#cap >= before) return;
    this.#probeMs = FIRST_PROBE_MS;
    this.#probeAtMs = nowMs + FIRST_PROBE_MS;
  }

  /**
   * Tries one more than the learned cap when a probe is due and a wanted event waits. Each success doubles the next step,
   * because a closed connection may have held the account's places for a moment.
   */
  #probe(nowMs: number): void {
    if (nowMs < this.#probeAtMs || this.#wanted.size <= this.#cap) return;
    const longestMs = this.#cap === 0 ? LONGEST_PROBE_AT_ZERO_MS : LONGEST_PROBE_MS;
    this.#cap += this.#probeStep;
    this.#probing = true;
    this.#probeMs = Math.min(longestMs, this.#probeMs * 2);
    this.#probeAtMs = nowMs + this.#probeMs;
  }

  #retryLater(key: EventKey, nowMs: number): void {
    const earlier = this.#states.get(key);
    const attempt = earlier?.kind === 'retry' ? earlier.attempt + 1 : 0;
    const waitMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt);
    this.#states.set(key, { kind: 'retry', atMs: nowMs + waitMs, attempt });
  }

  #count(kind: State['kind']): number {
    let count = 0;
    for (const state of this.#states.values()) if (state.kind === kind) count++;
    return count;
  }
}
