import type { EventName } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { optionOf, releaseOf } from '../kill/resume.ts';
import { ACCOUNT, eventScope, scopeOfSelection, type Scope, type StateRecord } from '../../risk/index.ts';
import type { Core } from '../core.ts';

/** The part of the core that tells whether a bet of a hedge can be sent. */
export type StoppingCore = {
  readonly risk: Pick<Core['risk'], 'killed' | 'effectiveState'>;
  readonly strategies: Pick<Core['strategies'], 'ownerOf'>;
  readonly adjustments: Pick<Core['adjustments'], 'isLeft' | 'of'>;
};

/** How people call events and selections. */
export interface StopNames {
  event(event: EventName): string;
  selection(id: SelectionId): string;
}

/**
 * Why no bet on these selections of an event can be sent until a person acts, and what to do; null if bets of a hedge can be sent. A state
 * `reducing` lets them through: no bet of a hedge makes anything worse. Conditions that end by themselves are left out: a hedge waits for
 * those.
 */
export function hedgeStopOf(
  { risk, strategies, adjustments }: StoppingCore,
  event: EventName,
  selections: readonly SelectionId[],
  names: StopNames,
): string | null {
  if (risk.killed !== null) {
    const { by, reason } = risk.killed;
    return `trading is killed by ${by} (${reason}): nothing is sent until touchline resume --reason TEXT`;
  }
  const owner = strategies.ownerOf(event);
  if (owner === null) return 'no strategy has traded the event, so none can hedge it';
  const scopes: readonly Scope[] = [
    ACCOUNT,
    { kind: 'strategy', strategy: owner },
    eventScope(event),
    ...selections.map(scopeOfSelection),
  ];
  for (const scope of scopes) {
    const { state, record } = risk.effectiveState(scope);
    if (state === 'halted' && record !== null) return haltInWords(record, names);
  }
  if (!adjustments.isLeft(event)) return null;
  const by = adjustments.of(event).find(({ what }) => what === 'leave')?.by ?? 'a person';
  const name = names.event(event);
  return `${name} is left as it is by ${by}: nothing is sent on it until touchline risk adjust "${name}" --no-leave --reason TEXT`;
}

function haltInWords(record: StateRecord, names: StopNames): string {
  const { scope, by, why } = record;
  // A state of a strategy is a latch: a person sets none.
  const orReducing =
    scope.kind === 'strategy'
      ? ''
      : `; to send only what makes the worst case better: touchline risk state reducing${optionOf(scope)} --reason TEXT`;
  return `${nameOf(scope, names)} is halted by ${by} (${why}): nothing is sent on it until ${releaseOf(record)}${orReducing}`;
}

function nameOf(scope: Scope, names: StopNames): string {
  switch (scope.kind) {
    case 'account':
      return 'the account';
    case 'strategy':
      return `the strategy ${scope.strategy}`;
    case 'event':
      return names.event(scope);
    case 'selection':
      return names.selection(scope.selectionId);
  }
}
