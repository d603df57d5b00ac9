import { connect, filter, map, merge, type Observable } from 'rxjs';
import type { EventView } from '../domain/event-view.ts';
import { eventKey, type EventName } from '../domain/events.ts';
import type { EventKey } from '../domain/ids.ts';
import type { AdjustableHost, StrategyAnswer } from '../strategy/host.ts';

/** An event with what its owner is shown of it; null where nothing is quoted. */
export interface Viewed {
  readonly event: EventName;
  readonly view: EventView | null;
}

/** The strategy that an event belongs to. */
export interface Owned {
  readonly owner: string;
}

const NOTHING: StrategyAnswer = { intents: [], problems: [] };

/**
 * The strategies that run, and whose each event is. A strategy comes to own an event with its first quote that risk admits, and
 * owns it until the event is settled, also over restarts. So an event whose owner does not run any more gets no quotes: another
 * strategy would trade on a position whose reasons it does not know.
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

  /** Owners of events besides the running strategies. */
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

  /** Its quote is admitted: the strategy owns the event from now on. */
  claim(event: EventName, owner: string): void {
    this.#owners.set(eventKey(event), owner);
  }

  /** An earlier run wrote down that this strategy owns the event. */
  recall(event: EventName, owner: string): void {
    this.#owners.set(eventKey(event), owner);
  }

  /** For a strategy that runs, from its next view on. */
  setParameters(name: string, parameters: unknown): void {
    this.#hosts.find((host) => host.name === name)?.setParameters(parameters);
  }

  /** Answers each view with what the owner of its event wants, in order. */
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

/** Names the owner, and tells how the event comes to be quoted again. */
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
