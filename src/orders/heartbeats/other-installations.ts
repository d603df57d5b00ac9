import type { HeartbeatId, OrderId } from '../../domain/ids.ts';
import { markOf } from '../../domain/installation.ts';
import type { Heartbeat, VenueOrder } from '../../domain/orders.ts';
import { type Random, seededRandom } from '../../lib/random.ts';
import type { HaltCode } from '../send-gate.ts';
import type { OrderContext } from '../state/context.ts';
import type { TrackedOrder } from '../state/own-orders.ts';
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
/** The answer to a refresh and the answer to a listing may each take this long beside the interval of refreshes. */
const ANSWERS_MS = 2_000;
/** Beyond the longest life of an order or a heartbeat, an installation counts as present for this long. */
const LINGER_MS = 60_000;
/** How often heartbeats are listed: while the account is watched or taken over, and while this process trades. */
const WATCH_EVERY_MS = 2_000;
const TRADING_EVERY_MS = 15_000;
/** While another is present, the pause between two looks doubles up to the longest. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** Orders that no longer tell anything are forgotten once so many are known. */
const MOST_ORDERS = 1_000;

export interface OtherInstallationsParts {
  readonly heartbeat: Pick<HeartbeatKeeper, 'list' | 'isMine' | 'arm' | 'release'>;
  /** Hands over heartbeats that earlier runs left, to be deleted. */
  deleteOld(ids: readonly HeartbeatId[]): void;
  closeAll(why: string): void;
  /** Looks at the account anew; the halt `resync` stands until that is done. */
  resync(reason: string): void;
}

/**
 * Lets this process trade the account only while no other one does. Others show by the marks on orders and by heartbeats
 * that move: `presenceOf` holds the rules, this class gathers the signs, lists heartbeats when that is due, and acts on
 * the answer. A process that waits places nothing, closes and deletes nothing of the other's, and keeps no heartbeat.
 */
export class OtherInstallations {
  readonly #context: OrderContext;
  readonly #parts: OtherInstallationsParts;
  readonly #random: Random;
  readonly sightings: HeartbeatSightings;
  readonly #orders = new Map<OrderId, SeenOrder>();
  /** Null until recovery has told what earlier runs left. */
  #presence: Presence | null = null;
  /** Wall-clock instant since which it is so. */
  #sinceMs = 0;
  #watchedSinceMs = Infinity;
  #nextLookMs = Infinity;
  #pauseMs = FIRST_PAUSE_MS;
  #looking = false;
  /** The account is free, and this process has not begun to trade it. */
  #isToTake = false;
  /** The last instant that a frame of the exchange named, and the monotonic one of its arrival. */
  #exchange: { readonly sentMs: number; readonly receivedMs: number } | null = null;

