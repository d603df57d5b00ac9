import type { GuardName } from '../limits/guard-settings.ts';
import { ACCOUNT, type Scope, scopeName } from '../states/trading-states.ts';

/** A guard's demand: no quotes in a scope, or wider ones, for a time. */
export interface Alarm {
  readonly guard: GuardName;
  readonly scope: Scope;
  readonly effect: 'pull' | 'widen';
  /** How much worse for takers quotes become, in log-odds; 0 for `pull`. */
  readonly widenLogOdds: number;
  /** Cool-down: how long it lasts unless raised again. */
  readonly holdMs: number;
  readonly why: string;
  readonly actual: number | string | null;
  readonly limit: number | string | null;
}

/** An alarm in force. Instants are monotonic milliseconds. */
export interface ActiveAlarm extends Alarm {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** An alarm that pulls the quotes. */
export function pull(
  guard: GuardName,
  scope: Scope,
  coolDownS: number,
  why: string,
  numbers: { readonly actual?: Alarm['actual']; readonly limit?: Alarm['limit'] } = {},
): Alarm {
  const { actual = null, limit = null } = numbers;
  return { guard, scope, effect: 'pull', widenLogOdds: 0, holdMs: coolDownS * 1_000, why, actual, limit };
}

/** Alarms in force, at most one per guard and scope. */
export class AlarmBoard {
  readonly #alarms = new Map<string, Map<GuardName, ActiveAlarm>>();

  /** Raises or prolongs an alarm; returns it if it was not in force or has become stronger, else null. */
  raise(alarm: Alarm, nowMs: number): ActiveAlarm | null {
    const name = scopeName(alarm.scope);
    const inScope = this.#alarms.get(name) ?? new Map<GuardName, ActiveAlarm>();
    this.#alarms.set(name, inScope);
    const before = inForce(inScope.get(alarm.guard), nowMs);
    const stronger = before === null || (before.effect === 'widen' && alarm.effect === 'pull');
    const kept = before?.effect === 'pull' && alarm.effect === 'widen' ? before : alarm;
    const untilMs = Math.max(nowMs + alarm.holdMs, before?.untilMs ?? 0);
    const active = { ...kept, sinceMs: before?.sinceMs ?? nowMs, untilMs };
    inScope.set(alarm.guard, active);
    return stronger ? active : null;
  }

  /** Alarms in force where all these scopes apply; the account's always do. */
  of(scopes: readonly Scope[], nowMs: number): readonly ActiveAlarm[] {
    if (this.#alarms.size === 0) return [];
    return [ACCOUNT, ...scopes]
      .flatMap((scope) => [...(this.#alarms.get(scopeName(scope))?.values() ?? [])])
      .filter((alarm) => alarm.untilMs > nowMs);
  }

  all(nowMs: number): readonly ActiveAlarm[] {
    return [...this.#alarms.values()]
      .flatMap((inScope) => [...inScope.values()])
      .filter((alarm) => alarm.untilMs > nowMs);
  }

  /** Removes and returns the alarms whose time is over. */
  expire(nowMs: number): readonly ActiveAlarm[] {
    const over: ActiveAlarm[] = [];
    for (const [name, inScope] of this.#alarms) {
      for (const [guard, alarm] of inScope) {
        if (alarm.untilMs > nowMs) continue;
        over.push(alarm);
        inScope.delete(guard);
      }
      if (inScope.size === 0) this.#alarms.delete(name);
    }
    return over;
  }
}

function inForce(alarm: ActiveAlarm | undefined, nowMs: number): ActiveAlarm | null {
  return alarm !== undefined && alarm.untilMs > nowMs ? alarm : null;
}
