import type { TrackedOrder } from '../../account/orders.ts';
import type { HeartbeatId, OrderId } from '../../domain/ids.ts';
import { markOf } from '../../domain/installation.ts';
import type { Heartbeat, VenueOrder } from '../../domain/orders.ts';
import { type Random, seededRandom } from '../../lib/random.ts';
import type { HaltCode } from '../send-gate.ts';
import type { OrderContext } from '../state/context.ts';
import type { HeartbeatKeeper } from './keeper.ts';
import {
  type AccountSigns,
  lapseMs,
  type ListedHeartbeats,
  type Presence,
  presenceInWords,
  presenceOf,
  type PresenceRules,
  type SeenOrder,
  type Sign,
  watchMsOf,
} from './presence.ts';
import { HeartbeatSightings } from './sightings.ts';

const HALT = 'presence';
/** Time allowed for the answers to a refresh and a listing, beyond the refresh interval. */
const ANSWERS_MS = 2_000;
/** An installation counts as present for this long beyond the longest life of an order or a heartbeat. */
const LINGER_MS = 60_000;
/** How often heartbeats are listed: while the account is watched or taken over, and while this process trades. */
const WATCH_EVERY_MS = 2_000;
const TRADING_EVERY_MS = 15_000;
/** While another process is present, the pause between two listings doubles up to the longest. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** Above this number, orders that no longer prove any presence are forgotten. */
const MOST_ORDERS = 1_000;

export interface OtherInstallationsParts {
  readonly heartbeat: Pick<HeartbeatKeeper, 'list' | 'isMine' | 'arm' | 'release'>;
  /** Deletes heartbeats that earlier runs left. */
  deleteOld(ids: readonly HeartbeatId[]): void;
  closeAll(why: string): void;
  /** Reads the account again; the halt `resync` is in force until that is done. */
  resync(reason: string): void;
}

/**
 * Lets this process trade the account only while no other process does. Marks on orders and refreshed
 * heartbeats reveal others: `presenceOf` holds the rules. This class gathers the signs, lists heartbeats when
 * due, and acts on the decision.
 *
 * A process that waits places nothing, neither closes nor deletes anything of the other's, and keeps no
 * heartbeat.
 */
export class OtherInstallations {
  readonly #context: OrderContext;
  readonly #parts: OtherInstallationsParts;
  readonly #random: Random;
  readonly sightings: HeartbeatSightings;
  readonly #orders = new Map<OrderId, SeenOrder>();
  /** Null until recovery has found what earlier runs left. */
  #presence: Presence | null = null;
  /** Wall-clock instant since which the presence is unchanged. */
  #sinceMs = 0;
  #watchedSinceMs = Infinity;
  #nextLookMs = Infinity;
  #pauseMs = FIRST_PAUSE_MS;
  #looking = false;
  /** The account is free, but this process has not begun to trade it yet. */
  #isToTake = false;
  /** The exchange's time in the last stream frame, and the monotonic instant of its arrival. */
  #exchange: { readonly sentMs: number; readonly receivedMs: number } | null = null;

