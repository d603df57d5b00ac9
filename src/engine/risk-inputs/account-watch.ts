import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { Core } from '../core.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Venue } from '../../ports/venue.ts';
import type { Disagreement } from '../../risk/index.ts';

const BALANCE_EVERY_MS = 30_000;
/** Pause between two readings of the balance, however often the exchange speaks of too little money. */
const BALANCE_AGAIN_MS = 2_000;
const POSITION_EVERY_MS = 10_000;
/**
 * An event whose position differs is compared as if its last answer were this many times older, because it is not quoted
 * meanwhile.
 */
const DIFFERING_AGES = 10;

type Subject = 'balance' | 'position';

interface Compared {
  /** Monotonic. */
  readonly askedMs: number;
  /** Number of answers in a row that differed from our position. */
  differences: number;
}

/**
 * Asks the exchange now and then for what only it knows for sure: the balance, and each event's position. While a request waits,
 * for example behind an answer 429, no other of its kind is sent. Otherwise many comparisons at one moment would make a passing
 * difference look like a lasting one.
 */
export class AccountWatch {
  readonly #venue: Pick<Venue, 'balance' | 'position'>;
  readonly #core: Pick<Core, 'account' | 'risk' | 'apply'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #balanceDueMs = -Infinity;
  #balanceAskedMs = -Infinity;
  #positionDueMs = -Infinity;
  readonly #compared = new Map<EventKey, Compared>();
  readonly #unanswered = new Set<Subject>();

  constructor(
    venue: Pick<Venue, 'balance' | 'position'>,
    core: Pick<Core, 'account' | 'risk' | 'apply'>,
    clock: Clock,
    logger: Logger,
  ) {
    [this.#venue, this.#core] = [venue, core];
    [this.#clock, this.#logger] = [clock, logger];
  }

  /** Call it about every second. */
  tick(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#readBalance();
    if (nowMs < this.#positionDueMs || this.#unanswered.has('position')) return;
    this.#positionDueMs = nowMs + POSITION_EVERY_MS;
    this.#comparePosition(nowMs);
  }

  /**
   * The exchange refused or ended an order of ours for a reason that may mean too little money (`OF_MONEY`). The balance is read at once: it
   * may have fallen without a message. A request in flight may be older than the refusal, so the balance is then read once more.
   */
  onWantOfMoney(): void {
    this.#balanceDueMs = Math.min(this.#balanceDueMs, this.#balanceAskedMs + BALANCE_AGAIN_MS);
    this.#readBalance();
  }

  #readBalance(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < this.#balanceDueMs || this.#unanswered.has('balance')) return;
    this.#balanceAskedMs = nowMs;
    this.#balanceDueMs = nowMs + BALANCE_EVERY_MS;
    this.#ask('balance', async () => {
      this.#core.account.apply({ kind: 'balance', balance: await this.#venue.balance() });
    });
  }

  /** Compares one event at a time, the one with the oldest answer, so that more events cost no more requests. */
  #comparePosition(nowMs: number): void {
    const held = new Map(
      Array.from(this.#core.risk.positions(), (event) => [eventKey(event), event] as const),
    );
    for (const key of this.#compared.keys()) if (!held.has(key)) this.#compared.delete(key);
    const [first, ...others] = held.keys();
    if (first === undefined) return;
    const older = (a: EventKey, b: EventKey): EventKey =>
      this.#ageMs(b, nowMs) > this.#ageMs(a, nowMs) ? b : a;
    const key = others.reduce(older, first);
    const { sport, eventId } = held.get(key) as EventName;
    const compared = { askedMs: nowMs, differences: this.#compared.get(key)?.differences ?? 0 };
    this.#compared.set(key, compared);
    this.#ask('position', async () => {
      const reported = await this.#venue.position({ sport, eventId });
      // If no order matches, the answer may name no event.
      const position = { ...reported, sport: reported.sport || sport, eventId: reported.eventId || eventId };
      const disagreement = this.#core.apply({ kind: 'position', position });
      compared.differences = disagreement === null ? 0 : compared.differences + 1;
      if (disagreement !== null)
        this.#logDisagreement({ sport, eventId }, disagreement, compared.differences);
    });
  }

  /** A difference may last as long as a bet is held, so only the first, second, fourth, eighth answer and so on are logged. */
  #logDisagreement({ sport, eventId }: EventName, disagreement: Disagreement, times: number): void {
    if ((times & (times - 1)) !== 0) return;
    this.#logger.error('the exchange reports another position than ours', {
      sport,
      eventId,
      times,
      ...disagreement,
    });
  }

  #ageMs(key: EventKey, nowMs: number): number {
    const { askedMs, differences } = this.#compared.get(key) ?? { askedMs: -Infinity, differences: 0 };
    return (nowMs - askedMs) * (differences > 0 ? DIFFERING_AGES : 1);
  }

  #ask(what: Subject, question: () => Promise<void>): void {
    this.#unanswered.add(what);
    const answered = question().catch((error: unknown) =>
      this.#logger.warn(`the ${what} could not be read`, { error }),
    );
    void answered.finally(() => this.#unanswered.delete(what));
  }
}

/** Words of reasons that may mean too little money. The exchange does not publish all its reasons. */
export const OF_MONEY = /balance|credit|fund|money|deposit|afford|insufficient|exposure/i;
