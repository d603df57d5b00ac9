import type { ExchangeCore, SimEventName, SimRequest, SimResponse } from '../core/api.ts';
import { eventKey } from '../core/catalogue.ts';
import { dataOf } from '../faults/request-plan.ts';
import { type ActionFault, type Armed, type Due, isAction } from '../faults/timeline.ts';
import type { FaultOf } from '../faults/schema.ts';
import type { StreamSession } from './stream-session.ts';
import type { Timers } from './exchange-time.ts';

/** A foreign order waits this long for its betslip's quote. */
const QUOTE_WAIT_MS = 4_000;

/** The parts of the host that fault actions use. */
export interface FaultTargets {
  sessions(): readonly StreamSession[];
  ask(request: SimRequest): SimResponse;
  /** Keys that the exchange has accepted, the latest last. */
  keys(): readonly string[];
  readonly core: ExchangeCore;
  readonly timers: Timers;
}

type Begin<F> = (fault: F, nowMs: number) => void;
type Begins = { readonly [K in ActionFault['fault']]: Begin<FaultOf<K>> };

/** Carries out the faults that act at an instant, by the exchange itself. */
export class FaultActions {
  readonly #targets: FaultTargets;
  readonly #frozen = new Map<number, readonly StreamSession[]>();
  /** The ends of the outages of the feed that are under way, by the ids of their faults. */
  readonly #outages = new Map<number, number>();
  /** Ids of the faults that keep events suspended now. */
  readonly #suspending = new Set<number>();
  /** Live events that these faults have suspended, by event key. */
  #suspended: ReadonlyMap<string, SimEventName> = new Map();
  readonly #begin: Begins;

