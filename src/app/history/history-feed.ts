import { filter, map, merge, type Observable, tap } from 'rxjs';
import {
  type AccountChange,
  type BookedChange,
  type ResultChange,
  validityOf,
} from '../../account/changes.ts';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey, SelectionId } from '../../domain/ids.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import type { Balance } from '../../domain/orders.ts';
import type { MarketWatch } from '../../engine/risk-inputs/market-watch.ts';
import type { Strategies } from '../../engine/strategies.ts';
import type { Look } from '../../engine/turn.ts';
import type { HistoryFact, RunStart } from '../../history/facts.ts';
import type { HistoryRecorder } from '../../history/recorder.ts';
import type { HorizonS, Ledger } from '../../ledger/index.ts';
import type { Market } from '../../market/index.ts';
import type { Clock } from '../../ports/clock.ts';

/** The parts that a fact is completed from. */
export interface HistorySources {
  readonly look$: Observable<Look>;
  readonly account$: Observable<AccountChange>;
  readonly ledger: Pick<Ledger, 'fairSeen' | 'profitLoss'>;
  readonly strategies: Pick<Strategies, 'ownerOf'>;
  readonly fairValues: Pick<MarketWatch, 'fairOf'>;
  readonly market: Pick<Market, 'event'>;
  readonly onOtherAccount: () => void;
  readonly onFatal: (error: unknown) => void;
}

/** A balance that did not change is noted this often. */
const BALANCE_EVERY_MS = 300_000;
/** How often a run shows that it is alive. */
const SEEN_EVERY_MS = 60_000;

/** Passes to the history what account, ledger and market report. Make it before the ledger, and call `follow` before any fill. */
export class HistoryFeed {
  readonly #recorder: Pick<HistoryRecorder, 'note'>;
  readonly #run: RunStart;
  readonly #clock: Clock;
  #sources: HistorySources | null = null;
  readonly #titles = new Map<EventKey, string>();
  #balance: { readonly micros: Micros; readonly notedMs: number } | null = null;
  #seenMs = -Infinity;

  constructor(recorder: Pick<HistoryRecorder, 'note'>, run: RunStart, clock: Clock) {
    [this.#recorder, this.#run, this.#clock] = [recorder, run, clock];
    this.#note({ kind: 'run_started', run });
  }

  follow(sources: HistorySources): void {
    this.#sources = sources;
    merge(
      sources.account$.pipe(tap((change) => this.#onChange(change))),
      sources.look$.pipe(
        map((look) => this.#described(look, sources.market)),
        tap((facts) => facts.forEach((fact) => this.#note(fact))),
      ),
      sources.look$.pipe(
        filter(({ monotonicMs }) => monotonicMs - this.#seenMs >= SEEN_EVERY_MS),
        tap(({ monotonicMs, wallMs }) => {
          this.#seenMs = monotonicMs;
          this.#note({ kind: 'run_seen', ...this.#runAt(wallMs) });
        }),
      ),
    ).subscribe({ error: sources.onFatal });
  }

  /** Takes each change of the account. */
  #onChange(change: AccountChange): void {
    if (change.kind === 'booked') this.#onBooked(change);
    else if (change.kind === 'result') this.#onResult(change);
    else if (change.kind === 'reopened') this.#note({ kind: 'reopened', orderId: change.orderId });
    else if (change.kind === 'balance') this.#onBalance(change.balance);
    else if (change.kind === 'moved') this.#onValidity(change.fill, validityOf(change));
    else if (change.kind === 'other_account') this.#sources?.onOtherAccount();
  }

  #onBooked({ fill, state, isRecorded }: BookedChange): void {
    this.#onFill(fill);
    const isVoid = state === 'void' || state === 'settled_void';
    // The history may have missed what the journal has of an earlier run's bet.
    if (isVoid || isRecorded) this.#onValidity(fill, !isVoid);
  }

  #onFill(fill: Fill): void {
    const {
      betId,
      orderId,
      sport,
      eventId,
      selectionId,
      direction,
      priceKind,
      price,
      stakeMicros,
      role,
      atMs,
    } = fill;
    const strategy = fill.requestUuid === null ? null : (this.#sources?.strategies.ownerOf(fill) ?? null);
    this.#note({
      kind: 'fill',
      fill: {
        betId,
        orderId,
        sport,
        eventId,
        selectionId,
        direction,
        priceKind,
        price,
        stakeMicros,
        role,
        atMs: Math.round(atMs),
        strategy,
        fair: this.#sources?.ledger.fairSeen(selectionId) ?? null,
      },
    });
  }

  onMarked({ betId }: Fill, horizonS: HorizonS, micros: Micros): void {
    this.#note({ kind: 'markout', betId, horizonS, micros });
  }

  /** A result of nothing, of an order that may never have been matched, is no news. */
  #onResult({ result, atMs, bets, isNews, isRecorded }: ResultChange): void {
    if (!isNews && !isRecorded) return;
    const { orderId, sport, eventId, profitLossMicros: profitMicros } = result;
    const [bet] = bets;
    const lastFair = bet === undefined ? null : this.#lastFairOf(bet.selectionId);
    const kept = { orderId, sport, eventId, profitMicros, atMs: Math.round(atMs), lastFair };
    this.#note({ kind: 'result', result: kept });
  }

  #onValidity({ betId }: Fill, stands: boolean | null): void {
    if (stands !== null) this.#note({ kind: 'validity', betId, stands });
  }

  #onBalance(balance: Balance): void {
    const nowMs = this.#clock.monotonicMs();
    const { balanceMicros: micros } = balance;
    const isNews = this.#balance?.micros !== micros || nowMs - this.#balance.notedMs >= BALANCE_EVERY_MS;
    if (!isNews) return;
    this.#balance = { micros, notedMs: nowMs };
    this.#note({ kind: 'balance', balance, atMs: this.#clock.wallMs() });
  }

  /** The run ended as it should. */
  ended(): void {
    this.#note({ kind: 'run_ended', ...this.#runAt(this.#clock.wallMs()) });
  }

  #note(fact: HistoryFact): void {
    this.#recorder.note(fact);
  }

  #runAt(wallMs: number): { readonly runId: string; readonly atMs: number; readonly profitMicros: Micros } {
    const profitMicros = this.#sources?.ledger.profitLoss(() => null).realisedMicros ?? 0;
    return { runId: this.#run.runId, atMs: Math.round(wallMs), profitMicros };
  }

  /** In a run that has not seen the market yet, the last fair probability of the run before. */
  #lastFairOf(id: SelectionId): number | null {
    return this.#sources?.ledger.fairSeen(id) ?? this.#sources?.fairValues.fairOf(id) ?? null;
  }

  /** Titles and starts of events that are new or have changed. */
  #described({ events }: Look, market: HistorySources['market']): readonly HistoryFact[] {
    return events.flatMap((event) => this.#descriptionOf(event, market) ?? []);
  }

  #descriptionOf(event: EventName, market: HistorySources['market']): HistoryFact | null {
    const described = market.event(event)?.event;
    if (described === undefined) return null;
    const { sport, eventId, eventName: title, startTimeMs: startMs } = described;
    const { home, away, teams } = described;
    const text = `${title}|${startMs}|${home}|${away}|${teams.map(({ name }) => name).join('|')}`;
    if (this.#titles.get(eventKey(event)) === text) return null;
    this.#titles.set(eventKey(event), text);
    return { kind: 'event', event: { sport, eventId }, title, startMs, who: { home, away, teams } };
  }
}