  constructor(context: OrderContext, parts: OtherInstallationsParts) {
    this.#context = context;
    this.#parts = parts;
    this.sightings = new HeartbeatSightings({
      isMine: (id) => parts.heartbeat.isMine(id),
      monotonicMs: () => this.#now(),
      rules: () => this.#rules(),
    });
    // A copy of a journal has the same installation: only a fresh id lets two processes wait for different times.
    const seed = [...context.deps.ids.uuid()].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) | 0, 7);
    this.#random = seededRandom(seed, 'presence');
  }

  /** Recovery has listed the heartbeats of the account and knows which of them the journal tells of. */
  begin({ listed, listedMs, originOf }: ListedHeartbeats): void {
    this.sightings.recall(originOf);
    this.sightings.observe(listed, listedMs);
    this.#watchedSinceMs = listedMs;
    this.#set(presenceOf(this.#signs(), this.#rules(), this.#now()));
    if (this.isFree) this.#take();
  }

  /** Whether this process may trade the account. */
  get isFree(): boolean {
    return this.#presence?.kind === 'free';
  }

  /** Whether what earlier runs left is this process's to close and delete: the same journal may trade on elsewhere. */
  get ownsEarlierRuns(): boolean {
    const { earlierOwner, isSoleUser } = this.#context.deps.claim;
    return this.isFree || earlierOwner === 'dead' || isSoleUser;
  }

  /** Whether an order of the journal is this process's to close. */
  mayClose({ recovered }: TrackedOrder): boolean {
    return !recovered || this.ownsEarlierRuns;
  }

  /**
   * Whether an open order is this process's to close: our mark is on it, and the journal knows it or could not be read. A
   * copy of the journal placed any other order with our mark.
   */
  isOurs({ userData }: VenueOrder): boolean {
    const mark = markOf(userData);
    const { claim } = this.#context.deps;
    if (mark?.installation !== claim.installation) return false;
    const known = this.#context.book.byUuid(mark.uuid);
    if (known !== undefined) return this.mayClose(known);
    return this.#context.journalWriter.unread && claim.earlierOwner === 'dead';
  }

  /** A frame of the stream tells the exchange's own time. */
  heard(sentMs: number, receivedMs: number): void {
    this.#exchange = { sentMs, receivedMs };
  }

  /** The exchange's word on an order that nothing tracks. */
  onOrder(order: VenueOrder): void {
    const mark = markOf(order.userData);
    if (mark === null || this.isOurs(order) || this.#context.book.byUuid(mark.uuid) !== undefined) return;
    const { orderId, closed } = order;
    const known = this.#orders.get(orderId);
    const placedMs = known?.placedMs ?? this.#now() - this.#ageMs(order);
    // A listing that was long on its way tells less than what came before it.
    const isOpen = !closed && known?.isOpen !== false;
    this.#orders.set(orderId, { orderId, installation: mark.installation, isOpen, placedMs });
    this.#forgetLapsed();
    this.#decide();
  }

  /** A listing of heartbeats, whatever it was asked for. */
  onListed(listed: readonly Heartbeat[], askedMs: number): void {
    if (this.#presence === null) return;
    this.sightings.observe(listed, askedMs);
    this.#decide();
  }

  /** An earlier run has asked for a heartbeat, and its answer is not known. */
  expectUnanswered(): void {
    this.sightings.expectUnanswered(this.#context.options.latestLandingMs);
  }

  /** A request for a heartbeat was not answered: only watching tells what it made from what another process made. */
  unanswered(): void {
    this.expectUnanswered();
    this.#watchFor(watchMsOf(this.#rules()));
  }

  /** Another process created a heartbeat at the same time, and this one takes its own back: it waits a random time. */
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
    // A run that ends already places nothing: what earlier ones left is guarded by their heartbeat.
    if (!this.#context.halts.has('drain')) this.#parts.heartbeat.arm();
  }

  /** Also what this process placed itself goes, and its heartbeat with it, which would close the other's orders. */
  #standDown(sign: Sign): void {
    this.#parts.closeAll(this.#told(sign));
    if (oursOf(this.#context, this).length === 0) this.#parts.heartbeat.release();
  }

  #decide(): void {
    if (this.#presence !== null) this.#set(presenceOf(this.#signs(), this.#rules(), this.#now()));
  }

  /** Once this process trades, only what another does counts: a heartbeat that stands still does nothing. */
  #set(next: Presence): void {
    const before = this.#presence;
    const isAct = next.kind === 'present' && next.sign.kind !== 'standing_heartbeat';
    if (before?.kind === 'free' && !isAct) return;
    this.#presence = next;
    if (next.kind !== before?.kind) this.#changed(next, before);
    if (next.kind === 'present') this.#tell(next.sign);
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
    const seen = this.#told(next.sign);
    log.error('another process uses the account: nothing is placed until it is gone', { seen });
  }

  #tell(sign: Sign): void {
    const detail = `${this.#told(sign)}; seen since ${new Date(this.#sinceMs).toISOString()}`;
    this.#context.halts.set(HALT, haltOf(sign), detail);
  }

  #told(sign: Sign): string {
    return presenceInWords(sign, this.#context.deps.claim.installation);
  }

  /** The look that ends the watch comes at its end: two processes that look at round instants would meet again. */
  #watchPauseMs(): number {
    const leftMs = this.#watchedSinceMs + watchMsOf(this.#rules()) - this.#now();
    return leftMs > 0 ? Math.min(leftMs, WATCH_EVERY_MS) : WATCH_EVERY_MS;
  }

  /** Trades no more, and not before the account was watched for this time from now on. */
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

  /** By the exchange's own clock where its stream has told that, else by ours. */
  #ageMs({ placementTimeMs }: VenueOrder): number {
    if (placementTimeMs === null) return 0;
    const { clock } = this.#context.deps;
    const heard = this.#exchange;
    const nowMs = heard === null ? clock.wallMs() : heard.sentMs + this.#now() - heard.receivedMs;
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

/** Orders that are not over and are this process's to close. */
export const oursOf = (
  context: OrderContext,
  others: Pick<OtherInstallations, 'mayClose'>,
): readonly TrackedOrder[] => [...context.book.active()].filter((tracked) => others.mayClose(tracked));

const haltOf = (sign: Sign): HaltCode =>
  'heartbeat' in sign && sign.heartbeat.origin === 'unknown'
    ? 'heartbeat_of_another_process'
    : 'another_installation';
