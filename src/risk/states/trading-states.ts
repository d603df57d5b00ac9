import { type EventName, eventNameOf, isSameEvent, writtenEvent } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { eventOfSelection } from '../../domain/selection.ts';

/** `reducing`: only orders that make the worst case better. `halted`: none. Closes always pass. */
export type TradingState = 'active' | 'reducing' | 'halted';

/** The part of the account to which a trading state or a guard applies. */
export type Scope =
  | { readonly kind: 'account' }
  | { readonly kind: 'strategy'; readonly strategy: string }
  | EventScope
  | (EventName & { readonly kind: 'selection'; readonly selectionId: SelectionId });

export type EventScope = EventName & { readonly kind: 'event' };

export const ACCOUNT: Scope = { kind: 'account' };

/** A state as a person or a limit set it, and as it is persisted. */
export interface StateRecord {
  readonly scope: Scope;
  readonly state: TradingState;
  /** A person, or the name of the limit that was passed. */
  readonly by: string;
  readonly why: string;
  /** Wall-clock milliseconds. */
  readonly atMs: number;
  /** Set by a limit or a pause; a person's resume releases it. */
  readonly latched: boolean;
  /** Wall-clock milliseconds at which the state ends by itself. Absent: it stands until a person changes it. */
  readonly untilMs?: number;
}

/** The state in force, and the record that set it; `record` is null when none did. */
export interface EffectiveState {
  readonly state: TradingState;
  readonly record: StateRecord | null;
}

const SEVERITY: Readonly<Record<TradingState, number>> = { active: 0, reducing: 1, halted: 2 };

const ACTIVE: EffectiveState = { state: 'active', record: null };

/**
 * Trading states by scope. Of all scopes that contain an order, the most restrictive state binds; among equals, the widest.
 * A latched limit overrides the state that a person set before. Releasing the latch restores that state.
 */
export class TradingStates {
  readonly #set = new Map<string, StateRecord>();
  readonly #latched = new Map<string, StateRecord>();

  /** Sets a person's state, which removes a latched limit of the same scope. */
  set(record: StateRecord): void {
    this.#latched.delete(scopeName(record.scope));
    this.#set.set(scopeName(record.scope), record);
  }

  /** Returns false, and changes nothing, if the scope itself is already halted. */
  latch(record: StateRecord): boolean {
    const name = scopeName(record.scope);
    if (this.#at(name)?.state === 'halted') return false;
    this.#latched.set(name, record);
    return true;
  }

  /** Latches whatever the scope's state is; replaces an earlier latch. */
  relatch(record: StateRecord): void {
    this.#latched.set(scopeName(record.scope), record);
  }

  /** Restores the states of an earlier run. */
  restore(records: readonly StateRecord[]): void {
    for (const record of records) {
      const kept = record.latched ? this.#latched : this.#set;
      kept.set(scopeName(record.scope), record);
    }
  }

  /** The state in force under these scopes and the account's. */
  effective(scopes: readonly Scope[]): EffectiveState {
    if (this.#set.size === 0 && this.#latched.size === 0) return ACTIVE;
    return [ACCOUNT, ...scopes]
      .map((each) => this.#at(scopeName(each)))
      .map((record) => (record === undefined ? ACTIVE : { state: record.state, record }))
      .reduce((worst, next) => (SEVERITY[next.state] > SEVERITY[worst.state] ? next : worst));
  }

  records(): readonly StateRecord[] {
    return [...this.#set.values(), ...this.#latched.values()];
  }

  /** Removes all latched limits; returns whether there were any. */
  release(): boolean {
    const had = this.#latched.size > 0;
    this.#latched.clear();
    return had;
  }

  /** Ends the states whose time is over. Returns them. */
  expire(wallMs: number): readonly StateRecord[] {
    const over = [...this.#set.values()].filter(({ untilMs = Infinity }) => untilMs <= wallMs);
    for (const { scope } of over) this.#set.delete(scopeName(scope));
    return over;
  }

  /** The event is over: drops the states of it and of its selections. */
  forgetEvent(event: EventName): void {
    for (const { scope } of this.records()) {
      if (!('eventId' in scope) || !isSameEvent(scope, event)) continue;
      this.#set.delete(scopeName(scope));
      this.#latched.delete(scopeName(scope));
    }
  }

  #at(name: string): StateRecord | undefined {
    return this.#latched.get(name) ?? this.#set.get(name);
  }
}

/** The name of a scope, for people and as a key. */
export function scopeName(scope: Scope): string {
  switch (scope.kind) {
    case 'account':
      return 'account';
    case 'strategy':
      return `strategy ${scope.strategy}`;
    case 'event':
      return `event ${writtenEvent(scope)}`;
    case 'selection':
      return `selection ${scope.selectionId}`;
  }
}

/** A selection's scope; the account's when its name contains no event. */
export function scopeOfSelection(selectionId: SelectionId): Scope {
  const event = eventOfSelection(selectionId);
  return event === null ? ACCOUNT : selectionScope({ ...event, selectionId });
}

export const eventScope = (event: EventName): EventScope => ({ kind: 'event', ...eventNameOf(event) });

export const selectionScope = ({
  sport,
  eventId,
  selectionId,
}: EventName & { readonly selectionId: SelectionId }): Scope => ({
  kind: 'selection',
  sport,
  eventId,
  selectionId,
});

/** The scope itself and those around it. */
export function containing(scope: Scope): readonly Scope[] {
  return scope.kind === 'selection' ? [eventScope(scope), scope] : [scope];
}