  constructor(context: OrderContext, parts: OtherInstallationsParts) {
    this.#context = context;
    this.#parts = parts;
    this.sightings = new HeartbeatSightings({
      isMine: (id) => parts.heartbeat.isMine(id),
      monotonicMs: () => this.#now(),
      rules: () => this.#rules(),
    });
    // A copy of the journal has the same installation. Only a fresh id gives two processes different waiting
    // times.
    const seed = [...context.deps.ids.uuid()].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) | 0, 7);
    this.#random = seededRandom(seed, 'presence');
  }

  /**
   * Begins to judge the account, once recovery has listed its heartbeats and knows which of them the journal
   * records.
   */
  begin({ listed, listedMs, originOf }: ListedHeartbeats): void {
    this.sightings.recall(originOf);
    this.sightings.observe(listed, listedMs);
    this.#watchedSinceMs = listedMs;
    this.#set(presenceOf(this.#signs(), this.#rules(), this.#now()));
    if (this.isFree) this.#take();
  }

  /** True while this process may trade the account. */
  get isFree(): boolean {
    return this.#presence?.kind === 'free';
  }

  /**
   * Whether this process may close and delete what earlier runs left: another process may trade with the same
   * journal.
   */
  get ownsEarlierRuns(): boolean {
    const { earlierOwner, isSoleUser } = this.#context.deps.claim;
    return this.isFree || earlierOwner === 'dead' || isSoleUser;
  }

  /** Returns whether this process may close an order of the journal. */
  mayClose({ recovered }: TrackedOrder): boolean {
    return !recovered || this.ownsEarlierRuns;
  }

  /**
   * Returns whether this process may close an open order: it carries our mark, and the journal records it or
   * could not be read. Any other order with our mark was placed by a copy of the journal.
   */
  isOurs({ userData }: Pick<VenueOrder, 'userData'>): boolean {
    const mark = markOf(userData);
    const { claim } = this.#context.deps;
    if (mark?.installation !== claim.installation) return false;
    const known = this.#context.book.byUuid(mark.uuid);
    if (known !== undefined) return this.mayClose(known);
    return this.#context.journalWriter.unread && claim.earlierOwner === 'dead';
  }

  /** Open orders that this process may close although they are not tracked: the journal is damaged, or records them as refused or absent. */
  strays(): readonly OrderId[] {
    const ours = this.#context.book.foreignShown().filter((order) => this.isOurs(order));
    return ours.map(({ orderId }) => orderId);
  }

  /** Notes the exchange's own time, which a frame of the stream carries. */
  onExchangeTime(sentMs: number, receivedMs: number): void {
    this.#exchange = { sentMs, receivedMs };
  }

  /** Handles a report on an untracked order. */
  onOrder(order: VenueOrder): void {
    const mark = markOf(order.userData);
    if (mark === null || this.isOurs(order) || this.#context.book.byUuid(mark.uuid) !== undefined) return;
    const { orderId, closed } = order;
    const known = this.#orders.get(orderId);
    const placedMs = known?.placedMs ?? this.#now() - this.#ageMs(order);
    // A slow listing may show an order open that a newer report has shown closed.
    const isOpen = !closed && known?.isOpen !== false;
    this.#orders.set(orderId, { orderId, installation: mark.installation, isOpen, placedMs });
    this.#forgetLapsed();
    this.#decide();
  }

  /** Handles a listing of heartbeats, whatever its purpose. */
  onListed(listed: readonly Heartbeat[], askedMs: number): void {
    if (this.#presence === null) return;
    this.sightings.observe(listed, askedMs);
    this.#decide();
  }

  /** Notes that an earlier run requested a heartbeat and its answer is unknown. */
  expectUnanswered(): void {
    this.sightings.expectUnanswered(this.#context.options.latestLandingMs);
  }

  /**
   * A create request for a heartbeat was not answered. Only watching distinguishes its heartbeat from one of
   * another process.
   */
  unanswered(): void {
    this.expectUnanswered();
    this.#watchFor(watchMsOf(this.#rules()));
  }

  /** Another process created a heartbeat at the same time. This process deletes its own and waits a random time. */
  contested(): void {
    this.#watchFor(this.#random.next() * this.#rules().watchMs);
  }

  get dueMs(): number {
    return this.isFree && !this.#isToTake ? this.#nextLookMs : -Infinity;
  }

  sweep(): void {
    if (this.#presence === null) return;
    if (!this.isFree) this.#decide();
    if (this.#presence.kind === 'present') this.#standDown(this.#presence.sign);
    if (this.#isToTake && this.isFree && !this.#context.halts.has('resync')) this.#take();
    this.#look();
  }

  #look(): void {
    if (this.#looking || this.#now() < this.#nextLookMs || this.#context.deps.claim.isSoleUser) return;
    this.#looking = true;
    this.#nextLookMs = this.#now() + this.#pause();
    // The stream may have missed the end of an order.
    const { sign } = { sign: null, ...this.#presence };
    if (sign?.kind === 'open_order') this.#parts.resync('an order of another process is open');
    this.#parts.heartbeat.list('reducing', () => void (this.#looking = false));
  }

  #pause(): number {
    if (this.isFree) return TRADING_EVERY_MS;
    if (this.#presence?.kind === 'watching') return this.#watchPauseMs();
    if (this.#context.deps.claim.takesOver) return WATCH_EVERY_MS;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    return pauseMs;
  }

  #take(): void {
    this.#isToTake = false;
    this.#parts.deleteOld(this.sightings.ofEarlierRuns());
    // A draining run places nothing, so it arms no heartbeat. Orders of earlier runs are guarded by their own
    // heartbeat.
    if (!this.#context.halts.has('drain')) this.#parts.heartbeat.arm();
  }

  /** Closes every order of this process, then deletes its heartbeat, whose expiry would close the other's orders. */
  #standDown(sign: Sign): void {
    this.#parts.closeAll(this.#describe(sign));
    if (oursOf(this.#context, this).length === 0) this.#parts.heartbeat.release();
  }

  #decide(): void {
    if (this.#presence !== null) this.#set(presenceOf(this.#signs(), this.#rules(), this.#now()));
  }

  /** Once this process trades, only another's actions count: a heartbeat that is not refreshed does not stop it. */
  #set(next: Presence): void {
    const before = this.#presence;
    const isAct = next.kind === 'present' && next.sign.kind !== 'standing_heartbeat';
    if (before?.kind === 'free' && !isAct) return;
    this.#presence = next;
    if (next.kind !== before?.kind) this.#changed(next, before);
    if (next.kind === 'present') this.#setHalt(next.sign);
  }

  #changed(next: Presence, before: Presence | null): void {
    this.#sinceMs = this.#context.deps.clock.wallMs();
    const { halts, log, metrics } = this.#context;
    if (next.kind === 'free') {
      halts.clear(HALT);
      this.#nextLookMs = this.#now() + TRADING_EVERY_MS;
      if (before === null) return;
      log.info('no other process uses the account');
      this.#isToTake = true;
      return this.#parts.resync('the account is free');
    }
    this.#pauseMs = FIRST_PAUSE_MS;
    if (next.kind === 'watching') {
      this.#nextLookMs = Math.min(this.#nextLookMs, this.#now() + this.#watchPauseMs());
      return halts.set(HALT, 'watching_the_account');
    }
    this.#nextLookMs = Math.min(this.#nextLookMs, this.#now() + WATCH_EVERY_MS);
    metrics.alarms.inc({ kind: 'other_installation' });
    const seen = this.#describe(next.sign);
    log.error('another process uses the account: nothing is placed until it is gone', { seen });
  }

  #setHalt(sign: Sign): void {
    const detail = `${this.#describe(sign)}; seen since ${new Date(this.#sinceMs).toISOString()}`;
    this.#context.halts.set(HALT, haltOf(sign), detail);
  }

  #describe(sign: Sign): string {
    return presenceInWords(sign, this.#context.deps.claim.installation);
  }

  /** Lists at the very end of the watch: two processes that list at round instants would collide again. */
  #watchPauseMs(): number {
    const leftMs = this.#watchedSinceMs + watchMsOf(this.#rules()) - this.#now();
    return leftMs > 0 ? Math.min(leftMs, WATCH_EVERY_MS) : WATCH_EVERY_MS;
  }

  /** Stops trading until the account was watched for another `ms` milliseconds. */
  #watchFor(ms: number): void {
    if (this.#presence === null || this.#context.deps.claim.isSoleUser) return;
    const before = this.#presence;
    this.#watchedSinceMs = this.#now() + ms - watchMsOf(this.#rules());
    this.#presence = { kind: 'watching' };
    this.#changed(this.#presence, before);
  }

  #signs(): AccountSigns {
    const { listedMs } = this.sightings;
    const heartbeats = this.sightings.all();
    return { orders: this.#orders.values(), heartbeats, watchedSinceMs: this.#watchedSinceMs, listedMs };
  }

  #rules(): PresenceRules {
    const { options, deps } = this.#context;
    const { timeoutS, refreshRatio } = options.heartbeat;
    return {
      ...deps.claim,
      toleratesHeartbeats: options.otherHeartbeats === 'tolerate',
      watchMs: timeoutS * 1000 * refreshRatio + ANSWERS_MS,
      lingerMs: Math.max(timeoutS, options.durationS) * 1000 + LINGER_MS,
    };
  }

  /** The age of an order, by the exchange's clock if its stream has reported the time, else by ours. */
  #ageMs({ placementTimeMs }: VenueOrder): number {
    if (placementTimeMs === null) return 0;
    const { clock } = this.#context.deps;
    const reported = this.#exchange;
    const nowMs = reported === null ? clock.wallMs() : reported.sentMs + this.#now() - reported.receivedMs;
    return Math.max(0, nowMs - placementTimeMs);
  }

  #forgetLapsed(): void {
    if (this.#orders.size <= MOST_ORDERS) return;
    const rules = this.#rules();
    for (const [orderId, seen] of this.#orders)
      if (lapseMs(seen, rules) <= this.#now()) this.#orders.delete(orderId);
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}

/** Orders that have not ended and that this process may close. */
export const oursOf = (
  context: OrderContext,
  others: Pick<OtherInstallations, 'mayClose'>,
): readonly TrackedOrder[] => [...context.book.active()].filter((tracked) => others.mayClose(tracked));

const haltOf = (sign: Sign): HaltCode =>
  'heartbeat' in sign && sign.heartbeat.origin === 'unknown'
    ? 'heartbeat_of_another_process'
    : 'another_installation';
