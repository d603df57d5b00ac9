import { TouchlineError, TransportError, VenueRejection } from '../../domain/errors.ts';
import { toMicros } from '../../domain/money.ts';
import { OPEN_STATUSES } from '../../domain/orders.ts';
import type { Sample } from '../../history/facts.ts';
import { ProfitsKept } from '../history/profits-kept.ts';
import type { AdminControls, PaperResultWish } from '../../ops/commands/controls.ts';
import type { RecordSource } from '../../ops/dashboard/record-routes.ts';
import type { Probe } from '../../ops/metrics-server.ts';
import { repeat } from '../../ports/clock.ts';
import type { DrainReport } from '../../orders/api.ts';
import type { MarkoutSum } from '../../read-model/profit.ts';
import { liveState } from '../../read-model/live/live-state.ts';
import type { LiveState } from '../../read-model/live/message.ts';
import { ordersOf, type Readings, type Status, statusOf } from '../../read-model/status.ts';
import { type RunSummary, summaryOf } from '../../read-model/summary.ts';
import { type Composed, WEDGED_MS } from '../compose.ts';
import type { RunState } from '../notify/conditions-of.ts';
import type { PaperAccount } from '../paper/paper-account.ts';
import { checkHasStarted } from '../paper/paper-results.ts';
import { eventStates, liveReadingsOf, readingsOf } from '../read-model-feed.ts';
import { AlertCauses } from '../notify/alert-causes.ts';
import { Alerts } from '../notify/alerts.ts';
import { adjustControlsOf } from './adjust-controls.ts';
import { controlsOf } from './controls.ts';
import { HandDesk } from './hand-desk.ts';
import { HedgeDesk } from './hedge-controls.ts';
import { recordsOf } from './records.ts';
import type { RunId } from './run-id.ts';

/** The facts that name a run for people. */
export interface DaemonFacts {
  /** Names of the strategies, in order of precedence. */
  readonly strategies: readonly string[];
  /** Host and port of the exchange. */
  readonly exchange: string;
  /** Touchline's version. */
  readonly version: string;
  readonly runId: RunId;
  /** Null unless the run is on paper. */
  readonly paper?: PaperAccount | null;
}

interface OpenOnExchange {
  readonly all: number;
  readonly own: number;
}

/** A composed daemon; it can be started once and stopped once. */
export class Daemon {
  readonly #composed: Composed;
  readonly #facts: DaemonFacts;
  #startedMs: number | null = null;
  #stopping: string | null = null;
  readonly #alerts: Alerts;
  readonly #causes = new AlertCauses();
  readonly #hedges: HedgeDesk;
  readonly #hand: HandDesk;
  #stopSampling = (): void => undefined;

  constructor(composed: Composed, facts: DaemonFacts) {
    this.#composed = composed;
    this.#facts = facts;
    this.#alerts = new Alerts((alert) => composed.history?.alert(alert));
    this.#hedges = new HedgeDesk(composed);
    this.#hand = new HandDesk(composed);
  }

  /**
   * Checks the key, connects, recovers and begins to quote. Resolves to false if the daemon was stopped before. Rejects with the
   * exchange's or network's error: VenueRejection with status 401 or 403 for the key, TransportError if the exchange cannot be
   * reached.
   */
  async start(): Promise<boolean> {
    await this.#checkKey();
    if (this.#stopping !== null) return false;
    await this.#composed.engine.start();
    this.#startedMs = this.#composed.parts.clock.monotonicMs();
    this.#logCarried();
    this.#sampleRegularly();
    return true;
  }

  #logCarried(): void {
    const { open, isLearned, carries } = this.status().betslipCap;
    const fields = { openBetslips: open, isLearned };
    this.#composed.parts.logger.info(`your cap of open betslips carries about ${carries} selections`, fields);
  }

  /** Settles when the daemon cannot continue: a broken invariant, or a key that the exchange no longer accepts. */
  get fatal(): Promise<unknown> {
    return this.#composed.fatal;
  }

