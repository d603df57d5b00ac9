import type { EventId, SelectionId } from '../domain/ids.ts';

/** `reducing`: only orders that make the worst case better. `halted`: none. Closes always pass. */
export type TradingState = 'active' | 'reducing' | 'halted';

/** What a trading state applies to. */
export type Scope =
  | { readonly kind: 'account' }
  | { readonly kind: 'event'; readonly eventId: EventId }
  | { readonly kind: 'selection'; readonly eventId: EventId; readonly selectionId: SelectionId };

export const ACCOUNT: Scope = { kind: 'account' };

/** A state that someone or something set, as it is persisted. */
export interface StateRecord {
  readonly scope: Scope;
  readonly state: TradingState;
  /** A person, or the name of the check or guard. */
  readonly by: string;
  readonly why: string;
  /** Wall-clock milliseconds. */
  readonly atMs: number;
}

/** The state that binds, and who set it; `record` is null while nobody has. */
export interface EffectiveState {
  readonly state: TradingState;
  readonly record: StateRecord | null;
}

const SEVERITY: Readonly<Record<TradingState, number>> = { active: 0, reducing: 1, halted: 2 };

const ACTIVE: EffectiveState = { state: 'active', record: null };

/** Trading states by scope. The most restrictive of account, event and selection binds. */
export class TradingStates {
  readonly #records = new Map<string, StateRecord>();

  set(record: StateRecord): void {
    this.#records.set(scopeName(record.scope), record);
  }

  /** What binds in a scope, the wider ones that contain it included. */
  effective(scope: Scope): EffectiveState {
    return containing(scope)
      .map((each) => this.#records.get(scopeName(each)))
      .map((record) => (record === undefined ? ACTIVE : { state: record.state, record }))
      .reduce((worst, next) => (SEVERITY[next.state] > SEVERITY[worst.state] ? next : worst));
  }

  records(): readonly StateRecord[] {
    return [...this.#records.values()];
  }

  /** The event is over: what was set for it and its selections is forgotten. */
  forgetEvent(eventId: EventId): void {
    for (const [name, { scope }] of this.#records) {
      if (scope.kind !== 'account' && scope.eventId === eventId) this.#records.delete(name);
    }
  }
}

/** The name of a scope, for people and as a key. */
export function scopeName(scope: Scope): string {
  if (scope.kind === 'account') return 'account';
  return scope.kind === 'event' ? `event ${scope.eventId}` : `selection ${scope.selectionId}`;
}

function containing(scope: Scope): readonly Scope[] {
  if (scope.kind === 'account') return [scope];
  if (scope.kind === 'event') return [ACCOUNT, scope];
  return [ACCOUNT, { kind: 'event', eventId: scope.eventId }, scope];
}
