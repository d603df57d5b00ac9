import { connect, filter, map, merge, type Observable } from 'rxjs';
import type { EventView } from '../domain/event-view.ts';
import { eventKey, type EventName } from '../domain/events.ts';
import type { EventKey } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import type { Ledger } from '../ledger/index.ts';
import type { AdjustableHost, StrategyAnswer } from '../strategy/host.ts';

/** An event with the view of its owner; null if nothing is quoted. */
export interface Viewed {
  readonly event: EventName;
  readonly view: EventView | null;
}

/** The strategy that owns an event. */
export interface Owned {
  readonly owner: string;
}

const NOTHING: StrategyAnswer = { intents: [], problems: [] };

/**
 * The running strategies, and the owner of each event. A strategy owns an event from its first admitted quote until settlement,
 * also across restarts. An event whose owner does not run gets no quotes: another strategy would trade on a position whose
 * reasons it does not know.
 */
export class Strategies {
  readonly #hosts: readonly [AdjustableHost<unknown>, ...AdjustableHost<unknown>[]];
  readonly #owners = new Map<EventKey, string>();

  /** In the order in which they may claim an event. Their names differ. */
  constructor(...hosts: readonly [AdjustableHost<unknown>, ...AdjustableHost<unknown>[]]) {
    this.#hosts = hosts;
  }

  /** The owner of an event, or the strategy that is asked for its first quote. */
  ownerOf(event: EventName): string {
    return this.#owners.get(eventKey(event)) ?? this.#hosts[0].name;
  }

  /** Owners of events that are not among the running strategies. */
  absentOwners(): ReadonlySet<string> {
    return new Set([...this.#owners.values()].filter((name) => !this.runs(name)));
  }

  /** Names of the strategies that run. */
  get names(): readonly string[] {
    return this.#hosts.map(({ name }) => name);
  }

  runs(name: string): boolean {
    return this.#hosts.some((host) => host.name === name);
  }

  /** Makes a strategy the owner of an event when its first quote is admitted. */
  claim(event: EventName, owner: string): void {
    this.#owners.set(eventKey(event), owner);
  }

  /** Restores the owner that an earlier run recorded. */
  recall(event: EventName, owner: string): void {
    this.#owners.set(eventKey(event), owner);
  }

  /** Applies to a running strategy from its next view on; ignored for any other name. */
  setParameters(name: string, parameters: unknown): void {
    this.#hosts.find((host) => host.name === name)?.setParameters(parameters);
  }

  /** Answers each view with the quotes of the event's owner, in order. */
  quotes<V extends Viewed>(viewed$: Observable<V>): Observable<V & Owned & StrategyAnswer> {
    return viewed$.pipe(
      map((viewed) => ({ ...viewed, owner: this.ownerOf(viewed.event) })),
      connect((owned$) =>
        merge(
          ...this.#hosts.map((host) =>
            owned$.pipe(
              filter(isViewedBy(host.name)),
              map((viewed) => ({ ...viewed, ...host.quote(viewed.view) })),
            ),
          ),
          owned$.pipe(
            filter(({ view, owner }) => view === null || !this.runs(owner)),
            map((owned) => ({ ...owned, ...(owned.view === null ? NOTHING : ownerAbsent(owned)) })),
          ),
        ),
      ),
    );
  }
}

/** Names the owner, and how the event can be quoted again. */
export const absentOwnerMessage = (owner: string): string =>
  `the event belongs to the strategy ${owner} until it is settled, and ${owner} does not run: start it again, or wait`;

const ownerAbsent = ({ event: { sport, eventId }, owner }: Viewed & Owned): StrategyAnswer => ({
  intents: [],
  problems: [
    {
      ...{ kind: 'owner-absent', strategy: owner, sport, eventId, selectionId: null },
      message: absentOwnerMessage(owner),
    },
  ],
});

const isViewedBy =
  (name: string) =>
  <V extends Viewed & Owned>(viewed: V): viewed is V & { readonly view: EventView } =>
    viewed.owner === name && viewed.view !== null;

/**
 * Splits the account's total by the strategies that own its events. The first strategy gets the rest: parlays, which belong to no
 * event, and events without an owner.
 */
export function profitLossByOwner(
  totalMicros: Micros,
  ledger: Pick<Ledger, 'judgedOn'>,
  strategies: Pick<Strategies, 'names' | 'absentOwners' | 'ownerOf'>,
): ReadonlyMap<string, Micros> {
  const [first = '', ...others] = [...strategies.names, ...strategies.absentOwners()];
  const byOwner = new Map<string, Micros>([[first, totalMicros]]);
  let restMicros = totalMicros;
  for (const name of others) {
    const micros = ledger.judgedOn((event) => strategies.ownerOf(event) === name);
    byOwner.set(name, micros);
    restMicros -= micros;
  }
  return byOwner.set(first, restMicros);
}
