import type { StreamEntry, StreamSignal } from '../../domain/stream.ts';
import type { BetslipPool } from '../betslips/pool.ts';
import type { ExecutionReports } from '../outcomes/execution-reports.ts';
import type { HaltCode } from '../send-gate.ts';
import type { OrderContext } from '../state/context.ts';

export interface StreamWatchParts {
  readonly reports: ExecutionReports;
  readonly betslips: BetslipPool;
  /** The exchange's time in a frame, and the monotonic instant of its arrival. */
  onExchangeTime(sentMs: number, receivedMs: number): void;
  /** Called when the stream is back. Nothing is placed until the account was read again. */
  onSynced(): void;
}

/** Follows the state of the stream, and passes on the entries about own orders and betslips. */
export class StreamWatch {
  readonly #context: OrderContext;
  readonly #parts: StreamWatchParts;
  #epoch = -1;
  #synced = false;
  #lostMs: number;
  #accepting = false;

  constructor(context: OrderContext, parts: StreamWatchParts) {
    this.#context = context;
    this.#parts = parts;
    this.#lostMs = context.deps.clock.monotonicMs();
    context.halts.set('stream', 'stream_not_synced');
  }

  /** Returns whether the account stream is in sync, or was lost only within the grace time. */
  trusted(): boolean {
    const lostForMs = this.#context.deps.clock.monotonicMs() - this.#lostMs;
    return this.#synced || lostForMs < this.#context.options.heartbeat.streamGraceMs;
  }

  /** Accepts account entries from now on: the journal was folded, so own orders are recognised. */
  accept(): void {
    this.#accepting = true;
  }

  /** Called from outside the queue, so it only adds work to it. */
  onSignal(signal: StreamSignal): void {
    if (signal.kind !== 'frame') return this.#context.queue.account(() => this.#turned(signal));
    const { sentMs, receivedMonotonicMs } = signal;
    if (sentMs !== null) this.#parts.onExchangeTime(sentMs, receivedMonotonicMs);
    // Most entries are offers, which concern no order.
    for (const entry of signal.entries) if (entry.tag !== 'offer') this.#enqueue(entry, signal.epoch);
  }

  /** Treats lost account entries like a lost stream. */
  distrust(reason: string): void {
    this.#lost('stream_distrusted', reason);
    if (this.#epoch >= 0) this.#back();
  }

  #enqueue(entry: StreamEntry, epoch: number): void {
    const { queue } = this.#context;
    if (entry.tag === 'order' || entry.tag === 'bet') queue.account(() => this.#account(entry, epoch));
    else if (BETSLIP_TAGS.includes(entry.tag)) queue.post(() => this.#betslip(entry, epoch));
  }

  #turned(signal: Exclude<StreamSignal, { kind: 'frame' }>): void {
    if (signal.epoch < this.#epoch) return;
    this.#epoch = signal.epoch;
    if (signal.kind === 'synced') this.#back();
    else if (signal.kind === 'closed') this.#lost('stream_closed', signal.reason);
    else this.#lost('stream_not_synced');
  }

  #lost(code: HaltCode, detail: string | null = null): void {
    if (this.#synced) this.#lostMs = this.#context.deps.clock.monotonicMs();
    this.#synced = false;
    this.#context.halts.set('stream', code, detail);
  }

  #back(): void {
    this.#synced = true;
    this.#parts.betslips.onStreamBack();
    this.#context.halts.set('resync', 'resync_under_way');
    this.#context.halts.clear('stream');
    this.#parts.onSynced();
  }

  #account(entry: StreamEntry, epoch: number): void {
    if (!this.#accepting || epoch < this.#epoch) return;
    if (entry.tag === 'order') this.#parts.reports.order(entry.order, 'stream');
    else if (entry.tag === 'bet') this.#parts.reports.bet(entry.bet, 'stream');
  }

  #betslip(entry: StreamEntry, epoch: number): void {
    if (epoch < this.#epoch) return;
    if (entry.tag === 'pmm') this.#parts.betslips.onQuote(entry.quote);
    else if (entry.tag === 'betslip') this.#parts.betslips.onExpiry(entry.betslipId, entry.expiryMs);
    else if (entry.tag === 'betslip_closed') this.#parts.betslips.drop(entry.betslipId);
  }
}

const BETSLIP_TAGS: readonly string[] = ['pmm', 'betslip', 'betslip_closed'];
