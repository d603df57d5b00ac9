import { TouchlineError, TransportError, VenueRejection } from '../../domain/errors.ts';
import { OPEN_STATUSES } from '../../domain/orders.ts';
import type { AdminControls } from '../../ops/admin-controls.ts';
import type { Probe } from '../../ops/admin-server.ts';
import type { DrainReport } from '../../orders/api.ts';
import { type Status, statusOf } from '../../read-model/status.ts';
import { type RunSummary, summaryOf } from '../../read-model/summary.ts';
import { controlsOf } from '../admin/controls.ts';
import { readingsOf } from '../admin/readings.ts';
import { type Composed, WEDGED_MS } from '../compose.ts';

/** What people call the parts. */
export interface DaemonFacts {
  readonly strategy: string;
  /** Host and port of the exchange. */
  readonly exchange: string;
}

interface OpenOnExchange {
  readonly all: number;
  readonly own: number;
}

/** A daemon that was composed and can be started once and stopped once. */
export class Daemon {
  readonly #composed: Composed;
  readonly #facts: DaemonFacts;
  #startedMs: number | null = null;
  #stopping: string | null = null;

  constructor(composed: Composed, facts: DaemonFacts) {
    this.#composed = composed;
    this.#facts = facts;
  }

  /**
   * Checks the key, connects, recovers and begins to quote; answers false when it was stopped before. Throws what the
   * exchange or the network said: a VenueRejection with status 401 or 403 for the key, TransportError when it cannot be
   * reached.
   */
  async start(): Promise<boolean> {
    await this.#checkKey();
    if (this.#stopping !== null) return false;
    await this.#composed.engine.start();
    this.#startedMs = this.#now();
    return true;
  }

  /** Settles when the daemon cannot go on: a broken invariant, or a key that the exchange no longer takes. */
  get fatal(): Promise<unknown> {
    return this.#composed.fatal;
  }

  status(): Status {
    const { readModel, parts } = this.#composed;
    const run = {
      strategy: this.#facts.strategy,
      runningS: this.#runningMs() / 1000,
      stopping: this.#stopping,
    };
    return statusOf(readModel, readingsOf(parts, run));
  }

  /** Killed, and latched nowhere: the next start would trade. Null when there is no such kill. */
  get unlatched(): TouchlineError | null {
    const { unlatched } = this.#composed.parts.riskInputs;
    if (unlatched === null) return null;
    const message = `killed (${unlatched.reason}), and neither journal, permit nor kill file could be written: see that nothing starts this daemon before somebody has looked`;
    return new TouchlineError('unlatched', message);
  }

  /** What operators may command. */
  controls(): AdminControls {
    return controlsOf(this.#composed, this.#composed.risk);
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
   * Stops quoting, closes own orders, confirms on the exchange that none is open, removes the heartbeat, releases
   * everything. Never throws: what could not be done is in the summary.
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
    parts.riskInputs.save();
    // The last word to the journal: whoever starts next then knows that nothing came after it.
    parts.limitsMemory.end();
    await this.abandon();
    return summary;
  }

  /** Releases everything without another word to the exchange: for a daemon that never got to trade. */
  async abandon(): Promise<void> {
    const { engine, parts } = this.#composed;
    engine.stop();
    parts.orders.stop();
    await parts.venue.close();
  }

  async #checkKey(): Promise<void> {
    try {
      // Recovery waits for it, and with it the closes of what an earlier run left open.
      await this.#composed.parts.venue.xrates({ priority: 'urgent' });
    } catch (error) {
      if (error instanceof TransportError) throw this.#unreachable(error);
      if (!(error instanceof VenueRejection) || error.status > 403) throw error;
      const message = `the exchange refused the API key (${error.code}); check the key and its rights`;
      throw new VenueRejection(error.code, error.status, message);
    }
  }

  #unreachable(error: TransportError): TransportError {
    const message = `cannot reach the exchange at ${this.#facts.exchange}: ${error.message}`;
    return new TransportError(error.outcome, message, error.details, error);
  }

  #logDrain(report: DrainReport): void {
    const { logger } = this.#composed.parts;
    if (report.heartbeatRemoved) logger.info('heartbeat removed');
    const tracked = report.stillOpen.map((order) => order.orderId ?? order.requestUuid);
    const stillOpen = [...tracked, ...report.straysOpen];
    if (report.clean) logger.info('all own orders are closed', { tookMs: Math.round(report.tookMs) });
    else logger.error('own orders may still be open', { stillOpen, tookMs: Math.round(report.tookMs) });
  }

  /** Open orders of the account by the exchange's own list, and those of this installation; null when it does not answer. */
  async #askOpenOrders(): Promise<OpenOnExchange | null> {
    const { venue, clock, orders } = this.#composed.parts;
    const aborter = new AbortController();
    const limit = clock.after(LAST_QUESTION_MS, () =>
      aborter.abort(new TouchlineError('timeout', 'no answer')),
    );
    try {
      const query = { statuses: OPEN_STATUSES, pageSize: 1000 };
      const open = await venue.orders(query, { priority: 'urgent', signal: aborter.signal });
      return {
        all: open.length,
        own: open.filter((order) => orders.isOurs(order)).length,
      };
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
      // Where the exchange listed nothing before, this run may know of none.
      ordersOpen: Math.max(ownKnown, openOnExchange?.own ?? 0),
      exchangeOrdersOpen: openOnExchange?.all ?? null,
    });
  }

  #now(): number {
    return this.#composed.parts.clock.monotonicMs();
  }

  #runningMs(): number {
    return this.#startedMs === null ? 0 : this.#now() - this.#startedMs;
  }
}

/** The last question to the exchange may take this long. */
const LAST_QUESTION_MS = 5000;