  constructor(targets: FaultTargets) {
    this.#targets = targets;
    this.#begin = {
      raw_close: ({ mid_frame }, nowMs) => this.#each((session) => rawClose(session, mid_frame, nowMs)),
      close: ({ code, reason }) => this.#each((session) => session.close(code, reason)),
      half_open: ({ release }) => this.#each((session) => session.freeze(release)),
      junk_frame: ({ text }) => this.#each((session) => session.send(text)),
      huge_frame: ({ bytes }, nowMs) => this.#sendEntry(nowMs, 'info', { filler: 'x'.repeat(bytes) }),
      unknown_tag: ({ tag }, nowMs) => this.#sendEntry(nowMs, tag, { anything: [1, 'two', null] }),
      clear_events: (_fault, nowMs) => this.#loseFeed(nowMs),
      heartbeats_deleted: () => this.#deleteAll('heartbeats', heartbeatIds),
      betslips_deleted: () => this.#deleteAll('betslips', betslipIds),
      foreign_heartbeat: ({ timeout_s }) => this.#armHeartbeat(timeout_s),
      bets_voided: ({ last }, nowMs) => this.#voidBets(last, nowMs),
      events_suspended: (_fault, nowMs) => this.#suspend(true, nowMs),
      foreign_order: (fault) => this.#placeOrder(fault),
    };
  }

  /** Begins or ends a due action. Faults of other kinds need no action. */
  run({ armed, phase }: Due, nowMs: number): void {
    const { fault } = armed;
    if (!isAction(fault)) return;
    if (phase === 'end') return this.end(armed, nowMs);
    if (fault.fault === 'half_open') this.#frozen.set(armed.id, this.#targets.sessions());
    if (fault.fault === 'events_suspended') this.#suspending.add(armed.id);
    if (fault.fault === 'clear_events' && armed.untilMs !== null) this.#outages.set(armed.id, armed.untilMs);
    (this.#begin[fault.fault] as Begin<ActionFault>)(fault, nowMs);
  }

  /** Ends a lasting action: half-open connections recover or prove dead, suspended events resume, the feed is back. */
  end({ id }: Armed, nowMs: number): void {
    if (this.#outages.delete(id) && this.#outages.size === 0) this.#targets.core.market.recover(nowMs);
    if (this.#suspending.delete(id) && this.#suspending.size === 0) this.#suspend(false, nowMs);
    for (const session of this.#frozen.get(id) ?? []) session.thaw();
    this.#frozen.delete(id);
  }

  /** Suspends new events while a fault suspends all events. */
  suspendNew(nowMs: number): void {
    if (this.#suspending.size === 0) return;
    const before = this.#suspended;
    this.#suspended = this.#liveEvents();
    for (const [key, event] of this.#suspended) if (!before.has(key)) this.#hold(event, true, nowMs);
  }

  #suspend(suspended: boolean, nowMs: number): void {
    this.#suspended = this.#liveEvents();
    for (const event of this.#suspended.values()) this.#hold(event, suspended, nowMs);
  }

  #hold(event: SimEventName, suspended: boolean, nowMs: number): void {
    this.#targets.core.intervene(event, { kind: suspended ? 'suspend' : 'resume' }, nowMs);
  }

  #liveEvents(): ReadonlyMap<string, SimEventName> {
    const live = this.#targets.core.inspectEvents().filter(({ phase }) => phase === 'live');
    return new Map(live.map((event) => [eventKey(event), event]));
  }

  /** Loses the feed until the last outage ends; without the length of an outage, for as long as the feed takes to load. */
  #loseFeed(nowMs: number): void {
    const untilMs = Math.max(nowMs, ...this.#outages.values());
    this.#targets.core.market.clear(nowMs, untilMs > nowMs ? untilMs - nowMs : undefined);
  }

  /** Voids the latest bets, settled or not. */
  #voidBets(last: number, nowMs: number): void {
    const { core } = this.#targets;
    const betIds = core.inspect().orders.flatMap(({ fills }) => fills.map(({ betId }) => betId));
    for (const betId of betIds.toSorted((a, b) => b - a).slice(0, last)) core.markBet(betId, 'void', nowMs);
  }

  /** Creates a heartbeat that is never refreshed, on the account of the latest key. */
  #armHeartbeat(timeoutS: number): void {
    const key = this.#targets.keys().at(-1);
    if (key !== undefined) this.#ask(key, 'POST', 'heartbeats/', { timeout: timeoutS });
  }

  #each(act: (session: StreamSession) => void): void {
    this.#targets.sessions().forEach(act);
  }

  #sendEntry(nowMs: number, tag: string, payload: unknown): void {
    this.#each((session) => session.send(batch(nowMs, tag, payload)));
  }

  #ask(apiKey: string, method: string, path: string, body: object | null = null): SimResponse {
    return this.#targets.ask({
      method,
      target: `/v2/${path}`,
      apiKey,
      body: body === null ? '' : JSON.stringify(body),
    });
  }

  /** Deletes everything listed, as another process of the same account would. */
  #deleteAll(path: string, idsOf: (list: SimResponse) => readonly string[]): void {
    for (const key of this.#targets.keys()) {
      for (const id of idsOf(this.#ask(key, 'GET', `${path}/`))) this.#ask(key, 'DELETE', `${path}/${id}/`);
    }
  }

  /** Places an order as a person would by hand, on the account of the latest key. */
  #placeOrder({ sport, event_id, bet_type, price, stake, duration_s }: FaultOf<'foreign_order'>): void {
    const key = this.#targets.keys().at(-1);
    if (key === undefined) return;
    const betslip = { sport, event_id, bet_type, betslip_type: 'normal' };
    const betslipId = dataOf(this.#ask(key, 'POST', 'betslips/', betslip))?.['betslip_id'];
    const order = { betslip_id: betslipId, price, stake: ['USDT', stake], duration: duration_s };
    this.#targets.timers.after(QUOTE_WAIT_MS, () => this.#ask(key, 'POST', 'orders/', order));
  }
}

function rawClose(session: StreamSession, midFrame: boolean, nowMs: number): void {
  if (midFrame) session.cut(batch(nowMs, 'info', { cut: 'in the middle' }));
  else session.close(null, '');
}

function batch(nowMs: number, tag: string, payload: unknown): string {
  return JSON.stringify({ ts: new Date(nowMs).toISOString(), data: [[tag, payload]] });
}

function heartbeatIds(answer: SimResponse): readonly string[] {
  const list = dataOf(answer)?.['heartbeats'];
  return Array.isArray(list) ? list.map((one: { heartbeat_id: string }) => one.heartbeat_id) : [];
}

function betslipIds(answer: SimResponse): readonly string[] {
  const { data } = JSON.parse(answer.body) as { data: unknown };
  return Array.isArray(data) ? (data as string[]) : [];
}