  status(): Status {
    return statusOf(this.#composed.readModel, this.#readings());
  }

  /** The state for pages, with the details of some events. */
  live(events: ReadonlySet<string>): LiveState {
    const { readModel, parts, heartbeatS } = this.#composed;
    const stateOf = eventStates(parts.core.market);
    const alertsAt = (status: Status) => this.#alertsAt(status);
    const readings = liveReadingsOf(parts, this.#readings(stateOf), stateOf, heartbeatS, alertsAt);
    return liveState(readModel, readings, events);
  }

  #readings(stateOf?: ReturnType<typeof eventStates>): Readings {
    const { parts, history, previousRun, readModel } = this.#composed;
    const { strategies, version, runId } = this.#facts;
    const run = {
      version,
      runId,
      previousRun,
      today: history?.today() ?? null,
      strategy: strategies.join(', '),
      runningS: this.#runningMs() / 1000,
      hasStarted: this.#startedMs !== null,
      stopping: this.#stopping,
    };
    const reconciliation = history?.reconciliation ?? null;
    const readings = readingsOf(parts, run, readModel, stateOf);
    const paperFills = this.#facts.paper?.range(readings.fairOf) ?? null;
    const earlier = history?.earlierMarkouts ?? [];
    const markouts = earlier.length === 0 ? readings.markouts : withEarlier(readings.markouts, earlier);
    return { ...readings, markouts, reconciliation, ...(paperFills && { paperFills }) };
  }

  /** What stops everything until a person acts: the reason of a kill, and whether the journal failed. */
  failures(): Pick<RunState, 'killed' | 'journalFailed' | 'sinceMs'> {
    this.#lookAtCauses();
    const { core, parts } = this.#composed;
    const { journalFailed } = parts.orders.status();
    return { killed: core.risk.killed?.reason ?? null, journalFailed, sinceMs: this.#causes.sinceMs };
  }

  #lookAtCauses(): void {
    const { core, parts } = this.#composed;
    const { journalFailed, heartbeatRemainingMs } = parts.orders.status();
    const isContradicted = parts.convention.status.contradiction !== null;
    const isHeartbeatProven = heartbeatRemainingMs > 0;
    const now = { killed: core.risk.killed, journalFailed, isContradicted, isHeartbeatProven };
    this.#causes.look(now, parts.clock.wallMs());
  }

  /** A kill that no place has taken, so that the next start would trade; null if there is none. */
  get unlatched(): TouchlineError | null {
    const { unlatched } = this.#composed.parts.riskInputs.kept;
    if (unlatched === null) return null;
    const message = `killed (${unlatched.reason}), and neither journal, permit nor kill file could be written: see that nothing starts this daemon before somebody has looked`;
    return new TouchlineError('unlatched', message);
  }

  /** The commands of operators. */
  controls(): AdminControls {
    return {
      ...controlsOf(this.#composed),
      hedge: this.#hedges,
      adjust: adjustControlsOf(this.#composed),
      hand: this.#hand,
      see: (alert, by) => (this.#alerts.see(alert, by) ? { alert, seenBy: by } : null),
      settlePaper: (wish) => ({ settles: this.#settlePaper(wish) }),
    };
  }

  #settlePaper({ sport, eventId, told, beforeStart = false }: PaperResultWish): readonly string[] {
    const { paper = null } = this.#facts;
    if (paper === null)
      throw new TouchlineError('refused', 'this daemon is not on paper: its exchange settles');
    const { engine, parts } = this.#composed;
    const { core, clock, logger } = parts;
    const state = core.market.event({ sport, eventId });
    try {
      if (!beforeStart && state !== undefined && !state.inRunning)
        checkHasStarted(told, state.event.eventName, state.event.startTimeMs, clock.wallMs());
      const settled = paper.settle({ sport, eventId, told }, () => engine.leave({ sport, eventId }));
      logger.info('a person told the result of an event, which is not chosen any more', { sport, eventId });
      return settled;
    } catch (error) {
      const isWrong = error instanceof TouchlineError && error.code === 'usage';
      throw isWrong ? new TouchlineError('refused', error.message) : error;
    }
  }

  health(): Probe {
    const idleMs = this.#composed.engine.idleMs();
    if (idleMs < WEDGED_MS || this.#startedMs === null) return { ok: true, reasons: [] };
    return { ok: false, reasons: [`the engine made no progress for ${Math.round(idleMs / 1000)} s`] };
  }

  ready(): Probe {
    const { blocked } = this.#composed.parts.orders.status();
    const reasons = [
      ...(this.#startedMs === null ? ['not started'] : []),
      ...(this.#stopping === null ? [] : [`stopping: ${this.#stopping}`]),
      ...(blocked === null ? [] : [blocked]),
    ];
    return { ok: reasons.length === 0, reasons };
  }

  /**
   * Stops quoting, closes own orders, confirms on the exchange that none is open, deletes the heartbeat and releases everything.
   * Never throws: the summary lists what failed.
   */
  async stop(reason: string, deadlineMs: number): Promise<RunSummary> {
    const { engine, parts } = this.#composed;
    const ranMs = this.#runningMs();
    this.#stopping = reason;
    parts.logger.info('stopping', { reason });
    engine.stopQuoting(reason);
    const report = await parts.orders.drain(deadlineMs);
    this.#logDrain(report);
    const openOnExchange = await this.#askOpenOrders();
    const summary = this.#summarise(ranMs, report, openOnExchange);
    parts.riskInputs.kept.save();
    for (const memory of parts.memories.toReversed()) memory.end();
    this.#composed.history?.ended();
    await this.abandon();
    return summary;
  }

  /** Releases everything without another request to the exchange, for a daemon that never traded. */
  async abandon(): Promise<void> {
    this.#stopSampling();
    const { engine, parts, history } = this.#composed;
    history?.stop();
    engine.stop();
    parts.orders.stop();
    await parts.venue.close();
  }

  /** Keeps how things stand, for charts over hours and days. */
  #sampleRegularly(): void {
    const { history, parts } = this.#composed;
    if (history === null) return;
    const profits = new ProfitsKept();
    const take = (): void => {
      const status = this.status();
      history.sample(this.#sample(status));
      history.profits(profits.at(Math.round(parts.clock.wallMs()), status.profit));
      // Alerts are kept although no page looks.
      this.#alertsAt(status);
    };
    take();
    const stops = [
      repeat(parts.clock, SAMPLE_EVERY_MS, take),
      repeat(parts.clock, CAUSES_EVERY_MS, () => {
        this.#lookAtCauses();
        if (this.#causes.takeChange()) this.#alertsAt(this.status());
      }),
    ];
    this.#stopSampling = () => stops.forEach((stop) => stop());
  }

  #alertsAt(status: Status): ReturnType<Alerts['at']> {
    return this.#alerts.at({ status, ...this.failures() }, this.#composed.parts.clock.wallMs());
  }

  #sample({ profit, ordersOpen, quoting }: Status): Sample {
    const { worstMicros, grossMicros, openMicros } = this.#composed.core.risk.accountExposure();
    const { wanted, quoted, twoSided } = quoting;
    return {
      atMs: Math.round(this.#composed.parts.clock.wallMs()),
      settledMicros: toMicros(profit.run.settled),
      expectedMicros: toMicros(profit.run.expected),
      worstMicros,
      grossMicros,
      openStakeMicros: openMicros,
      ordersOpen,
      wanted,
      quoted,
      twoSided,
    };
  }

  /** The records of the account, for lists on a page. */
  records(): Omit<RecordSource, 'log' | 'findInLog'> {
    const { history, readModel } = this.#composed;
    return recordsOf(
      history?.reader ?? null,
      () => ordersOf(readModel, this.#readings()),
      () => readModel.commissionRate,
    );
  }

  async #checkKey(): Promise<void> {
    try {
      // Recovery waits for this, and so do the closes of orders that an earlier run left open.
      await this.#composed.parts.venue.xrates({ priority: 'urgent' });
    } catch (error) {
      if (error instanceof TransportError) {
        const message = `cannot reach the exchange at ${this.#facts.exchange}: ${error.message}`;
        throw new TransportError(error.outcome, message, error.details, error);
      }
      if (!(error instanceof VenueRejection) || error.status > 403) throw error;
      const message = `the exchange refused the API key (${error.code}); check the key and its rights`;
      throw new VenueRejection(error.code, error.status, message);
    }
  }

  #logDrain(report: DrainReport): void {
    const { logger } = this.#composed.parts;
    if (report.heartbeatRemoved) logger.info('heartbeat removed');
    const tracked = report.stillOpen.map((order) => order.orderId ?? order.requestUuid);
    const stillOpen = [...tracked, ...report.straysOpen];
    if (report.clean) logger.info('all own orders are closed', { tookMs: Math.round(report.tookMs) });
    else logger.error('own orders may still be open', { stillOpen, tookMs: Math.round(report.tookMs) });
  }

  /**
   * Open orders of the account by the exchange's own list, and those of this installation; null if the exchange does not answer.
   */
  async #askOpenOrders(): Promise<OpenOnExchange | null> {
    const { venue, clock, orders } = this.#composed.parts;
    const aborter = new AbortController();
    const limit = clock.after(LAST_QUESTION_MS, () =>
      aborter.abort(new TouchlineError('timeout', 'no answer')),
    );
    try {
      const query = { statuses: OPEN_STATUSES, pageSize: 1000 };
      const page = await venue.orders(query, { priority: 'urgent', signal: aborter.signal });
      // An order that cannot be read may be open.
      const open = [...page.orders, ...page.unread];
      return { all: open.length, own: open.filter((order) => orders.isOurs(order)).length };
    } catch {
      return null;
    } finally {
      limit.cancel();
    }
  }

  #summarise(ranMs: number, report: DrainReport, openOnExchange: OpenOnExchange | null): RunSummary {
    const ownKnown = report.stillOpen.length + report.straysOpen.length;
    return summaryOf(this.#composed.readModel, this.status(), {
      ranMs,
      // If the exchange listed nothing earlier, this run may not know its open orders.
      ordersOpen: Math.max(ownKnown, openOnExchange?.own ?? 0),
      exchangeOrdersOpen: openOnExchange?.all ?? null,
      held: this.#composed.core.risk.heldEvents(),
    });
  }

  #runningMs(): number {
    return this.#startedMs === null ? 0 : this.#composed.parts.clock.monotonicMs() - this.#startedMs;
  }
}

/** Mark-outs of this run and of earlier ones, as the fills beside them. */
const withEarlier = (
  markouts: readonly MarkoutSum[],
  earlier: readonly MarkoutSum[],
): readonly MarkoutSum[] =>
  markouts.map((now) => {
    const before = earlier.find(({ horizonS }) => horizonS === now.horizonS);
    if (before === undefined) return now;
    const { horizonS, fills, micros, stakeMicros } = before;
    return {
      horizonS,
      fills: now.fills + fills,
      micros: now.micros + micros,
      stakeMicros: now.stakeMicros + stakeMicros,
    };
  });

const SAMPLE_EVERY_MS = 10_000;
/** A person may ask for an alarm as soon as its cause is there. */
const CAUSES_EVERY_MS = 250;

/** Time limit of the last request to the exchange. */
const LAST_QUESTION_MS = 5000;
